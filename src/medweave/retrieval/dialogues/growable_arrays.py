"""Columns of numbers that grow, without being copied each time; they need numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from medweave.model.arrays import numpy_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MORE = 4
"""A column that is full grows by one part in so many."""


class GrowableArray:
    """One column; what `values` gave before may be older than the column.

    >>> column = GrowableArray("i8")
    >>> column.extend([3, 4, 5])
    >>> column.keep(column.values != 4)
    >>> column.extend([6]); column.values.tolist()
    [3, 5, 6]
    """

    def __init__(self, kind: str) -> None:
        """`kind` is how numpy calls its numbers. Raises `ConfigurationError` without numpy."""
        self._np = numpy_for("a graph of dialogues")
        self._held: NDArray[Any] = self._np.empty(0, kind)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def values(self) -> NDArray[Any]:
        """The column; writing to it changes it."""
        return self._held[: self._count]

    def extend(self, more: Any) -> None:
        """Add numbers at the end."""
        count = self._count + len(more)
        if count > len(self._held):
            room = self._np.empty(count + (count // _MORE if self._count else 0), self._held.dtype)
            room[: self._count] = self.values
            self._held = room
        self._held[self._count : count] = more
        self._count = count

    def keep(self, which: NDArray[Any]) -> None:
        """Take out all numbers but those in the places where `which` is true."""
        remaining = self.values[which]
        self._held[: len(remaining)] = remaining
        self._count = len(remaining)


class Links:
    """Links between numbered things, as columns."""

    def __init__(self) -> None:
        self._first, self._second = GrowableArray("i4"), GrowableArray("i4")
        self._kind, self._both, self._statement = (
            GrowableArray("i4"),
            GrowableArray("?"),
            GrowableArray("i8"),
        )

    def __len__(self) -> int:
        return len(self._first)

    @property
    def first(self) -> NDArray[Any]:
        """Where each link begins."""
        return self._first.values

    @property
    def second(self) -> NDArray[Any]:
        """Where each link ends."""
        return self._second.values

    @property
    def kind(self) -> NDArray[Any]:
        """The number of its kind."""
        return self._kind.values

    @property
    def both(self) -> NDArray[Any]:
        """Whether it goes out of its end, too."""
        return self._both.values

    @property
    def statement(self) -> NDArray[Any]:
        """The number of the statement that it is; -1 for a link of likeness."""
        return self._statement.values

    def extend(self, *columns: Any) -> None:
        """Add links: their columns, in the order of the properties."""
        for held, more in zip(self._columns, columns, strict=True):
            held.extend(more)

    def keep(self, which: NDArray[Any]) -> None:
        """Take out all links but those in the places where `which` is true."""
        for held in self._columns:
            held.keep(which)

    @property
    def _columns(self) -> tuple[GrowableArray, ...]:
        return self._first, self._second, self._kind, self._both, self._statement
