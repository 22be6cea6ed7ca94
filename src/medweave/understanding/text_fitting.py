"""Fitting a model of texts and their labels (`TextModel`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

from medweave.understanding.text_model import BYTES, TextModel


@dataclass(frozen=True, slots=True)
class Fitting:
    """How weights are fitted: what is chosen by hands left out in turn."""

    least: int
    """Features of fewer texts tell nothing of others."""
    spread: float
    """Vectors of length 1 are stretched by it, to count as much as the words."""
    penalty: float
    """Of the sum of squares of the weights."""
    sharper: tuple[float, float]
    """What scores are multiplied by afterwards: those of words alone, and those of all."""
    steps: int = 200
    """Of L-BFGS; by then what is read of other hands no longer moves."""


@dataclass(frozen=True, slots=True)
class View:
    """Texts as the model is to read them: their features, and their vectors (texts, numbers), or
    without any."""

    features: Sequence[Collection[str]]
    vectors: Any = None


def fit_text_model(
    views: Sequence[View], labels: Sequence[str], embedder: str, fitting: Fitting
) -> TextModel:
    """Fit a model to texts that are each seen in several ways and bear a label; without vectors in
    any of them it reads words alone. It needs scikit-learn."""
    import numpy as np
    from scipy.sparse import csr_matrix, hstack, vstack
    from sklearn.linear_model import LogisticRegression

    words = _Words(views[0].features, fitting.least)
    numbers = next((view.vectors.shape[1] for view in views if view.vectors is not None), 0)
    nothing = csr_matrix((len(views[0].features), numbers))
    seen = [
        nothing if view.vectors is None else csr_matrix(fitting.spread * view.vectors)
        for view in views
    ]
    rows = vstack(
        [
            hstack([vectors, words.matrix(view.features)])
            for view, vectors in zip(views, seen, strict=True)
        ]
    ).tocsr()
    learner = LogisticRegression(C=1 / fitting.penalty, max_iter=fitting.steps)
    fitted = learner.fit(rows, [*labels] * len(views))
    weights, bias = _of_every_label(fitted.coef_), _of_every_label(fitted.intercept_)
    vectors = np.asarray(weights[:, :numbers] * fitting.spread, "<f2").tobytes()
    return TextModel(
        embedder,
        fitted.classes_.tolist(),
        bias.tolist(),
        dict(words.rows(weights[:, numbers:].T)),
        vectors,
        len(views[0].features),
        fitting.sharper,
    )


def _of_every_label(fitted: Any) -> Any:
    """The weights of every label; of two, scikit-learn gives but those of the second over the
    first."""
    import numpy as np

    return np.concatenate((-fitted / 2, fitted / 2)) if len(fitted) == 1 else fitted


class _Words:
    """The features of texts that are met often enough, and how much each tells."""

    def __init__(self, counted: Sequence[Collection[str]], least: int) -> None:
        met = Counter(name for names in counted for name in names)
        shared = sorted(name for name, times in met.items() if times >= least)
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
