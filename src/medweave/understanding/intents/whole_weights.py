"""A linear model whose weights are whole numbers, as its file keeps them: exact, and quick.

What a feature says for every label, and what it adds to the length of its view, stands in one
integer: a lane of 64 bits for each. Adding up such integers adds up all lanes at once, and in any
order the same comes out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from struct import Struct

from medweave.understanding.intents.linear import Linear

LARGEST = 1 << 22
"""Numbers are smaller: the sum of all features of the longest question fits into its lane."""
_LANE = 64
_SIGN = 1 << (_LANE - 1)
"""Added to every lane before they are read, so that none below 0 takes from the next; then taken
out again bit by bit, which leaves each as signed numbers are written."""
_KEPT = 1 << 16
"""So many features are remembered; beyond that all are forgotten."""


class PackedRows(dict[str, int]):
    """Rows of a model file by their features, packed when a feature is met; 0 for one without.

    `rows` hold an idf, then for each label of which the feature says something its place and the
    weight, with blanks between them. The lanes of a view are the square of the idf, and for each
    label the idf times the weight.

    >>> packed = PackedRows({"how": "3 1 -5"}, 2, ())
    >>> packed.lanes(packed["how"] + packed["how"] + packed["unknown"])
    (18, 0, -30)
    """

    def __init__(self, rows: Mapping[str, str], labels: int, views: Sequence[str]) -> None:
        super().__init__()
        self._rows, self._labels = rows, labels
        self._view = {sign: at for at, sign in enumerate(views, 1)}
        self._lanes = (1 + len(views)) * (1 + labels)
        self._struct = Struct(f"<{self._lanes}q")
        self._signs = sum(_SIGN << (_LANE * at) for at in range(self._lanes))

    def __missing__(self, feature: str) -> int:
        row = self._rows.get(feature)
        packed = self._packed(feature, row) if row else 0
        if len(self) >= _KEPT:
            self.clear()
        self[feature] = packed
        return packed

    def _packed(self, feature: str, row: str) -> int:
        idf, *said = map(int, row.split(" "))
        first = self._view.get(feature[0], 0) * (1 + self._labels)
        weights = {at: weight for at, weight in zip(said[::2], said[1::2], strict=True) if weight}
        lanes = {first: idf * idf} | {first + 1 + at: idf * w for at, w in weights.items()}
        return sum(number << (_LANE * at) for at, number in lanes.items())

    def lanes(self, packed: int) -> tuple[int, ...]:
        """The numbers in a sum of packed rows: of each view its squares, then its labels."""
        whole = (packed + self._signs) ^ self._signs
        return self._struct.unpack(whole.to_bytes(self._struct.size, "little"))


@dataclass(frozen=True, slots=True)
class WholeLinear(Linear):
    """A linear model as its file has it: `packed` are its rows, whole numbers of `unit`."""

    packed: PackedRows = field(kw_only=True)
    unit: float = field(kw_only=True)

    def scores(self, grams: Mapping[str, int]) -> list[float]:
        """See `Linear.scores`; the order of the features changes nothing."""
        row_of = self.packed.__getitem__
        once = [gram for gram, count in grams.items() if count == 1]
        by_count: dict[int, int] = {1: sum(map(row_of, once))}
        for gram, count in grams.items() if len(once) < len(grams) else ():
            if count > 1:
                by_count[count] = by_count.get(count, 0) + row_of(gram)
        lanes = [(1 + log(count), self.packed.lanes(rows)) for count, rows in by_count.items()]
        step = 1 + len(self.labels)
        totals = list(self.bias)
        for at, view in enumerate(("", *self.views)):
            first = at * step
            of_view = [(tf, some[first : first + step]) for tf, some in lanes if some[first]]
            if of_view:
                length = sqrt(sum(tf * tf * squares for tf, (squares, *_) in of_view))
                share = self.unit * self.views.get(view, 1.0) / length
                for tf, (_, *said) in of_view:
                    each = share * tf
                    totals = [t + each * number for t, number in zip(totals, said, strict=True)]
        return totals
