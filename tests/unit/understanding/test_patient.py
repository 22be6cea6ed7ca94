"""What a text says of a person."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.question import Patient


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    return KnowledgeBase.sample()


def patient(base: KnowledgeBase, text: str) -> Patient:
    return base.understand(text).patient


def test_a_drug_whose_name_holds_he_makes_nobody_a_man(base: KnowledgeBase) -> None:
    assert patient(base, "辛伐他汀有什么副作用").sex is None
    assert patient(base, "可以吃阿托伐他汀和其他药吗").sex is None
    assert patient(base, "他可以吃辛伐他汀吗").sex == "male"


def test_who_breastfeeds_is_a_woman_and_the_stop_is_told(base: KnowledgeBase) -> None:
    found = base.ask("我在哺乳，可以吃辛伐他汀吗？")
    assert found.question.patient.sex == "female"
    assert found.question.patient.breastfeeding is True
    assert "applies" in {stop.status for stop in found.stops}


@pytest.mark.parametrize(
    ("text", "drug"),
    [
        ("Can I take morphine, I take diazepam every night?", "diazepam"),
        ("May my husband take tramadol, he takes sertraline", "sertraline"),
        ("Can I take morphine when I also take diazepam?", "diazepam"),
    ],
)
def test_a_clause_behind_the_question_says_what_is_taken(
    base: KnowledgeBase, text: str, drug: str
) -> None:
    assert [base.show(taken).entity.name("en") for taken in patient(base, text).drugs] == [drug]


@pytest.mark.parametrize(
    "text", ["May I take ibuprofen, and when?", "Can I take ibuprofen, I have a cold"]
)
def test_what_is_asked_for_is_not_taken_yet(base: KnowledgeBase, text: str) -> None:
    assert patient(base, text).drugs == ()


@pytest.mark.parametrize(
    "text", ["I have uncontrolled epilepsy", "I have poorly controlled asthma", "我有未治疗的哮喘"]
)
def test_what_is_not_under_control_counts_as_severe(base: KnowledgeBase, text: str) -> None:
    found = patient(base, text)
    assert found.severe == found.conditions != ()


@pytest.mark.parametrize("who", ["grandfather", "grandma", "sister", "partner", "patient", "dad"])
def test_whoever_takes_a_drug_takes_it(base: KnowledgeBase, who: str) -> None:
    answer = base.ask(
        f"My {who} takes warfarin. Which is better for gout, naproxen or allopurinol?"
    )
    assert answer.question.patient.drugs == ("mw.substance:warfarin",)
    stops = answer.to_json()["stops"]
    stopped = {stop["name"] for stop in stops if stop["status"] == "applies"}
    assert "naproxen" in stopped


def drugs_named(base: KnowledgeBase, entities: tuple[str, ...]) -> list[str]:
    return [base.show(entity).entity.name("en") for entity in entities]


@pytest.mark.parametrize(
    ("text", "allergies", "drugs"),
    [
        ("I'm allergic to penicillin and take warfarin", ["penicillins"], ["warfarin"]),
        ("I'm allergic to penicillin but aspirin is fine", ["penicillins"], []),
        ("Last time they gave me Keflex for a cut I came out in welts", ["cefalexin"], []),
        ("When I take ibuprofen for my hives I feel better", [], ["ibuprofen"]),
        (
            "I'm allergic not only to penicillin but also to aspirin",
            ["penicillins", "aspirin"],
            [],
        ),
        ("My allergies are penicillin and ibuprofen", ["penicillins", "ibuprofen"], []),
        (
            "Allergies: penicillin. Current meds: warfarin 2.5 mg daily, naproxen",
            ["penicillins"],
            ["warfarin", "naproxen"],
        ),
        ("I was on warfarin but stopped last year", [], []),
        ("My doctor stopped my warfarin", [], []),
        ("I take warfarin but it stopped working", [], ["warfarin"]),
        ("I used to take naproxen, now on warfarin", [], ["warfarin"]),
        ("以前吃过华法林，现在停了", [], []),
        ("我正在吃华法林", [], ["warfarin"]),
    ],
)
def test_what_is_taken_and_what_is_not_borne_are_told_apart(
    base: KnowledgeBase, text: str, allergies: list[str], drugs: list[str]
) -> None:
    found = patient(base, text)
    assert drugs_named(base, found.allergies) == allergies
    assert drugs_named(base, found.drugs) == drugs


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("My baby is 2 months and 1 week old", 67),
        ("阿司匹林孩子八岁饭后吃吗", 2922),
        ("宝宝两个月能吃布洛芬吗", 60),
        ("39 weeks, stinging wee", None),
        ("a 3 and a half year old with fever", 1278),
        ("a twenty-five year old woman", 9131),
        ("I (35F) have headaches", 12783),
        ("[62/m] chest tightness", 22645),
        ("35F, headache", 12783),
        ("Tom is 5 and has a cough", 1826),
        ("I am 35 years old. My daughter is 3 years 3 months old.", 12783),
        ("my 3 years and eight months old toddler", 1338),
        ("我女儿2岁3个月，发烧", 821),
        ("3岁半的孩子拉肚子", 1278),
        ("baby 5/12 with a fever", 152),
        ("infant is 6/52, cough", 42),
        ("my son, 3/7, is yellow", 3),
        ("Patient 45/F, cough", 16436),
        ("宝宝6周，发烧38.5℃", 42),
        ("宝宝2个月，发烧", 60),
        ("孩子8个月发烧", 243),
        ("两个半月大的婴儿", 76),
    ],
)
def test_ages_as_people_write_them(base: KnowledgeBase, text: str, days: int | None) -> None:
    assert patient(base, text).age_days == days


@pytest.mark.parametrize(
    "text",
    [
        "我咳嗽3个月了",
        "头痛两个月",
        "My A1c is 9.2",
        "my temperature is 39.",
        "temp 38F",
        "Patient 120/80, headache",
        "patient 12/7 post op",
        "I am breastfeeding my 3 month old, can I take aspirin?",
    ],
)
def test_what_is_no_age_of_the_person(base: KnowledgeBase, text: str) -> None:
    found = patient(base, text)
    assert found.age_days is None
    assert found.sex is None or found.breastfeeding


def test_weeks_of_a_pregnancy_are_no_age(base: KnowledgeBase) -> None:
    found = patient(base, "Patient 14/40 pregnant")
    assert (found.age_days, found.pregnancy_weeks) == (None, 14)


def test_a_nursed_child_with_a_complaint_keeps_its_age(base: KnowledgeBase) -> None:
    question = base.understand("I'm breastfeeding my 6 week old and he has a fever of 38.5")
    assert question.patient.age_days == 42
    assert [sign.sign for sign in question.danger or ()] == ["febrile_infant"]


@pytest.mark.parametrize(
    "text",
    ["I might be pregnant", "Could I be pregnant?", "I'm trying to get pregnant", "可能怀孕了"],
)
def test_a_pregnancy_that_is_not_sure_is_not_said(base: KnowledgeBase, text: str) -> None:
    assert patient(base, text).pregnant is None


@pytest.mark.parametrize("text", ["I'm 12w pregnant", "pregnant 12 wks", "12 weeks pregnant"])
def test_weeks_of_pregnancy_in_short(base: KnowledgeBase, text: str) -> None:
    found = patient(base, text)
    assert (found.pregnant, found.pregnancy_weeks) == (True, 12)


def test_no_allergies_in_short(base: KnowledgeBase) -> None:
    assert patient(base, "NKDA").no_allergies


@pytest.mark.parametrize(
    ("text", "pregnant"),
    [
        ("I use a coil so that I won't fall pregnant.", None),
        ("Is she protected from becoming pregnant on the patch?", None),
        ("我放了环，免得再怀孕。", None),
        ("Since falling pregnant I have heartburn.", True),
        ("我怀孕了，怕吃错药。", True),
    ],
)
def test_who_avoids_a_pregnancy_is_not_pregnant(
    base: KnowledgeBase, text: str, pregnant: bool | None
) -> None:
    assert patient(base, text).pregnant is pregnant


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("The clinic plans to take her off warfarin. Can she have apixaban?", True),
        ("She came off warfarin in 2019. Can she have apixaban?", False),
        ("奶奶吃的是华法林停掉以后的阿司匹林。", False),
    ],
)
def test_what_is_only_to_be_ended_is_still_taken(
    base: KnowledgeBase, text: str, held: bool
) -> None:
    assert ("mw.substance:warfarin" in patient(base, text).drugs) is held


@pytest.mark.parametrize(
    "text",
    [
        "My severe asthma needs prednisone every day. May I take ulipristal?",
        "我重症哮喘，一直吃强的松，能吃ellaOne吗？",
        "Her oesophagus was widened twice. Can she take alendronic acid?",
        "He is on an old antidepressant and is not allowed any cheddar. Dextromethorphan?",
        "Broad beans once made my son yellow. Can he have primaquine?",
    ],
)
def test_what_is_told_by_its_treatment_stops_a_medicine(base: KnowledgeBase, text: str) -> None:
    assert "applies" in {stop.status for stop in base.ask(text).stops}
