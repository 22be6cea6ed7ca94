"""What a question asks, as it was learned: from words, and from what they mean."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.question import Asked, Intent, Mention
from medweave.model.vectors import VectorModel, Vectors
from medweave.understanding.asked.deciding import DECIDES, PAIR, as_learned, aspect_of
from medweave.understanding.asked.reading import (
    answered,
    shipped_sentences,
    shipped_words,
    unnamed,
    what_is_asked,
)
from medweave.understanding.asked.training import APART, all_questions, asked_questions, train_words
from medweave.understanding.intents.features import Name

LANGUAGES = ("en", "zh")


@pytest.fixture(scope="module")
def sample() -> KnowledgeBase:
    return KnowledgeBase.sample()


def _drug(at: int, name: str) -> Mention:
    return Mention(at, at + len(name), name, f"x:{name}", name, "drug")


@pytest.mark.parametrize("language", LANGUAGES)
def test_more_than_half_of_another_hands_questions_are_read_by_words_alone(language: str) -> None:
    questions = asked_questions(language, APART)
    right = 0
    for question in questions:
        names = [Mention(n.start, n.end, "", "x", "x", n.concept) for n in question.marked.names]
        asked = what_is_asked(question.marked.text, language, names, None)
        right += asked.label in question.labels
    assert right > 0.5 * len(questions)


def test_nothing_is_learned_from_what_is_measured_by() -> None:
    learned = {question.marked.text for question in all_questions()}
    apart = {q.marked.text for language in LANGUAGES for q in asked_questions(language, APART)}
    assert learned.isdisjoint(apart)


def test_the_words_that_ship_are_made_of_the_questions_that_ship() -> None:
    pytest.importorskip("sklearn")
    made = train_words(all_questions())
    assert made.labels == shipped_words().labels
    assert made.trained_on == shipped_words().trained_on


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_readers_know_the_same_labels(language: str) -> None:
    labels = {label for q in asked_questions(language) for label in q.labels}
    assert set(shipped_sentences(language).labels) <= labels
    assert labels <= set(shipped_words().labels)


def test_what_answers_a_label_is_of_a_label_that_is_learned() -> None:
    table = answered()
    named = {*table.intents, *table.aspects, *table.effects, *table.chosen}
    assert named <= set(shipped_words().labels)


def test_meaning_decides_where_there_are_vectors() -> None:
    weights = shipped_sentences("en")
    [row] = [
        weights.weights[at, :-1] for at, label in enumerate(weights.labels) if label == "lasting"
    ]
    row = row / float((row * row).sum()) ** 0.5
    model = VectorModel(weights.model, len(row))

    def vectors(texts: object, _: str) -> Vectors:
        return Vectors.of(model, [row.tolist()])

    text = "Will one metformin see me through the night?"
    drug = [_drug(9, "metformin")]
    assert what_is_asked(text, "en", drug, vectors).label == "lasting"
    other = VectorModel("another", len(row))
    asked = what_is_asked(text, "en", drug, lambda *_: Vectors.of(other, [row.tolist()]))
    assert asked == what_is_asked(text, "en", drug, None)


def test_a_language_or_a_length_that_was_not_learned_is_not_read() -> None:
    assert what_is_asked("¿Puedo tomar aspirina?", "es", (), None) == Asked()
    assert what_is_asked("word " * 200, "en", (), None) == Asked()


def test_names_are_what_they_are() -> None:
    names = [Name(8, 15, "drug"), Name(0, 4, "disease")]
    assert unnamed("gout on aspirin", "en", names) == "this illness on this medicine"
    assert unnamed("痛风", "zh", [Name(0, 2, "disease")]) == "这个病"


SURE = Asked("which_drug", 0.9)


def test_what_is_learned_decides_against_what_is_answered_otherwise() -> None:
    assert as_learned((Intent("description", 0.9),), SURE, ()) == (Intent("drug", 0.9),)


def test_what_is_answered_alike_stays() -> None:
    treatment = (Intent("treatment", 0.9),)
    assert as_learned(treatment, SURE, ()) == treatment


def test_where_rules_are_sure_a_guess_decides_nothing() -> None:
    ruled = (Intent("description", 0.9),)
    assert as_learned(ruled, Asked("which_drug", DECIDES - 0.01), ()) == ruled
    assert as_learned((), Asked("which_drug", DECIDES - 0.01), ()) != ()


def test_a_pair_of_which_one_was_told_before_is_read_by_rules() -> None:
    one, other = _drug(0, "naproxen"), _drug(20, "warfarin")
    asked = Asked(PAIR, 0.9)
    assert as_learned((), asked, (one,)) == ()
    assert as_learned((), asked, (one, other)) == (Intent("interaction", 0.9),)


def test_an_aspect_is_of_a_medicine_that_is_named() -> None:
    food = Asked("food", 0.9)
    assert aspect_of(food, (_drug(0, "ibuprofen"),)) == "food"
    assert aspect_of(food, ()) == ""
    assert aspect_of(Asked("missed_dose", 0.9), ()) == "missed_dose"


@pytest.mark.parametrize(
    ("asked", "effect"),
    [
        ("is this itching from the amoxicillin or what", "itching"),
        ("Could amlodipine give people swollen ankles?", "swollen ankles"),
        ("阿司匹林会不会让人耳鸣", "耳鸣"),
    ],
)
def test_an_effect_is_held_against_the_medicine_and_had_by_nobody(
    sample: KnowledgeBase, asked: str, effect: str
) -> None:
    question = sample.ask(asked).question
    [found] = [m for m in question.mentions if m.text == effect]
    assert found.entity in question.effects
    assert found.status == "hypothetical"
