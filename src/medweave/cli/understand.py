"""`medweave understand`: what a text mentions, of whom, and what it asks."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from medweave.cli.common import console, print_json, reading
from medweave.cli.lines import each_line
from medweave.cli.options import Json, Kb


def understand(
    text: Annotated[str, typer.Argument(help="The text.")] = "",
    kb: Kb = "",
    lines: Annotated[str, typer.Option("--lines", help="A file of texts, one a line, or -.")] = "",
    json: Json = False,
) -> None:
    """Show how a text is understood."""
    with reading(kb) as base:
        if lines:
            each_line(lines, lambda line: base.understand(line).to_json())
            return
        piped = "" if text or sys.stdin.isatty() else sys.stdin.read()
        question = base.understand(text or piped)
    if json:
        print_json(question.to_json())
        return
    shown = console()
    for mention in question.mentions:
        read_as = f", read as {mention.link.read_as!r}" if mention.link.read_as else ""
        shown.print(
            f"{mention.text!r} → {mention.name} ({mention.concept}), {mention.status}{read_as}",
            markup=False,
        )
    for value in question.values:
        written = question.text[value.start : value.end]
        finding = f": {value.threshold.finding}" if value.threshold else ""
        shown.print(
            f"{written!r} → {value.quantity} {value.bound}{value.value:g} {value.unit}{finding}",
            markup=False,
        )
    for contradiction in question.contradictions:
        shown.print(f"contradictory: {contradiction}", markup=False)
    asked = ", ".join(intent.label for intent in question.intents) or "nothing that is known"
    shown.print(f"asks for: {asked}", markup=False)
    told = {k: v for k, v in question.patient.to_json().items() if v not in (None, [])}
    shown.print(f"the person: {told or 'nothing said'}", markup=False)
