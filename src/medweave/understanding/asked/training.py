"""Learning what questions ask, from questions with a label and a mark on each name.

{"question": "Is [symptom effect:a cough] from [drug suspected:ramipril]?",
 "asked": ["effect_of_drug"]}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from medweave.model.vectors import Vectors
from medweave.understanding.asked.reading import READ, unnamed
from medweave.understanding.descriptions.sentence_model import SentenceModel
from medweave.understanding.descriptions.training import LabelledPhrase, train_sentences
from medweave.understanding.intents.features import QuestionText
from medweave.understanding.intents.model import IntentModel, LabelledQuestion, train_intents
from medweave.understanding.roles.model import RoleModel
from medweave.understanding.roles.training import MarkedQuestion, marked_question, train_role
from medweave.understanding.sentence_vectors import as_read
from medweave.understanding.training_files import training_file

APART = "apart"
"""The folder of questions that are only measured by."""
EFFECT = "effect"
"""The role of what is asked about as an effect of a medicine."""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question, and what it asks."""

    language: str
    marked: MarkedQuestion
    labels: tuple[str, ...]


def asked_questions(language: str, *folder: str) -> list[AskedQuestion]:
    """The questions of a checkout; with `APART` those that nothing is learned from."""
    lines = training_file("asked", *folder, f"{language}.jsonl").read_text("utf-8").splitlines()
    return [
        AskedQuestion(language, marked_question(row["question"]), tuple(row["asked"]))
        for row in map(json.loads, lines)
    ]


def train_words(questions: Sequence[AskedQuestion]) -> IntentModel:
    """Fit the reader of words, of all languages together."""
    labelled = [
        LabelledQuestion(QuestionText(q.marked.text, q.marked.names), q.labels, names_given=True)
        for q in questions
    ]
    return train_intents(labelled, trained_on={"questions": len(labelled)})


def train_vectors(
    questions: Sequence[AskedQuestion], embed: Callable[[Sequence[str]], Vectors]
) -> SentenceModel:
    """Fit the reader of sentence vectors of one language, with the vectors that `embed` makes: of
    each question with names as what they are, and as it is, for names that a base may not know."""
    [language] = {q.language for q in questions}
    phrases = [
        LabelledPhrase(q.labels[0], as_read(text, language))
        for q in questions
        for text in dict.fromkeys((unnamed(q.marked.text, language, q.marked.names), q.marked.text))
    ]
    return replace(train_sentences(phrases, language, embed, families={}), calibration=1)


def train_effects(questions: Sequence[AskedQuestion]) -> RoleModel:
    """Fit the reader of which condition is asked about as an effect."""
    marked = [question.marked for question in questions]
    return train_role(marked, EFFECT, trained_on={"questions": len(marked)})


def all_questions() -> list[AskedQuestion]:
    """All that is learned from."""
    return [question for language in READ for question in asked_questions(language)]
