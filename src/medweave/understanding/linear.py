"""Intents by a linear model over short n-grams: one logistic regression for each label.

    s_c(q) = b_c + sum over n-grams g of q of w_cg x_g,    x = tf-idf of q, of length 1
    tf = 1 + ln(count),   idf = ln((1 + N) / (1 + n_g)) + 1

Weights are fitted by scikit-learn (L2, liblinear), which only training needs; scoring is a sum.
Source: Fan et al., "LIBLINEAR: a library for large linear classification", JMLR 9 (2008).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt

from medweave.errors import ConfigurationError

INVERSE_PENALTY = 10.0
"""C of the regression; a larger one fits the training questions more closely."""
SEEN = 2
"""N-grams of fewer questions are left out: they tell more of the question than of what it asks."""


@dataclass(frozen=True, slots=True)
class Linear:
    """A weight for every n-gram and label; the idf of the n-gram stands first."""

    labels: tuple[str, ...]
    weights: Mapping[str, Sequence[float]]
    """By n-gram: its idf, then its weight for each of `labels`."""
    bias: tuple[float, ...]

    def scores(self, grams: Mapping[str, int]) -> list[float]:
        """The score of each of `labels`: above 0 where it is more likely than not."""
        totals = list(self.bias)
        held = {gram: self.weights[gram] for gram in sorted(grams) if gram in self.weights}
        values = {gram: (1 + log(grams[gram])) * row[0] for gram, row in held.items()}
        length = sqrt(sum(value * value for value in values.values()))
        for gram, value in values.items():
            for at, weight in enumerate(held[gram][1:]):
                totals[at] += weight * value / length
        return totals


def train_linear(
    questions: Sequence[tuple[Mapping[str, int], Sequence[str]]],
    *,
    inverse_penalty: float = INVERSE_PENALTY,
) -> Linear:
    """Fit the weights; a question may have several labels.

    Raises `ConfigurationError` where scikit-learn is not installed.
    """
    regression = _regression()
    labels = tuple(sorted({label for _, named in questions for label in named}))
    idf = _inverse_frequencies([grams for grams, _ in questions])
    columns = {gram: at for at, gram in enumerate(idf)}
    matrix = _matrix([grams for grams, _ in questions], idf, columns)
    fitted = []
    for label in labels:
        holds = [label in named for _, named in questions]
        fitted.append(_fit(regression, matrix, holds, inverse_penalty))
    weights = {
        gram: [value, *(float(coefficients[at]) for coefficients, _ in fitted)]
        for (gram, value), at in zip(idf.items(), columns.values(), strict=True)
    }
    return Linear(labels, weights, tuple(bias for _, bias in fitted))


def _regression() -> type:
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise ConfigurationError(
            "training the linear model needs scikit-learn",
            remedy="run `pip install 'medweave[evaluate]'`, or train with "
            "--method information_gain, which needs nothing",
        ) from error
    found: type = LogisticRegression
    return found


def _fit(
    regression: type, matrix: object, holds: list[bool], inverse_penalty: float
) -> tuple[Sequence[float], float]:
    if all(holds):  # nothing to tell apart
        return [0.0] * matrix.shape[1], 1.0  # type: ignore[attr-defined]
    model = regression(C=inverse_penalty, solver="liblinear", dual=True, random_state=0)
    model.fit(matrix, holds)
    return model.coef_[0], float(model.intercept_[0])


def _inverse_frequencies(questions: Sequence[Mapping[str, int]]) -> dict[str, float]:
    counted = Counter(gram for grams in questions for gram in grams)
    return {
        gram: log((1 + len(questions)) / (1 + counted[gram])) + 1
        for gram in sorted(counted)
        if counted[gram] >= SEEN
    }


def _matrix(
    questions: Sequence[Mapping[str, int]], idf: Mapping[str, float], columns: Mapping[str, int]
) -> object:
    from scipy.sparse import csr_matrix

    values: list[float] = []
    places: list[int] = []
    ends = [0]
    for grams in questions:
        known = sorted(grams.keys() & idf.keys())
        row = {gram: (1 + log(grams[gram])) * idf[gram] for gram in known}
        length = sqrt(sum(value * value for value in row.values()))
        values.extend(value / length for value in row.values())
        places.extend(columns[gram] for gram in row)
        ends.append(len(values))
    return csr_matrix((values, places, ends), shape=(len(questions), len(columns)))
