"""A guideline in a base: it comes out as it went in, and its relations follow from its rules."""

from __future__ import annotations

import pytest

from medweave.errors import NotFoundError
from medweave.guideline.logic.evaluation import evaluate
from medweave.guideline.logic.graph import compile_guideline
from medweave.guideline.logic.status import assess
from medweave.guideline.opening import guideline_in
from medweave.guideline.queries import (
    classifications_by_observations,
    classifications_for_age,
    classifications_for_words,
    logic_of,
)
from medweave.guideline.statements import (
    extraction_of,
    guideline_from,
    guidelines_in,
    observations_of,
    part_id,
)
from medweave.model.findings import Findings
from medweave.stores.memory import MemoryStore
from medweave.stores.sqlite.store import SqliteStore

SAMPLE = guideline_in("sample")
CASES = [
    Findings(304, 8.2, "female", {"cough": True, "respiratory_rate": 55}),
    Findings(20, 3.1, None, {"convulsions": True}),
    Findings(700, 10, "male", {"diarrhoea": True, "blood in the stool": True, "fever": False}),
]


@pytest.fixture(params=["memory", "sqlite"])
def store(request, tmp_path):
    made: MemoryStore | SqliteStore = (
        MemoryStore()
        if request.param == "memory"
        else SqliteStore.open(tmp_path / "kb.db", create=True)
    )
    made.put([extraction_of(SAMPLE, "guideline.yaml")])
    yield made
    made.close()


def test_it_comes_out_as_it_went_in(store):
    assert guidelines_in(store) == [SAMPLE.name]
    assert guideline_from(store, SAMPLE.name) == SAMPLE


def test_cases_come_out_the_same_from_a_store(store):
    graphs = [compile_guideline(each) for each in (SAMPLE, guideline_from(store, SAMPLE.name))]
    for case in CASES:
        written, stored = (assess(evaluate(graph, case)).to_json() for graph in graphs)
        assert written == stored


def test_putting_it_again_changes_nothing_and_removing_it_leaves_nothing(store):
    before = store.version()
    extraction = extraction_of(SAMPLE, "guideline.yaml")
    store.put([extraction])
    assert store.version() == before
    assert store.remove([extraction.document.id]) == 1
    assert guidelines_in(store) == []


def test_a_name_that_is_not_there_tells_those_that_are(store):
    with pytest.raises(NotFoundError, match=SAMPLE.name):
        guideline_from(store, "nothing@1")


def test_what_a_classification_includes_follows_from_its_rule(store):
    for each in SAMPLE.classifications:
        node = part_id(SAMPLE.name, "classification", each.id)
        included = {str(s.statement.object) for s in store.match(node, "includes_observation")}
        expected = observations_of(SAMPLE, each)
        assert included == {part_id(SAMPLE.name, "observation", name) for name in expected}


def test_the_four_queries(store):
    name = SAMPLE.name
    fast = part_id(name, "observation", "respiratory_rate")
    cough = part_id(name, "observation", "cough")
    ranked = classifications_by_observations(store, [fast, cough])
    assert ranked[0][1] == 2
    assert all(count for _, count in ranked)
    pneumonia = part_id(name, "classification", "pneumonia")
    trees = logic_of(store, pneumonia)
    assert trees
    assert _depth(trees[0]) > 1
    children = classifications_for_age(store, name, 304)
    infants = classifications_for_age(store, name, 20)
    assert pneumonia in children
    assert set(children) != set(infants)
    words = classifications_for_words(store, name, "a child with pus draining from the ear")
    assert any("ear_infection" in classification for classification, _ in words)
    assert all(led for _, led in words)


def _depth(tree):
    return 1 + max((_depth(each) for each in tree.groups), default=0)
