"""`medweave stats`: what a base holds, in numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from medweave.errors import ConfigurationError
from medweave.faces.cli.common import reading, show, write_file
from medweave.faces.cli.options import InPlace, Json, Kb


def stats(
    kb: Kb = "",
    mapping: InPlace = "",
    hash_only: Annotated[bool, typer.Option("--hash", help="Print the hash alone.")] = False,
    picture: Annotated[
        str, typer.Option("--picture", help="Also draw how many edges things have (SVG).")
    ] = "",
    json: Json = False,
) -> None:
    """Count what a base holds; `--hash` is equal for equal bases however they were made."""
    with reading(kb, mapping=mapping) as base:
        if hash_only:
            if base.version.in_place:
                raise ConfigurationError(
                    "what is asked in place has no hash",
                    where="--hash",
                    remedy="leave --hash out, or build a base of your own",
                )
            typer.echo(base.version.hash)
            return
        counts = base.stats()
    if picture:
        from medweave.faces.pictures.degree_picture import degree_picture

        write_file(Path(picture), degree_picture(counts["topology"]))
    show(counts, "reports:print_statistics", json=json)
