"""Ours: how `medweave understand` reads a mention, by the cues around it."""

from __future__ import annotations

from medweave.evaluation.items import Item, Ranked
from medweave.language.cues import Reading, read_mention
from medweave.language.passage import passage_of


class CueReading:
    """Present, or said of nobody: affirmed; absent: negated; doubted or supposed: possible.

    >>> ranked = CueReading().rank(Item("1", (), "no fever", span=(3, 8)))
    >>> ranked.labels, ranked.temporality
    (('Negated',), 'Recent')
    """

    def rank(self, item: Item) -> Ranked:
        """One label, and the time."""
        start, end = item.span or (0, len(item.text))
        reading = read_mention(passage_of(item.text), start, end)
        return Ranked((_label(reading),), 1.0, temporality=reading.temporality.capitalize())


def _label(reading: Reading) -> str:
    if reading.status == "absent":
        return "Negated"
    return "Possible" if reading.doubted or reading.status == "hypothetical" else "Affirmed"
