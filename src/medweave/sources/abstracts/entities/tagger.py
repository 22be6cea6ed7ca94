"""A tagger of entities that is learned from labelled texts: a conditional random field.

Names that were labelled are features, not answers: the model learns how far to trust them, because
those of a fifth of the texts are looked up among the names of the other four fifths while it
learns. How its probabilities become entities is `telling`.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from medweave.sources.abstracts.entities.features import Names, Told
from medweave.sources.abstracts.entities.spans import Labelled, Span
from medweave.sources.abstracts.entities.telling import (
    OUTSIDE,
    USUAL,
    Marked,
    Way,
    best_way,
    in_every_text,
    told,
)
from medweave.sources.abstracts.entities.tokens import Token, name_key

_PARTS = 5
_SETTINGS = {"c1": 0.3, "c2": 0.3, "max_iterations": 60, "feature.minfreq": 1}
"""Chosen on training parts alone, by folds of BC5CDR, NCBI and ADE: best on two, as good on one."""
_SURE = 0.99
"""No threshold asks for more than is left."""
_MANY = 100
"""Texts of which a part is enough to choose settings on."""

Teller = Callable[[str], Sequence[Span]]
"""Tells what known names say of a text."""


def _nothing(_text: str) -> Sequence[Span]:
    return ()


@dataclass(frozen=True)
class EntityTagger:
    """What was learned: the model as bytes, the names that it may ask for, how it tells."""

    model: bytes
    names: Names
    teller: Teller = _nothing
    way: Way = USUAL

    @classmethod
    def learn(cls, texts: Sequence[Labelled], teller: Teller = _nothing) -> EntityTagger:
        """A tagger from labelled texts; `teller` tells what is known of a text besides.

        Takes about half a minute for 500 abstracts.
        """
        known = [(Told(each.text, teller(each.text)), each) for each in texts]
        scored = []
        for train, test in _held_out(known):
            tagger = cls(_trained(train), _labelled_names(text for _, text in train), teller)
            scored += [(tagger.marked(text), labelled) for text, labelled in test]
        way = best_way(scored, in_every_text(texts))
        return cls(_trained(known), _labelled_names(texts), teller, way)

    def find(self, text: str) -> tuple[Span, ...]:
        """What a text names, in its order, without overlaps."""
        return told(self.marked(Told(text, self.teller(text))), text, self.way)

    def marked(self, known: Told) -> list[Marked]:
        """For each sentence how likely each token is of each label."""
        found = []
        labels = self._tagger.labels()
        for tokens, features in zip(known.sentences, known.features(self.names), strict=True):
            self._tagger.set(features)
            found.append(Marked(tokens, [self._likely(at, labels) for at in range(len(tokens))]))
        return found

    def _likely(self, at: int, labels: Sequence[str]) -> dict[str, float]:
        outside = self._tagger.marginal(OUTSIDE, at) if OUTSIDE in labels else 0.0
        if outside > _SURE:
            return {OUTSIDE: 1.0}
        return {label: self._tagger.marginal(label, at) for label in labels}

    @cached_property
    def _tagger(self) -> Any:
        import pycrfsuite

        tagger = pycrfsuite.Tagger()
        tagger.open_inmemory(self.model)
        return tagger


_Example = tuple[Told, Labelled]


def _held_out(known: Sequence[_Example]) -> Iterator[tuple[list[_Example], list[_Example]]]:
    """Parts to choose settings on: one of many texts, all of few."""
    groups = list(dict.fromkeys(labelled.text for _, labelled in known))
    parts = 1 if len(groups) > _MANY else _PARTS
    for part in range(min(parts, len(groups) - 1)):
        held = set(groups[part::_PARTS])
        yield (
            [each for each in known if each[1].text not in held],
            [each for each in known if each[1].text in held],
        )


def _trained(known: Sequence[_Example]) -> bytes:
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(_SETTINGS)
    groups = list(dict.fromkeys(labelled.text for _, labelled in known))
    for part in range(_PARTS):
        held = set(groups[part::_PARTS])
        names = _labelled_names(each for _, each in known if each.text not in held)
        for text, labelled in known:
            if labelled.text in held:
                for tokens, features in zip(text.sentences, text.features(names), strict=True):
                    trainer.append(features, _labels(tokens, labelled.spans))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model"
        trainer.train(str(file))
        return file.read_bytes()


def _labelled_names(texts: Iterable[Labelled]) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for text in texts:
        for span in text.spans:
            found[name_key(text.text[span.start : span.end])][span.type] = None
    return {name: list(types) for name, types in found.items()}


def _labels(tokens: Sequence[Token], spans: Iterable[Span]) -> list[str]:
    """B, I and O: where each entity begins and goes on."""
    labels = [OUTSIDE] * len(tokens)
    for span in spans:
        inside = [at for at, t in enumerate(tokens) if span.start <= t.start and t.end <= span.end]
        for at in inside:
            labels[at] = f"{'B' if at == inside[0] else 'I'} {span.type}"
    return labels
