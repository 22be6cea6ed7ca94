"""What a text says of a person."""

from __future__ import annotations

import pytest

from medweave.app import KnowledgeBase
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
