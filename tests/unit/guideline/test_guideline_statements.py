"""A guideline in a base: it comes out as it went in, and its relations follow from its rules."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from medweave.errors import NotFoundError
from medweave.guideline.loading import guideline_in
from medweave.guideline.logic.evaluation import evaluate
from medweave.guideline.logic.graph import compile_guideline
from medweave.guideline.logic.status import assess
from medweave.guideline.statements import (
    extraction_of,
    guideline_from,
    guidelines_in,
    observations_of,
    part_id,
)
from medweave.model.findings import Findings
from medweave.model.statement import qualifiers_of
from medweave.stores.memory import MemoryStore
from medweave.stores.sqlite.store import SqliteStore
from tests.guideline_strategies import guidelines

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


def test_observations_lead_through_groups_to_classifications(store):
    pus = part_id(SAMPLE.name, "observation", "pus_from_ear")
    ear, pneumonia = (
        part_id(SAMPLE.name, "classification", each)
        for each in ("acute_ear_infection", "pneumonia")
    )
    reached, waiting, found = {pus}, [pus], set()
    while waiting:
        node = waiting.pop()
        found |= {str(s.statement.object) for s in store.match(node, "has_classification")}
        above = {str(s.statement.object) for s in store.match(node, "belongs_to_logic_group")}
        waiting += above - reached
        reached |= above
    assert ear in found
    assert pneumonia not in found
    assert {str(s.statement.object).rsplit("/")[-1] for s in store.match(ear, "applicable_to")} == {
        "60-1826"
    }


def test_the_logic_is_statements_and_no_definition_holds_a_rule(store):
    fast = part_id(SAMPLE.name, "observation", "respiratory_rate")
    compared = {
        (s.statement.qualifier("comparator"), s.statement.qualifier("value"))
        for s in store.match(fast, "belongs_to_logic_group")
    }
    assert {(">=", 60), (">=", 50), (">=", 40)} <= compared
    for each in store.match(None, "guideline_definition"):
        assert '"Answered"' not in str(each.statement.object.value)
        assert '"AllOf"' not in str(each.statement.object.value)


@pytest.mark.thorough
@given(guidelines())
@settings(max_examples=settings().max_examples // 4)
def test_whatever_a_rule_says_comes_out_of_its_statements(guideline):
    store = MemoryStore()
    store.put([extraction_of(guideline, "g.yaml")])
    assert guideline_from(store, guideline.name) == guideline


def test_a_rule_follows_its_statements():
    """What is compiled is what the base says: another limit in it is another rule."""
    extraction = extraction_of(SAMPLE, "guideline.yaml")
    fast = part_id(SAMPLE.name, "observation", "respiratory_rate")
    mended, renamed = [], {}
    for each in extraction.statements:
        if each.subject == fast and each.qualifier("value") == 50:
            other = replace(each, qualifiers=qualifiers_of({**dict(each.qualifiers), "value": 45}))
            renamed[each.id] = other.id
            mended.append(other)
        else:
            mended.append(each)
    assert renamed
    evidence = tuple(
        replace(e, statement=renamed.get(e.statement, e.statement)) for e in extraction.evidence
    )
    store = MemoryStore()
    store.put([replace(extraction, statements=tuple(mended), evidence=evidence)])
    child = Findings(304, 8.2, "female", {"cough": True, "respiratory_rate": 47})
    was, now = (
        evaluate(compile_guideline(each), child).own("pneumonia")
        for each in (SAMPLE, guideline_from(store, SAMPLE.name))
    )
    assert was != now
