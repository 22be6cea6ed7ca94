"""Fitting a model of texts and their labels (`TextModel`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

from medweave.understanding.text_model import BYTES, TextModel

_HALVES = 2
"""Of two labels each has half of what tells them apart, and is held small as one would be."""


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
    steps: int = 100
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
    any of them it reads words alone. It needs scipy."""
    import numpy as np
    from scipy.sparse import vstack

    words = _Words(views[0].features, fitting.least)
    rows = vstack([words.matrix(view.features) for view in views]).tocsr().astype("f4")
    size = len(views[0].features)
    stretches = [
        (at * size, (fitting.spread * view.vectors).astype("f4"))
        for at, view in enumerate(views)
        if view.vectors is not None
    ]
    classes, own = np.unique(list(labels), return_inverse=True)
    of_words, of_vectors, bias = _fitted(rows, stretches, np.tile(own, len(views)), fitting)
    return TextModel(
        embedder,
        classes.tolist(),
        bias.tolist(),
        dict(words.rows(of_words)),
        np.asarray(of_vectors.T * fitting.spread, "<f2").tobytes(),
        size,
        fitting.sharper,
    )


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


def _fitted(
    rows: Any, stretches: Sequence[tuple[int, Any]], own: Any, fitting: Fitting
) -> tuple[Any, Any, Any]:
    """The weights of features, of vectors, and the bias of every label, by L-BFGS: the words are
    few in each text, and vectors are whole, so each are multiplied in their own way. `stretches`
    says from which row on there are vectors, `own` is the label of each row."""
    import numpy as np
    from scipy.optimize import minimize

    classes = int(own.max()) + 1
    numbers = stretches[0][1].shape[1] if stretches else 0
    penalty = fitting.penalty * (_HALVES if classes == _HALVES else 1)
    turned, every = rows.T.tocsr(), np.arange(len(own))
    ends = np.cumsum([rows.shape[1] * classes, numbers * classes])

    def apart(held: Any) -> tuple[Any, Any, Any]:
        of_words, of_vectors, bias = np.split(np.asarray(held, "f4"), ends)
        return of_words.reshape(-1, classes), of_vectors.reshape(-1, classes), bias

    def loss(held: Any) -> tuple[float, Any]:
        of_words, of_vectors, bias = apart(held)
        scores = rows @ of_words + bias
        for first, made in stretches:
            scores[first : first + len(made)] += made @ of_vectors
        scores -= scores.max(axis=1, keepdims=True)
        chances = np.exp(scores)
        totals = chances.sum(axis=1, keepdims=True)
        lost = np.log(totals[:, 0]).sum() - scores[every, own].sum()
        chances /= totals
        chances[every, own] -= 1
        slopes = [turned @ chances + penalty * of_words, penalty * of_vectors]
        for first, made in stretches:
            slopes[1] = slopes[1] + made.T @ chances[first : first + len(made)]
        weighed = sum(float((weights**2).sum()) for weights in (of_words, of_vectors))
        slope = np.concatenate([*(each.ravel() for each in slopes), chances.sum(axis=0)])
        return float(lost) + penalty / 2 * weighed, slope.astype("f8")

    found = minimize(
        loss,
        np.zeros(int(ends[-1]) + classes),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": fitting.steps},
    )
    return apart(found.x)
