"""What is told of each token, for a model that labels sequences.

The token and its neighbours: the word, its shape, its beginning and end, and what known names say
of it. As in BANNER (Leaman and Gonzalez, 2008) and the systems of BioCreative V on its task CDR.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from medweave.sources.abstracts.entities.tokens import Token

_NEIGHBOURS = (-2, -1, 1, 2)
_LONGEST_NAME = 8
"""Tokens of a known name."""
_LONG = 8
_REPEATED = re.compile(r"(.)\1+")

Names = Mapping[str, Collection[str]]
"""Known names by `name_key`, with the types that they were labelled with."""


def token_features(tokens: Sequence[Token], names: Names) -> list[list[str]]:
    """The features of each token of a sentence."""
    small = [token.text.lower() for token in tokens]
    known = _known(small, names)
    shared = [
        [f"word={word}", f"shape={_shape(token.text)}", f"ends={word[-3:]}", *by_name]
        for token, word, by_name in zip(tokens, small, known, strict=True)
    ]
    return [
        [*shared[at], *_own(tokens[at].text, small[at]), *_around(at, shared), *_pairs(at, small)]
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
