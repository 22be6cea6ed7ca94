"""Commands run in this process: what they print and how they end, without their start.

Starting a program takes ten times what most commands do. `run()` is all there is of a command but
that start, so it is called as `python -m medweave` calls it, with streams, variables and a folder
of its own. What is about the process itself (signals, terminals, limits, what is imported) starts
one: see `tests/docs` for the program as it is installed.
"""

from __future__ import annotations

import gc
import io
import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from medweave import KnowledgeBase
from medweave.app import sample_path
from medweave.faces.cli.common import Run
from medweave.faces.cli.main import run


class Ran(NamedTuple):
    """How a command ended, and what it printed."""

    status: int
    out: str
    err: str


def medweave(*arguments: object, given: str | bytes = "", **environment: str) -> Ran:
    """A command with a text on its standard input, and variables besides those there are."""
    return command(map(str, arguments), given=given, environment={**os.environ, **environment})


def command(
    arguments: Iterable[str],
    *,
    given: str | bytes = "",
    environment: Mapping[str, str],
    folder: Path | None = None,
    together: bool = False,
) -> Ran:
    """A command with these variables and no others; `together` is one stream for all it prints."""
    raw = given if isinstance(given, bytes) else given.encode()
    out = _Printed(io.BytesIO(), "utf-8", write_through=True)
    err = out if together else _Printed(io.BytesIO(), "utf-8", write_through=True)
    threshold = gc.get_threshold()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["medweave", *arguments])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), "utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        patch.setattr(Run, "debug", False)
        patch.setattr(Run, "json", False)
        for name in set(os.environ) - set(environment):
            patch.delenv(name)
        for name, value in environment.items():
            patch.setenv(name, value)
        if folder:
            patch.chdir(folder)
        try:
            run()
            status = 0
        except SystemExit as end:
            assert end.code is None or isinstance(end.code, int), end.code
            status = end.code or 0
        finally:
            gc.set_threshold(*threshold)
            gc.unfreeze()
    return Ran(status, out.printed(), err.printed())


class _Printed(io.TextIOWrapper):
    """A stream that no screen is behind, and what was printed to it."""

    def printed(self) -> str:
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode()


def cache_with_sample(folder: Path) -> Path:
    """A folder for `XDG_CACHE_HOME` in which the sample base lies, which takes long to make."""
    KnowledgeBase.sample().close()
    made = sample_path()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        target = sample_path()
    target.parent.mkdir(parents=True)
    shutil.copy(made, target)
    return folder
