"""What came of tuning, on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape

from medweave.faces.terminal.screen import table_of

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.evaluation.tuning.dialogue_links import Tuning


def print_tuning(found: Tuning, console: Console) -> None:
    """The tuned graph beside all else, what was chosen, and what is better."""
    from medweave.evaluation.tuning.report import setting_words, shown, verdict

    console.print(
        f"{found.messages:,} messages ({escape(found.source)}), {found.dialogues:,} dialogues,"
        f" nDCG@{found.k}, vectors by {escape(found.embedder)}"
    )
    table = table_of("ranking", "nDCG [95 %]", "tuned minus this", "better for", "worse for")
    table.add_row("equation 9, tuned, cross-validated", escape(shown(found.tuned)), "", "", "")
    for name, other in found.others.items():
        table.add_row(
            escape(name),
            escape(shown(other.figure)),
            escape(shown(other.difference)),
            str(other.better),
            str(other.worse),
        )
    console.print(table)
    console.print(f"chosen over all messages: {setting_words(found)}", markup=False)
    console.print(verdict(found), markup=False)
    for name in found.winners:
        for example in found.others[name].examples[:2]:
            console.print(
                f"  {name} is better: {example['this']:.2f} to {example['tuned']:.2f}"
                f" for #{example['id']}: {example['text']}",
                markup=False,
            )
