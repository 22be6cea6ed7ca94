"""An assessment as a state machine: only what was said counts, never in which order."""

from dataclasses import replace
from functools import cache
from itertools import takewhile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medweave.assessment.events import Event
from medweave.assessment.session import Session
from medweave.errors import FindingsError
from medweave.guideline.loading import graph_in
from medweave.guideline.logic.evaluation import evaluate
from medweave.guideline.logic.graph import TRUE, Graph
from medweave.guideline.wording import Words

SIGNS = ("cough", "convulsions", "lethargic_or_unconscious", "diarrhoea", "chest_indrawing")
answers = st.one_of(
    st.builds(
        Event,
        st.sampled_from(["answered", "unknown", "unavailable"]),
        st.sampled_from(SIGNS),
        st.booleans(),
    ),
    st.builds(Event, st.just("answered"), st.just("temperature"), st.sampled_from([37.0, 39.5])),
    st.builds(Event, st.just("answered"), st.just("age"), st.sampled_from([20, 304])),
    st.builds(Event, st.just("unknown"), st.just("temperature")),
    st.builds(
        Event, st.sampled_from(["away", "there"]), st.sampled_from(["thermometer", "amoxicillin"])
    ),
    st.builds(
        Event, st.sampled_from(["refused", "set"]), st.just("pneumonia"), reason=st.just("I say so")
    ),
    st.builds(Event, st.just("agreed"), st.just("pneumonia")),
)
many = settings(max_examples=40, deadline=None)


@cache
def graph() -> Graph:
    return graph_in("sample")


def last_of_each(events: list[Event]) -> list[Event]:
    """The events that still count, where each thing is said once."""
    last: dict[tuple[str, str], Event] = {}
    for event in events:
        kind = "verdict" if event.kind in ("agreed", "refused", "set") else "said"
        last.pop((kind, event.about), None)
        last[kind, event.about] = event
    return list(last.values())


@many
@given(st.lists(answers, max_size=8), st.randoms())
def test_any_order_that_ends_in_the_same_answers_gives_the_same_assessment(events, rnd) -> None:
    shuffled = last_of_each(events)
    rnd.shuffle(shuffled)
    one, other = Session.of(graph()), Session.of(graph())
    for event in events:
        one = one.after(event)
    for event in shuffled:
        other = other.after(event)
    assert one.assessment() == other.assessment()
    assert one.case.digest() == other.case.digest()


@many
@given(st.lists(answers, max_size=8), answers)
def test_undoing_undoes(events, more) -> None:
    before = Session.of(graph(), events)
    after = before.after(more).after(Event("undone"))
    assert after.case == before.case
    assert after.state.values == before.state.values
    assert after.next_question() == before.next_question()


@many
@given(st.lists(answers | st.just(Event("undone")), max_size=10))
def test_step_by_step_is_what_it_is_from_the_beginning(events) -> None:
    session = Session.of(graph())
    for event in events:
        session = session.after(event)
    replayed = Session.of(graph(), session.events)
    assert session.state.values == replayed.state.values
    assert session.state.values == evaluate(graph(), session.case.findings).values
    assert session.next_question() == replayed.next_question()


def started(**said) -> Session:
    session = Session.of(graph())
    for about, value in said.items():
        session = session.answer(about, value)
    return session


def asked_first(session: Session, many: int) -> list[str]:
    found: list[str] = []
    while (question := session.next_question()) and len(found) < many:
        found.append(question.observation)
        session = session.after(Event("unavailable", question.observation))
    return found


def test_all_danger_signs_come_first_and_no_main_symptom_is_skipped() -> None:
    signs = [
        name
        for name, each in graph().observations.items()
        if each.danger_sign and each.ages.has(400) and each.asked_if is None
    ]
    symptoms = [
        name
        for name, each in graph().observations.items()
        if each.main_symptom and each.ages.has(400) and each.derived is None
    ]
    asked = asked_first(started(age=400), 20)
    begins_with = list(takewhile(lambda name: graph().observations[name].danger_sign, asked))
    assert set(signs) <= set(begins_with)
    assert set(symptoms) <= set(asked)


def test_what_nobody_knows_is_not_asked_again_and_is_named_at_the_end() -> None:
    session = started(age=400)
    first = session.next_question()
    while (question := session.next_question()) is not None:
        session = session.after(Event("unknown", question.observation))
    assert first is not None
    assert first.observation in session.unknown_at_the_end()
    assert session.statuses()["very_severe_disease"].status == "possible"


def to_the_end(session: Session, **said: Any) -> Session:
    """What nobody told is denied where it is yes or no, and else not known."""
    while (question := session.next_question()) is not None:
        name = question.observation
        if name in said:
            session = session.after(Event("answered", name, said[name]))
        elif name in graph().observations and graph().observations[name].kind == "boolean":
            session = session.after(Event("answered", name, False))
        else:
            session = session.after(Event("unknown", name))
    return session


