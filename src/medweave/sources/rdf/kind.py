"""The kind of RDF: each file (Turtle, RDF/XML, N-Triples, TriG) is one document."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

from medweave.exchange.source_rdf import FIELD
from medweave.model.document import Document, Skipped
from medweave.model.iris import TERMS
from medweave.model.mapping import Mapping
from medweave.model.record import Record
from medweave.ontology.entities import check_entities
from medweave.sources.files.row import Cut
from medweave.sources.kinds import Kind, Opened, Records, register
from medweave.sources.rdf.extraction import extract, key

if TYPE_CHECKING:
    import pyoxigraph

NAME = "rdf"
VERSION = "1"
_SUFFIXES = (".ttl", ".rdf", ".owl", ".nt", ".trig")


def _suffix(path: Path) -> str:
    name = path.name.lower().removesuffix(".gz")
    return next((suffix for suffix in _SUFFIXES if name.endswith(suffix)), "")


def _file(path: Path, _asked: bool) -> Mapping | None:
    if not path.is_file() or not _suffix(path):
        return None
    return Mapping(NAME, NAME, VERSION, evidence_class="database")


def _read(opened: Opened) -> Records:
    try:
        text = _n_triples(opened.path)
    except (SyntaxError, ValueError, OSError, EOFError) as error:
        line = getattr(error, "lineno", 0) or 0
        yield Cut(Skipped(str(opened.path), line, f"no RDF: {error}"))
        return
    if f"<{TERMS}Document>" in text:
        reason = "a base that was exported: take it in with `medweave import`"
        yield Skipped(str(opened.path), 0, reason)
        return
    name = opened.path.name.removesuffix(".gz")
    fields = ((FIELD, text),)
    document = Document(opened.source, name, name, fields, evidence_class="database")
    yield Record(document, NAME, opened.mapping, text)


def _n_triples(path: Path) -> str:
    """The triples of a file, one a line in their order, and nodes without a name called by what
    they are: equal files make equal texts."""
    import pyoxigraph

    content = path.read_bytes()
    content = gzip.decompress(content) if path.suffix == ".gz" else content
    check_entities(content)
    form = _form(_suffix(path), content)
    quads = pyoxigraph.parse(content, format=form, base_iri="urn:medweave:file")
    dataset = pyoxigraph.Dataset(
        pyoxigraph.Quad(quad.subject, quad.predicate, quad.object) for quad in quads
    )
    dataset.canonicalize(pyoxigraph.CanonicalizationAlgorithm.UNSTABLE)
    return "\n".join(sorted(f"{quad.triple} ." for quad in dataset))


def _form(suffix: str, content: bytes) -> pyoxigraph.RdfFormat:
    import pyoxigraph

    if b"<rdf:RDF" in content[:100_000] or suffix == ".rdf":
        return pyoxigraph.RdfFormat.RDF_XML
    return pyoxigraph.RdfFormat.from_extension(suffix[1:]) or pyoxigraph.RdfFormat.TURTLE


register(Kind(name=NAME, read=_read, extract=extract, key=key, file=_file, ontology=""))
