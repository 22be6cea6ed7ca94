"""Cases as mothers and health workers tell them: implied symptoms, times, places, and whose."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from medweave.errors import GuidelineError
from medweave.faces.terminal.assessment import print_assessment
from medweave.guideline.case_reader import CaseReader
from medweave.guideline.checks import check_guideline
from medweave.guideline.contribution import is_of_a_child
from medweave.guideline.fhir.export import fhir_bundle
from medweave.guideline.loading import graph_in
from medweave.guideline.logic.graph import compile_guideline
from medweave.guideline.statements import extraction_of, guideline_from
from medweave.guideline.versions.difference import difference
from medweave.guideline.versions.rerun import rerun
from medweave.guideline.yaml.reading import read_guideline
from medweave.guideline.yaml.writing import write_guideline
from medweave.knowledge_base import KnowledgeBase
from medweave.model.findings import Findings
from medweave.stores.derived import view_of
from medweave.stores.memory import MemoryStore

GOLD = Path(__file__).parents[2] / "gold"

EAR = "ear pain for 4 days and pus coming out, no swelling behind the ear"
SMALL = """\
guideline: small
version: "1"
title: Ears
ages: 2 mo to 60 mo
observations:
  ear: {label: Ear problem, danger_sign: true}
  pain: {label: Ear pain, implies: [ear]}
  drinking:
    label: Drinking
    kind: choice
    answers: {well: Drinks well, not: {label: Drinks nothing, implies: [thirst]}}
  thirst: {label: Unable to drink}
conditions:
  ears: {label: Ears, classifications: {infection: {label: Infection, when: {all: [ear, pain]}}}}
