"""Questions until a simulated child is settled: guided, and by the form."""

from dataclasses import replace
from functools import cache

import pytest

from benchmarks.question_count import Counted, count_questions, summary
from benchmarks.simulated_children import children
from medweave.guideline.loading import graph_in
from medweave.guideline.logic.evaluation import evaluate
from medweave.guideline.logic.graph import TRUE, Graph
from medweave.guideline.logic.status import outcomes, statuses
from medweave.model.findings import Findings, FindingValue


@cache
def graph() -> Graph:
    return graph_in("sample")


@cache
def counted() -> tuple[Counted, ...]:
    return tuple(count_questions(graph(), 14, seed=3, every=7))


@pytest.mark.thorough
def test_every_classification_of_the_sample_occurs() -> None:
    drawn = list(children(graph(), len(graph().classifications), seed=1))
    assert {each.target for each in drawn if each.stands} == set(graph().classifications)


@pytest.mark.thorough
def test_nothing_comes_out_otherwise_than_when_everything_is_known() -> None:
    assert [each.guided.differs for each in counted() if each.guided.differs] == []


def test_the_first_questions_are_all_asked_guided() -> None:
    for each in counted():
        age = each.child.findings.age_days
        values = each.child.findings.values
        heard = {name: values[name] for name in each.guided.asked if name in values}
        state = evaluate(graph(), replace(each.child.findings, values=heard))
        signs = {
            name
            for name, one in graph().observations.items()
            if one.danger_sign and one.ages.has(age) and one.derived is None
            if state.shown(name) == TRUE  # whether it stops breathing is asked of an infant
        }
        used = {name for name in signs if graph().leaves.get(name)}
        assert used <= set(each.guided.asked)


@pytest.mark.thorough
def test_guided_takes_fewer_questions_and_the_same_figures_come_again() -> None:
    told = summary(counted())
    assert told["guided"] < told["form"] <= told["whole_form"]
    assert told == summary(count_questions(graph(), 14, seed=3, every=7))


def test_a_coating_on_the_throat_is_not_settled_before_a_membrane_is_asked_for() -> None:
    seen: dict[str, FindingValue] = {
        "throat_problem": True,
        "throat_exudate": True,
        "red_throat": False,
        "tender_neck_nodes": False,
        "swallowing": "easily",
    }
    for age in (90, 281, 1400):
        state = evaluate(graph(), Findings(age_days=age, values=seen))
        found = {each.id: each for each in outcomes(state)}
        assert found["throat_abscess_or_diphtheria"].status == "possible"
        assert "throat_membrane" in found["throat_abscess_or_diphtheria"].missing
        assert found["non_streptococcal_sore_throat"].status == "possible"
        membrane = evaluate(graph(), state.after("throat_membrane", True).findings)
        assert statuses(membrane)["throat_abscess_or_diphtheria"].status == "confirmed"
