"""Answers in the order in which they answer, by words alone and with vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from medweave.retrieval.lexical import LexicalIndex
from medweave.retrieval.passages.answer_ranking import AnswerRanking, Answers, fused
from medweave.retrieval.passages.answer_weights import (
    Judged,
    learn_weights,
    shipped_weights,
    weights_for,
)
from medweave.retrieval.passages.question_kinds import focus_terms, sought_kinds

TEXTS = [
    "Measles is a very contagious infection. It spreads through the air.",
    "The signs and symptoms of measles include fever, cough and a rash.",
    "Mumps is an infection of the glands. It is not measles.",
    "Treatment of mumps is rest. Medicines against pain may help.",
    "Gout is a kind of arthritis that comes in attacks.",
]


def ranked(question: str, texts: Sequence[str] = TEXTS, among: Sequence[int] = ()) -> list[int]:
    return AnswerRanking(Answers(texts), shipped_weights(dense=False)).rank(question, among)


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("What is (are) Measles ?", 0),
        ("What is mumps?", 2),
        ("Do you have information about Gout", 4),
    ],
)
def test_what_defines_a_thing_comes_before_what_names_it(question: str, best: int) -> None:
    assert ranked(question)[0] == best


def test_only_candidates_are_ranked_and_all_of_them() -> None:
    assert sorted(ranked("What is measles?", among=[3, 4])) == [3, 4]
    assert sorted(ranked("zzz", among=[1, 4])) == [1, 4]


def test_equal_answers_stand_in_the_same_order_wherever_they_are() -> None:
    texts = [f"Fever {word}" for word in ("a b", "c d", "e f", "g h")]
    once = [texts[n] for n in ranked("What is fever?", texts)]
    turned = texts[::-1]
    assert [turned[n] for n in ranked("What is fever?", turned)] == once


@pytest.mark.parametrize("question", ["", "?", "什么是麻疹？", "<b>' OR 1=1 --", "a" * 5000])
def test_any_question_is_ranked_without_an_error(question: str) -> None:
    assert set(ranked(question, ["麻疹是一种传染病。", *TEXTS])) <= set(range(6))


def test_chinese_answers_are_found_by_their_words() -> None:
    assert ranked("什么是麻疹？", ["感冒是一种病。", "麻疹是一种传染病。"])[0] == 1


def test_vectors_find_what_shares_no_word_with_the_question() -> None:
    np = pytest.importorskip("numpy")

    def embed(texts: Sequence[str]) -> Any:
        """Whether a text is about the heart, in whatever words."""
        about = [any(word in text for word in ("heart", "cardiac")) for text in texts]
        return np.array([[1.0, 0.0] if one else [0.0, 1.0] for one in about], "f4")

    texts = [*TEXTS, "A cardiac arrest stops all blood."]
    answers = Answers(texts, embed)
    ranking = AnswerRanking(answers, shipped_weights(dense=True))
    assert ranking.rank("my heart stopped")[0] == 5


def test_kinds_of_answer_and_what_a_question_is_about() -> None:
    assert sought_kinds("How is measles treated?") == {"treatment"}
    assert sought_kinds("What are the signs of measles and who is at risk?") == {"symptoms", "risk"}
    assert focus_terms("What is (are) Spinocerebellar ataxia 13 ?")[-1] == "13"
    assert focus_terms("What is this?") == ["what", "is", "this"]


def test_what_both_rankings_hold_comes_first() -> None:
    scores = fused([1, 2, 3], [3, 2])
    assert sorted(scores, key=lambda n: -scores[n])[0] == 3


def test_statistics_of_words_are_those_of_all_answers() -> None:
    index = LexicalIndex(["fever", "fever cough", "rash"])
    assert index.rarity("rash") > index.rarity("fever") > 0
    assert index.rarity("unheard") > index.rarity("rash")


def test_weights_follow_what_tells_better_answers() -> None:
    answers = [(2, [0.1, 0.9]), (1, [0.3, 0.5]), (0, [0.2, 0.1])]
    judged = [Judged((1.0,), answers) for _ in range(20)]
    [[first, second]] = learn_weights(judged)
    assert second > abs(first)
    assert learn_weights([Judged((1.0,), [(1, [1.0])]), Judged((1.0,), [])]) == []
    assert learn_weights(judged) == learn_weights(judged)


def test_what_tells_may_differ_by_question() -> None:
    one = Judged((1.0, 0.0), [(1, [0.9, 0.1]), (0, [0.1, 0.9])])
    other = Judged((1.0, 1.0), [(1, [0.1, 0.9]), (0, [0.9, 0.1])])
    weights = learn_weights([one, other] * 20)
    first, second = weights_for(one.traits, weights)
    assert first > second
    first, second = weights_for(other.traits, weights)
    assert second > first


def test_grades_below_nought_are_as_wrong_as_nought() -> None:
    judged = [Judged((1.0,), [(1, [0.9]), (grade, [0.1])]) for grade in (-1, -2)]
    assert learn_weights(judged)[0][0] > 0


def test_scores_of_a_row_are_ordered_as_scores_by_number() -> None:
    np = pytest.importorskip("numpy")
    answers = Answers([f"fever {n}" for n in range(50)])
    row = np.array([n % 7 for n in range(50)], "f4")
    for most in (5, 12, 50, 100):
        by_number = dict(enumerate(row.tolist()))
        assert answers.order_of_row(row, (), most) == answers.order(by_number, (), most)
        some = [3, 9, 10, 40]
        assert answers.order_of_row(row, some, most) == answers.order(by_number, some, most)


def test_other_weights_give_another_order() -> None:
    answers = Answers(TEXTS)
    plain = shipped_weights(dense=False)
    turned = [[-weight for weight in weights] for weights in plain]
    question = "What is measles?"
    best = AnswerRanking(answers, plain).rank(question)[0]
    assert AnswerRanking(answers, turned).rank(question)[0] != best
