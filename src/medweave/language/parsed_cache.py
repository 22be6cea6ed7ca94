"""What is made of a text at some cost, and always comes out the same, kept for the next process.

YAML is for people to write: reading all of it took a third of the time of one question from the
shell. Each text is kept under a digest of itself, so what is kept cannot be out of date, and a
cache that is gone, full or not ours to write costs time and nothing else.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

_FORM = 1
"""Raised when something else is made of the same text."""
_MOST = 500
"""So many are kept; beyond that all begin anew."""
_TIMES = 4
"""What is more times as long as its text is not kept: a few marks of YAML can stand for a lot."""


def cache_folder() -> Path:
    """Where medweave keeps what it can make again."""
    from platformdirs import user_cache_path  # nothing is kept where nothing is asked

    return user_cache_path("medweave")


def cached(text: str, make: Callable[[], Any]) -> Any:
    """What `make` makes of a text: read from the cache where it was made before.

    Only what comes back from JSON as it was is kept. What `make` raises is raised.
    """
    place = cache_folder() / "read" / f"{_digest(text)}.json"
    with suppress(OSError, ValueError):  # not there, or cut off
        return json.loads(place.read_text("utf-8"))
    made = make()
    with suppress(OSError, ValueError, TypeError):  # not ours to write, or nothing for JSON
        _keep(place, made, _TIMES * len(text))
    return made


def _digest(text: str) -> str:
    return blake2b(f"{_FORM} {text}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _keep(place: Path, made: Any, most: int) -> None:
    """Write beside its place, then move it there: nobody reads half of it."""
    written = ""
    for part in json.JSONEncoder(ensure_ascii=False).iterencode(made):
        written += part
        if len(written) > most:
            return
    if json.loads(written) != made:
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    others = list(place.parent.iterdir())
    for other in others if len(others) >= _MOST else ():
        other.unlink(missing_ok=True)
    unfinished = place.with_suffix(f".{os.getpid()}.part")
    unfinished.write_text(written, "utf-8")
    unfinished.replace(place)
