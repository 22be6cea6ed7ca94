"""The pieces of a sentence that an entity may begin or end with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from medweave.language.sentences import sentences

_PIECE = re.compile(r"[^\W\d_]+|\d+|[^\s\w]|_")


class Token(NamedTuple):
    """Letters, digits, or one sign."""

    start: int
    end: int
    text: str


def tokenised_sentences(text: str) -> Iterator[list[Token]]:
    """The tokens of each sentence, in places of the whole text.

    >>> [[token.text for token in found] for found in tokenised_sentences("VEGF-A rose. It fell.")]
    [['VEGF', '-', 'A', 'rose', '.'], ['It', 'fell', '.']]
    """
    for start, end, _ in sentences(text):
        found = [Token(*match.span(), match[0]) for match in _PIECE.finditer(text, start, end)]
        if found:
            yield found


def name_key(text: str) -> str:
    """A name as its tokens in small letters, which is how names are compared.

    >>> name_key("5-HT  receptor") == name_key("5 -ht receptor")
    True
    """
    return " ".join(match[0].lower() for match in _PIECE.finditer(text))
