"""`medweave stats`: what a base holds, in numbers."""

from __future__ import annotations

from typing import Annotated

import typer

from medweave.cli.common import Json, Kb, console, print_json, reading


def stats(
    kb: Kb = "",
    hash_only: Annotated[bool, typer.Option("--hash", help="Print the hash alone.")] = False,
    json: Json = False,
) -> None:
    """Count what a base holds; `--hash` is equal for equal bases however they were made."""
    with reading(kb) as base:
        if hash_only:
            typer.echo(base.version.hash)
            return
        counts = base.stats()
    if json:
        print_json(counts)
        return
    from medweave.presentation.terminal import print_statistics

    print_statistics(counts, console())
