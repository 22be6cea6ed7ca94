"""Finding in turns what somebody says they quote: spaces, case and typographic signs may differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from unicodedata import normalize

from medweave.model.dialogue import Part, Turn
from medweave.model.statement import Place

_SAME = str.maketrans("‘’‚“”„«»–—‐‑−，。！？：；（）", '\'\'\'"""""-----,.!?:;()')
_AROUND = " .,;:!?…\"'"
_SHORTEST = 4
"""Characters of a quote; of one in Chinese, half as many."""
_ASCII = 128


@dataclass(frozen=True)
class QuotedTurn:
    """A turn in which quotes are looked for."""

    turn: Turn

    def find(self, quote: str) -> tuple[int, int] | None:
        """Where a quote begins and ends in the turn; None where it is not there.

        A word is not cut: "ear" is not in "heart".

        >>> QuotedTurn(Turn(1, "patient", "It’s  my EAR.")).find("it's my ear")
        (0, 12)
        """
        needle = _folded(quote)[0].strip(_AROUND)
        if len(needle) * (1 + (max(needle, default="") >= chr(_ASCII))) < _SHORTEST:
            return None
        text, places = self._folded
        start = text.find(needle)
        while start >= 0:
            stop = start + len(needle)
            if not any(_in_a_word(text, end) for end in (start, stop)):
                return places[start], places[stop - 1] + 1
            start = text.find(needle, start + 1)
        return None

    @cached_property
    def _folded(self) -> tuple[str, list[int]]:
        return _folded(self.turn.text)


def quoted(quotes: Sequence[str], turns: Sequence[QuotedTurn], how: str) -> list[Part]:
    """Those of the quotes that stand in a turn, each place once, in the order of the dialogue.

    What stands within another one is left out.
    """
    found: set[tuple[int, int, int]] = set()
    for quote in quotes:
        for number, held in enumerate(turns):
            place = held.find(quote)
            if place is not None:
                found.add((number, *place))
                break
    ordered = sorted(found, key=lambda one: (one[0], one[1], -one[2]))
    spans = ordered[:1]
    for _, one in pairwise(ordered):
        last = spans[-1]
        if one[0] != last[0] or one[1] >= last[2]:
            spans.append(one)
        elif one[2] > last[2]:  # they overlap: together they are one
            spans[-1] = (last[0], last[1], one[2])
    return [_part(turns[number].turn, start, end, how) for number, start, end in spans]


def _part(turn: Turn, start: int, end: int, how: str) -> Part:
    return Part(Place(turn.field, start, end), turn.text[start:end], how)


def _in_a_word(text: str, at: int) -> bool:
    """Whether a place lies between two letters of one word; Chinese has no such words."""
    if not 0 < at < len(text):
        return False
    return all(sign.isalnum() and ord(sign) < _ASCII for sign in text[at - 1 : at + 1])


def _folded(text: str) -> tuple[str, list[int]]:
    """A text as it is compared, and for each of its signs the place in the text as it stands."""
    signs: list[str] = []
    places: list[int] = []
    for place, sign in enumerate(text.translate(_SAME)):
        for one in normalize("NFKC", sign).lower() or sign:
            plain = " " if one.isspace() else one
            if plain == " " and signs[-1:] in ([], [" "]):
                continue
            signs.append(plain)
            places.append(place)
    return "".join(signs), places
