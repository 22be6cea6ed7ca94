"""Findings told in words of their own: what is read of a clause, and of which none is."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.app import open_embedder, weights_status
from medweave.model.question import Question
from medweave.model.vectors import VectorModel, Vectors
from medweave.ports import SentenceVectors
from medweave.understanding.complaints.training import complaints
from medweave.understanding.descriptions.model import NOTHING
from medweave.understanding.descriptions.supposed import (
    ASKED_FROM,
    COUNTS_FROM,
    shipped_findings,
)
from medweave.understanding.descriptions.supposed_training import (
    clauses_of_findings,
    clauses_of_no_finding,
    digest_of,
    marked_in_complaints,
)
from medweave.understanding.question import understand
from medweave.vocabulary.knowledge import Knowledge

ASKS = "What could this be?"


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return KnowledgeBase.sample().knowledge


def vectors_like(finding: str, certainty: float = 1.0, model: str = "") -> SentenceVectors:
    """Every text as what the weights of a finding are of, at least as surely as is said."""
    weights = shipped_findings("en")
    label = next(label for label in weights.labels if label.split("|")[0] == finding)
    row = weights.weights[weights.labels.index(label)][:-1]
    made = VectorModel(model or weights.model, len(row))

    def of(length: float, n: int = 1) -> Vectors:
        return Vectors.of(made, [(row * length).tolist()] * n)

    def sure(length: float) -> float:
        read = weights.read(of(length))[0]
        return 0.0 if read is None or read[0] != label else read[1]

    lengths = (step / 2000 for step in range(2000))
    length = next(one for one in lengths if sure(one) >= certainty - 0.01)
    return lambda texts, _: of(length, len(texts))


def supposed(
    knowledge: Knowledge, text: str, vectors: SentenceVectors | None = None
) -> tuple[tuple[str, str, bool], ...]:
    read = understand(text, knowledge, vectors=vectors or vectors_like("night sweats"))
    return of_question(read, knowledge)


def of_question(read: Question, knowledge: Knowledge) -> tuple[tuple[str, str, bool], ...]:
    assert all(read.text[one.start : one.end] == one.text for one in read.supposed)
    return tuple(
        (one.text, knowledge.entities.get(one.entities[0]).name("en"), one.counts)
        for one in read.supposed
    )


def test_the_weights_that_ship_are_of_the_lists_that_lie_beside() -> None:
    model, said, nothing = (
        shipped_findings("en"),
        clauses_of_findings("en"),
        clauses_of_no_finding("en"),
    )
    marked = list(marked_in_complaints("en", complaints("en")))
    assert model.trained_on["of"] == digest_of([*said, *nothing, *marked])
    assert set(model.labels) == {*(one.label for one in said), NOTHING}
    labels_by_text: dict[str, set[str]] = {}
    for one in (*said, *nothing):
        labels_by_text.setdefault(one.text.casefold(), set()).add(one.label)
    assert [text for text, labels in labels_by_text.items() if len(labels) > 1] == []


def test_a_clause_without_a_name_is_supposed_to_tell_what_it_means(knowledge: Knowledge) -> None:
    text = f"I have a cough. My pyjamas are wringing in the morning. {ASKS}"
    assert supposed(knowledge, text) == (
        ("My pyjamas are wringing in the morning", "night sweats", True),
    )
    unsure = vectors_like("night sweats", (ASKED_FROM + COUNTS_FROM) / 2)
    ((_, _, counts),) = supposed(knowledge, text, unsure)
    assert not counts


@pytest.mark.parametrize(
    "text",
    [
        "My pyjamas are not wringing in the morning.",
        "I don't wake up wringing in the morning.",
        "I have a cough. My neighbour has pyjamas that are wringing in the morning.",
        "My pyjamas used to be wringing in the morning.",
        "If my pyjamas are wringing in the morning, I change them.",
        "I have night sweats in the morning.",  # named
        "I have no night sweats. My pyjamas are wringing.",  # denied by its name
        "My cough is there in the morning.",  # something was read in it
    ],
)
def test_nothing_is_supposed_that_is_denied_anothers_over_or_read(
    knowledge: Knowledge, text: str
) -> None:
    assert supposed(knowledge, f"{text} {ASKS}") == ()


@pytest.mark.parametrize(
    "text",
    [
        "My pyjamas are wringing in the morning. Can I take ibuprofen?",
        "I am vomiting blood and my pyjamas are wringing. What could this be?",
        "早上睡衣全湿了，这是什么病？",
    ],
)
def test_nothing_is_supposed_where_no_disease_is_sought_in_danger_or_in_chinese(
    knowledge: Knowledge, text: str
) -> None:
    assert supposed(knowledge, text) == ()


@pytest.mark.parametrize(
    "vectors", [vectors_like("night sweats", model="another"), lambda *_: None]
)
def test_with_another_embedder_or_none_nothing_is(
    knowledge: Knowledge, vectors: SentenceVectors
) -> None:
    text = f"My pyjamas are wringing in the morning. {ASKS}"
    assert supposed(knowledge, text, vectors) == ()
    assert understand(text, knowledge).supposed == ()


def test_what_is_supposed_is_no_condition_of_the_person(knowledge: Knowledge) -> None:
    text = f"My skin is a mess. I take methotrexate. {ASKS} Can I take ibuprofen?"
    plain = understand(text, knowledge)
    read = understand(text, knowledge, vectors=vectors_like("easy bruising"))
    assert read.supposed
    assert (read.patient, read.mentions, read.danger) == (
        plain.patient,
        plain.mentions,
        plain.danger,
    )


@pytest.mark.skipif(
    bool(weights_status().wrong or weights_status().missing),
    reason="MiniLM is not installed (medweave weights install)",
)
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("I get up six times a night to empty my bladder", "frequent urination"),
        ("My trousers keep sliding down and I get thinner", "weight loss"),
        ("My fingers feel dead when I hold the phone", "numbness"),
    ],
)
def test_an_installed_embedder_reads_words_of_nobodys_list(
    knowledge: Knowledge, text: str, meant: str
) -> None:
    embedder = open_embedder().embedder
    assert embedder is not None
    assert text.casefold() not in {one.text.casefold() for one in clauses_of_findings("en")}
    read = understand(
        f"{text}. {ASKS}", knowledge, vectors=lambda texts, _: embedder.embed(list(texts))
    )
    assert meant in {name for _, name, _ in of_question(read, knowledge)}
