"""What can be reached from something, step by step: above a class, below a rule, behind a value."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

_T = TypeVar("_T", bound=Hashable)


def reached(start: Iterable[_T], beyond: Callable[[_T], Iterable[_T]]) -> Iterator[_T]:
    """Where one starts, and all that is `beyond` it, each once: what goes in a circle ends too.

    >>> above = {"flu": ("infection", "disease"), "infection": ("disease",), "disease": ()}
    >>> sorted(reached(["flu"], above.__getitem__))
    ['disease', 'flu', 'infection']
    """
    waiting = list(dict.fromkeys(start))
    seen = set(waiting)
    while waiting:
        current = waiting.pop()
        yield current
        for each in beyond(current):
            if each not in seen:
                seen.add(each)
                waiting.append(each)
