"""`medweave copy`: a base into another store."""

from __future__ import annotations

from typing import Annotated

import typer

from medweave.faces.cli.common import console, print_json, progress
from medweave.faces.cli.options import Json


def copy(
    source: Annotated[
        str, typer.Argument(metavar="FROM", help="The base to copy.", show_default=False)
    ],
    target: Annotated[
        str, typer.Argument(metavar="TO", help="Where the copy goes.", show_default=False)
    ],
    force: Annotated[
        bool, typer.Option("--force", help="Replace another base that is there already.")
    ] = False,
    from_vectors: Annotated[
        str,
        typer.Option(
            "--from-vectors",
            help="Where the vectors of FROM are, if in Weaviate; none to leave them out.",
            show_default=False,
        ),
    ] = "",
    to_vectors: Annotated[
        str,
        typer.Option(
            "--to-vectors",
            help="Where the vectors of TO go: weaviate://HOST:PORT?grpc=PORT; otherwise into TO.",
            show_default=False,
        ),
    ] = "",
    json: Json = False,
) -> None:
    """Copy a base from any store to any other, and see that both are equal.

    Stopped in any way, the same command goes on; until it is done the copy cannot be asked.
    """
    from medweave.app import copy_between
    from medweave.settings import read_settings

    settings = read_settings()
    with progress() as shown:
        done = copy_between(
            source,
            target,
            force=force,
            from_vectors=from_vectors or settings.vectors,
            to_vectors=to_vectors,
            timeout=settings.timeout,
            progress=shown,
        )
    if json:
        print_json(
            {
                "from": done.source.to_json(),
                "to": done.target.to_json(),
                "documents": done.counts.documents,
                "statements": done.counts.statements,
                "evidence": done.counts.evidence,
                "already_there": done.already_there,
                "seconds": done.seconds,
            }
        )
        return
    report = (
        f"copied and checked: {done.counts.documents} documents ({done.already_there} were there"
        f" already), {done.counts.statements} statements in {done.seconds:.1f} s"
    )
    console().print(report, markup=False)
