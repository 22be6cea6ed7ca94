"""The formats that bases are exported to and imported from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from medweave.errors import ConfigurationError, SourceError
from medweave.exchange import graphs, tables
from medweave.exchange.published import write_mindmap, write_relations
from medweave.exchange.rows import contents_from, edge_rows, node_rows
from medweave.exchange.tables import Tables
from medweave.graph.contents import Contents, contents_of
from medweave.language.data import shipped
from medweave.model.entity import Entity
from medweave.vocabulary.knowledge import Knowledge

_Write = Callable[[Tables, Path], None]
_Read = Callable[[Path], Tables]
_WritePublished = Callable[[Contents, Mapping[str, Entity], Path], None]


@dataclass(frozen=True, slots=True)
class Format:
    """One way to write a base to files, and to read it back."""

    name: str
    endings: tuple[str, ...]
    """How its files are called; a folder is known by the names of the files in it."""
    write: Callable[[Contents, Knowledge, Path], None]
    read: Callable[[Path], Contents] | None = None
    """None where files hold less than a base: they are built like any other source."""
    layout: str = ""
    """The layout by which such files are built."""


def _of_rows(name: str, endings: tuple[str, ...], write: _Write, read: _Read) -> Format:
    def written(contents: Contents, knowledge: Knowledge, path: Path) -> None:
        entities = knowledge.entities.all(contents.things)
        nodes = node_rows(contents, entities, knowledge.vocabulary)
        write(Tables(nodes, edge_rows(contents, knowledge.vocabulary)), path)

    def read_back(path: Path) -> Contents:
        found = read(path)
        return contents_from(found.nodes, found.edges, str(path))

    return Format(name, endings, written, read_back)


def _of_rdf(name: str, endings: tuple[str, ...]) -> Format:
    def written(contents: Contents, knowledge: Knowledge, path: Path) -> None:
        from medweave.exchange import rdf

        entities = knowledge.entities.all(contents.things)
        quads = rdf.quads_of(contents, entities, knowledge.vocabulary)
        (rdf.write_trig if name == "trig" else rdf.write_turtle)(quads, path)

    def read_back(path: Path) -> Contents:
        from medweave.exchange.rdf_reading import read_rdf

        return read_rdf(path)

    return Format(name, endings, written, read_back)


def write_shapes(_contents: Contents, _knowledge: Knowledge, path: Path) -> None:
    """The shapes that the RDF of every base has; nothing of this one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(shipped("exchange", "shapes.ttl").read_text("utf-8"), "utf-8")


def _published(name: str, layout: str, write: _WritePublished) -> Format:
    def written(contents: Contents, knowledge: Knowledge, path: Path) -> None:
        write(contents, knowledge.entities.all(contents.things), path)

    return Format(name, (), written, layout=layout)


LOSSLESS = {
    form.name: form
    for form in (
        _of_rows("kgx-tsv", ("nodes.tsv",), tables.write_kgx_tsv, tables.read_kgx_tsv),
        _of_rows("kgx-jsonl", ("nodes.jsonl",), tables.write_kgx_jsonl, tables.read_kgx_jsonl),
        _of_rows("neo4j-csv", ("nodes.csv",), tables.write_neo4j, tables.read_neo4j),
        _of_rdf("turtle", (".ttl",)),
        _of_rdf("trig", (".trig",)),
        _of_rows("graphml", (".graphml",), graphs.write_graphml, graphs.read_graphml),
        _of_rows("cytoscape", (".cyjs", ".json"), graphs.write_cytoscape, graphs.read_cytoscape),
        _of_rows("csv", (".csv",), tables.write_csv, tables.read_csv),
    )
}

FORMATS = LOSSLESS | {
    "relations": _published("relations", "llmkgraph", write_relations),
    "mindmap": _published("mindmap", "mindmap", write_mindmap),
}
FORMATS["shacl"] = Format("shacl", (), write_shapes)


def format_called(name: str) -> Format:
    """The format of a name; `ConfigurationError` names those there are."""
    if name not in FORMATS:
        raise ConfigurationError(
            f"there is no format '{name}'", remedy=f"use one of {', '.join(FORMATS)}"
        )
    return FORMATS[name]


def format_of(path: Path) -> Format:
    """The format in which a file or folder is, by its name or the names of its files."""
    if not path.exists():
        raise SourceError("there is no such file", where=str(path), remedy="check the path")
    for form in LOSSLESS.values():
        inside = path.is_dir() and any((path / name).is_file() for name in form.endings)
        if inside or (path.is_file() and path.name.lower().endswith(form.endings)):
            return form
    raise SourceError(
        "its format cannot be told from its name",
        where=str(path),
        remedy=f"say it with --format: {', '.join(FORMATS)}",
    )


def export(knowledge: Knowledge, form: Format, path: Path) -> Contents:
    """Write a base to files, at one revision; what was written. Raises `ConfigurationError`."""
    contents = contents_of(knowledge.store)
    try:
        form.write(contents, knowledge, path)
    except OSError as error:
        raise ConfigurationError(
            f"this cannot be written ({error.strerror or error})",
            where=str(path),
            remedy="name another place",
        ) from error
    return contents


def read_contents(form: Format, path: Path) -> Contents:
    """What a file or folder holds. Raises `SourceError`, and `ConfigurationError` for shapes."""
    if form.read is None:
        raise ConfigurationError(f"'{form.name}' holds no base", remedy="import another format")
    return form.read(path)
