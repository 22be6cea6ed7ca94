"""How a measured process is spoken to: one line of JSON in, one line of JSON out.

Times are taken inside the process, around the call that is measured, so that neither starting a
process nor talking to it is counted where it should not be.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

Handler = Callable[..., Mapping[str, Any]]


def serve(handlers: Mapping[str, Handler]) -> None:
    """Answer requests `{"do": name, …arguments}` until the input ends.

    What a library prints must not reach the answers, so file 1 is turned over to stderr first.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        name = request.pop("do")
        try:
            if name == "memory":
                answer: Mapping[str, Any] = {"bytes": peak_memory()}
            else:
                answer = handlers[name](**request)
        except Exception as error:  # a peer may fail in any way, and that is a result
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def peak_memory() -> int:
    """The most memory this process has held (VmHWM), in bytes."""
    for line in Path("/proc/self/status").read_text("utf-8").split("\n"):
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise OSError("this system does not tell the peak memory of a process")


def timed(call: Callable[[], object]) -> float:
    """The seconds one call takes."""
    started = perf_counter()
    call()
    return perf_counter() - started
