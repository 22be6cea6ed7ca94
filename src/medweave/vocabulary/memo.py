"""What was looked up before, and need not be looked up again: most words of most texts are common.

It is for what stays as it is: a base at one revision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

KEPT = 1 << 15
"""So many are remembered; beyond that all are forgotten."""
V = TypeVar("V")


class Memo(Generic[V]):
    """What texts stand for; those that were never asked for are looked up, all at once.

    >>> def lengths(texts):
    ...     print("looked up:", *sorted(texts))
    ...     return {text: len(text) for text in texts if text.islower()}
    >>> known = Memo(lengths)
    >>> known.of(["cold", "ME"])
    looked up: ME cold
    {'cold': 4}
    >>> known.of(["ME", "cold"])
    {'cold': 4}
    """

    def __init__(self, look_up: Callable[[set[str]], Mapping[str, V]], *, most: int = KEPT) -> None:
        self._look_up = look_up
        self._most = most
        self._found: dict[str, V | None] = {}

    def of(self, texts: Iterable[str]) -> dict[str, V]:
        """What each of some texts stands for; those that stand for nothing are left out."""
        wanted = set(texts)
        known = self._found
        new = wanted.difference(known)
        if new:
            if len(known) + len(new) > self._most:
                known = self._found = {}
                new = wanted
            looked_up = self._look_up(new)
            known.update({text: looked_up.get(text) for text in new})
        return {text: found for text in wanted if (found := known[text]) is not None}
