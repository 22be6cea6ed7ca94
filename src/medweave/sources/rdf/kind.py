"""The kind of RDF: each file (Turtle, RDF/XML, N-Triples, TriG) is one document."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from medweave.exchange.rdf import FIELD
from medweave.model.document import Document, Skipped
from medweave.model.iris import TERMS
from medweave.model.mapping import Mapping
from medweave.model.ontology import term
from medweave.model.record import Record
from medweave.model.statement import Literal
from medweave.ontology.entities import check_entities
from medweave.ontology.loading import ontology_in
from medweave.ontology.owl import label_of
from medweave.ontology.terms import DCTERMS, OWL, RDF, RDFS, SKOS
from medweave.ontology.triples import Triples
from medweave.sources.files.row import Cut
from medweave.sources.kinds import Extracted, Kind, Opened, Records, register
from medweave.sources.names import Naming, Thing
from medweave.sources.statements import Provenance, StatementReader
from medweave.vocabulary.vocabulary import Predicate

if TYPE_CHECKING:
    import pyoxigraph


VERSION = "1"
"""Raise it when this code reads the same file differently: it is then read again."""
_TYPE = RDF + "type"
_KIND_OF = (_TYPE, RDFS + "subClassOf")
_FOREIGN = (OWL, RDF, RDFS, SKOS, DCTERMS)
"""What is said in these terms is about the ontology, not about its things."""
NAME = "rdf"
_FILES = "1"
"""The version of what says that a file is of this kind."""
_SUFFIXES = (".ttl", ".rdf", ".owl", ".nt", ".trig")


def key(_record: Record, naming: Naming) -> list[object]:
    """All that decides what is read out of a file, besides its triples."""
    return [VERSION, naming.lexicon.version, ontology_in().digest()]


def extract(record: Record, naming: Naming, activity: str) -> Extracted:
    """What a file says of the things that have an IRI."""
    reader = _RdfReader(record, naming, activity)
    reader.read()
    return reader.extracted()


@cache
def _concepts() -> dict[str, str]:
    """The concepts that types are, by their labels and synonyms."""
    return {
        term(name): entry.term
        for entry in ontology_in().classes
        for name in (*entry.synonyms, entry.label)
    }


@dataclass
class _RdfReader(StatementReader):
    _named: dict[str, Thing] = field(default_factory=dict)
    _kinds: dict[str, Sequence[str]] = field(default_factory=dict)
    _values: frozenset[str] = frozenset()
    """The properties of values."""

    def read(self) -> None:
        """Every triple between things, and every value of a thing, with its line as quote."""
        text = self.record.document.text(FIELD)
        self._triples = Triples.parsed(text.encode(), ".nt", self.record.document.name)
        self._values = frozenset(self._triples.subjects(OWL + "DatatypeProperty"))
        start = 0
        for line in text.split("\n"):
            for quad in _parsed(line):
                self._read(quad, Provenance(FIELD, start, start + len(line), line, "triple"))
            start += len(line) + 1

    def _read(self, quad: pyoxigraph.Quad, provenance: Provenance) -> None:
        import pyoxigraph

        relation = quad.predicate.value
        if not isinstance(quad.subject, pyoxigraph.NamedNode) or self._is_foreign(quad):
            return
        subject = self._thing(quad.subject.value)
        if isinstance(quad.object, pyoxigraph.Literal) and relation in self._values:
            predicate = self._predicate(relation)
            value = Literal(quad.object.value, quad.object.language or "")
            self.say(subject, predicate, value, provenance)
        elif isinstance(quad.object, pyoxigraph.NamedNode):
            things = subject, self._thing(quad.object.value)
            types = self._types_of(quad.subject.value), self._types_of(quad.object.value)
            self._relate_things(things, relation, types, provenance)

    def _is_foreign(self, quad: pyoxigraph.Quad) -> bool:
        kind = quad.predicate.value in _KIND_OF
        node = str(getattr(quad.object, "value", ""))
        return (not kind and quad.predicate.value.startswith(_FOREIGN)) or (
            kind and node.startswith(_FOREIGN)
        )

    def _relate_things(
        self,
        things: tuple[Thing, Thing],
        relation: str,
        types: tuple[Sequence[str], Sequence[str]],
        provenance: Provenance,
    ) -> None:
        label = "kind of" if relation in _KIND_OF else label_of(relation, self._triples)
        use = self.vocabulary.find(label)
        turned = use is not None and use.inverted
        first, second = things[::-1] if turned else things
        if use and first.concept in use.predicate.domain and second.concept in use.predicate.range:
            types = types[::-1] if turned else types
            self.relate(first, use.predicate, second, provenance, types=types)
        else:
            own = self.vocabulary.own_predicate(label)
            self.relate(things[0], own, things[1], provenance, types=types)

    def _types_of(self, iri: str) -> Sequence[str]:
        """What a thing is, where that is held against an ontology."""
        if self.conformity is None:
            return ()
        if iri not in self._kinds:
            self._kinds[iri] = tuple(self._types(iri))
        return self._kinds[iri]

    def _predicate(self, relation: str) -> Predicate:
        """The property of a value: of the vocabulary where that takes values, else its own."""
        label = label_of(relation, self._triples)
        use = self.vocabulary.find(label)
        takes = use is not None and use.predicate.takes_text
        return use.predicate if use and takes else self.vocabulary.own_predicate(label)

    def _thing(self, iri: str) -> Thing:
        if iri not in self._named:
            concept = next(
                (_concepts()[name] for name in self._types(iri) if name in _concepts()), "thing"
            )
            concept = concept if concept in self.vocabulary.concepts else "thing"
            self._named[iri] = self.thing(label_of(iri, self._triples), concept, identifier=iri)
        return self._named[iri]

    def _types(self, iri: str) -> Iterator[str]:
        """What a thing is, and what that is a kind of, as terms: the nearest first."""
        waiting, seen = [iri], {iri}
        while waiting:
            found = [
                node
                for each in waiting
                for node in self._triples.nodes(each, *_KIND_OF, OWL + "equivalentClass")
                if node not in seen and not node.startswith(("_:", *_FOREIGN))
            ]
            seen.update(found)
            yield from (term(label_of(node, self._triples)) for node in found)
            waiting = found


def _parsed(line: str) -> Iterator[pyoxigraph.Quad]:
    import pyoxigraph

    yield from pyoxigraph.parse(line, format=pyoxigraph.RdfFormat.N_TRIPLES)


def _suffix(path: Path) -> str:
    name = path.name.lower().removesuffix(".gz")
    return next((suffix for suffix in _SUFFIXES if name.endswith(suffix)), "")


def _file(path: Path, _asked: bool) -> Mapping | None:
    if not path.is_file() or not _suffix(path):
        return None
    return Mapping(NAME, NAME, _FILES, evidence_class="database")


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
