"""What speaks for an answer, one feature at a time."""

from __future__ import annotations

import pytest

from medweave.retrieval.passages.answer_features import (
    LEXICAL,
    lexical_features,
    question_features,
)
from medweave.retrieval.passages.answer_ranking import Answers

DIABETES = [
    "Diabetes insipidus is a disorder of water balance. In diabetes insipidus people drink a lot.",
    "Nephrogenic diabetes insipidus is inherited. Nephrogenic diabetes insipidus is rare.",
    "Loss of water, also known as diabetes insipidus, makes people thirsty.",
    "Thirst has many causes. Insipidus is a Latin word. Sweet diabetes is another disease.",
    "A fracture of the hip needs surgery. The hip heals.",
]


def feature(name: str, question: str = "What is diabetes insipidus?") -> list[float]:
    """The feature of each of the texts."""
    answers = Answers(DIABETES)
    asked = question_features(question, answers.index)
    rows = [lexical_features(asked, n, answer) for n, answer in enumerate(answers.read)]
    assert all(len(row) == len(LEXICAL) - 2 for row in rows)
    return [row[LEXICAL.index(name) - 2] for row in rows]


def test_a_name_in_one_piece_is_told_from_its_words() -> None:
    assert feature("phrase") == [1, 1, 1, 0, 0]
    assert feature("focus")[3] == pytest.approx(1)
    early = feature("phrase early")
    assert early[0] == 1 > early[1] > early[2] > early[3]


def test_a_longer_name_is_told_from_the_one_that_was_asked_for() -> None:
    left = feature("longer to the left")
    assert left[1] > left[0]
    first = feature("first is longer")
    assert first[1] > 0 == first[0]


def test_another_name_of_the_subject_is_seen() -> None:
    names = feature("another name")
    assert names[2] == pytest.approx(1)
    assert names[0] == names[1] == 0


def test_what_an_answer_is_mostly_about_is_told() -> None:
    about = feature("about")
    assert about[0] > about[2] > about[4] == 0
    assert feature("chief words")[0] > 0
    assert feature("chief words beside")[4] > 0
    assert feature("rarest missing") == [0, 0, 0, 0, 1]


@pytest.mark.parametrize("question", ["", "?", "What is this?", "diabetes", "糖尿病"])
def test_features_lie_in_bounds_for_any_question(question: str) -> None:
    for name in LEXICAL[2:]:
        assert all(0 <= value <= 2 for value in feature(name, question))
