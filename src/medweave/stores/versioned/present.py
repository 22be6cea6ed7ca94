"""What the one writer of a base knows to be in it, so that it need not ask the database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

SHARED = ("document", "statement", "thing", "run", "vector", "named")
"""The kinds of rows of which a writer asks which are there already; `named` are no rows, but the
things that rows of names are about."""
_MOST = 1_000_000
"""So many numbers are kept (some 80 MB); a writer of more asks the database."""


class Present:
    """The numbers of all rows that hold, of each shared kind; or nothing is known.

    It is known of a base that was empty when its writer came, until that writer leaves or takes
    back something that it wrote: meanwhile nobody else writes.

    >>> present = Present()
    >>> present.among("thing", [1, 2]) is None
    True
    >>> present.is_empty()
    >>> present.came("thing", [1, 2, 3])
    >>> present.went("thing", [2])
    >>> present.among("thing", [1, 2])
    {1}
    >>> present.never_ended("thing"), present.never_ended("run")
    (False, True)
    """

    def __init__(self) -> None:
        self._numbers: dict[str, set[int]] | None = None
        self._size = 0
        self._ended: set[str] = set()

    def is_empty(self) -> None:
        """The base has no rows at all."""
        self._numbers, self._size, self._ended = defaultdict(set), 0, set()

    def forget(self) -> None:
        """Nothing is known any more."""
        self._numbers = None

    def came(self, kind: str, numbers: Collection[int]) -> None:
        """Rows were written that were not there."""
        if self._numbers is not None and kind in SHARED:
            self._numbers[kind].update(numbers)
            self._size += len(numbers)
            if self._size > _MOST:
                self.forget()

    def went(self, kind: str, numbers: Collection[int]) -> None:
        """Rows hold no more."""
        self._ended.add(kind)
        if self._numbers is not None and kind in SHARED:
            self._numbers[kind].difference_update(numbers)

    def never_ended(self, kind: str) -> bool:
        """Whether all rows of a kind that were ever written hold, for certain."""
        return self._numbers is not None and kind not in self._ended

    def among(self, kind: str, numbers: Collection[int]) -> set[int] | None:
        """Those of some numbers that rows of a kind have; None where that is not known."""
        if self._numbers is None:
            return None
        held = self._numbers[kind]
        return {number for number in numbers if number in held}
