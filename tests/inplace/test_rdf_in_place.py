"""RDF that medweave did not make is asked where it is: classes are nodes, properties are edges."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from medweave.inplace.mapping import database_mapping
from medweave.inplace.names import CachedNames
from medweave.inplace.rdf import RdfGraph
from medweave.inplace.reading import RowReader
from medweave.inplace.store import MappedStore
from medweave.inplace.suggest import suggest
from medweave.knowledge_base import KnowledgeBase
from medweave.sources.names import Naming
from medweave.stores.revision_memo import revision_memo
from medweave.stores.sparql.terms import Term
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.vocabulary import load_vocabulary, shipped_texts

TURTLE = """
@prefix e: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:d1 a e:Disease ; rdfs:label "river fever"@en , "河热"@zh ; e:hasSymptom e:s1, e:s2 .
e:d1 e:seenBy e:w .
e:s1 a e:Symptom ; rdfs:label "fever" .
e:s2 a e:Symptom ; rdfs:label "it's \\"blue\\" toes}" .
e:w a e:Ward ; rdfs:label "ward" .
"""
QUESTION = "What are the symptoms of river fever?"


class _Sparql:
    """A store of RDF in this process, asked as a server is."""

    def __init__(self) -> None:
        self.store = ox.Store()
        self.store.load(TURTLE.encode(), format=ox.RdfFormat.TURTLE)

    def query(self, text: str) -> Iterator[Mapping[str, Term]]:
        found: Any = self.store.query(text)
        names = [variable.value for variable in found.variables]
        for row in found:
            yield {name: _term(row[name]) for name in names if row[name] is not None}

    def update(self, text: str) -> None:
        raise AssertionError("nothing is written")

    def server(self) -> str:
        return "oxigraph"

    def close(self) -> None:
        """Nothing to let go of."""


def _term(value: Any) -> Term:
    if isinstance(value, ox.NamedNode):
        return Term("iri", value.value)
    if isinstance(value, ox.BlankNode):
        return Term("blank", value.value)
    return Term("literal", value.value, value.datatype.value, value.language or "")


@pytest.fixture
def sparql() -> _Sparql:
    return _Sparql()


@pytest.fixture
def base(sparql: _Sparql, tmp_path: Path) -> Iterator[KnowledgeBase]:
    """What `connect --suggest` proposes, asked as it is."""
    graph, words = RdfGraph(sparql), load_vocabulary(shipped_texts())
    found = suggest(graph, "graph", words)
    left = {each.what.rpartition("/")[2] for each in found.not_mapped}
    assert left == {"Ward", "seenBy"}
    mapping, naming = database_mapping(found.mapping, ""), Naming(words, shipped_lexicon())
    graph.check(mapping.parts)
    readers = [RowReader(part, "sparql+http://h", naming) for part in mapping.parts]
    names = CachedNames(tmp_path / "names.db", graph, mapping, readers)
    store = MappedStore(graph, mapping, readers, names, naming=naming, identity="i", where="h")
    with KnowledgeBase(revision_memo(store), words) as opened:
        yield opened


def test_classes_and_properties_are_asked_with_no_mapping_written(base: KnowledgeBase) -> None:
    answer = base.ask(QUESTION).to_json()
    named = {each["name"] for each in answer["result"]["value"]}
    assert named == {"fever", 'it\'s "blue" toes}'}
    documents = {each["document"] for each in answer["evidence"].values()}
    assert "http://example.org/hasSymptom#http://example.org/d1 http://example.org/s1" in documents


def test_a_change_is_seen_also_in_a_named_graph(base: KnowledgeBase, sparql: _Sparql) -> None:
    base.ask(QUESTION)
    sparql.store.update(
        "PREFIX e: <http://example.org/> INSERT DATA { GRAPH e:g { e:d1 e:hasSymptom e:s3 . e:s3 a"
        " e:Symptom ; <http://www.w3.org/2000/01/rdf-schema#label> 'spots' } }"
    )
    assert "spots" in base.ask(QUESTION).text
    sparql.store.update(
        "DELETE WHERE { ?a <http://example.org/hasSymptom> <http://example.org/s1> }"
    )
    assert "fever and" not in base.ask(QUESTION).text


def test_what_joins_is_told_with_all_its_evidence(base: KnowledgeBase, sparql: _Sparql) -> None:
    sparql.store.update(
        "PREFIX e: <http://example.org/> INSERT DATA { e:d2 a e:Disease ;"
        " <http://www.w3.org/2000/01/rdf-schema#label> 'river fever' ; e:hasSymptom e:s1 }"
    )
    store = base.knowledge.store
    everything = {each.statement.id: each for each in store.match(None, "has_symptom")}
    assert sorted(len(each.evidence) for each in everything.values()) == [1, 2]
    for limit in (1, 2):
        some = store.match(None, "has_symptom", limit=limit)
        assert len(some) == limit
        assert all(each == everything[each.statement.id] for each in some)


def test_the_end_of_an_edge_has_the_concept_that_its_node_says(sparql: _Sparql) -> None:
    sparql.store.update(
        "PREFIX e: <http://example.org/> INSERT DATA { e:d1 e:kind 'disease' . e:w e:kind 'place' }"
    )
    node = {"kind": "nodes", "concept_field": "http://example.org/kind"}
    label = {"name_field": "http://www.w3.org/2000/01/rdf-schema#label"}
    classes = ("http://example.org/Disease", "http://example.org/Ward")
    parts: list[dict[str, str]] = [{**node, **label, "class": one} for one in classes]
    parts.append({"kind": "edges", "type": "http://example.org/seenBy", "predicate": "seen_by"})
    mapping, graph = database_mapping({"name": "graph", "parts": parts}, ""), RdfGraph(sparql)
    graph.check(mapping.parts)
    [row] = graph.stream(mapping.parts[-1])
    assert (row.values["subject_concept"], row.values["object_concept"]) == ("disease", "place")
