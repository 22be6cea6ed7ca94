"""What of a base a changed ontology touches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.ontology import Ontology, OntologyClass
from medweave.ontology.difference import difference
from medweave.ontology.loading import ontology_in

ROWS = """subject,predicate,object,subject_concept,object_concept,document
smoking,aggravates,macular degeneration,risk_factor,disease,one
ranibizumab,improves,visual acuity,drug,symptom,two
ARMS2,leads to,macular degeneration,gene,disease,three
"""


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    (tmp_path / "rows.csv").write_text(ROWS, "utf-8")
    with KnowledgeBase.open("memory:") as made:
        made.build([tmp_path / "rows.csv"])
        yield made


def _without(ontology: Ontology, term: str) -> Ontology:
    return replace(
        ontology,
        classes=tuple(each for each in ontology.classes if each.term != term),
        predicates=tuple(each for each in ontology.predicates if each.term != term),
    )


def _touched(base: KnowledgeBase, new: Ontology) -> set[str]:
    old = ontology_in()
    found = base.affected(old, difference(old, new))
    named = {document.id: document.name for document in base.knowledge.store.documents()}
    assert len(found.statements) == len(found.documents)
    return {named[each] for each in found.documents}


@pytest.mark.parametrize(
    ("term", "documents"),
    [
        ("aggravate", {"one"}),
        ("cause", {"three"}),
        ("gene", {"three"}),
        ("treatment", {"two"}),
        ("disease", {"one", "three"}),
        ("diagnose", set()),
    ],
)
def test_a_term_that_goes_touches_what_was_said_by_it(
    base: KnowledgeBase, term: str, documents: set[str]
) -> None:
    assert _touched(base, _without(ontology_in(), term)) == documents


def test_nothing_changed_touches_nothing(base: KnowledgeBase) -> None:
    assert _touched(base, ontology_in()) == set()


def test_a_new_type_touches_every_abstract(base: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "papers.csv").write_text("pmid,abstract\n7,Smoking aggravates cataract.\n", "utf-8")
    base.build([tmp_path / "papers.csv"])
    old = ontology_in()
    new = replace(old, classes=(*old.classes, OntologyClass("Device")))
    documents = base.affected(old, difference(old, new)).documents
    assert [each.name for each in base.knowledge.store.documents(documents)] == ["PMID:7"]