def test_a_complaint_about_which_nothing_is_settled_is_told_at_the_end() -> None:
    coughs = started(age=304, cough=True)
    assert not any("settled" in told for told in coughs.assessment().warnings)
    [told] = [w for w in to_the_end(coughs).assessment().warnings if "settled" in w]
    assert told.startswith("Cough is there, and these are not settled: Severe pneumonia")
    assert "Respiratory rate" in told
    counted = to_the_end(
        coughs, respiratory_rate=55, oxygen_saturation=97, temperature=37
    ).assessment()
    assert not any("settled" in told for told in counted.warnings)
    [hot] = [
        w for w in to_the_end(started(age=304, fever=True)).assessment().warnings if "settled" in w
    ]
    assert "Malaria" in hot
    in_chinese = Words(graph(), "zh").told(to_the_end(coughs).assessment()).warnings
    assert any(told.startswith("有咳嗽，以下尚未确定：") for told in in_chinese)


def test_agreeing_changes_nothing_and_an_override_needs_a_reason() -> None:
    session = started(age=400, convulsions=True)
    agreed = session.after(Event("agreed", "very_severe_disease"))
    assert agreed.assessment() == session.assessment()
    assert agreed.case.agreed == {"very_severe_disease"}
    with pytest.raises(FindingsError, match="without a reason"):
        session.after(Event("refused", "very_severe_disease"))
    refused = session.after(Event("refused", "very_severe_disease", reason="it was a shiver"))
    assert refused.statuses()["very_severe_disease"].status == "excluded"
    assert refused.case.reasons == {"very_severe_disease": "it was a shiver"}


def test_an_answer_that_cannot_be_leaves_the_assessment_as_it_was() -> None:
    session = started(age=400)
    for about, value in (("temperature", 52), ("weight", 400), ("cough", "perhaps")):
        with pytest.raises(FindingsError):
            session.answer(about, value)
    assert session.answer("cough", True).statuses()["cough_or_cold"].status == "possible"


def test_a_drug_out_of_stock_gives_its_substitute_or_a_referral() -> None:
    session = started(age=400, weight=10.0, cough=True, chest_indrawing=True, stridor=False)
    for sign in ("convulsing_now", "convulsions", "lethargic_or_unconscious", "not_able_to_drink",
                 "vomits_everything"):  # fmt: skip
        session = session.answer(sign, False)
    for other in ("oxygen_saturation", "respiratory_rate"):
        session = session.after(Event("unavailable", other))
    given_ = [row.drug_id for row in session.assessment().treatments]
    without = session.after(Event("away", "amoxicillin")).assessment()
    assert "amoxicillin" in given_
    notes = " ".join(row.note for row in without.treatments)
    assert "not at hand here" in notes


USUAL: dict[str, Any] = {
    "temperature": 36.8, "respiratory_rate": 30, "oxygen_saturation": 97, "malaria_risk": "high",
    "malaria_test": "negative", "drinking": "normally", "skin_pinch": "normally",
    "swallowing": "easily", "bronchodilator_trial": "still_there", "weight": 9.0, "sex": "male",
    "movement": "on_its_own", "birth_weight": 3.2,
}  # fmt: skip


@pytest.mark.parametrize(
    "complaint",
    [
        {"cough": True, "respiratory_rate": 44},
        {"cough": True, "respiratory_rate": 55, "wheezing": True},
        {"cough": True, "chest_indrawing": True},
        {"difficult_breathing": True, "respiratory_rate": 52},
        {"fever": True, "temperature": 38.2},
        {"fever": True, "temperature": 39, "malaria_test": "positive"},
        {"diarrhoea": True},
        {"diarrhoea": True, "blood_in_stool": True},
        {"ear_problem": True, "ear_pain": True},
        {"throat_problem": True, "red_throat": True},
    ],
)
@pytest.mark.parametrize("age", [300, 900])
def test_a_child_with_one_complaint_is_asked_at_most_fifteen_questions(
    complaint: dict[str, Any], age: int
) -> None:
    """Nothing is told before: danger signs as one list, main symptoms as another, the signs of the
    complaint, breathing early, and the weight where a dose depends on it."""
    session = started(age=age)
    answers, questions, asked = USUAL | complaint, 0, []
    while (question := session.next_question()) is not None:
        questions += 1
        for name in (question.observation, *question.together):
            asked.append(name)
            session = session.answer(name, answers.get(name, False))
    assert questions <= 15, asked
    signs = {s.id for s in graph().danger_signs if s.ages.has(age)}
    assert {name for name in signs if session.state.shown(name) == TRUE} <= set(asked)
    symptoms = {o.id for o in graph().observations.values() if o.main_symptom and o.ages.has(age)}
    needless = {"difficult_breathing"} if "cough" in complaint else set()
    assert symptoms - needless - {"breastfed"} <= set(asked)
    if "cough" in complaint or "difficult_breathing" in complaint:
        breathing = {"respiratory_rate", "chest_indrawing"} & set(asked)
        assert all(asked.index(each) < 14 for each in breathing), asked
    assert session.to_check()
    assert session.next_question(order="thorough") is not None


