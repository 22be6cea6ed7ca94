"""`medweave audit`: what a server wrote down of its answers, checked and replayed."""

from __future__ import annotations

import json as json_text
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medweave.faces.cli.common import print_json, reading, tell
from medweave.faces.cli.options import Json, Kb

if TYPE_CHECKING:
    from collections.abc import Iterable

    from medweave.audit.file import Broken

app = typer.Typer(no_args_is_help=True, help="Check, replay and shorten an audit file.")
File = Annotated[Path, typer.Argument(help="The audit file.", show_default=False)]


@app.command()
def verify(
    file: File,
    head: Annotated[
        str, typer.Option("--head", help="A hash noted earlier: a tail cut since then is found.")
    ] = "",
    json: Json = False,
) -> None:
    """Whether the file is as it was written; exit status 1 where it is not."""
    from medweave.audit.file import verify as verified

    found = verified(file, head=head)
    if json:
        print_json(found.to_json())
    else:
        _say(f"{found.records} records, {found.purged} of them purged; head {found.head}")
        _say_broken(found.broken)
        _say("as it was written" if found.ok else "NOT as it was written")
    if not found.ok:
        raise typer.Exit(1)


@app.command()
def replay(
    file: File,
    kb: Kb = "",
    guideline: Annotated[
        list[str] | None,
        typer.Option("--guideline", help="A guideline file that assessments were made by."),
    ] = None,
    json: Json = False,
) -> None:
    """Whether the base says today what the file says that it said; exit status 1 where not."""
    from medweave.audit.replay import replay as replayed

    with reading(kb) as base:
        found = replayed(file, base, ("sample", *(guideline or ())))
    if json:
        print_json(found.to_json())
    else:
        left = f", {len(found.not_replayable)} cannot be" if found.not_replayable else ""
        _say(f"{found.replayed} replayed{left}; {found.same} the same")
        _say_broken(found.different)
    if found.different:
        raise typer.Exit(1)


@app.command()
def purge(
    file: File,
    before: Annotated[str, typer.Option("--before", help="A day or time, such as 2026-01-31.")],
    json: Json = False,
) -> None:
    """Leave of older records only their place in the chain."""
    from medweave.audit.file import purge as purged

    count = purged(file, before)
    tell({"purged": count}, f"{count} records purged", json=json)


@app.command()
def show(
    file: File,
    n: Annotated[int, typer.Argument(help="One record; all where it is 0.", min=0)] = 0,
) -> None:
    """Print the records, a line each, as they stand in the file."""
    from medweave.audit.file import read_audit

    for number, record in read_audit(file):
        if not n or (record and record["n"] == n):
            unread = {"error": {"message": f"line {number} is no record"}}
            _say(json_text.dumps(record or unread, ensure_ascii=False))


def _say(line: str) -> None:
    from medweave.faces.texts.visible import visible

    sys.stdout.write(visible(line) + "\n")


def _say_broken(broken: Iterable[Broken]) -> None:
    for each in broken:
        _say(f"record {each.n}: {each.what}")
