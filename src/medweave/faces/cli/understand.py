"""`medweave understand`: what a text mentions, of whom, and what it asks."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from medweave.faces.cli.common import console, piped, reading, show
from medweave.faces.cli.lines import each_line
from medweave.faces.cli.options import InPlace, Json, Kb

if TYPE_CHECKING:
    from medweave.knowledge_base import KnowledgeBase


def understand(
    text: Annotated[str, typer.Argument(help="The text.")] = "",
    kb: Kb = "",
    mapping: InPlace = "",
    lines: Annotated[
        str,
        typer.Option(
            "--lines", help="A file of texts, one a line, or -. JSON, unless on a terminal."
        ),
    ] = "",
    json: Json = False,
) -> None:
    """Show how a text is understood."""
    with reading(kb, mapping=mapping) as base:
        if lines:
            _each(base, lines, json=json or not sys.stdout.isatty())
            return
        question = base.understand(text or piped())
    show(question, "understanding:print_question", json=json)


def _each(base: KnowledgeBase, lines: str, *, json: bool) -> None:
    """Many texts: as JSON, or as one of them would be shown."""
    if json:
        each_line(lines, lambda line: base.understand(line).to_json())
        return
    from medweave.faces.terminal.understanding import print_line

    shown = console()
    each_line(lines, base.understand, lambda number, found: print_line(number, found, shown))
