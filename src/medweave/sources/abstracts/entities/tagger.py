"""A tagger of entities that is learned from labelled texts: a conditional random field.

Names that were labelled are features, not answers: the model learns how far to trust them, because
those of a fifth of the texts are looked up among the names of the other four fifths while it
learns. How its probabilities become entities is `decoding`.

Features of each token are the token and its neighbours: the word, its shape, its beginning and end,
and what known names say of it, and, however far, the next words on either side that say how things
go together ("induced") and the next names that are known. As in BANNER (Leaman and Gonzalez, 2008)
and the systems of BioCreative V on its task CDR. Of the whole text: what an abbreviation stands
for. How often a word comes and in which sentence was told as well, and only did harm where few
texts teach.
"""

from __future__ import annotations

import re
import tempfile
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from medweave.language.abbreviations import abbreviations
from medweave.sources.abstracts.cues import cue
from medweave.sources.abstracts.entities.decoding import (
    OUTSIDE,
    USUAL,
    Marked,
    Way,
    best_way,
    decoded,
    in_every_text,
)
from medweave.sources.abstracts.entities.spans import Labelled, Span
from medweave.sources.abstracts.entities.tokens import Token, name_key, tokenised_sentences

_NEIGHBOURS = (-2, -1, 1, 2)
_LONGEST_NAME = 8
"""Tokens of a known name."""
_LONG = 8
_NEAR, _FARTHER = 2, 5
"""Tokens up to a word that says how things go together."""
_REPEATED = re.compile(r"(.)\1+")

Names = Mapping[str, Collection[str]]
"""Known names by `name_key`, with the types that they were labelled with."""


@dataclass(frozen=True)
class AnnotatedText:
    """A text with all that is told of it before its tokens are labelled."""

    text: str
    spans: Sequence[Span]
    """What known names say, with the places."""

    @cached_property
    def sentences(self) -> list[list[Token]]:
        """The tokens of each sentence."""
        return list(tokenised_sentences(self.text))

    def features(self, names: Names) -> Iterator[list[list[str]]]:
        """The features of each token of each sentence; `names` are those labelled elsewhere."""
        for tokens, marks in zip(self.sentences, self._known_marks, strict=True):
            yield _token_features(tokens, names, marks)

    @cached_property
    def _known_marks(self) -> list[list[list[str]]]:
        """For each token as what known names and abbreviations mark it."""
        found: list[list[list[str]]] = [[[] for _ in tokens] for tokens in self.sentences]
        marks = [mark for tokens in found for mark in tokens]
        starts = [token.start for tokens in self.sentences for token in tokens]
        for start, end, kind in self._marks():
            inside = range(bisect_left(starts, start), bisect_left(starts, end))
            for at in inside:
                marks[at].append(f"{kind} {'B' if at == inside[0] else 'I'}")
        return found

    def _marks(self) -> Iterator[tuple[int, int, str]]:
        for span in self.spans:
            yield span.start, span.end, f"told={span.type}"
        for each in abbreviations(self.text):
            yield each.long_start, each.short_end + 1, "long and short"
            short = self.text[each.short_start : each.short_end]
            last = self.text[each.long_start : each.long_end].split()[-1].lower()
            long = [s for s in self.spans if s.end == each.long_end and s.start >= each.long_start]
            kinds = [f"stands for={last[-4:]}", *(f"stands for {span.type}" for span in long)]
            for match in re.finditer(rf"(?<!\w){re.escape(short)}(?!\w)", self.text):
                for kind in ("short", *kinds):
                    yield *match.span(), kind


def _token_features(
    tokens: Sequence[Token],
    names: Names,
    told: Sequence[Sequence[str]],
) -> list[list[str]]:
    small = [token.text.lower() for token in tokens]
    known = _known(small, names)
    shared = [
        [f"word={word}", f"shape={_shape(token.text)}", f"ends={word[-3:]}", *by_name, *by_told]
        for token, word, by_name, by_told in zip(tokens, small, known, told, strict=True)
    ]
    far = _far(small, told)
    return [
        [
            *shared[at],
            *_own(tokens[at].text, small[at]),
            *_around(at, shared),
            *_pairs(at, small),
            *far[at],
        ]
        for at in range(len(tokens))
    ]


def _own(text: str, word: str) -> list[str]:
    found = [f"begins={word[:3]}", f"begins={word[:4]}", f"ends={word[-2:]}", f"ends={word[-4:]}"]
    found.append(f"length={min(len(text), _LONG)}")
    return found + ["capitals"] * text.isupper() + ["capital"] * text[0].isupper()


def _around(at: int, shared: Sequence[Sequence[str]]) -> list[str]:
    found: list[str] = []
    for offset in _NEIGHBOURS:
        place = at + offset
        inside = 0 <= place < len(shared)
        found += [f"{offset}:{each}" for each in (shared[place] if inside else ("edge",))]
    return found


def _pairs(at: int, small: Sequence[str]) -> list[str]:
    found = [f"before={small[at - 1]} {small[at]}"] if at else []
    return found + ([f"after={small[at]} {small[at + 1]}"] if at + 1 < len(small) else [])


def _far(small: Sequence[str], told: Sequence[Sequence[str]]) -> list[list[str]]:
    """For each token the next cue and the next known name on either side."""
    found: list[list[str]] = [[] for _ in small]
    cues = [cue(word) for word in small]
    names = [next((t for t in some if t.startswith("told=")), "")[:-2] for some in told]
    for side, places in (("left", range(len(small))), ("right", range(len(small))[::-1])):
        place, said, name = 0, "", ""
        for at in places:
            if said:
                found[at].append(f"{side} {said} {_distance(abs(at - place))}")
            if name:
                found[at].append(f"{side} {name}")
            if cues[at]:
                place, said = at, cues[at]
            name = names[at] or name
    return found


def _distance(tokens: int) -> str:
    return "near" if tokens <= _NEAR else "farther" if tokens <= _FARTHER else "far"


def _known(small: Sequence[str], names: Names) -> list[list[str]]:
    """For each token, as what known names it may begin or go on."""
    found: list[dict[str, None]] = [{} for _ in small]
    for start in range(len(small)):
        for end in range(start + 1, min(len(small), start + _LONGEST_NAME) + 1):
            for type_ in names.get(" ".join(small[start:end]), ()):
                found[start][f"known=B {type_}"] = None
                for place in range(start + 1, end):
                    found[place][f"known=I {type_}"] = None
    return [list(each) for each in found]


def _shape(word: str) -> str:
    """Capitals as A, small letters as a, digits as 0; what is repeated, once.

    >>> _shape("Aspirin"), _shape("VEGF"), _shape("12")
    ('Aa', 'A', '0')
    """
    signs = "".join(
        "A" if c.isupper() else "a" if c.isalpha() else "0" if c.isdigit() else c for c in word
    )
    return _REPEATED.sub(r"\1", signs)


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
        known = [(AnnotatedText(each.text, teller(each.text)), each) for each in texts]
        scored = []
        for train, test in _held_out(known):
            tagger = cls(_trained(train), _labelled_names(text for _, text in train), teller)
            scored += [(tagger.marked(text), labelled) for text, labelled in test]
        way = best_way(scored, in_every_text(texts))
        return cls(_trained(known), _labelled_names(texts), teller, way)

    def find(self, text: str) -> tuple[Span, ...]:
        """What a text names, in its order, without overlaps."""
        return decoded(self.marked(AnnotatedText(text, self.teller(text))), text, self.way)

    def marked(self, known: AnnotatedText) -> list[Marked]:
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


_Example = tuple[AnnotatedText, Labelled]


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
