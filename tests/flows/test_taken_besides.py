"""What is taken is held against the person too, and whatever is listed, however it is told."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.model.answer import Answer


def stopped(answer: Answer) -> set[str]:
    return {s.entity.name("en") for s in answer.stops if s.status == "applies" and s.hard}


@pytest.mark.parametrize(
    "asked",
    [
        "Low back pain, on rivaroxaban, what can I take?",
        "drugs for low back pain, on rivaroxaban",
        "On rivaroxaban. Drugs for low back pain?",
        "drugs for low back pain (on rivaroxaban)",
        "Drugs for low back pain - currently taking rivaroxaban",
        "Which drugs for low back pain? Rivaroxaban daily.",
        "What drugs are there for low back pain, takes rivaroxaban and bisoprolol",
    ],
)
def test_a_drug_taken_counts_without_a_subject(base: KnowledgeBase, asked: str) -> None:
    assert {"ibuprofen", "naproxen"} <= stopped(base.ask(asked))


@pytest.mark.parametrize(
    ("asked", "drug"),
    [
        ("She takes metformin, her eGFR is 24. May she have paracetamol?", "metformin"),
        ("I take propranolol and have asthma. What are the symptoms of a cold?", "propranolol"),
        ("I'm 20 weeks pregnant and on valproate. What can I take for a headache?", "valproate"),
        ("我有哮喘，正在吃普萘洛尔，可以吃对乙酰氨基酚吗", "propranolol"),
    ],
)
def test_what_is_taken_is_held_against_the_person(
    base: KnowledgeBase, asked: str, drug: str
) -> None:
    answer = base.ask(asked)
    told = [s for s in answer.stops if s.entity.name("en") == drug and s.status == "applies"]
    assert told and all(stop.taken for stop in told if stop.hard)


def test_a_pair_that_is_taken_is_told_once(base: KnowledgeBase) -> None:
    answer = base.ask("I take warfarin and aspirin, can I take paracetamol?")
    assert len(stopped(answer) & {"warfarin", "aspirin"}) == 1


def test_what_was_told_before_is_not_told_again(base: KnowledgeBase) -> None:
    answer = base.ask("can I take paracetamol?", history=["I take metformin, my eGFR is 24"])
    assert "metformin" not in stopped(answer)


@pytest.mark.parametrize(
    "told",
    [
        "I had a bleeding ulcer two years ago",
        "I had an ulcer years ago",
        "a perforated ulcer in 2019",
        "my kidneys are at 28%",
        "kidneys down to 20 percent",
    ],
)
def test_ulcers_and_kidneys_in_few_words(base: KnowledgeBase, told: str) -> None:
    assert {"naproxen", "indomethacin", "diclofenac"} <= stopped(
        base.ask(f"drugs for gout, {told}")
    )


@pytest.mark.parametrize(
    "asked",
    ["drugs for gout, I had a mouth ulcer last year", "What drugs treat gout? Is diclofenac one?"],
)
def test_other_ulcers_and_other_words_stop_nothing(base: KnowledgeBase, asked: str) -> None:
    assert "naproxen" not in stopped(base.ask(asked))


@pytest.mark.parametrize(
    ("asked", "free"),
    [
        ("家里有布洛芬和对乙酰氨基酚，她对头孢过敏，她能吃对乙酰氨基酚吗", "paracetamol"),
        ("喝了酒，现在脸红心慌，能吃对乙酰氨基酚吗", "alcohol"),
    ],
)
def test_no_allergy_is_read_into_a_name_or_a_drink(
    base: KnowledgeBase, asked: str, free: str
) -> None:
    assert free not in stopped(base.ask(asked))
