"""Weights of features as a model file keeps them: a line of whole numbers for each feature.

A line is read when its feature is met in a question: few ever are, and a model is loaded with
every first question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

_SIGNS = b"0123456789- "
_DIGITS = 12
"""More than any weight has."""


class WeightRows(Mapping[str, Sequence[float]]):
    """Rows of weights, brought to numbers when a row is asked for.

    >>> WeightRows({"how": "120 -5"}, unit=0.01, width=2)["how"]
    [1.2, -0.05]

    Raises `ValueError` where a row does not hold `width` whole numbers.
    """

    def __init__(self, rows: dict[str, str], *, unit: float, width: int) -> None:
        longest = width * _DIGITS
        if any(row.count(" ") != width - 1 or len(row) > longest for row in rows.values()):
            raise ValueError("a row has too few weights, or too many")
        if not _whole_numbers(f" {' '.join(rows.values())} "):
            raise ValueError("a weight is no whole number")
        self._rows, self._unit = rows, unit
        self._read: dict[str, list[float]] = {}

    def __getitem__(self, feature: str) -> Sequence[float]:
        found = self._read.get(feature)
        if found is None:
            found = [int(value) * self._unit for value in self._rows[feature].split(" ")]
            self._read[feature] = found
        return found

    def __contains__(self, feature: object) -> bool:
        return feature in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def row_text(weights: Sequence[float], unit: float) -> str:
    """A row as a file keeps it.

    >>> row_text([1.2, -0.05], 0.01)
    '120 -5'
    """
    return " ".join(str(round(weight / unit)) for weight in weights)


def _whole_numbers(text: str) -> bool:
    """Whether a text is whole numbers, each between two spaces; quicker than reading them."""
    return (
        not text.encode().translate(None, _SIGNS)
        and "  " not in text
        and "- " not in text
        and text.count("-") == text.count(" -")
    )
