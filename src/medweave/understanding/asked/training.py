"""Learning what questions ask, from questions with a label and a mark on each name.

{"question": "Is [symptom effect:a cough] from [drug suspected:ramipril]?",
 "asked": ["effect_of_drug"]}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from medweave.model.vectors import Vectors
from medweave.understanding.asked.reading import READ, unnamed
from medweave.understanding.intents.features import QuestionText, intent_features
from medweave.understanding.roles.model import RoleModel
from medweave.understanding.roles.training import MarkedQuestion, marked_question, train_role
from medweave.understanding.sentence_vectors import as_read
from medweave.understanding.text_fitting import Fitting, View, fit_text_model
from medweave.understanding.text_model import TextModel
from medweave.understanding.training_files import training_file

FITTING = Fitting(least=5, spread=3.0, penalty=0.1, sharper=(2.0, 1.35))
"""By hands left out in turn (decision 520)."""
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


def train_asked(
    questions: Sequence[AskedQuestion], embed: Callable[[Sequence[str]], Vectors]
) -> TextModel:
    """Fit the model of one language, with the vectors that `embed` makes: of each question with
    names as what they are and as it is, for names that a base may not know; each with its vectors
    and without. It needs scikit-learn."""
    import numpy as np

    [language] = {q.language for q in questions}
    texts = [QuestionText(q.marked.text, q.marked.names) for q in questions]
    features = [intent_features(text) for text in texts]
    named = embed([as_read(unnamed(t.text, language, t.names), language) for t in texts])
    as_it_is = embed([as_read(text.text, language) for text in texts])
    bare = [intent_features(QuestionText(text.text)) for text in texts]
    u, t = (np.asarray(made.data).reshape(len(made), -1) for made in (named, as_it_is))
    views = [View(features, np.hstack([u, t])), View(features), View(bare, np.hstack([t, t]))]
    labels = [q.labels[0] for q in questions]
    return fit_text_model(views, labels, named.model.id, FITTING)


def train_effects(questions: Sequence[AskedQuestion]) -> RoleModel:
    """Fit the reader of which condition is asked about as an effect."""
    marked = [question.marked for question in questions]
    return train_role(marked, EFFECT, trained_on={"questions": len(marked)})


def all_questions() -> list[AskedQuestion]:
    """All that is learned from."""
    return [question for language in READ for question in asked_questions(language)]
