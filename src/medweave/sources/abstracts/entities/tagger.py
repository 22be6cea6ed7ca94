"""A tagger of entities that is learned from labelled texts: a conditional random field.

Names that were labelled are features, not answers: the model learns how far to trust them, because
those of a fifth of the texts are looked up among the names of the other four fifths while it
learns. What it finds in sentences one by one is then made whole over the text (`coherence`).
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from pathlib import Path
from typing import Any, NamedTuple

from medweave.sources.abstracts.entities.coherence import coherent
from medweave.sources.abstracts.entities.features import Names, Told
from medweave.sources.abstracts.entities.spans import Labelled, Span
from medweave.sources.abstracts.entities.tokens import Token, name_key

_PARTS = 5
_SETTINGS = {"c1": 0.1, "c2": 0.1, "max_iterations": 60, "feature.minfreq": 2}
"""Chosen on the training part of BC5CDR alone, by folds; twice or half as much changes little."""
_OUTSIDE = "O"
_SURE = 0.99
"""No threshold asks for more than is left."""
_NEVER = 1e-6
"""Probabilities below this are none."""
_MANY = 100
"""Texts of which a part is enough to choose settings on."""
_FEW = 30
"""Entities that tell nothing about settings."""
_THRESHOLDS = tuple(n / 20 for n in range(2, 13))

Teller = Callable[[str], Sequence[Span]]
"""Tells what known names say of a text."""


def _nothing(_text: str) -> Sequence[Span]:
    return ()


@dataclass(frozen=True)
class EntityTagger:
    """What was learned: the model as bytes, the names that it may ask for, how sure it must be."""

    model: bytes
    names: Names
    teller: Teller = _nothing
    threshold: float = 0.5
    whole: bool = True
    """Whether what is named in one sentence is named in all others."""

    @classmethod
    def learn(cls, texts: Sequence[Labelled], teller: Teller = _nothing) -> EntityTagger:
        """A tagger from labelled texts; `teller` tells what is known of a text besides.

        Takes about half a minute for 500 abstracts.
        """
        told = [(Told(each.text, teller(each.text)), each) for each in texts]
        held = _held_out(told)
        scored = []
        for train, test in held:
            tagger = cls(_trained(train), _labelled_names(text for _, text in train), teller)
            scored += [(tagger.marked(text), labelled) for text, labelled in test]
        threshold, whole = _best(scored)
        return cls(_trained(told), _labelled_names(texts), teller, threshold, whole)

    def find(self, text: str) -> tuple[Span, ...]:
        """What a text names, in its order, without overlaps."""
        told = Told(text, self.teller(text))
        return _found(self.marked(told), text, self.threshold, self.whole)

    def marked(self, told: Told) -> list[_Marked]:
        """For each sentence how likely each token is of each label."""
        found = []
        labels = self._tagger.labels()
        for tokens, features in zip(told.sentences, told.features(self.names), strict=True):
            self._tagger.set(features)
            found.append(_Marked(tokens, [self._likely(at, labels) for at in range(len(tokens))]))
        return found

    def _likely(self, at: int, labels: Sequence[str]) -> dict[str, float]:
        outside = self._tagger.marginal(_OUTSIDE, at) if _OUTSIDE in labels else 0.0
        if outside > _SURE:
            return {_OUTSIDE: 1.0}
        return {label: self._tagger.marginal(label, at) for label in labels}

    @cached_property
    def _tagger(self) -> Any:
        import pycrfsuite

        tagger = pycrfsuite.Tagger()
        tagger.open_inmemory(self.model)
        return tagger


class _Marked(NamedTuple):
    tokens: Sequence[Token]
    likely: Sequence[Mapping[str, float]]


class _Path(NamedTuple):
    """How a sentence may be labelled up to a token: how likely, the last label, what is before."""

    weight: float
    label: str
    before: _Path | None

    def labels(self) -> list[str]:
        """All its labels; the first path has none."""
        found: list[str] = []
        path = self
        while path.before is not None:
            found.append(path.label)
            path = path.before
        return found[::-1]


_Told = tuple[Told, Labelled]


def _held_out(told: Sequence[_Told]) -> Iterator[tuple[list[_Told], list[_Told]]]:
    """Parts to choose settings on: one of many texts, all of few."""
    groups = list(dict.fromkeys(labelled.text for _, labelled in told))
    parts = 1 if len(groups) > _MANY else _PARTS
    for part in range(min(parts, len(groups) - 1)):
        held = set(groups[part::_PARTS])
        yield (
            [each for each in told if each[1].text not in held],
            [each for each in told if each[1].text in held],
        )


def _trained(told: Sequence[_Told]) -> bytes:
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(_SETTINGS)
    groups = list(dict.fromkeys(labelled.text for _, labelled in told))
    for part in range(_PARTS):
        held = set(groups[part::_PARTS])
        names = _labelled_names(each for _, each in told if each.text not in held)
        for text, labelled in told:
            if labelled.text in held:
                for tokens, features in zip(text.sentences, text.features(names), strict=True):
                    trainer.append(features, _labels(tokens, labelled.spans))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model"
        trainer.train(str(file))
        return file.read_bytes()


def _best(scored: Sequence[tuple[list[_Marked], Labelled]]) -> tuple[float, bool]:
    """From which probability on, and whether over the whole text, with the best F1."""

    def f1(threshold: float, whole: bool) -> float:
        right = found = labelled = 0
        for marked, text in scored:
            spans = set(_found(marked, text.text, threshold, whole))
            right += len(spans & set(text.spans))
            found += len(spans)
            labelled += len(text.spans)
        return 2 * right / max(found + labelled, 1)

    if sum(len(text.spans) for _, text in scored) < _FEW:
        return 0.5, True
    ways = {whole: [f1(threshold, whole) for threshold in _THRESHOLDS] for whole in (True, False)}
    # What is about as good next to it is no accident of few texts.
    smooth = {
        (threshold, whole): sum(scores[max(at - 1, 0) : at + 2])
        / len(scores[max(at - 1, 0) : at + 2])
        for whole, scores in ways.items()
        for at, threshold in enumerate(_THRESHOLDS)
    }
    return max(smooth, key=smooth.__getitem__)


def _found(marked: Iterable[_Marked], text: str, threshold: float, whole: bool) -> tuple[Span, ...]:
    spans = [
        span for tokens, likely in marked for span in _spans(tokens, _likeliest(likely, threshold))
    ]
    return coherent(text, spans) if whole else tuple(sorted(spans))


def _likeliest(likely: Sequence[Mapping[str, float]], threshold: float) -> list[str]:
    """The likeliest labels of a sentence, of which none goes on with what has not begun.

    What is outside counts as much more or less as the threshold is above or below a half.
    """
    odds = threshold / (1 - threshold)
    best = _Path(0.0, _OUTSIDE, None)
    going: dict[str, _Path] = {}
    for row in likely:
        paths: dict[str, _Path] = {}
        for label, probability in row.items():
            mark, _, type_ = label.partition(" ")
            before = going.get(type_) if mark == "I" else best
            if before and probability > _NEVER:
                weight = before.weight + log(probability * (odds if mark == _OUTSIDE else 1))
                if type_ not in paths or weight > paths[type_].weight:
                    paths[type_] = _Path(weight, label, before)
        unlikely = _Path(best.weight, _OUTSIDE, best)
        best = max(paths.values(), key=lambda path: path.weight, default=unlikely)
        going = {type_: path for type_, path in paths.items() if type_}
    return best.labels()


def _labelled_names(texts: Iterable[Labelled]) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for text in texts:
        for span in text.spans:
            found[name_key(text.text[span.start : span.end])][span.type] = None
    return {name: list(types) for name, types in found.items()}


def _labels(tokens: Sequence[Token], spans: Iterable[Span]) -> list[str]:
    """B, I and O: where each entity begins and goes on."""
    labels = [_OUTSIDE] * len(tokens)
    for span in spans:
        inside = [at for at, t in enumerate(tokens) if span.start <= t.start and t.end <= span.end]
        for at in inside:
            labels[at] = f"{'B' if at == inside[0] else 'I'} {span.type}"
    return labels


def _spans(tokens: Sequence[Token], labels: Sequence[str]) -> Iterator[Span]:
    start, end, type_ = 0, 0, ""
    for token, label in zip(tokens, labels, strict=True):
        mark, _, its_type = label.partition(" ")
        if type_ and (mark != "I" or its_type != type_):
            yield Span(start, end, type_)
            type_ = ""
        if mark != _OUTSIDE:
            start = start if type_ else token.start
            end, type_ = token.end, its_type
    if type_:
        yield Span(start, end, type_)
