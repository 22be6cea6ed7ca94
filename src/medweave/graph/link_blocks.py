"""Pairs of near vectors in one block of all pairs: what one worker does of a similarity join.

Nothing here knows of keys or bases, so that a block can be computed in this process, in another
one, or on another machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from medweave.model.arrays import numpy_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

EXACTLY = 8192
"""So many pairs are scored again in double precision at one time: 50 MB."""
_DIGITS = 6
"""Of a cosine: so the same pairs are linked wherever they lie in a block."""
_SLACK = 1e-5
"""What single precision can lose of a cosine of a few hundred numbers, amply."""


class Pairs(NamedTuple):
    """Pairs as columns: a place among the rows, one among the columns, and their cosine."""

    first: NDArray[Any]
    second: NDArray[Any]
    cosine: NDArray[Any]


def near_pairs(rows: NDArray[Any], columns: NDArray[Any], shift: int, least: float) -> Pairs:
    """All pairs of a row and a column whose cosine is `least` or more.

    `rows` and `columns` are vectors of length 1 in single precision, `shift` is how many places the
    first row lies behind the first column in the order of all vectors: a pair counts where the row
    comes after the column, so each is found once, and nothing with itself. A product in single
    precision says which pairs can be near enough; their cosines are then computed in double
    precision and rounded, so they do not hang on blocks, threads or machines.

    >>> import numpy as np
    >>> east_and_up = np.array([[1, 0], [0, 1]], "f4")
    >>> found = near_pairs(np.array([[0.6, 0.8]], "f4"), east_and_up, shift=2, least=0.7)
    >>> found.first.tolist(), found.second.tolist(), found.cosine.tolist()
    ([0], [1], [0.8])
    """
    np = numpy_for("linking dialogues")
    first, second = np.nonzero(rows @ columns.T >= least - _SLACK)
    after = first + shift > second
    first, second = first[after].astype("i4"), second[after].astype("i4")
    cosines = np.empty(len(first))
    for start in range(0, len(first), EXACTLY):
        part = slice(start, start + EXACTLY)
        ones, others = rows[first[part]].astype("f8"), columns[second[part]].astype("f8")
        cosines[part] = (ones * others).sum(axis=1).round(_DIGITS)
    near = cosines >= least
    return Pairs(first[near], second[near], cosines[near])
