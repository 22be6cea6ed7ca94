"""A finding told in words of its own ranks diseases, is told by which words, and stops nothing."""

from __future__ import annotations

import pytest

from medweave import Answer, KnowledgeBase
from medweave.model.vectors import VectorModel, Vectors
from medweave.pipeline import ask
from medweave.ports import SentenceVectors
from medweave.understanding.descriptions.supposed import (
    ASKED_FROM,
    COUNTS_FROM,
    shipped_findings,
)
from medweave.vocabulary.knowledge import Knowledge

SLOW = "Everything I do takes an age."
ASKED = "What could this be?"


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return KnowledgeBase.sample().knowledge


def read_as(finding: str, least: float = COUNTS_FROM, most: float = 1.0) -> SentenceVectors:
    """Every clause as a finding, with a certainty between two limits."""
    weights = shipped_findings("en")
    label = next(label for label in weights.labels if label.split("|")[0] == finding)
    row = weights.weights[weights.labels.index(label)][:-1]
    made = VectorModel(weights.model, len(row))

    def of(step: int, n: int) -> Vectors:
        return Vectors.of(made, [(row * step / 2000).tolist()] * n)

    for step in range(2000):
        read = weights.read(of(step, 1))[0]
        if read is not None and read[0] == label and least <= read[1] <= most:
            return lambda texts, _: of(step, len(texts))
    raise AssertionError(finding)


def best_of(answer: Answer) -> str:
    return answer.candidates[0].entity.name("en")


def test_diseases_are_ranked_by_it_and_the_answer_says_by_which_words(
    knowledge: Knowledge,
) -> None:
    text = f"My hands shake. {SLOW} {ASKED}"
    plain = ask(text, knowledge)
    answer = ask(text, knowledge, vectors=read_as("slow movement"))
    assert best_of(plain) != "Parkinson's disease"
    assert best_of(answer) == "Parkinson's disease"
    (taken,) = (one for one in answer.taken if one.how == "supposed")
    assert "slow movement" in taken.text
    assert SLOW.rstrip(".") in taken.text
    assert not any(one.how == "supposed" for one in plain.taken)


def test_what_is_less_sure_is_asked_about_and_ranks_nothing(knowledge: Knowledge) -> None:
    text = f"My hands shake. {SLOW} {ASKED}"
    unsure = read_as("slow movement", ASKED_FROM, COUNTS_FROM - 0.01)
    plain, answer = ask(text, knowledge), ask(text, knowledge, vectors=unsure)
    assert [(c.entity.id, c.score) for c in answer.candidates] == [
        (c.entity.id, c.score) for c in plain.candidates
    ]
    assert answer.taken == plain.taken
    (asked,) = set(answer.missing) - set(plain.missing)
    assert asked.startswith("Does “Everything I do takes an age” mean slow movement?")


def test_it_weighs_less_than_the_same_finding_named(knowledge: Knowledge) -> None:
    named = ask(f"My hands shake. I have slow movement. {ASKED}", knowledge)
    supposed = ask(f"My hands shake. {SLOW} {ASKED}", knowledge, vectors=read_as("slow movement"))
    assert best_of(named) == best_of(supposed)
    assert supposed.candidates[0].score < named.candidates[0].score


def test_no_medicine_is_stopped_or_freed_by_it(knowledge: Knowledge) -> None:
    beside = f"I take methotrexate and have a headache. {ASKED}"
    plain = ask(f"{SLOW} {beside}", knowledge)
    answer = ask(f"{SLOW} {beside}", knowledge, vectors=read_as("mouth ulcers"))
    named = ask(f"I have mouth ulcers. {beside}", knowledge)
    assert answer.question.supposed
    assert "applies" in {stop.status for stop in named.stops}
    assert "applies" not in {stop.status for stop in answer.stops}
    assert (answer.stops, answer.find_out, answer.emergency) == (
        plain.stops,
        plain.find_out,
        plain.emergency,
    )
