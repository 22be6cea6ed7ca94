"""TF-IDF with logistic regression, by scikit-learn: the usual strong baseline for short texts.

English: words and pairs of words; Chinese: characters and pairs of them; sublinear counts, C = 10.
Cases without text are given by their features.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from medweave.errors import ConfigurationError
from medweave.evaluation.items import Item, Ranked
from medweave.language.segmentation import language_of


class TfidfRegression:
    """Raises `ConfigurationError` without scikit-learn, or without training cases."""

    def __init__(
        self, cases: Sequence[Item], features: Callable[[Item], Iterable[str]] | None = None
    ) -> None:
        try:
            from sklearn.feature_extraction.text import TfidfVectorizer
            from sklearn.linear_model import LogisticRegression
        except ImportError as error:
            raise ConfigurationError(
                "scikit-learn is not installed", remedy="run `pip install 'medweave[evaluate]'`"
            ) from error
        labels = [case.expected[0] for case in cases]
        if len(set(labels)) < 2:  # noqa: PLR2004 - a class alone cannot be told from another
            raise ConfigurationError("no training cases", remedy="give them with --train FILE")
        self._features = features
        whole = " ".join(case.text for case in cases[:1000])
        analysis: dict[str, Any] = {"sublinear_tf": True}
        if features is not None:
            analysis |= {"analyzer": _given}
        elif language_of(whole) == "zh":
            analysis |= {"analyzer": "char", "ngram_range": (1, 2)}
        else:
            analysis |= {"ngram_range": (1, 2)}
        self._vectors: Any = TfidfVectorizer(**analysis)
        self._model: Any = LogisticRegression(C=10, max_iter=1000)
        self._model.fit(self._vectors.fit_transform([self._seen(case) for case in cases]), labels)

    def _seen(self, item: Item) -> Any:
        return item.text if self._features is None else list(self._features(item))

    def rank(self, item: Item) -> Ranked:
        """Classes by probability."""
        chances = self._model.predict_proba(self._vectors.transform([self._seen(item)]))[0]
        pairs = sorted(zip(chances, self._model.classes_, strict=True), key=lambda p: (-p[0], p[1]))
        return Ranked(tuple(str(label) for _, label in pairs), float(pairs[0][0]))


def _given(features: list[str]) -> list[str]:
    """The features of a case as they are: nothing is cut or folded."""
    return features
