"""A linear model over short n-grams: one regression for each label.

    s_c(q) = b_c + sum over views v of share_v sum over features g of v of w_cg x_g
    x = tf-idf of the view's features, of length 1;   tf = 1 + ln(count),
    idf = ln((1 + N) / (1 + n_g)) + 1

A view is a kind of feature, known by its first sign; it is brought to length 1 by itself, so that
a kind with many features does not drown one with few. What is of no view named is the first one,
whose share is 1.

Weights are fitted by scikit-learn (L2, liblinear), which only training needs; scoring is a sum.
Source: Fan et al., "LIBLINEAR: a library for large linear classification", JMLR 9 (2008).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from typing import Any
from typing import Literal as OneOf

from medweave.errors import ConfigurationError

Loss = OneOf["logistic", "squared_hinge"]
Example = tuple[Sequence[Mapping[str, int]], Sequence[str]]
"""The features of a question, in each form that it may be seen in, and its labels."""
SEEN = 2
"""Features of fewer questions are left out: they tell more of the question than of its label."""
_ROUNDS = 10_000
_OFTEN = 3
"""A feature that a text has oftener is met too seldom to be remembered so."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """How weights are found."""

    loss: Loss = "logistic"
    inverse_penalty: float = 10.0
    """C of the regression; a larger one fits the training questions more closely."""
    views: Mapping[str, float] = field(default_factory=dict)
    """By first sign, the share of a kind of feature."""
    telling: float = 0.0
    """A feature is left out where its weight for no label reaches this."""
    least: float = 0.0
    """Of other features, weights below this are left out: there are many, and each decides next to
    nothing."""


LOGISTIC = Fitting()


Row = tuple[float, Sequence[int], Sequence[float]]
"""The idf of a feature; the labels of which it says something, by place; its weight for each."""
_Contribution = tuple[str, float, tuple[float, ...]]
"""The view of a feature, its value in a text, and what it adds to the score of each label."""


@dataclass(frozen=True, slots=True)
class Linear:
    """What every feature says for or against the labels; of most labels it says nothing."""

    labels: tuple[str, ...]
    weights: Mapping[str, Row]
    bias: tuple[float, ...]
    views: Mapping[str, float] = field(default_factory=dict)
    _contributions: dict[tuple[str, int], _Contribution] = field(
        default_factory=dict, compare=False, repr=False
    )
    """Of features that were met so often in a text: what each says."""

    def scores(self, grams: Mapping[str, int]) -> list[float]:
        """The score of each of `labels`: above 0 where it is more likely than not.

        Features in another order may change the last digit.
        """
        views: dict[str, tuple[list[float], list[tuple[float, ...]]]] = {
            view: ([], []) for view in ("", *self.views)
        }
        said_by, say = self._contributions.get, self._say
        for met in grams.items():
            said = said_by(met) or say(*met)
            if said is not None:
                view, value, row = said
                squares, rows = views[view]
                squares.append(value * value)
                rows.append(row)
        totals = list(self.bias)
        for view, (squares, rows) in views.items():
            if square := sum(squares):
                share = self.views.get(view, 1.0) / sqrt(square)
                sums = map(sum, zip(*rows, strict=True))
                totals = [t + share * s for t, s in zip(totals, sums, strict=True)]
        return totals

    def _say(self, gram: str, count: int) -> _Contribution | None:
        """What a feature says that a text has so often; None of one that is not known."""
        row = self.weights.get(gram)
        if row is None:
            return None
        idf, places, weights = row
        value = idf if count == 1 else (1 + log(count)) * idf
        of_label = [0.0] * len(self.labels)
        for place, weight in zip(places, weights, strict=True):
            of_label[place] = value * weight
        said = (gram[0] if gram[0] in self.views else ""), value, tuple(of_label)
        if count <= _OFTEN:
            self._contributions[gram, count] = said
        return said


def train_linear(questions: Sequence[Example], fitting: Fitting = LOGISTIC) -> Linear:
    """Fit one regression for each label, on all forms of all questions.

    >>> model = train_linear([([{"how prevent": 1}], ["prevention"]),
    ...                       ([{"how prevent": 1}], ["prevention"]),
    ...                       ([{"what signs": 1}], ["symptom"]),
    ...                       ([{"what signs": 1}], ["symptom"])])
    >>> scores = model.scores({"how prevent": 1})
    >>> model.labels[scores.index(max(scores))]
    'prevention'

    The same questions give the same weights. Raises `ConfigurationError` where scikit-learn is not
    installed.
    """
    fit = _regression(fitting)
    labels = tuple(sorted({label for _, named in questions for label in named}))
    idf = _inverse_frequencies([forms for forms, _ in questions])
    columns = {gram: at for at, gram in enumerate(idf)}
    rows = [(grams, named) for forms, named in questions for grams in forms]
    matrix = _matrix((grams for grams, _ in rows), idf, columns, fitting.views)
    fitted = [fit(matrix, [label in named for _, named in rows]) for label in labels]
    weights: dict[str, Row] = {}
    for gram, at in columns.items():
        row = [float(coefficients[at]) for coefficients, _ in fitted]
        if max(map(abs, row)) >= fitting.telling:
            places = [place for place, weight in enumerate(row) if abs(weight) > fitting.least]
            weights[gram] = (idf[gram], places, [row[place] for place in places])
    return Linear(labels, weights, tuple(bias for _, bias in fitted), fitting.views)


def _view(gram: str, views: Mapping[str, float]) -> str:
    return gram[0] if gram[0] in views else ""


def _shares(values: Mapping[str, float], views: Mapping[str, float]) -> dict[str, float]:
    """What brings each view of a question to the length that is its share."""
    squares: dict[str, float] = defaultdict(float)
    for gram, value in values.items():
        squares[_view(gram, views)] += value * value
    return {view: views.get(view, 1.0) / sqrt(total) for view, total in squares.items()}


def _inverse_frequencies(questions: Sequence[Sequence[Mapping[str, int]]]) -> dict[str, float]:
    counted = Counter(gram for forms in questions for gram in set[str]().union(*forms))
    return {
        gram: log((1 + len(questions)) / (1 + counted[gram])) + 1
        for gram in sorted(counted)
        if counted[gram] >= SEEN
    }


def _matrix(
    questions: Iterable[Mapping[str, int]],
    idf: Mapping[str, float],
    columns: Mapping[str, int],
    views: Mapping[str, float],
) -> Any:
    from scipy.sparse import csr_matrix

    values: list[float] = []
    places: list[int] = []
    ends = [0]
    for grams in questions:
        known = sorted(grams.keys() & idf.keys())
        row = {gram: (1 + log(grams[gram])) * idf[gram] for gram in known}
        shares = _shares(row, views)
        values.extend(value * shares[_view(gram, views)] for gram, value in row.items())
        places.extend(columns[gram] for gram in row)
        ends.append(len(values))
    return csr_matrix((values, places, ends), shape=(len(ends) - 1, len(columns)))


_Fit = Callable[[Any, list[bool]], tuple[Sequence[float], float]]


def _regression(fitting: Fitting) -> _Fit:
    try:
        from sklearn.linear_model import LogisticRegression
        from sklearn.svm import LinearSVC
    except ImportError as error:
        raise ConfigurationError(
            "training the linear model needs scikit-learn",
            remedy="run `pip install 'medweave[evaluate]'`, or train with "
            "--method information_gain, which needs nothing",
        ) from error

    def fit(matrix: Any, holds: list[bool]) -> tuple[Sequence[float], float]:
        if all(holds):  # nothing to tell apart
            return [0.0] * matrix.shape[1], 1.0
        strength = {"C": fitting.inverse_penalty, "dual": True, "random_state": 0}
        if fitting.loss == "logistic":
            model = LogisticRegression(solver="liblinear", **strength)
        else:
            model = LinearSVC(max_iter=_ROUNDS, **strength)
        model.fit(matrix, holds)
        return model.coef_[0], float(model.intercept_[0])

    return fit
