"""The page, served beside something else that runs in a terminal."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_PORTS = ("8080", "0")
"""The usual one; another where that is taken."""


@contextmanager
def page_beside(*arguments: str) -> Iterator[str]:
    """The address of a page that is served meanwhile; '' where it cannot be.

    It is a process of its own, so that neither waits for the other, and ends with what it is
    beside.
    """
    for port in _PORTS:
        with _served(port, arguments) as served, served.stdout as told:  # type: ignore[union-attr]
            if line := told.readline():
                try:
                    yield str(json.loads(line)["url"])
                finally:
                    served.terminate()
                return
    yield ""


def _served(port: str, arguments: tuple[str, ...]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-m", "medweave", "serve", "--json", "--port", port, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
