"""What is told of each token, for a model that labels sequences.

The token and its neighbours: the word, its shape, its beginning and end, and what known names say
of it. As in BANNER (Leaman and Gonzalez, 2008) and the systems of BioCreative V on its task CDR.
Of the whole text: what an abbreviation stands for. How often a word comes and in which sentence was
told as well, and only did harm where few texts teach.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from medweave.language.abbreviations import abbreviations
from medweave.sources.abstracts.entities.spans import Span
from medweave.sources.abstracts.entities.tokens import Token, tokenised_sentences

_NEIGHBOURS = (-2, -1, 1, 2)
_LONGEST_NAME = 8
"""Tokens of a known name."""
_LONG = 8
_REPEATED = re.compile(r"(.)\1+")

Names = Mapping[str, Collection[str]]
"""Known names by `name_key`, with the types that they were labelled with."""


@dataclass(frozen=True)
class Told:
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
        for tokens, told in zip(self.sentences, self._known_marks, strict=True):
            yield _token_features(tokens, names, told)

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
    return [
        [
            *shared[at],
            *_own(tokens[at].text, small[at]),
            *_around(at, shared),
            *_pairs(at, small),
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
