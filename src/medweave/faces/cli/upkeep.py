"""`medweave check`, `backup` and `compact`: looking after a base."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medweave.faces.cli.common import console, print_json, progress, reading, writing
from medweave.faces.cli.options import Json, Kb

if TYPE_CHECKING:
    from medweave.ports import Problem

_UNITS = ("bytes", "kB", "MB", "GB", "TB")
_STEP = 1000


def check(kb: Kb = "", json: Json = False) -> None:
    """Look whether a base is whole; ends with 1 where anything is wrong."""
    with reading(kb) as base, progress() as shown:
        found, version = base.check(progress=shown), base.version
    if json:
        held = {"revision": version.revision, "hash": version.hash}
        print_json({"base": held, "problems": [problem.to_json() for problem in found]})
    elif not found:
        console().print(f"nothing is wrong: revision {version.revision}, {version.hash}")
    else:
        _print(found)
    if found:
        sys.exit(1)


def backup(
    file: Annotated[str, typer.Argument(help="Where the copy goes.", show_default=False)],
    kb: Kb = "",
    force: Annotated[
        bool, typer.Option("--force", help="Replace a file that is there already.")
    ] = False,
    json: Json = False,
) -> None:
    """Copy a base to a new file, also while it is used, and check the copy."""
    with reading(kb) as base, progress() as shown:
        version = base.backup(file, replace=force, progress=shown)
    size = Path(file).stat().st_size
    if json:
        held = {"revision": version.revision, "hash": version.hash}
        print_json({"file": file, "bytes": size, "base": held})
    else:
        report = f"copied to {file} and checked: revision {version.revision}, {_size(size)}"
        console().print(report, markup=False)


def compact(kb: Kb = "", json: Json = False) -> None:
    """Make a base as small as it can be, and mend what is derived from its facts."""
    with writing(kb, create=False) as base, progress() as shown:
        done = base.compact(progress=shown)
    if json:
        print_json(
            {
                "bytes": {"before": done.before, "after": done.after},
                "mended": [problem.to_json() for problem in done.mended],
                "problems": [problem.to_json() for problem in done.left],
            }
        )
    else:
        for problem in done.mended:
            console().print(f"mended: {problem}", markup=False)
        console().print(f"{_size(done.before)} before, {_size(done.after)} after")
        _print(done.left)
    if done.left:
        sys.exit(1)


def _print(problems: Sequence[Problem]) -> None:
    for problem in problems:
        console().print(str(problem), markup=False)
        console().print(f"  {problem.remedy}", markup=False)


def _size(size: float) -> str:
    """
    >>> _size(999), _size(31_400_000)
    ('999 bytes', '31.4 MB')
    """
    for unit in _UNITS:
        if size < _STEP or unit == _UNITS[-1]:
            break
        size /= _STEP
    return f"{size:.0f} {unit}" if unit == _UNITS[0] else f"{size:.1f} {unit}"
