"""A preview in a terminal."""

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
    head = (
        "known layout"
        if preview.recognised
        else "guessed: look it over, save it, and name it with --mapping"
    )
    console.print(Text(f"{preview.path}: {head}", style="bold"))
    console.print(Text(preview.mapping.rstrip(), style="cyan"))
    for made in preview.extractions:
        console.print(Text(made.document.name, style="bold"))
        statements = statements_of(made)
        for row in statements[:_SHOWN]:
            listed = ", ".join(f"{name}={value}" for name, value in row["qualifiers"].items())
            qualifiers = (f" ({listed})" if listed else "") + (
                " denied" if row["polarity"] < 0 else ""
            )
            ends = f"  {row['subject']} —{row['predicate']}→ {str(row['object'])[:_CUT]}"
            console.print(Text(ends + qualifiers))
        if len(statements) > _SHOWN:
            console.print(f"  and {len(statements) - _SHOWN} more")
    for column, reason in preview.left_out:
        console.print(Text(f"left out: the column '{column}', {reason}", style="yellow"))
    for item in preview.skipped:
        console.print(Text(f"skipped: line {item.line}, {item.reason}", style="yellow"))
