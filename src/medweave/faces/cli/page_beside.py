"""The page, served beside something else that runs in a terminal."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_PORTS = ("8080", "0")
"""The usual one; another where that is taken."""
_LAST_SECONDS = 10


@contextmanager
def page_beside(*arguments: str) -> Iterator[str]:
    """The address of a page that is served meanwhile; '' where it cannot be.

    It is a process of its own, so that neither waits for the other, and ends with what it is
    beside.
    """
    process, url = None, ""
    for port in _PORTS:
        process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-m", "medweave", "serve", "--json", "--port", port, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        line = process.stdout.readline() if process.stdout else b""
        if line:
            url = str(json.loads(line)["url"])
            break
        process.wait()
    try:
        yield url
    finally:
        if process is not None and process.poll() is None:
            process.terminate()
            process.wait(_LAST_SECONDS)
