"""`medweave understand`: what a text mentions, of whom, and what it asks."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from medweave.cli.common import Json, Kb, console, print_json, reading
from medweave.cli.lines import each_line

if TYPE_CHECKING:
    from medweave.model.question import Intent


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
        shown.print(
            f"{mention.text!r} → {mention.name} ({mention.concept}), {mention.status}", markup=False
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
    asked = ", ".join(map(_asked, question.intents)) or "nothing that is known"
    shown.print(f"asks for: {asked}", markup=False)
    told = {k: v for k, v in question.patient.to_json().items() if v not in (None, [])}
    shown.print(f"the person: {told or 'nothing said'}", markup=False)


def _asked(intent: Intent) -> str:
    from medweave.model.configuration import OUR_INTENTS

    known = intent.label in OUR_INTENTS
    return intent.label if known else f"{intent.label} (which nothing here answers)"
