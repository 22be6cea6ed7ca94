"""What every task is measured beside: classifiers that know nothing of medicine."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import exp, log
from typing import Any

from medweave.errors import ConfigurationError
from medweave.evaluation.items import Item, Ranked
from medweave.language.segmentation import language_of
from medweave.retrieval.lexical import LexicalIndex


class Majority:
    """The most frequent class, always: ranks classes by how many training cases they have.

    >>> cases = [Item("1", ("flu",)), Item("2", ("flu",)), Item("3", ("cold",))]
    >>> Majority(cases).rank(Item("4", ())).labels
    ('flu', 'cold')
    """

    def __init__(self, cases: Sequence[Item]) -> None:
        counted = Counter(label for case in cases for label in case.expected)
        self._labels = tuple(sorted(counted, key=lambda label: (-counted[label], label)))
        self._share = max(counted.values(), default=0) / max(1, sum(counted.values()))

    def rank(self, item: Item) -> Ranked:  # noqa: ARG002 - it looks at nothing
        """The same for every item."""
        return Ranked(self._labels, self._share)


class Bm25:
    """Ranks classes by the text of theirs that is nearest by BM25.

    >>> texts = [("flu", "fever and aches"), ("cold", "runny nose")]
    >>> Bm25(texts).rank(Item("1", (), text="my nose runs")).labels
    ('cold',)
    """

    def __init__(
        self,
        texts: Iterable[tuple[str, str]],
        text_of: Callable[[Item], str] = lambda item: item.text or " ".join(item.facts),
    ) -> None:
        self._said = text_of
        given = list(texts)
        self._labels = [label for label, _ in given]
        self._index = LexicalIndex(text for _, text in given)

    def rank(self, item: Item) -> Ranked:
        """Classes by their best text."""
        best: dict[str, float] = {}
        for number, score in self._index.scores(self._said(item)).items():
            label = self._labels[number]
            best[label] = max(best.get(label, 0.0), score)
        return Ranked.by_score(best)


class NearestCase:
    """Ranks classes by the case of theirs that shares most with the item (document K's case-based
    baseline), with an index from features to the cases that have them.

        similarity = |x and y| / |x or y|        (Jaccard)

    >>> flu = Item("1", ("flu",), present=("fever", "cough"))
    >>> cold = Item("2", ("cold",), present=("cough",))
    >>> NearestCase([flu, cold], lambda i: i.present).rank(Item("3", (), present=("cough",))).labels
    ('cold', 'flu')
    """

    def __init__(self, cases: Sequence[Item], features: Callable[[Item], Iterable[str]]) -> None:
        self._features = features
        self._labels = [case.expected for case in cases]
        self._sizes: list[int] = []
        self._having: dict[str, list[int]] = defaultdict(list)
        for number, case in enumerate(cases):
            held = set(features(case))
            self._sizes.append(len(held))
            for feature in held:
                self._having[feature].append(number)

    def rank(self, item: Item) -> Ranked:
        """Classes by their nearest case."""
        held = {feature for feature in self._features(item) if feature in self._having}
        shared: Counter[int] = Counter()
        for feature in held:
            shared.update(self._having[feature])
        nearest: dict[str, float] = {}
        for number, common in shared.items():
            similarity = common / (len(held) + self._sizes[number] - common)
            for label in self._labels[number]:
                nearest[label] = max(nearest.get(label, 0.0), similarity)
        return Ranked.by_score(nearest)


class NaiveBayes:
    """Counts features that are there, by class; one may weigh less than one (`weight_of`).

        log P(c | x)  ~  log p(c) + sum over features x of log ( (n(x, c) + 1) / (n(c) + |V|) )

    Multinomial, with Laplace smoothing (Manning, Raghavan and Schütze, "Introduction to Information
    Retrieval", 2008, chapter 13). Features that no training case has say nothing and are left out.
    """

    def __init__(
        self,
        cases: Sequence[Item],
        features: Callable[[Item], Iterable[str]],
        *,
        weight_of: Callable[[Item, str], float] = lambda _, __: 1.0,
    ) -> None:
        self._features = features
        self._cases: Counter[str] = Counter()
        self._sizes: dict[str, float] = defaultdict(float)
        self._classes: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for case in cases:
            for label in case.expected:
                self._cases[label] += 1
                for feature in features(case):
                    weight = weight_of(case, feature)
                    self._classes[feature][label] += weight
                    self._sizes[label] += weight
        vocabulary = len(self._classes)
        whole = sum(self._cases.values())
        self._empty = {label: -log(self._sizes[label] + vocabulary) for label in self._cases}
        self._prior = {label: log(count / whole) for label, count in self._cases.items()}

    def rank(self, item: Item) -> Ranked:
        """Classes by posterior."""
        known = sorted({f for f in self._features(item) if f in self._classes})
        scores = {
            label: prior + len(known) * self._empty[label] for label, prior in self._prior.items()
        }
        for feature in known:
            for label, weight in self._classes[feature].items():
                scores[label] += log(weight + 1)
        ranked = Ranked.by_score(scores)
        if not ranked.answered:
            return ranked
        share = 1 / sum(exp(score - ranked.confidence) for score in scores.values())
        return Ranked(ranked.labels, share, recognised=bool(known), answered=bool(known))


class TfidfRegression:
    """TF-IDF with logistic regression, by scikit-learn: the usual strong baseline for short texts.

    English: words and pairs of words; Chinese: characters and pairs of them; sublinear counts,
    C = 10. Cases without text are given by their features. Raises `ConfigurationError` without
    scikit-learn, or without training cases.
    """

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
