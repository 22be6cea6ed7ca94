"""Finding in turns what somebody says they quote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from medweave.model.dialogue import Part, Turn
from medweave.model.statement import Place
from medweave.sources.quoted_text import QuotedText, long_enough


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
        return next(self._text.places(quote), None) if long_enough(quote) else None

    @cached_property
    def _text(self) -> QuotedText:
        return QuotedText(self.turn.text)


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