"""


@pytest.fixture(scope="module")
def reader() -> CaseReader:
    return CaseReader(graph_in("sample"))


def told(reader: CaseReader, text: str) -> dict[str, object]:
    return {each.observation: each.value for each in reader.read(text).findings}


# --- What signs imply --------------------------------------------------------------------------


def test_a_sign_tells_its_main_symptom_and_says_from_what(reader: CaseReader) -> None:
    assessment = reader.assess(Findings(730, text=EAR))
    found = {each.id: each.status for each in assessment.classifications}
    assert found["acute_ear_infection"] == "provisional"  # for how long pus has come is not told
    assert found["mastoiditis"] == "excluded"
    whys = {each.observation: each.why for each in assessment.understood or ()}
    assert whys["ear_problem"] == "Ear problem: from 'ear pain'"
    assert whys["ear_discharge"] == "Ear discharge: from 'pus'"


@pytest.mark.parametrize(
    ("text", "implied"),
    [
        ("chest indrawing", "difficult_breathing"),
        ("he is breathing fast", "difficult_breathing"),
        ("coughing up blood", "cough"),
        ("grey membrane on the throat", "throat_problem"),
        ("itchy skin", "skin_problem"),
        ("convulsing now", "convulsions"),
    ],
)
def test_what_a_sign_means_is_told_with_it(reader: CaseReader, text: str, implied: str) -> None:
    assert told(reader, text)[implied] is True


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5 weeks old, does not suck well", True),
        ("5 weeks old, she is not sucking well", True),
        ("5 weeks old, sucks well", False),
        ("5 weeks old, not sure if he sucks well", None),
    ],
)
def test_sucking_well_or_not_is_feeding_well_or_not(
    reader: CaseReader, text: str, value: bool | None
) -> None:
    assert told(reader, text)["not_feeding_well"] is value


@pytest.mark.parametrize(
    ("text", "open_"),
    [
        ("sunken eyes", "diarrhoea"),
        ("blood in the stool", "diarrhoea"),
        ("skin pinch goes back slowly", "diarrhoea"),
        ("swelling behind the ear", "ear_problem"),
        ("stiff neck", "fever"),
        ("runny nose", "cough"),
        ("tender neck glands", "throat_problem"),
        # what is absent, doubted, past or another's implies nothing
        ("no ear pain", "ear_problem"),
        ("maybe ear pain", "ear_problem"),
        ("if she develops chest indrawing I will refer", "difficult_breathing"),
        ("her brother has ear pain", "ear_problem"),
    ],
)
def test_what_only_goes_with_a_symptom_does_not_tell_it(
    reader: CaseReader, text: str, open_: str
) -> None:
    assert told(reader, text).get(open_) is None


def test_what_is_said_goes_before_what_is_implied(reader: CaseReader) -> None:
    case = reader.read("No difficulty breathing. But chest indrawing.")
    values = {each.observation: each.value for each in case.findings}
    assert values == {"difficult_breathing": False, "chest_indrawing": True}
    assert case.contradictions == (
        "difficult_breathing: the text says no ('difficulty breathing'), which holds, though "
        "'chest indrawing' says yes",
    )


def test_what_is_given_by_name_goes_before_what_is_implied(reader: CaseReader) -> None:
    assessment = reader.assess(Findings(730, values={"ear_problem": False}, text="ear pain"))
    assert {each.observation: each.used for each in assessment.understood or ()} == {
        "ear_pain": True,
        "ear_problem": False,
    }
    assert "Ear problem: the text says yes ('ear pain'), and no was given, which holds" in (
        assessment.contradictions
    )


def test_implications_are_read_written_stored_and_compared() -> None:
    guideline = read_guideline(SMALL).guideline
    answers = {each.id: each.answers for each in guideline.observations}
    assert [answer.implies for answer in answers["pain"]] == [("ear",), ()]
    assert [answer.implies for answer in answers["drinking"]] == [(), ("thirst",)]
    assert read_guideline(write_guideline(guideline)).guideline == guideline
    store = view_of(MemoryStore())
    store.put([extraction_of(guideline, "small.yaml")])
    stored = guideline_from(store, guideline.name)
    assert stored == guideline
    from_store = CaseReader(compile_guideline(stored))
    assert told(from_store, "ear pain; drinks nothing")["ear"] is True
    assert told(from_store, "ear pain; drinks nothing")["thirst"] is True
    assert "'Yes' implies: Ear problem" in json.dumps(fhir_bundle(guideline))
    without = read_guideline(SMALL.replace(", implies: [ear]", "")).guideline
    changes = [each.what for each in difference(without, guideline).changes]
    assert "answer yes: implies" in changes


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("implies: [nose]", "'pain' implies 'nose', which is no observation"),
        ("implies: [pain]", "'pain' implies 'pain', which it is itself"),
        ("implies: [drinking]", "'pain' implies 'drinking', which has no yes and no"),
    ],
)
def test_checking_names_what_cannot_be_implied(written: str, said: str) -> None:
    problems = check_guideline(read_guideline(SMALL.replace("implies: [ear]", written)))
    assert said in [each.what for each in problems]


def test_a_choice_says_which_answer_implies() -> None:
    with pytest.raises(GuidelineError, match="beside the answer"):
        read_guideline(SMALL.replace("kind: choice", "kind: choice\n    implies: [ear]"))


def test_circles_of_implications_end() -> None:
    text = SMALL.replace("danger_sign: true", "danger_sign: true, implies: [pain]")
    reader = CaseReader(compile_guideline(read_guideline(text).guideline))
    assert told(reader, "ear pain") == {"pain": True, "ear": True}


# --- Times, places, persons --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pus coming out of the ear for 4 days", {"ear_discharge_duration": 4}),
        ("ear pain for 4 days", {"ear_discharge_duration": None}),
        ("ear pain for 4 days and discharge for 2 weeks", {"ear_discharge_duration": 14}),
        ("cough for 10 days, fast breathing for 2 days", {"cough_duration": 10}),
        ("fast breathing for 2 days", {"cough_duration": 2}),
        ("fever 3/7, cough 2/52", {"fever_duration": 3, "cough_duration": 14}),
        ("fever x5 days", {"fever_duration": 5}),
        ("fever since yesterday", {"fever_duration": 1}),
        ("cough about a week", {"cough_duration": 7}),
        ("2 days of fever and cough", {"fever_duration": 2, "cough_duration": 2}),
        ("cough, no fever for 3 days", {"cough_duration": None, "fever_duration": None}),
        ("cough for more than 3 days", {"cough_duration": None}),
        ("a cough for five days and since last night he is worse", {"cough_duration": 5}),
        (
            "cough for five days, and since yesterday fever",
            {"cough_duration": 5, "fever_duration": 1},
        ),
        # what is of a place that was named before
        ("red eyes with pus", {"pus_from_eye": True, "pus_from_ear": None}),
        ("discharge from the ear, no pain", {"ear_pain": False}),
        ("ear pain, and pus from the navel", {"pus_from_ear": None, "umbilicus_infected": True}),
        ("ear pain and chest pain", {"ear_pain": True}),
        ("no ear pain, just itching in the ear", {"itchy_skin": None}),
        ("diarrhoea with blood in it", {"blood_in_stool": True}),
        ("diarrhea with blood", {"blood_in_stool": True}),
        ("no diarrhoea with blood", {"blood_in_stool": False}),
        ("diarrhoea but no blood in it", {"blood_in_stool": False}),
        # what takes a word back
        ("too sleepy to play", {"lethargic_or_unconscious": True}),
        ("too weak to drink", {"not_able_to_drink": True}),
        ("noisy breathing even when calm", {"restless_or_irritable": None}),
        ("breathing is not fast", {"fast_breathing": False}),
        ("no cough, breathing is not fast", {"fast_breathing": False}),
        # whose, and when
        ("I am coughing, my baby is fine", {"cough": None}),
        ("I think he has a fever", {"fever": True}),
        ("He had fits last year with fever", {"convulsions": None, "fever": None}),
        ("no pus from the ear", {"pus_from_ear": False}),
        # words of mothers
        ("she feels hot", {"fever": True}),
        ("no fever but hot body", {"fever": True}),
        ("the weather is hot and he coughs", {"fever": None, "cough": True}),
        ("throwing up everything", {"vomits_everything": True}),
        ("his eyes have sunk in", {"sunken_eyes": True}),
        ("both feet are swollen", {"oedema_of_both_feet": True}),
        ("his foot is swollen", {"oedema_of_both_feet": None}),
        ("ear pain; a wound on the leg with pus", {"pus_from_ear": None}),
        ("My chld has feverr since 2 days", {"fever": True, "fever_duration": 2}),
        # numbers
        ("T 38.9, RR 52", {"temperature": 38.9, "respiratory_rate": 52}),
        ("RR 52, T39.1", {"temperature": 39.1}),
        ("temp here 36.9", {"temperature": 36.9}),
        ("Mantoux test T 7.5 mm", {"temperature": None}),
        ("born at 2.1 kg", {"birth_weight": 2.1}),
        # Chinese
        ("发烧三天，咳嗽两周", {"fever_duration": 3, "cough_duration": 14}),
        ("没有发烧，咳嗽3天", {"fever": False, "fever_duration": None, "cough_duration": 3}),
        ("耳朵痛，流脓4天", {"pus_from_ear": True, "ear_discharge_duration": 4}),
        ("皮肤流脓", {"pus_from_ear": None}),
    ],
)
def test_what_is_told(reader: CaseReader, text: str, expected: dict[str, object]) -> None:
    found = told(reader, text)
    assert {name: found.get(name) for name in expected} == expected


def test_what_two_words_say_otherwise_is_told(reader: CaseReader) -> None:
    assert reader.read("no fever but hot body").contradictions == (
        "fever: the text says no ('fever'), then yes ('hot body')",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("he is 18 mnths", (547, None, "male")),
        ("20 mo F, 10.5 kg", (608, 10.5, "female")),
        ("3 y/o boy", (1095, None, "male")),
        ("baby of 3 weeks, moves only when touched", (21, None, None)),
        ("My son is 3 and coughs", (1095, None, "male")),
        ("temp 103 F, weighs 22 lb, 2 years old", (730, 9.979, None)),
        ("cough 2 months, 14 months old girl", (426, None, "female")),
        ("ill for 6 weeks, age 6 months", (182, None, None)),
        ("born at 2.1 kg, now 10 days old, weighs 2.3 kg", (10, 2.3, None)),
        ("he is 3 days sick", (None, None, "male")),
        ("孩子8个月", (243, None, None)),
    ],
)
def test_the_child(
    reader: CaseReader, text: str, expected: tuple[int | None, float | None, str | None]
) -> None:
    case = reader.read(text)
    assert (case.age_days, case.weight_kg, case.sex) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I have two children: the older one has a cough, the baby of 5 months has diarrhoea",
        "Twins: one has fever, the other is fine",
        "Both children cough. The younger one is 8 kg.",
    ],
)
def test_of_several_children_nothing_is_known(reader: CaseReader, text: str) -> None:
    case = reader.read(text)
    assert {each.value for each in case.findings} == {None}
    assert (case.age_days, case.weight_kg, case.sex) == (None, None, None)
    assert case.contradictions == (
        "the text tells of more than one child: give each child a text of its own",
    )


def test_other_children_beside_one_are_no_hindrance(reader: CaseReader) -> None:
    assert told(reader, "Mother of three children; the youngest coughs")["cough"] is True


def test_what_was_understood_is_shown_with_its_words(reader: CaseReader) -> None:
    console = Console(width=200, file=io.StringIO())
    print_assessment(
        reader.assess(Findings(730, text="ear pain, no stridor, maybe fever")), console
    )
    lines = console.file.getvalue().split("\n")  # type: ignore[attr-defined]
    assert lines[1:5] == [
        "  understood: Ear pain: yes ('ear pain')",
        "  understood: Stridor in a calm child: no ('stridor')",
        "  understood: Fever: not known ('fever')",
        "  understood: Ear problem: yes (from 'ear pain')",
    ]


def test_what_is_implied_does_not_make_a_question_one_about_a_child(reader: CaseReader) -> None:
    with KnowledgeBase.open("memory:") as empty:
        question = empty.ask("My baby has ear pain, what should I do?").question
    case = reader.read(question.text)
    assert [each.implied for each in case.findings] == [False, True]
    assert not is_of_a_child(question, case, named=False)


# --- Measured ----------------------------------------------------------------------------------


FILES = ["guideline_texts.jsonl", "guideline_texts_told.jsonl", "guideline_texts_blind.jsonl"]


@pytest.mark.parametrize("name", FILES)
def test_nothing_is_told_as_its_opposite(reader: CaseReader, name: str) -> None:
    right = known = expected = 0
    for line in (GOLD / name).read_text("utf-8").splitlines():
        case = json.loads(line)
        found = told(reader, case["text"])
        for observation, value in case["findings"].items():
            if isinstance(value, bool):
                assert found.get(observation) is not (not value), (case["id"], observation)
            expected += value is not None
            right += value is not None and found.get(observation) == value
        known += sum(value is not None for value in found.values())
    assert right / expected > (0.6 if "blind" in name else 0.9)
    assert right / known > 0.87


SIGNS = ["ear pain", "chest indrawing", "diarrhoea", "stiff neck", "pus from the ear", "fever"]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("said", ["no {}", "{}: no", "denies {}", "never had {}"])
def test_a_denied_sign_is_never_there_nor_implies_anything(
    reader: CaseReader, sign: str, said: str
) -> None:
    values = told(reader, said.format(sign)).values()
    assert set(values) == {False}


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("said", ["unsure about {}", "maybe {}", "{}? not assessed"])
def test_a_doubted_sign_is_open_and_implies_nothing(
    reader: CaseReader, sign: str, said: str
) -> None:
    assert set(told(reader, said.format(sign)).values()) == {None}


# --- Saved cases -------------------------------------------------------------------------------


def test_saved_cases_are_run_again_with_their_text() -> None:
    old = read_guideline(SMALL).guideline
    new = replace(
        old,
        version="2",
        classifications=tuple(
            replace(each, rule=read_guideline(SMALL.replace("{all: [ear, pain]}", "never"))
                    .guideline.classifications[0].rule)
            for each in old.classifications
        ),
    )  # fmt: skip
    record = json.dumps({"id": "one", "age_days": 700, "text": "ear pain"})
    found = rerun(compile_guideline(old), compile_guideline(new), [record])
    assert found.sentence() == (
        "small@2 changes 1 of 1 cases; in 1 of them what stands, is given or is referred"
    )
    assert found.changed[0].changes[0] == ("Infection", "confirmed", "excluded")
