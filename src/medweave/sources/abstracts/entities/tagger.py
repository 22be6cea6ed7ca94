"""A tagger of entities that is learned from labelled texts: a conditional random field.

Names that were labelled are features, not answers: the model learns how far to trust them, because
those of a fifth of the texts are looked up among the names of the other four fifths while it
learns. What it finds in sentences one by one is then made whole over the text (`coherence`).
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from medweave.sources.abstracts.entities.coherence import coherent
from medweave.sources.abstracts.entities.features import Names, token_features
from medweave.sources.abstracts.entities.spans import Labelled, Span
from medweave.sources.abstracts.entities.tokens import Token, name_key, tokenised_sentences

_PARTS = 5
_SETTINGS = {"c1": 0.1, "c2": 0.1, "max_iterations": 60, "feature.minfreq": 2}
"""Chosen on the training part of BC5CDR alone, by folds; twice or half as much changes little."""
_OUTSIDE = "O"


@dataclass(frozen=True)
class EntityTagger:
    """What was learned: the model as bytes, and the names that it may ask for."""

    model: bytes
    names: Names

    @classmethod
    def learn(cls, texts: Sequence[Labelled], known: Names | None = None) -> EntityTagger:
        """A tagger from labelled texts; `known` are names from elsewhere, by `name_key`.

        Takes about ten seconds for 500 abstracts.
        """
        import pycrfsuite

        known = known or {}
        trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
        trainer.set_params(_SETTINGS)
        for part in range(_PARTS):
            others = [text for at, text in enumerate(texts) if at % _PARTS != part]
            names = _merged(known, _labelled_names(others))
            for text in texts[part::_PARTS]:
                for tokens in tokenised_sentences(text.text):
                    trainer.append(token_features(tokens, names), _labels(tokens, text.spans))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "model"
            trainer.train(str(file))
            return cls(file.read_bytes(), _merged(known, _labelled_names(texts)))

    def find(self, text: str) -> tuple[Span, ...]:
        """What a text names, in its order, without overlaps."""
        found = [
            span
            for tokens in tokenised_sentences(text)
            for span in _spans(tokens, self._tagger.tag(token_features(tokens, self.names)))
        ]
        return coherent(text, found)

    @cached_property
    def _tagger(self) -> Any:
        import pycrfsuite

        tagger = pycrfsuite.Tagger()
        tagger.open_inmemory(self.model)
        return tagger


def _labelled_names(texts: Iterable[Labelled]) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for text in texts:
        for span in text.spans:
            found[name_key(text.text[span.start : span.end])][span.type] = None
    return {name: list(types) for name, types in found.items()}


def _merged(first: Names, second: Names) -> Names:
    return {
        name: tuple(dict.fromkeys((*first.get(name, ()), *second.get(name, ()))))
        for name in (*first, *second)
    }


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
