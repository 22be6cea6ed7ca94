"""Who may write to a base that several machines reach: one at a time, as its header says.

Whoever writes renews its lease. One that was not renewed for `SECONDS` has run out, and one of a
process of this machine that is no more ends at once; whoever takes it then takes back what was left
half written.
"""

from __future__ import annotations

import json
import os
import socket
import time
from functools import cache
from pathlib import Path

SECONDS = 60.0
"""A lease that nobody renewed for so long has run out. Clocks of machines may differ by less."""
RENEWED = 10.0
"""After so many seconds a lease is renewed."""
BUSY_SECONDS = 2.0
"""How long a writer waits for another one before it gives up."""


def new_lease() -> str:
    """A lease of this process, from now on."""
    return json.dumps({"machine": _machine(), "process": os.getpid(), "seen": time.time()})


def is_free(lease: str) -> bool:
    """Whether another may write.

    >>> is_free(""), is_free(new_lease())
    (True, False)
    """
    if not lease:
        return True
    held = json.loads(lease)
    if held["machine"] == _machine() and not _lives(held["process"]):
        return True
    return abs(time.time() - held["seen"]) > SECONDS


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # somebody else's
    return True


@cache
def _machine() -> str:
    """This machine, since it was started, and which of its processes we can see."""
    parts = [socket.gethostname()]
    boot, space = Path("/proc/sys/kernel/random/boot_id"), Path("/proc/self/ns/pid")
    if boot.exists() and space.exists():
        parts += [boot.read_text().strip(), os.readlink(space)]
    return " ".join(parts)
