"""Learning what questions ask, from questions with a label and a mark on each name.

{"question": "Is [symptom effect:a cough] from [drug suspected:ramipril]?",
 "asked": ["effect_of_drug"]}
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

from medweave.model.vectors import Vectors
from medweave.understanding.asked.model import BYTES, AskedModel
from medweave.understanding.asked.reading import READ, unnamed
from medweave.understanding.intents.features import QuestionText, intent_features
from medweave.understanding.roles.model import RoleModel
from medweave.understanding.roles.training import MarkedQuestion, marked_question, train_role
from medweave.understanding.sentence_vectors import as_read
from medweave.understanding.training_files import training_file

LEAST = 5
"""Features of fewer questions tell nothing of others."""
SPREAD = 3.0
"""Vectors of length 1 are stretched by it, to count as much as the words."""
PENALTY = 0.1
"""Of the sum of squares of the weights; both by hands left out in turn (decision 520)."""
STEPS = 200
"""Of L-BFGS; by then what is read of other hands no longer moves."""
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
) -> AskedModel:
    """Fit the model of one language, with the vectors that `embed` makes: of each question with
    names as what they are and as it is, for names that a base may not know; each with its vectors
    and without. It needs scikit-learn."""
    import numpy as np
    from scipy.sparse import csr_matrix, hstack, vstack
    from sklearn.linear_model import LogisticRegression

    [language] = {q.language for q in questions}
    texts = [QuestionText(q.marked.text, q.marked.names) for q in questions]
    features = [intent_features(text) for text in texts]
    words = _Words(features)
    named = embed([as_read(unnamed(t.text, language, t.names), language) for t in texts])
    as_it_is = embed([as_read(text.text, language) for text in texts])
    bare = [intent_features(QuestionText(text.text)) for text in texts]
    u, t = (SPREAD * np.asarray(made.data).reshape(len(made), -1) for made in (named, as_it_is))
    by_words, by_bare = words.matrix(features), words.matrix(bare)
    nothing = csr_matrix((len(texts), 2 * u.shape[1]))
    rows = vstack(
        [
            hstack([csr_matrix(np.hstack([u, t])), by_words]),
            hstack([nothing, by_words]),
            hstack([csr_matrix(np.hstack([t, t])), by_bare]),
        ]
    ).tocsr()
    labels = [q.labels[0] for q in questions] * 3
    fitted = LogisticRegression(C=1 / PENALTY, max_iter=STEPS).fit(rows, labels)
    weights, numbers = fitted.coef_, 2 * u.shape[1]
    vectors = (weights[:, :numbers] * SPREAD).astype("<f2").tobytes()
    return AskedModel(
        named.model.id,
        fitted.classes_.tolist(),
        fitted.intercept_.tolist(),
        dict(words.rows(weights[:, numbers:].T)),
        vectors,
        len(texts),
    )


class _Words:
    """The features of questions that are met often enough, and how much each tells."""

    def __init__(self, counted: Sequence[Collection[str]]) -> None:
        met = Counter(name for names in counted for name in names)
        shared = sorted(name for name, times in met.items() if times >= LEAST)
        self._columns = {name: at for at, name in enumerate(shared)}
        size = 1 + len(counted)
        self._idf = [round(log(size / (1 + met[name])) + 1, 2) for name in shared]

    def matrix(self, texts: Sequence[Collection[str]]) -> Any:
        """(texts, features), each row of length 1."""
        from scipy.sparse import csr_matrix

        at, columns, values = list[int](), list[int](), list[float]()
        for row, text in enumerate(texts):
            held = sorted(self._columns[f] for f in text if f in self._columns)
            length = sqrt(sum(self._idf[column] ** 2 for column in held)) or 1.0
            at += [row] * len(held)
            columns += held
            values += [self._idf[column] / length for column in held]
        return csr_matrix((values, (at, columns)), shape=(len(texts), len(self._columns)))

    def rows(self, weights: Any) -> Iterator[tuple[str, tuple[float, float, bytes]]]:
        """Each feature with its idf, its scale, and its weights in that scale."""
        for name, row in zip(self._columns, weights, strict=True):
            scale = float(f"{abs(row).max() / BYTES:.3g}") or 1.0
            held = (row / scale).round().clip(-BYTES, BYTES).astype("i1").tobytes()
            yield name, (self._idf[self._columns[name]], scale, held)


def train_effects(questions: Sequence[AskedQuestion]) -> RoleModel:
    """Fit the reader of which condition is asked about as an effect."""
    marked = [question.marked for question in questions]
    return train_role(marked, EFFECT, trained_on={"questions": len(marked)})


def all_questions() -> list[AskedQuestion]:
    """All that is learned from."""
    return [question for language in READ for question in asked_questions(language)]
