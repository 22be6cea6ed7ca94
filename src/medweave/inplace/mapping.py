"""Mappings of databases: those of files, with a table, collection, label, type or class each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from typing import Literal as OneOf

from medweave.errors import MappingError, VocabularyError
from medweave.language.data import read_yaml_file
from medweave.model.mapping import Mapping
from medweave.sources.mapping.layouts import parse_mapping

PlaceKind = OneOf["table", "collection", "label", "class", "type"]
_PLACES: tuple[PlaceKind, ...] = ("table", "collection", "label", "class", "type")
_OF_KIND: dict[str, tuple[PlaceKind, ...]] = {
    "triples": ("table", "collection"),
    "monographs": ("table", "collection"),
    "nodes": ("label", "class"),
    "edges": ("type",),
}
_OF_FILES = ("files", "folders", "tables", "join", "columns", "header", "quoted", "gather",
             "collect", "questions", "refined")  # fmt: skip
"""What only files have, or what needs all rows at once."""
_EDGE = ("polarity", "strength", "otherwise")


@dataclass(frozen=True, slots=True)
class Part:
    """One table, collection, label, class or type of relationship, and how its rows are read."""

    place: str
    place_kind: PlaceKind
    mapping: Mapping
    """As that of a file of triples or monographs; an edge is a triple, a node a monograph."""

    @property
    def joins(self) -> bool:
        """Whether its rows join things that other parts name."""
        return self.place_kind == "type"


def not_there(what: str) -> MappingError:
    """What is wrong with a mapping that names what a database does not have."""
    return MappingError(what, remedy="see what is there with `medweave connect URL --suggest`")


@dataclass(frozen=True, slots=True)
class DatabaseMapping:
    """How a whole database is read."""

    name: str
    version: str
    parts: tuple[Part, ...]


def read_database_mapping(file: Path) -> DatabaseMapping:
    """The mapping in a YAML file. Raises `MappingError` that says what is wrong with it."""
    if not file.is_file():
        raise MappingError(
            "there is no such mapping",
            where=str(file),
            remedy="propose one with `medweave connect URL --suggest --out FILE`",
        )
    try:
        return database_mapping(read_yaml_file(file), str(file))
    except VocabularyError as error:
        raise MappingError(error.what, where=error.where, remedy=error.remedy) from error


def database_mapping(content: dict[str, Any], where: str) -> DatabaseMapping:
    """The mapping of a database from its YAML form. Raises `MappingError`.

    >>> rule = {"kind": "edges", "type": "SHOWS", "predicate": "has_symptom"}
    >>> database_mapping({"name": "clinic", "parts": [rule]}, "clinic.yaml").parts[0].place
    'SHOWS'
    """
    common = {name: value for name, value in content.items() if name != "parts"}
    parts = content.get("parts")
    if parts is None:
        parts, common = [common], {}
    if parts == []:
        raise MappingError(
            "this mapping has no parts: nothing would be read",
            where=where,
            remedy="write what each table, collection, label or class is",
        )
    if not isinstance(parts, list) or not all(isinstance(p, dict) for p in parts):
        raise MappingError("'parts' must be a list of mappings", where=where)
    name = str(content.get("name") or Path(where).stem)
    common = {"evidence_class": "database", **common, "name": name}
    made = tuple(_part({**common, **part}, where) for part in parts)
    version = "/".join(f"{part.place_kind} {part.place} {part.mapping.version}" for part in made)
    return DatabaseMapping(name, version, made)


def _part(content: dict[str, Any], where: str) -> Part:
    kind = content.get("kind")
    if kind not in _OF_KIND:
        raise MappingError(
            f"'kind: {kind}' cannot be read in a database",
            where=where,
            remedy=f"use one of {', '.join(_OF_KIND)}",
        )
    named = [place for place in _PLACES if content.get(place)]
    if len(named) != 1 or named[0] not in _OF_KIND[kind]:
        raise MappingError(
            f"a part of kind '{kind}' must name what it reads",
            where=where,
            remedy=f"give one of {', '.join(_OF_KIND[kind])}",
        )
    unfit = [name for name in _OF_FILES if name in content]
    if unfit:
        raise MappingError(f"{', '.join(unfit)}: only files are read so", where=where)
    place = str(content[named[0]])
    rest = {name: value for name, value in content.items() if name != named[0]}
    if kind == "edges":
        rest = _edges(rest, place, where)
    elif kind == "nodes":
        rest["kind"] = "monographs"
    return Part(place, named[0], parse_mapping(rest, where))


def _edges(content: dict[str, Any], place: str, where: str) -> dict[str, Any]:
    """An edge as a row of triples; its ends are called as the nodes' own parts say."""
    if not isinstance(content.get("predicate"), str):
        raise MappingError(f"the edges '{place}' need a predicate", where=where)
    rule = {name: content.pop(name) for name in ("predicate", *_EDGE) if name in content}
    return {
        **content,
        "kind": "triples",
        "relation": place,
        "relations": {place: rule},
        **{
            end: {"name": end, "identifier": f"{end}_identifier", "concept": f"{end}_concept"}
            for end in ("subject", "object")
        },
    }
