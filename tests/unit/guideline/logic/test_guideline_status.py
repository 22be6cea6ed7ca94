"""Statuses: what stands, what is possible and what settles it, and never a milder one too soon."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from medweave.guideline.logic.evaluation import evaluate
from medweave.guideline.logic.graph import UNKNOWN, compile_guideline
from medweave.guideline.logic.status import assess, statuses
from medweave.guideline.yaml.reading import read_guideline
from medweave.model.assessment import STANDS
from medweave.model.findings import UNAVAILABLE, Findings
from medweave.model.guideline import (
    NO,
    YES,
    AnswerOption,
    Classification,
    Condition,
    Guideline,
    Observation,
    TreatmentStep,
)
from medweave.model.logic import (
    AllOf,
    Answered,
    AnyOf,
    AtLeast,
    Classified,
    Expression,
    Negation,
)
from tests.guideline_strategies import guidelines, rules

HIV = """
guideline: hiv
version: "1"
title: HIV in a small form
observations:
  mother: {label: Mother's HIV test, kind: choice, answers: {positive: Positive, negative: Negative, not_tested: Not tested}}
  pcr: {label: Child's PCR, kind: choice, answers: {positive: Positive, negative: Negative}}
  breastfed: {label: Breastfed}
conditions:
  hiv:
    label: HIV
    classifications:
      infected: {label: HIV INFECTED, severity: severe, when: pcr is positive, refer: true}
      exposed:
        label: HIV EXPOSED
        severity: moderate
        yields_to: [infected]
        when: {all: [mother is positive, not infected holds, {not: {all: [pcr is negative, not breastfed]}}]}
        follow_up_days: 30
        treatments: {cotrimoxazole: {label: Give co-trimoxazole}}
      unknown: {label: HIV STATUS UNKNOWN, severity: mild, yields_to: [], when: mother is not_tested}
      unlikely:
        label: HIV INFECTION UNLIKELY
        severity: none
        yields_to: []
        when: {all: [pcr is negative, not breastfed]}
"""  # noqa: E501


def results(graph, **values):
    assessment = assess(evaluate(graph, Findings(values=values)))
    return {each.id: each for each in assessment.classifications}, assessment


def hiv(**values):
    return results(compile_guideline(read_guideline(HIV).guideline), **values)


def test_a_positive_mother_and_an_unsure_pcr():
    found, assessment = hiv(mother="positive", breastfed=False)
    assert {name: each.status for name, each in found.items()} == {
        "infected": "possible",
        "exposed": "possible",
        "unknown": "excluded",
        "unlikely": "possible",
    }
    found, assessment = hiv(mother="positive", breastfed=True)
    assert {name: (each.status, each.missing) for name, each in found.items()} == {
        "infected": ("possible", ("pcr",)),
        "exposed": ("provisional", ("pcr",)),
        "unknown": ("excluded", ()),
        "unlikely": ("excluded", ()),
    }
    assert found["exposed"].open == ("infected",)
    assert found["exposed"].why == snapshot(
        "Mother's HIV test: Positive; HIV INFECTED cannot be excluded yet; Breastfed: yes; "
        "HIV INFECTED could not be excluded; it would change if Child's PCR is positive or if "
        "Child's PCR is negative"
    )
    assert found["unknown"].why == "Mother's HIV test: Positive"
    assert [row.label for row in assessment.treatments] == ["Give co-trimoxazole"]
    assert assessment.next_question.observation == "pcr"
    assert assessment.follow_up_days == 30
    assert assessment.refer is None


def test_where_the_pcr_cannot_be_had_what_stands_is_acted_on_and_referred():
    found, assessment = hiv(mother="positive", breastfed=True, pcr=UNAVAILABLE)
    assert found["exposed"].status == "provisional"
    assert found["exposed"].missing == ()
    assert found["infected"].unavailable == ("pcr",)
    assert [row.step for row in assessment.treatments] == ["cotrimoxazole"]
    assert assessment.refer == snapshot(
        "HIV INFECTED could not be excluded, because Child's PCR cannot be had here: refer"
    )
    assert assessment.next_question is None


def test_the_pcr_settles_it():
    found, assessment = hiv(mother="positive", breastfed=True, pcr="positive")
    assert found["infected"].status == "confirmed"
    assert found["exposed"].status == "excluded"
    assert found["exposed"].why == snapshot("HIV INFECTED holds")
    assert assessment.refer == "HIV INFECTED: refer"
    assert (
        hiv(mother="positive", breastfed=True, pcr="negative")[0]["exposed"].status == "confirmed"
    )


def test_an_assessment_in_full():
    _, assessment = hiv(mother="not tested")
    assert assessment.to_json() == snapshot(
        {
            "guideline": {"id": "hiv", "version": "1"},
            "danger": None,
            "classifications": [
                {
                    "id": "infected",
                    "label": "HIV INFECTED",
                    "aliases": [],
                    "condition": "hiv",
                    "severity": "severe",
                    "colour": "pink",
                    "status": "possible",
                    "missing": ["pcr"],
                    "unavailable": [],
                    "open": [],
                    "why": "not settled: it depends on Child's PCR",
                },
                {
                    "id": "exposed",
                    "label": "HIV EXPOSED",
                    "aliases": [],
                    "condition": "hiv",
                    "severity": "moderate",
                    "colour": "yellow",
                    "status": "excluded",
                    "missing": [],
                    "unavailable": [],
                    "open": [],
                    "why": "Mother's HIV test: Not tested",
                },
                {
                    "id": "unknown",
                    "label": "HIV STATUS UNKNOWN",
                    "aliases": [],
                    "condition": "hiv",
                    "severity": "mild",
                    "colour": "green",
                    "status": "confirmed",
                    "missing": [],
                    "unavailable": [],
                    "open": [],
                    "why": "Mother's HIV test: Not tested",
                },
                {
                    "id": "unlikely",
                    "label": "HIV INFECTION UNLIKELY",
                    "aliases": [],
                    "condition": "hiv",
                    "severity": "none",
                    "colour": "green",
                    "status": "possible",
                    "missing": ["pcr", "breastfed"],
                    "unavailable": [],
                    "open": [],
                    "why": "not settled: it depends on Child's PCR, Breastfed",
                },
            ],
            "treatments": [],
            "next_question": {
                "observation": "pcr",
                "text": "Child's PCR",
                "why": "it tells most about HIV INFECTED and HIV INFECTION UNLIKELY",
            },
            "follow_up_days": None,
            "follow_ups": [],
            "refer": None,
            "warnings": [],
            "contradictions": [],
            "stops": [],
        }
    )


def small(*classes):
    signs = tuple(Observation(name, name.upper(), answers=(YES, NO)) for name in "abc")
    return compile_guideline(
        Guideline("g", "1", "G", signs, (Condition("one", "One"),), tuple(classes))
    )


def test_refused_and_agreed():
    graph = small(
        Classification("s", "S", "one", "severe", Answered("a", "yes")),
        Classification("m", "M", "one", "mild", Answered("b", "yes")),
    )

    def found(values, **said):
        state = evaluate(graph, Findings(values=values, **said))
        return {name: each.status for name, each in statuses(state).items()}

    both = {"a": True, "b": True}
    assert found(both) == {"s": "confirmed", "m": "excluded"}
    assert found(both, refused=("S",)) == {"s": "excluded", "m": "confirmed"}
    assert found({"b": True}, agreed=("s",)) == {"s": "confirmed", "m": "excluded"}
    assert found({"b": True}) == {"s": "possible", "m": "provisional"}
    assert found({"a": False, "b": True}, agreed=("m",)) == {"s": "excluded", "m": "confirmed"}


def test_more_urgent_goes_before_equally_severe_and_a_guideline_may_say_otherwise():
    rule = Answered("a", "yes")
    graph = small(
        Classification("p", "P", "one", "severe", rule, urgency=2),
        Classification("q", "Q", "one", "severe", rule, urgency=1),
        Classification("r", "R", "one", "mild", rule, yields_to=()),
    )
    assert graph.yields == {"p": (), "q": ("p",), "r": ()}


def test_a_milder_one_stands_where_only_its_own_denial_of_a_severer_one_is_open():
    graph = small(
        Classification("s", "S", "one", "severe", Answered("a", "yes")),
        Classification(
            "m", "M", "one", "mild", AllOf((Answered("b", "yes"), Negation(Classified("s")))),
            yields_to=(),
        ),
    )  # fmt: skip
    found, _ = results(graph, b=True)
    assert (found["m"].status, found["m"].open) == ("provisional", ("s",))
    found, assessment = results(graph, b=True, a=UNAVAILABLE)
    assert found["m"].status == "provisional"
    assert "S could not be excluded" in assessment.refer
    assert results(graph, b=True, a=False)[0]["m"].status == "confirmed"
    assert results(graph, b=True, a=True)[0]["m"].status == "excluded"


SEVERE = AnyOf((Answered("a", "yes"), Answered("b", "yes")))
DECLARED: dict[str, tuple[Expression, Expression]] = {
    "a list of signs": (SEVERE, AllOf((Answered("c", "yes"),))),
    "its own denial": (SEVERE, AllOf((Answered("c", "yes"), Negation(Classified("s"))))),
    "two of three": (
        AtLeast(2, tuple(Answered(name, "yes") for name in "abc")),
        AnyOf((Answered("b", "yes"), Answered("c", "no"))),
    ),
}


@pytest.mark.parametrize("name", DECLARED)
def test_over_all_states_no_milder_one_is_confirmed_while_a_severer_one_is_open(name):
    severe, mild = DECLARED[name]
    step = TreatmentStep("step", "Do it", "advice")
    graph = small(
        Classification("s", "S", "one", "severe", severe, refer=True),
        Classification("m", "M", "one", "mild", mild, treatments=(step,)),
    )
    for values in product((True, False, None), repeat=3):
        answers = dict(zip("abc", values, strict=True))
        _check_state(graph, answers)


def _check_state(graph, answers):
    state = evaluate(graph, Findings(values=answers))
    found = statuses(state)
    for name, goes_before in graph.yields.items():
        if found[name].status == "confirmed":
            assert all(state.own(severer) != UNKNOWN for severer in goes_before)
    cannot = {name: UNAVAILABLE if value is None else value for name, value in answers.items()}
    there = evaluate(graph, Findings(values=cannot))
    assessment = assess(there)
    assert there.values == state.values
    for each in assessment.classifications:
        assert not each.missing
        if each.status in STANDS and any(there.own(s) == UNKNOWN for s in graph.yields[each.id]):
            assert each.status == "provisional"
            steps = [row.step for row in assessment.treatments if row.classification == each.id]
            assert steps == [s.id for s in graph.classifications[each.id].treatments]
            assert assessment.refer
            assert all(graph.classifications[s].label in assessment.refer for s in each.open)


@pytest.mark.thorough
@given(
    guidelines(rule=rules(st.sampled_from([Answered(n, a) for n in "abc" for a in ("yes", "no")])))
)
@settings(max_examples=30, deadline=None)
def test_over_all_states_of_any_rules_no_milder_one_is_confirmed_too_soon(guideline):
    graph = compile_guideline(guideline)
    for values in product((True, False, None), repeat=3):
        answers = dict(zip("abc", values, strict=True))
        state = evaluate(graph, Findings(age_days=100, values=answers))
        for name, each in statuses(state).items():
            if each.status == "confirmed":
                severer = graph.yields[name]
                assert all(state.own(other) != UNKNOWN for other in severer)


AWAY = AnswerOption("away", "Not done here", means="unavailable")


@pytest.mark.thorough
@given(
    guidelines(rule=rules(st.sampled_from([Answered(n, a) for n in "abc" for a in ("yes", "no")])))
)
@settings(max_examples=30, deadline=None)
def test_what_cannot_be_had_confirms_nothing_that_unknown_would_not(guideline):
    """Also where the question has an answer for it that no rule goes on from."""
    own = tuple(replace(each, answers=(YES, NO, AWAY)) if each.id in "abc" else each
                for each in guideline.observations)  # fmt: skip
    graphs = [compile_guideline(each) for each in (guideline, replace(guideline, observations=own))]
    for values in product((True, False, UNAVAILABLE), repeat=3):
        answers: dict[str, Any] = dict(zip("abc", values, strict=True))
        known = {name: value for name, value in answers.items() if value != UNAVAILABLE}
        for graph in graphs:
            away = statuses(evaluate(graph, Findings(age_days=100, values=answers)))
            unknown = statuses(evaluate(graph, Findings(age_days=100, values=known)))
            assert away == unknown


def test_a_rule_that_goes_on_from_what_cannot_be_had_decides():
    test = Observation("t", "Test", "choice", answers=(AnswerOption("high", "High"), AWAY))
    severe = Classification("s", "S", "one", "severe", Answered("t", "high"))
    mild = Classification("m", "M", "one", "mild", Answered("a", "yes"))
    onward = Classification("o", "O", "two", "mild", Answered("t", "away"))

    def found(*classes):
        tables = tuple(Condition(name, name) for name in ("one", "two"))
        guideline = Guideline("g", "1", "G", (test, Observation("a", "A")), tables, classes)
        state = evaluate(compile_guideline(guideline), Findings(values={"t": "away", "a": True}))
        return {name: each.status for name, each in statuses(state).items()}

    assert found(severe, mild) == {"s": "possible", "m": "provisional"}
    assert found(severe, mild, onward) == {"s": "excluded", "m": "confirmed", "o": "confirmed"}


def test_a_rule_may_say_what_counts_while_nobody_answered():
    taken = Answered("b", "yes", unanswered=False)
    graph = small(Classification("s", "S", "one", "severe", AllOf((Answered("a", "yes"), taken))))
    for answer, expected in ((None, "excluded"), (True, "confirmed"), (UNAVAILABLE, "possible")):
        state = evaluate(graph, Findings(values={"a": True, "b": answer}))
        assert statuses(state)["s"].status == expected


def test_a_default_does_not_hold_while_what_it_needs_is_at_hand():
    test = Observation("t", "Test", default="no", resources=("strip",), answers=(YES, NO))
    severe = Classification("s", "S", "one", "severe", Answered("t", "yes"))
    mild = Classification("m", "M", "one", "mild", Answered("a", "yes"))
    guideline = Guideline(
        "g", "1", "G", (test, Observation("a", "A")), (Condition("one", "One"),), (severe, mild)
    )
    graph = compile_guideline(guideline)
    for at_hand, expected in (
        ({}, "confirmed"),
        ({"strip": False}, "provisional"),
        ({"strip": True}, "provisional"),
    ):
        state = evaluate(graph, Findings(values={"a": True}, resources=at_hand))
        assert statuses(state)["m"].status == expected, at_hand


@pytest.mark.thorough
@given(guidelines())
@settings(max_examples=30, deadline=None)
def test_what_is_missing_is_not_known_and_an_assessment_is_whole(guideline):
    graph = compile_guideline(guideline)
    assessment = assess(
        evaluate(graph, Findings(age_days=100, values={"a": True, "b": UNAVAILABLE}))
    )
    assert len(assessment.classifications) == len(guideline.classifications)
    for each in assessment.classifications:
        assert each.why
        assert not {"a", "b"} & set(each.missing)
        if each.status == "possible":
            assert each.missing or each.unavailable
    assert assessment.to_json()["classifications"]
