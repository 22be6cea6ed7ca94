"""Letters of many sentences: each fact is of whom it is told, and no drug in question is lost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from medweave import KnowledgeBase
from medweave.faces.texts.layout import Layout
from medweave.model.question import Question

LETTERS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "letters.yaml").read_text(encoding="utf-8")
)


def of_patient(question: Question) -> set[str]:
    """What is told of the patient, by name."""
    patient = question.patient
    states = {"pregnant": patient.pregnant, "breastfeeding": patient.breastfeeding}
    named = {
        mention.name
        for mention in question.mentions
        if mention.experiencer == "patient" and mention.status != "absent"
    }
    return named | {state for state, holds in states.items() if holds}


def ids(letters: Sequence[dict[str, Any]]) -> list[str]:
    return [letter["text"][:40] for letter in letters]


@pytest.mark.parametrize("letter", LETTERS, ids=ids(LETTERS))
def test_each_fact_is_of_whom_it_is_told(base: KnowledgeBase, letter: dict[str, Any]) -> None:
    held = of_patient(base.understand(letter["text"]))
    assert set(letter["patient"]) <= held
    assert held.isdisjoint(letter.get("others", ()))


@pytest.mark.parametrize(
    ("letter", "drug"),
    [
        ("His brother, who has gout, gave dad his naproxen. Dad's eGFR is 20.", "naproxen"),
        ("My girl is 9 and has asthma. Her friend, who is well, offered aspirin.", "aspirin"),
        ("My son, 7, had his tonsils out. We have codeine left over from my back.", "codeine"),
        ("I'm pregnant, 15 weeks. In the drawer I found isotretinoin. Okay?", "isotretinoin"),
        ("My mate has asthma. He wants to try his wife's propranolol for nerves.", "propranolol"),
    ],
)
def test_what_another_has_is_weighed_for_the_patient(
    base: KnowledgeBase, letter: str, drug: str
) -> None:
    stopped = {stop.entity.name("en") for stop in base.ask(letter).stops}
    assert drug in stopped


def test_a_letter_is_asked_by_its_questions_and_not_by_all_it_tells(base: KnowledgeBase) -> None:
    answer = base.ask(
        "Mrs Hill, 54, severe asthma. She had tests and a change of diet last year. The treatment "
        "of her atrial fibrillation was discussed. The locum suggested propranolol. Comments?"
    )
    assert {intent.label for intent in answer.question.intents} == {"contraindication"}
    assert "propranolol" in {stop.entity.name("en") for stop in answer.stops}


@pytest.mark.parametrize(
    ("text", "stopped"),
    [
        ("My dad is 62, creatinine 320, and takes metformin. Is that right?", True),
        ("Woman of 80, creatinine 170, metformin?", True),
        ("Somebody has creatinine 270. Metformin?", True),
        ("Man of 30, creatinine 170, metformin?", False),
    ],
)
def test_creatinine_is_held_to_what_kidneys_filter(
    base: KnowledgeBase, text: str, stopped: bool
) -> None:
    hard = {s.entity.name("en") for s in base.ask(text).stops if s.hard and s.status == "applies"}
    assert ("metformin" in hard) is stopped


@pytest.mark.parametrize(
    ("text", "hard"),
    [
        ("Woman of 22 with epilepsy, valproate?", True),
        ("Epilepsy in a girl of 16, valproate?", True),
        ("29岁女，癫痫，丙戊酸可以吗", True),
        ("Epilepsy, 62F. Valproate?", False),
        ("Woman of 45, hysterectomy in 2019, epilepsy. Valproate?", False),
        ("Man of 22 with epilepsy, valproate?", False),
    ],
)
def test_who_may_become_pregnant_is_held_to_be_able_to(
    base: KnowledgeBase, text: str, hard: bool
) -> None:
    stops = [s for s in base.ask(text).stops if s.entity.name("en") == "valproate"]
    assert any(s.hard and s.status == "applies" for s in stops) is hard


@pytest.mark.parametrize(
    "text",
    [
        "My sister takes propranolol for exams. I have asthma. Can I have one of hers?",
        "My flatmate is on propranolol. I'm asthmatic. Could I try it?",
        "我妈吃普萘洛尔，我有哮喘，我能吃她的吗？",
    ],
)
def test_what_another_takes_is_asked_about(base: KnowledgeBase, text: str) -> None:
    assert "propranolol" in {stop.entity.name("en") for stop in base.ask(text).stops}


@pytest.mark.parametrize(
    "text",
    [
        "Our 7 week old baby has whooping cough. What is written down for it?",
        "Asthma and atrial fibrillation, 60M. What does the book have?",
        "Epilepsy, newly diagnosed, woman of 22 on the combined pill, no kids yet",
        "She was diagnosed with gout last week, 70, on warfarin. Any thoughts?",
        "61F, asthma, hypertension. First line?",
        "刚确诊痛风，70岁，用什么",
    ],
)
def test_whoever_is_told_of_gets_what_there_is_for_them(base: KnowledgeBase, text: str) -> None:
    assert base.ask(text).drugs


def test_a_sister_who_is_pregnant_takes_it_off_the_writer(base: KnowledgeBase) -> None:
    told = ["I'm 16 weeks pregnant", "sorry, typed wrong, my sister is pregnant, I'm not"]
    answer = base.ask("can I take doxycycline for acne", history=told)
    assert not [stop for stop in answer.stops if stop.status == "applies"]


@pytest.mark.parametrize(
    "text", ["How is gout diagnosed?", "I was diagnosed with gout. Any tests?"]
)
def test_how_something_is_diagnosed_is_still_asked(base: KnowledgeBase, text: str) -> None:
    assert [intent.label for intent in base.ask(text).question.intents] == ["test"]


@pytest.mark.parametrize(
    "text",
    [
        "painkiller for a woman of 33 weeks",
        "Painkiller for my wife, who is 33 weeks",
        "my wife's 31 weeks and has a headache, painkiller?",
    ],
)
def test_weeks_of_a_grown_up_are_a_pregnancy(base: KnowledgeBase, text: str) -> None:
    stopped = {s.entity.name("en") for s in base.ask(text).stops if s.status == "applies"}
    assert "ibuprofen" in stopped


def test_weeks_after_something_are_none(base: KnowledgeBase) -> None:
    answer = base.ask("Woman, 33 weeks after her operation, painkiller?")
    assert answer.question.patient.pregnant is None


def test_a_difference_between_two_diseases_wants_no_drugs(base: KnowledgeBase) -> None:
    answer = base.ask("migraine or tension headache, what's the difference")
    assert [intent.label for intent in answer.question.intents] == ["description"]


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("my back hurts and the pain won't stop, I take warfarin", ""),
        ("I'm on apixaban and cut my finger, it won't stop", "bleeding_on_anticoagulant"),
        ("My father had his spleen out and now has a fever of 39", "fever_without_defence"),
        ("My mother had a stroke and my father has gout. I have a headache", ""),
    ],
)
def test_what_is_told_beside_a_danger_decides_it(base: KnowledgeBase, text: str, sign: str) -> None:
    named = {each.sign for each in base.ask(text).question.danger or ()} - {"unnamed"}
    assert named == ({sign} if sign else set())


def test_an_exception_is_no_silence(base: KnowledgeBase) -> None:
    stops = base.ask("warfarin in pregnancy with a metal heart valve").stops
    assert [stop.hard for stop in stops if stop.status == "applies"] == [False]


@pytest.mark.parametrize(
    ("word", "nearest"),
    [
        ("simvastin", "simvastatin"),
        ("amoxcilin", "amoxicillin"),
        ("ibuprophen", "ibuprofen"),
        ("prednislone", "prednisolone"),
    ],
)
def test_what_is_written_nearly_as_a_drug_is_asked_about(
    base: KnowledgeBase, word: str, nearest: str
) -> None:
    [unread] = base.ask(f"can I take {word} with warfarin").not_understood
    assert (unread.text, unread.nearest[0]) == (word, nearest)


def test_who_looks_after_the_sick_is_no_medicine(base: KnowledgeBase) -> None:
    told = "My rheumatologist gave me a diagnosis of gout, I take warfarin. She breastfeeds. Ok?"
    assert not base.ask(told).not_understood


def test_an_allergy_tablet_is_no_allergy(base: KnowledgeBase) -> None:
    assert not base.ask("I take an allergy tablet. Propranolol?").question.patient.allergies


@pytest.mark.parametrize("text", ["Patient 1: 60M on warfarin. Ibuprofen?", "Pt 3 - 72F, gout?"])
def test_the_number_of_a_patient_is_no_age(base: KnowledgeBase, text: str) -> None:
    age = base.ask(text).question.patient.age_days
    assert age is not None
    assert age > 50 * 365


@pytest.mark.parametrize(
    "text",
    [
        "drugs you mustn't have with alcohol",
        "which medicines must I not drink alcohol with?",
        "tablets you can't take with warfarin",
        "what medicines shouldn't you take with grapefruit",
    ],
)
def test_what_must_not_go_with_something_is_a_list(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert [intent.label for intent in answer.question.intents] == ["interaction"]
    assert answer.sentences


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tamoxifen", "paroxetine"),
        ("the contraceptive implant", "St John's wort"),
        ("febuxostat", "azathioprine"),
        ("verapamil", "atenolol"),
        ("citalopram", "ondansetron"),
        ("disulfiram", "alcohol"),
        ("levodopa", "metoclopramide"),
    ],
)
def test_pairs_of_drugs_without_a_monograph(base: KnowledgeBase, one: str, other: str) -> None:
    stops = base.ask(f"Can I take {other} with {one}?").stops
    assert any(stop.status == "applies" for stop in stops)


def test_she_is_the_writers_own_and_not_who_stands_by(base: KnowledgeBase) -> None:
    told = (
        "I am writing about my mother who has had heart failure since 2018. Her knee swelled up and"
        " the neighbour gave her some of her own diclofenac. My mother takes furosemide. The"
        " neighbour has no illnesses. Should she carry on with it?"
    )
    answer = base.ask(told)
    assert "mw.condition:heart_failure" in answer.question.patient.conditions
    assert any(s.entity.name("en") == "diclofenac" for s in answer.stops if s.status == "applies")


@pytest.mark.parametrize(
    ("text", "weeks"), [("preg 28 weeks, headache, ibuprofen?", 28), ("10 weeks preg, gout?", 10)]
)
def test_pregnant_in_short(base: KnowledgeBase, text: str, weeks: int) -> None:
    patient = base.ask(text).question.patient
    assert (patient.pregnant, patient.pregnancy_weeks) == (True, weeks)


def test_a_negative_test_is_none_that_is_asked_for(base: KnowledgeBase) -> None:
    answer = base.ask("negative preg test, acne, doxycycline?")
    assert answer.question.patient.pregnant is not True
    assert "test" not in [intent.label for intent in answer.question.intents]


@pytest.mark.parametrize(
    ("text", "drugs"),
    [("hayfever, 10 weeks preg, anything?", True), ("Can gout lead to anything?", False)],
)
def test_anything_alone_asks_for_help(base: KnowledgeBase, text: str, drugs: bool) -> None:
    assert bool(base.ask(text).drugs) is drugs


@pytest.mark.parametrize("text", ["头孢和酒", "吃头孢能喝酒吗", "Cefalexin and wine?"])
def test_cephalosporins_and_alcohol(base: KnowledgeBase, text: str) -> None:
    assert any(stop.status == "applies" for stop in base.ask(text).stops)


@pytest.mark.parametrize(
    ("text", "stopped"),
    [
        ("day 3 of Flagyl for my tooth, wedding on saturday, is a few pints ok?", "metronidazole"),
        ("我有严重的肾功能不全，可以吃二甲双胍吗？", "metformin"),
        (
            "my father aged 72 is diabetic and takes Daonil. His eGFR came as 17. Both knees are"
            " painful and the shop gave him Voveran. My neighbour's father takes tramadol only."
            " Which pain medicine can we give him?",
            "diclofenac",
        ),
        (
            "This lady, 77, has pneumonia and congenital long QT syndrome, picked up when her"
            " grandson collapsed. Clarithromycin?",
            "clarithromycin",
        ),
    ],
)
def test_what_stops_is_heard_in_other_words(base: KnowledgeBase, text: str, stopped: str) -> None:
    answer = base.ask(text)
    assert not answer.emergency
    assert stopped in {s.entity.name("en") for s in answer.stops if s.status == "applies"}


def test_butter_that_cures_burns_is_no_violence(base: KnowledgeBase) -> None:
    told = "My mum thinks butter cures burns. My child has a fever. Paracetamol?"
    assert not base.ask(told).emergency


@pytest.mark.parametrize(
    "text",
    [
        "which BP tablets are listed for a woman 11 weeks pregnant?",
        "List everything that's contraindicated with simvastatin.",
        "19F RIF pain, nausea, off food. DDx?",
    ],
)
def test_what_is_asked_in_short_is_answered(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert answer.status in ("answered", "partial")


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (
            "my mum takes warfarin",
            "sorry, she stopped the warfarin last month, so is ibuprofen ok?",
        ),
        ("我妈在吃华法林", "说错了，华法林上个月就停了，那布洛芬可以吗？"),
    ],
)
def test_what_was_stopped_leaves_nothing_in_its_place(
    base: KnowledgeBase, first: str, then: str
) -> None:
    answer = base.ask(then, history=[first])
    assert answer.question.patient.drugs == ()
    assert not [stop for stop in answer.stops if stop.status == "applies"]


def test_a_letter_that_lists_medicines_wants_no_list_of_treatments(base: KnowledgeBase) -> None:
    answer = base.ask(
        "Discharge letter. 66F, NSTEMI. Meds: aspirin 75, clopidogrel 75, simvastatin 40, ramipril "
        "5, isosorbide mononitrate 60. Husband says she borrows his sildenafil."
    )
    assert not answer.drugs
    first, *others = Layout(answer).stops
    assert "must not be taken together" in first.text
    assert len(others) < 6


def test_one_complaint_in_a_letter_asks_for_no_diagnosis(base: KnowledgeBase) -> None:
    answer = base.ask(
        "Mrs Dale, 35, is breastfeeding and was sent home on codeine for perineal pain. She has "
        "migraine with aura and has asked for the combined pill. Please review."
    )
    assert not answer.candidates
    assert any(stop.level == "stop" for stop in answer.stops)
