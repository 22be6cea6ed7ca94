"""Finding in a text what is said to stand there: blanks, case and typographic signs may differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from unicodedata import normalize

_SAME = str.maketrans("‘’‚“”„«»–—‐‑−，。！？：；（）", '\'\'\'"""""-----,.!?:;()')
_AROUND = " .,;:!?…\"'"
_SHORTEST = 4
"""Characters of a quote; of one in Chinese, half as many."""
_ASCII = 128
_STARTS = 20
"""Places where a quote may begin that leaves something out."""
_LEFT_OUT = re.compile(r"\s*(?:…|\.{3}|\[[^\]]{0,3}\])\s*")
"""What stands in a quote for what it leaves out."""


def long_enough(quote: str) -> bool:
    """Whether a quote has so many signs that finding it means something.

    >>> long_enough("ear"), long_enough("耳痛")
    (False, True)
    """
    needle = _folded(quote)[0].strip(_AROUND)
    return len(needle) * (1 + (max(needle, default="") >= chr(_ASCII))) >= _SHORTEST


class QuotedText:
    """A text in which names and quotes are looked for."""

    def __init__(self, text: str) -> None:
        self._written = text

    def places(self, quote: str, *, plural: bool = False) -> Iterator[tuple[int, int]]:
        """Where a quote begins and ends in the text, each time; a `plural` may have its s there.

        A word is not cut: "ear" is not in "heart".

        >>> list(QuotedText("It’s  my EAR. My ear!").places("my ear"))
        [(6, 12), (14, 20)]
        """
        needle = _folded(quote)[0].strip(_AROUND)
        if not any(sign.isalnum() for sign in needle):
            return
        text, places = self._folded
        start = text.find(needle)
        while start >= 0:
            stop = start + len(needle)
            if plural and text[stop : stop + 1] == "s":
                stop += not needle.endswith("s")
            if not any(_in_a_word(text, end) for end in (start, stop)):
                yield places[start], places[stop - 1] + 1
            start = text.find(needle, start + 1)

    def whole(self, quote: str) -> tuple[int, int] | None:
        """Where a quote stands, of which something may be left out ("smoking … worsens it"): of
        several such stretches the shortest."""
        first, *others = [*filter(str.strip, _LEFT_OUT.split(quote)), ""]
        starts = islice(self.places(first), _STARTS)
        found = [(start, self._end(end, others)) for start, end in starts]
        whole = [(start, end) for start, end in found if end is not None]
        return min(whole, key=lambda place: place[1] - place[0], default=None)

    def _end(self, after: int, parts: Sequence[str]) -> int | None:
        """Where parts end that follow one another; None where one of them does not follow."""
        end: int | None = after
        for part in filter(None, parts):
            end = next((e for s, e in self.places(part) if s >= (end or 0)), None)
            if end is None:
                return None
        return end

    @cached_property
    def _folded(self) -> tuple[str, list[int]]:
        return _folded(self._written)


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
