"""`medweave guideline draw`: the logic of a guideline as a picture."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from medweave.faces.cli.common import write_file
from medweave.faces.cli.options import Kb


def draw(
    guideline: Annotated[
        str, typer.Argument(help="sample, a file, or id@version in the base.", show_default=False)
    ],
    classification: Annotated[
        str, typer.Option("--classification", help="One alone: its id, label or an alias.")
    ] = "",
    out: Annotated[
        str, typer.Option("--out", help="FILE.svg for a picture, FILE.mmd for Mermaid text.")
    ] = "",
    kb: Kb = "",
) -> None:
    """Draw the logic of a guideline, or of one classification; Mermaid text without --out."""
    kind = Path(out).suffix.lower()
    if out and kind not in (".svg", ".mmd"):
        raise typer.BadParameter("--out is a file that ends in .svg or .mmd")
    from medweave.faces.cli.guideline import guideline_named
    from medweave.faces.pictures.rule_mermaid import mermaid
    from medweave.faces.pictures.rule_picture import rule_picture
    from medweave.faces.texts.visible import visible
    from medweave.guideline.drawing import drawing_of

    drawing = drawing_of(guideline_named(guideline, kb), classification)
    if not out:
        sys.stdout.write(visible(mermaid(drawing)))
    else:
        write_file(Path(out), rule_picture(drawing) if kind == ".svg" else mermaid(drawing))
