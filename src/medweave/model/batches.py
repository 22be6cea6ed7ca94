"""Long lists, some of them at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

_T = TypeVar("_T")


def batches(things: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """So many at a time, in their order, and fewer at last; of nothing there is no part.

    >>> list(batches("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    left = iter(things)
    while part := list(islice(left, size)):
        yield part
