"""Past dialogues like a message, in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from medweave.model.similar import MatchedWhole, MatchedWords, Similar, Why

if TYPE_CHECKING:
    from rich.console import Console

_SHOWN = 160
"""Characters of a section."""


def print_similar(found: Similar, console: Console) -> None:
    """Each dialogue with its score and why it was found; then what could not be done.

    What is quoted was said by others, to others: it is no advice.
    """
    for place, one in enumerate(found.dialogues, 1):
        console.print(Text(f"{place}. ") + Text(f"#{one.id}", "bold") + Text(f"  {one.score:.4f}"))
        for why in one.why:
            console.print(_matched(why))
    if not found.dialogues:
        console.print(Text("no dialogue is like it", "yellow"))
    for missing in found.missing:
        console.print(Text("? ", style="yellow") + Text(missing))
    console.print(Text(f"ranked by {found.ranking}; what others were told is no advice", "dim"))


def _matched(why: Why) -> Text:
    if isinstance(why, MatchedWhole):
        return Text(f"   as a whole (place {why.place}): similarity {why.similarity:.3f}")
    if isinstance(why, MatchedWords):
        return Text(f"   words (place {why.place}): ") + Text(", ".join(why.words), "cyan")
    through = f", through {why.link}" + (f" #{why.linked}" if why.linked else "")
    figures = (
        f"similarity {why.similarity:.3f} × weight {why.weight:.3f}{through if why.link else ''}"
    )
    return (
        Text(f"   {why.section}: ", "green")
        + Text(f"“{_short(why.query)}” ~ “{_short(why.text)}”")
        + Text(f"  {figures}", "dim")
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
