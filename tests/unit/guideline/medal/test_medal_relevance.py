"""The skip logic of a medAL form: what it shows, and that nothing rests on what it hides."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.question_count import Walking
from benchmarks.simulated_children import children
from medweave.guideline.logic.evaluation import Evaluated, evaluate
from medweave.guideline.logic.graph import FALSE, TRUE, Graph, compile_guideline
from medweave.guideline.logic.questions import next_question
from medweave.guideline.logic.status import assess, outcomes, statuses
from medweave.guideline.medal.file import MedalFile
from medweave.guideline.medal.importing import guideline_of
from medweave.model.findings import Findings
from tests import medal_small as small
from tests.medal_oracle import child
from tests.unit.guideline.medal.test_medal import PUBLISHED, graph, needs_data, published, seen


def asked(state: Evaluated, node: int) -> int:
    return state.shown(str(node))


def test_a_question_is_shown_where_a_diagram_that_is_read_leads_to_it() -> None:
    assert asked(seen(), small.CHEST) == FALSE
    assert asked(seen(cough=True), small.CHEST) == TRUE
    assert asked(seen(59, cough=True), small.CHEST) == FALSE


def test_the_first_steps_are_shown_to_everybody() -> None:
    for node in (small.COUGH, small.TEMPERATURE):
        assert graph().observations[str(node)].asked_if is None


def test_an_answer_to_what_is_not_shown_is_no_contradiction() -> None:
    assert assess(seen(chest=True)).contradictions == ()


def test_the_form_asks_for_complaints_before_anything_is_settled() -> None:
    state, order = seen(), []
    passed: set[str] = set()
    while question := next_question(
        state, outcomes(state), form=True, passed=passed, defaults_count=False
    ):
        order.append(question.observation)
        if question.observation == str(small.COUGH):
            state = state.after(question.observation, True)
        else:
            passed.add(question.observation)
    assert str(small.COUGH) in order
    assert order.index(str(small.COUGH)) < order.index(str(small.CHEST))


def unshown_change_nothing(compiled: Graph, document: dict[str, Any], seeds: range) -> int:
    """Leave out every answer to what is not shown; how many were left out."""
    left_out = 0
    for seed in seeds:
        made = child(document, random.Random(seed))
        findings = Findings(made["age"], made["weight"], made["sex"], made["answers"])
        state = evaluate(compiled, findings)
        shown = {
            name: value
            for name, value in findings.values.items()
            if state.shown(name) != FALSE or compiled.observations[name].derived is not None
        }
        left_out += len(findings.values) - len(shown)
        less = evaluate(compiled, replace(findings, values=shown))
        assert statuses(less) == statuses(state), seed
    return left_out


def test_nothing_rests_on_what_the_small_form_does_not_show() -> None:
    document = small.algorithm()
    document["nodes"][str(small.BREATHS)]["answers"].pop(f"{small.BREATHS}1")
    compiled = compile_guideline(guideline_of(MedalFile(document, small.TABLES)).guideline)
    assert unshown_change_nothing(compiled, document, range(200)) > 50


@needs_data
def test_nothing_rests_on_what_the_published_form_does_not_show() -> None:
    document = json.loads(gzip.decompress(PUBLISHED.read_bytes()))
    assert unshown_change_nothing(published()[1], document, range(40)) > 500


@pytest.mark.thorough
@needs_data
def test_the_published_form_settles_every_child_in_its_own_order() -> None:
    walking = Walking(published()[1])
    drawn = children(published()[1], 3, seed=2)
    found = [walking.count(child, needed=False) for child in drawn]
    assert [each.form.differs for each in found if each.form.differs] == []
    assert [each.guided.differs for each in found if each.guided.differs] == []
