"""Relations learned from labelled texts: a maximum entropy model over pairs of things.

A relation is told where its probability is at least a threshold. Where nearly every training text
has a relation, the likeliest of a text are told too: those that are at least some share as likely
as the likeliest. Threshold and share are chosen by folds of the training texts, as those with the
best F1: a half would be right only where as many pairs are related as are not.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, product
from pathlib import Path
from typing import Any, NamedTuple

from medweave.sources.abstracts.entities.spans import Span
from medweave.sources.abstracts.relations.features import pair_features
from medweave.sources.abstracts.relations.things import Pair, ReadText

_SETTINGS = {"c1": 0.0, "c2": 6.0, "max_iterations": 80, "feature.minfreq": 2}
_OF_FEW = {"c1": 0.0, "c2": 1.0, "max_iterations": 80, "feature.minfreq": 1}
"""Both chosen by folds of training parts alone, BC5CDR's and that of the AMD abstracts."""
_MANY = 1000
"""Pairs from which on what is seen once teaches nothing, and weights are held smaller."""
_PARTS = 5
_THRESHOLDS = tuple(n / 20 for n in range(2, 16))
_SHARES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
_LEAST = 0.1
"""Relations less likely than this are told of no text."""
_FEW = 30
"""Texts that tell nothing about all others."""
_NEARLY_ALL = 0.99
_NONE = "none"
_FORWARD, _BACKWARD = ">", "<"


class Relation(NamedTuple):
    """What a text says of two things, by their keys."""

    subject: str
    predicate: str
    object: str


class FoundRelation(NamedTuple):
    """A relation with where it stands and how sure that is."""

    subject: Span
    predicate: str
    object: Span
    relation: Relation
    confidence: float


@dataclass(frozen=True, slots=True)
class LabelledRelations:
    """A text with its things, and all relations that somebody labelled in it."""

    read: ReadText
    relations: frozenset[Relation]


class Sure(NamedTuple):
    """From where on a relation is told."""

    threshold: float
    share: float | None = None
    """Of the likeliest relation of its text; None where a text may have none."""

    def accepted(self, likely: Sequence[float]) -> list[bool]:
        """Whether each relation of a text is told.

        >>> Sure(0.5).accepted([0.4, 0.3, 0.1]), Sure(0.5, 0.7).accepted([0.4, 0.3, 0.1])
        ([False, False, False], [True, True, False])
        """
        enough = self.threshold
        if self.share is not None:
            enough = min(enough, max(_LEAST, self.share * max(likely, default=0.0)))
        return [each >= enough for each in likely]


_ALL = Sure(0.0)


@dataclass(frozen=True)
class RelationLearner:
    """What was learned: the model as bytes, which types it joins, and from where it is sure."""

    model: bytes
    joined: frozenset[frozenset[str]]
    sure: Sure

    @classmethod
    def learn(cls, texts: Sequence[LabelledRelations]) -> RelationLearner:
        """A learner from labelled texts."""
        joined = frozenset(_joined(texts))
        scored: list[list[tuple[float, bool]]] = []
        for part in range(_PARTS):
            others = [text for at, text in enumerate(texts) if at % _PARTS != part]
            model = cls(_trained(others, joined), joined, _ALL)
            for text in texts[part::_PARTS]:
                found = model.find(text.read)
                scored.append(
                    [(each.confidence, each.relation in text.relations) for each in found]
                )
        return cls(_trained(texts, joined), joined, _best_sure(scored, texts))

    def find(self, read: ReadText) -> list[FoundRelation]:
        """The relations that a text seems to say, in the order of its things."""
        found = []
        for pair in _candidates(read, self.joined):
            label, confidence = self._most_likely(pair_features(pair, read))
            found.append(_found(pair, label, confidence, read))
        return list(compress(found, self.sure.accepted([each.confidence for each in found])))

    def _most_likely(self, features: list[str]) -> tuple[str, float]:
        """The label of the likeliest relation, and how likely there is any."""
        self._tagger.set([features])
        labels = [label for label in self._labels if label != _NONE]
        ranked = [(self._tagger.marginal(label, 0), label) for label in labels]
        label = max(ranked, default=(0.0, _NONE))[1]
        return label, sum(confidence for confidence, _ in ranked)

    @cached_property
    def _labels(self) -> list[str]:
        return sorted(self._tagger.labels())

    @cached_property
    def _tagger(self) -> Any:
        import pycrfsuite

        tagger = pycrfsuite.Tagger()
        tagger.open_inmemory(self.model)
        return tagger


def _trained(texts: Iterable[LabelledRelations], joined: frozenset[frozenset[str]]) -> bytes:
    """A random field over sequences of one is a maximum entropy model."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    cases = [
        (pair_features(pair, text.read), _label(pair, text.relations))
        for text in texts
        for pair in _candidates(text.read, joined)
    ]
    trainer.set_params(_SETTINGS if len(cases) > _MANY else _OF_FEW)
    for features, label in cases:
        trainer.append([features], [label])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model"
        trainer.train(str(file))
        return file.read_bytes()


def _joined(texts: Iterable[LabelledRelations]) -> Iterator[frozenset[str]]:
    """The pairs of types between which any relation was labelled."""
    for text in texts:
        types = {thing.key: thing.type for thing in text.read.things}
        for subject, _, object_ in text.relations:
            if subject in types and object_ in types:
                yield frozenset((types[subject], types[object_]))


def _candidates(read: ReadText, joined: frozenset[frozenset[str]]) -> list[Pair]:
    pairs = read.pairs()
    return [pair for pair in pairs if frozenset((pair.first.type, pair.second.type)) in joined]


def _label(pair: Pair, relations: Iterable[Relation]) -> str:
    """The predicate that joins a pair, with its direction by which is named first."""
    keys = (pair.first.key, pair.second.key)
    for subject, predicate, object_ in sorted(relations):
        if (subject, object_) == keys:
            return _FORWARD + predicate
        if (object_, subject) == keys:
            return _BACKWARD + predicate
    return _NONE


def _found(pair: Pair, label: str, confidence: float, read: ReadText) -> FoundRelation:
    first, second = read.nearest(pair)
    keys = (pair.first.key, pair.second.key)
    predicate = label[1:]
    if label.startswith(_BACKWARD):
        first, second, keys = second, first, keys[::-1]
    relation = Relation(keys[0], predicate, keys[1])
    return FoundRelation(first, predicate, second, relation, confidence)


def _best_sure(
    scored: Sequence[Sequence[tuple[float, bool]]], texts: Sequence[LabelledRelations]
) -> Sure:
    labelled = sum(len(text.relations) for text in texts)
    related = sum(bool(text.relations) for text in texts)
    always = len(texts) >= _FEW and related >= _NEARLY_ALL * len(texts)

    def f1(sure: Sure) -> float:
        told = [
            right
            for text in scored
            for right in compress((r for _, r in text), sure.accepted([c for c, _ in text]))
        ]
        return 2 * sum(told) / (len(told) + labelled) if told else 0.0

    ways = product(_THRESHOLDS, (None, *_SHARES) if always else (None,))
    return max((Sure(*way) for way in ways), key=f1)
