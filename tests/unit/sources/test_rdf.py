"""RDF of other people as a source: what it says is answered, and its IRIs are kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from medweave.knowledge_base import KnowledgeBase

TURTLE = """
@prefix : <http://example.org/eyes#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Disease a owl:Class . :Treatment a owl:Class .
:Injection a owl:Class ; rdfs:subClassOf :Treatment .
:treats a owl:ObjectProperty ; rdfs:domain :Treatment ; rdfs:range :Disease .
:success a owl:DatatypeProperty .
:lucentis a :Injection ; rdfs:label "Lucentis"@en ; :treats :wet_amd ; :success 0.9 .
:wet_amd a :Disease ; rdfs:label "wet AMD"@en .
"""


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KnowledgeBase]:
    monkeypatch.setattr("medweave.app.cache_folder", lambda: tmp_path)
    path = tmp_path / "eyes.ttl"
    path.write_text(TURTLE, "utf-8")
    with KnowledgeBase.open(str(tmp_path / "eyes.db")) as made:
        assert not made.build([path]).skipped[1:]
        yield made


def _asked(base: KnowledgeBase, query: str, *, reasoned: bool) -> bool:
    text = base.sparql(f"PREFIX : <http://example.org/eyes#> {query}", reasoned=reasoned).text
    return bool(json.loads(text)["boolean"])


def test_iris_are_kept_and_what_follows_is_found_beside(base: KnowledgeBase) -> None:
    assert _asked(base, "ASK { :lucentis :treats :wet_amd }", reasoned=False)
    assert not _asked(base, "ASK { :lucentis a :Treatment }", reasoned=False)
    assert _asked(base, "ASK { :lucentis a :Treatment }", reasoned=True)


def test_what_it_says_is_answered_with_the_triple_as_quote(base: KnowledgeBase) -> None:
    answer = base.ask("What treats wet AMD?")
    assert answer.status == "answered"
    quotes = [item.quote for each in answer.statements.values() for item in each.evidence]
    assert any("eyes#treats" in quote for quote in quotes)


def test_it_comes_back_from_its_own_export(base: KnowledgeBase, tmp_path: Path) -> None:
    base.export(tmp_path / "out.trig", "trig")
    with KnowledgeBase.open("memory:") as copy:
        copy.import_([tmp_path / "out.trig"])
        assert copy.version.hash == base.version.hash


def test_broken_rdf_and_our_own_are_told(tmp_path: Path, base: KnowledgeBase) -> None:
    (tmp_path / "broken.ttl").write_text("@prefix : <", "utf-8")
    base.export(tmp_path / "own.ttl", "turtle")
    report = base.build([tmp_path / "broken.ttl", tmp_path / "own.ttl", tmp_path / "eyes.ttl"])
    said = " ".join(each.reason for each in report.skipped)
    assert "no RDF" in said
    assert "medweave import" in said
