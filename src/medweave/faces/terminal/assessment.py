"""An assessment on a terminal: colours, and the same in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape

from medweave.faces.terminal.hanging import print_hanging
from medweave.faces.texts.treatment import (
    BEFORE_DRUGS,
    follow_ups_in_words,
    steps_in_words,
    treatments_in_words,
)
from medweave.model.assessment import STANDS

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.model.assessment import Assessment, ClassificationResult

_STYLES = {"pink": "bold magenta", "yellow": "bold yellow", "green": "bold green"}
_HEADS = {
    "confirmed": "confirmed",
    "provisional": "provisional: act on it; something could not be excluded",
}
_SHOWN = 6
"""So many possible classifications are told; the rest are counted."""


def print_assessment(assessment: Assessment, console: Console) -> None:
    """What stands and what to do first; then what is possible, and what to ask."""
    console.print(f"[bold]{escape(assessment.guideline)} {escape(assessment.version)}[/bold]")
    for warning in (*assessment.warnings, *assessment.contradictions):
        console.print(f"[bold]check:[/bold] {escape(warning)}")
    for each in assessment.understood or ():
        console.print(f"  understood: {escape(each.in_words())}")
    if assessment.not_understood:
        unread = ", ".join(f"'{each.text}'" for each in assessment.not_understood)
        console.print(f"[bold]not understood:[/bold] {escape(unread)}")
    for sign in assessment.danger or ():
        head = (
            "[bold red]DANGER:[/bold red]"
            if sign.status == "present"
            else "[bold]ask first:[/bold]"
        )
        console.print(f"{head} {escape(sign.text)}")
    if assessment.refer:
        console.print(f"[bold magenta]REFER:[/bold magenta] {escape(assessment.refer)}")
    standing = [each for each in assessment.classifications if each.status in STANDS]
    for number, result in enumerate(standing, 1):
        _print_standing(number, result, assessment, console)
    if not standing:
        console.print("nothing stands yet")
    if any(row.drug for row in assessment.treatments):
        console.print(f"\n{BEFORE_DRUGS}")
    _print_possible(assessment, console)
    if assessment.follow_up_days is not None:
        console.print(f"come back in {assessment.follow_up_days} days")
    for told in follow_ups_in_words(assessment):
        console.print(f"  - {escape(told)}")
    if assessment.next_question:
        asked = assessment.next_question
        console.print(f"[bold]ask next:[/bold] {escape(asked.text)} ({escape(asked.why)})")


def print_what_stands(assessment: Assessment, console: Console) -> None:
    """What stands, what to do and what to ask next, without the reasons: beside an answer."""
    for warning in (*assessment.warnings, *assessment.contradictions):
        console.print(f"[bold]check:[/bold] {escape(warning)}")
    if assessment.refer:
        console.print(f"[bold magenta]REFER:[/bold magenta] {escape(assessment.refer)}")
    for result in assessment.classifications:
        if result.status in STANDS:
            _print_head(result, console)
            done = [row for row in assessment.treatments if row.classification == result.id]
            for told in steps_in_words(done):
                print_hanging(console, "  - ", told)
    if any(row.drug for row in assessment.treatments):
        console.print(BEFORE_DRUGS)
    if assessment.follow_up_days is not None and not assessment.refer:
        console.print(f"Come back in {assessment.follow_up_days} days.")
    if assessment.next_question:
        asked = escape(assessment.next_question.text)
        console.print(f"[bold]Ask next:[/bold] {asked}  [dim](medweave assess asks the rest)[/dim]")


def _print_head(result: ClassificationResult, console: Console, number: str = "") -> None:
    style = _STYLES.get(result.colour or "", "bold")
    colour = f"{result.colour.upper()}: " if result.colour else ""
    label = escape(f"{colour}{result.label}")
    console.print(f"{number}[{style}]{label}[/{style}] ({_HEADS[result.status]})")


def _print_standing(
    number: int, result: ClassificationResult, assessment: Assessment, console: Console
) -> None:
    console.print()
    _print_head(result, console, f"{number}. ")
    console.print(f"  because {escape(result.why)}")
    rows = (row for row in assessment.treatments if row.classification == result.id)
    for told in treatments_in_words(rows):
        print_hanging(console, "  - ", told)


def _print_possible(assessment: Assessment, console: Console) -> None:
    possible = [each for each in assessment.classifications if each.status == "possible"]
    if not possible:
        return
    console.print("\n[bold]still possible[/bold]")
    for result in possible[:_SHOWN]:
        console.print(f"  {escape(result.label)}: {escape(result.why)}")
    if len(possible) > _SHOWN:
        console.print(f"  and {len(possible) - _SHOWN} more")
