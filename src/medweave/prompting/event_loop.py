"""The one event loop in which language models are asked; it runs in a thread of its own.

So a model may be asked by any thread, also by one in which a loop runs, as in a notebook.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine, Generator
from functools import cache
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

_Result = TypeVar("_Result")
_LOCK = Lock()


def result_of(work: Coroutine[Any, Any, _Result]) -> _Result:
    """Wait for what the loop makes of some work; who is interrupted interrupts that, too."""
    running = asyncio.run_coroutine_threadsafe(work, _loop())
    try:
        return running.result()
    finally:
        running.cancel()


def pieces_of(
    work: Callable[[Callable[[str], None]], Awaitable[_Result]],
) -> Generator[str, None, _Result]:
    """What some work hands out as it goes on; its result is what the generator returns."""
    pieces: SimpleQueue[str | None] = SimpleQueue()

    async def until_the_end() -> _Result:
        try:
            return await work(pieces.put)
        finally:
            pieces.put(None)

    running = asyncio.run_coroutine_threadsafe(until_the_end(), _loop())
    try:
        while (piece := pieces.get()) is not None:
            yield piece
        return running.result()
    finally:  # also where nobody listens any more
        running.cancel()


def _loop() -> asyncio.AbstractEventLoop:
    with _LOCK:
        return _loop_of(os.getpid())


@cache
def _loop_of(process: int) -> asyncio.AbstractEventLoop:  # noqa: ARG001 - a fork has no thread
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="language models", daemon=True).start()
    return loop