def test_lists_ask_what_is_asked_one_by_one() -> None:
    """Nobody has any of it: then all danger signs and main symptoms are asked, whichever way."""
    for age in (10, 100, 400):
        asked: dict[bool, set[str]] = {}
        for as_lists in (True, False):
            session, asked[as_lists] = started(age=age), set()
            while (question := session.next_question()) is not None:
                further = question.together if as_lists else ()
                for name in (question.observation, *further):
                    asked[as_lists].add(name)
                    session = session.answer(name, USUAL.get(name, False))
        assert asked[True] == asked[False]


def after(complaint: dict[str, Any], **further: Any) -> tuple[Session, list[str]]:
    session, asked = started(age=400), []
    while (question := session.next_question()) is not None:
        for name in (question.observation, *question.together):
            asked.append(name)
            session = session.answer(name, (USUAL | complaint | further).get(name, False))
    return session, asked


def test_a_wheezing_child_who_breathes_fast_is_given_salbutamol_before_pneumonia_is_said() -> None:
    wheezes = {"cough": True, "respiratory_rate": 55, "wheezing": True}
    for trial, stands in (("gone", "cough_or_cold"), ("still_there", "pneumonia")):
        session, asked = after(wheezes, bronchodilator_trial=trial)
        assert asked.index("wheezing") < asked.index("bronchodilator_trial")
        assert session.statuses()[stands].status == "confirmed"
        assert "salbutamol" in {row.drug_id for row in session.assessment().treatments}
    assert "bronchodilator_trial" not in after(wheezes | {"respiratory_rate": 30})[1]


@pytest.mark.parametrize(
    ("counted", "status"), [(58, "confirmed"), (34, "excluded"), (None, "confirmed")]
)
def test_who_is_said_to_breathe_fast_is_counted(counted: int | None, status: str) -> None:
    session = started(age=304)
    for name in ("cough", "fast_breathing"):
        session = session.answer(name, True)
    asked = []
    while (question := session.next_question()) is not None:
        for name in (question.observation, *question.together):
            asked.append(name)
            if name != "respiratory_rate":
                known = {"temperature": 36.8, "weight": 8, "oxygen_saturation": 98}
                session = session.answer(name, known.get(name, False))
            elif counted is None:
                session = session.after(Event("unknown", name))
            else:
                session = session.answer(name, counted)
    assert asked.count("respiratory_rate") == 1
    assert session.statuses()["pneumonia"].status == status


def test_the_weight_is_asked_for_where_a_dose_depends_on_it() -> None:
    assert after({"cough": True, "chest_indrawing": True})[1][-1] == "weight"
    assert "weight" not in after({"cough": True})[1]


def test_breaths_of_a_young_infant_are_counted_again_before_they_are_called_fast() -> None:
    session = started(age=20)
    asked = []
    answers: dict[str, Any] = {
        "respiratory_rate": 64, "second_respiratory_count": "not_fast", "temperature": 36.8,
        "movement": "on_its_own", "weight": 3.4, "birth_weight": 3.2,
    }  # fmt: skip
    while (question := session.next_question()) is not None:
        for name in (question.observation, *question.together):
            asked.append(name)
            session = session.answer(name, answers.get(name, False))
    assert "second_respiratory_count" in asked
    assert session.statuses()["pneumonia"].status == "excluded"


def test_only_signs_that_are_yes_or_no_are_asked_as_a_list() -> None:
    session = started(age=10)
    seen = []
    while (question := session.next_question()) is not None:
        kinds = {graph().observations[name].kind for name in question.together}
        assert kinds <= {"boolean"}
        seen.append(question)
        for name in (question.observation, *question.together):
            session = session.after(Event("unavailable", name))
    assert "movement" in {each.observation for each in seen}
    assert not any("movement" in each.together for each in seen)


def test_a_sign_to_ask_about_is_settled_by_the_answer_to_it() -> None:
    told = Event("danger", "convulsions", "ask", "convulsions (a fit or seizure)")
    session = started(age=400).after(told)
    assert "convulsions" in {each.sign for each in session.assessment().danger or ()}
    answered = session.answer("convulsions", False).assessment()
    assert "convulsions" not in {each.sign for each in answered.danger or ()}
    present = started(age=400).after(replace(told, value="present")).answer("convulsions", False)
    assert "convulsions" in {each.sign for each in present.assessment().danger or ()}
