"""Rows of a model file, each the whole numbers of one feature, read when the feature is met.

Few features are ever met in a question, and a model is loaded with every first question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

Row = TypeVar("Row")
BETWEEN = "|"
"""Parts one feature, or one row, from the next; no symbol of a question is one."""


class WeightRows(Mapping[str, Row], Generic[Row]):
    """What is known of each feature, brought from whole numbers when it is asked for.

    >>> WeightRows({"how": "120 -5"}, lambda numbers: [n / 100 for n in numbers])["how"]
    [1.2, -0.05]

    Raises `ValueError` where a row holds anything but whole numbers, or numbers that `read` does
    not take: at once, or where `check` is off, when the row is read.
    """

    def __init__(
        self, rows: Mapping[str, str], read: Callable[[list[int]], Row], *, check: bool = True
    ) -> None:
        self._rows, self._reading = rows, read
        self._read: dict[str, Row] = {}
        for feature in rows if check else ():
            self._row(feature)

    def __getitem__(self, feature: str) -> Row:
        found = self._read.get(feature)
        if found is None:
            found = self._read[feature] = self._row(feature)
        return found

    def _row(self, feature: str) -> Row:
        return self._reading(list(map(int, self._rows[feature].split(" "))))

    def get(self, feature: str, default: Any = None, /) -> Any:
        """As of any mapping; asked of every feature of a question, so it must be quick."""
        found = self._read.get(feature)
        if found is None:
            return self[feature] if feature in self._rows else default
        return found

    def __contains__(self, feature: object) -> bool:
        return feature in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def rows_text(rows: Iterable[Sequence[int]]) -> str:
    """Rows as a file keeps them, in one text, which is read much faster than many.

    >>> rows_text([[120, -5], [7, 0]])
    '120 -5|7 0'
    """
    return BETWEEN.join(" ".join(map(str, row)) for row in rows)


def texts_of_rows(features: str, rows: str) -> dict[str, str]:
    """The rows by feature: both in the same order. Raises `ValueError` where one lacks the other.

    >>> texts_of_rows("how|why", "120 -5|7 0")
    {'how': '120 -5', 'why': '7 0'}
    """
    return dict(zip(features.split(BETWEEN), rows.split(BETWEEN), strict=True))
