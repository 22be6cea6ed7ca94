"""A time after which nobody waits any more for a driver that knows no such time itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

_Found = TypeVar("_Found")


class Deadline:
    """Work done in a thread that is left to itself when its time is over.

    >>> Deadline(5).of(lambda: 2 + 2)
    4
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def of(self, work: Callable[[], _Found]) -> _Found:
        """What the work gives or raises; `TimeoutError` where it takes too long."""
        done: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()

        def run() -> None:
            try:
                done.put((work(), None))
            except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
                done.put((None, error))

        threading.Thread(target=run, daemon=True).start()
        try:
            found, error = done.get(timeout=self._seconds)
        except Empty:
            raise TimeoutError(f"no answer within {self._seconds:g} s") from None
        if error is not None:
            raise error
        return found
