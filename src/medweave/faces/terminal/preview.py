"""A preview in a terminal: a mapping as YAML, and all else that is said of it as its comments, so
that what is printed can be saved and named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from medweave.graph.preview import statements_of

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.graph.preview import Preview

_SHOWN = 12
_CUT = 80


def print_preview(preview: Preview, console: Console) -> None:
    """The mapping, three records turned into statements, and what is left out."""

    def say(text: str, style: str = "") -> None:
        plain = " ".join(text.split())  # whatever a record holds, a comment is one line
        console.print(Text(f"# {plain}", style=style), soft_wrap=True)

    head = (
        "known layout"
        if preview.recognised
        else "guessed: look it over, save it, and name it with --mapping"
    )
    say(f"{preview.path}: {head}", "bold")
    console.print(Text(preview.mapping.rstrip(), style="cyan"), soft_wrap=True)
    for made in preview.extractions:
        say(made.document.name, "bold")
        statements = statements_of(made)
        for row in statements[:_SHOWN]:
            listed = ", ".join(f"{name}={value}" for name, value in row["qualifiers"].items())
            qualifiers = (f" ({listed})" if listed else "") + (
                " denied" if row["polarity"] < 0 else ""
            )
            ends = f"{row['subject']} —{row['predicate']}→ {str(row['object'])[:_CUT]}"
            say(f"- {ends}{qualifiers}")
        if len(statements) > _SHOWN:
            say(f"and {len(statements) - _SHOWN} more")
    for column, reason in preview.left_out:
        say(f"left out: the column '{column}', {reason}", "yellow")
    for item in preview.skipped:
        say(f"skipped: line {item.line}, {item.reason}", "yellow")
