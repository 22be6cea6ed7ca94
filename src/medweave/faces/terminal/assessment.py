"""An assessment on a terminal: colours, and the same in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.markup import escape

from medweave.faces.terminal.hanging import print_hanging
from medweave.faces.terminal.urgent_signs import print_crisis
from medweave.faces.texts import page_texts
from medweave.faces.texts.session import finding_in_words
from medweave.faces.texts.standing import what_stands
from medweave.faces.texts.treatment import follow_ups_in_words, treatments_in_words
from medweave.model.assessment import STANDS

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.model.answer import Danger
    from medweave.model.assessment import Assessment, ClassificationResult
    from medweave.model.guideline_answer import GuidelineAnswer

_STYLES = {"pink": "bold magenta", "yellow": "bold yellow", "green": "bold green"}
_SHOWN = 6
"""So many possible classifications are told; the rest are counted."""


def _head(sign: Danger) -> str:
    """Under which head of the texts a sign is told."""
    asked = sign.status == "ask" or sign.head == "check"
    return "ask_first" if asked else {"now": "danger"}.get(sign.head, sign.head)


def print_assessment(
    assessment: Assessment, console: Console, language: str = "en", *, with_date: bool = True
) -> None:
    """What stands and what to do first; then what is possible, and what to ask. `with_date`: in how
    many days to come back, where nobody tells the date itself."""
    texts = page_texts(language)["guideline"]
    if assessment.in_crisis:
        print_crisis(assessment.danger or (), console, language)
        return  # nothing stands below it
    console.print(f"[bold]{escape(assessment.guideline)} {escape(assessment.version)}[/bold]")
    _print_checks(assessment, console, texts)
    for each in assessment.understood or ():
        told = (
            f"{texts['understood']}{beside(texts['understood'])}{finding_in_words(each, language)}"
        )
        console.print(f"  {told}", markup=False)
    if assessment.not_understood:
        unread = ", ".join(f"'{each.text}'" for each in assessment.not_understood)
        _print_after(texts["not_understood"], unread, console, "bold")
    for sign in assessment.danger or ():
        present = sign.status == "present"
        urgent = "bold red" if sign.grade == "now" else "bold yellow"
        style = urgent if present else "bold"
        _print_after(texts[_head(sign)], sign.text, console, style)
    _print_refer(assessment, console, texts)
    if assessment.safety is not None:
        from medweave.faces.terminal.answer import print_stops

        print_stops(assessment.safety, console)
    standing = [each for each in assessment.classifications if each.status in STANDS]
    for number, result in enumerate(standing, 1):
        _print_standing(number, result, assessment, console, language)
    if not standing:
        console.print(texts["none"])
    if any(row.drug for row in assessment.treatments):
        console.print(f"\n{texts['before_drugs']}")
    _print_possible(assessment, console, texts)
    if assessment.follow_up_days is not None and with_date:
        console.print(texts["back"].format(n=assessment.follow_up_days))
    for told in follow_ups_in_words(assessment, language):
        console.print(f"  - {escape(told)}")
    if assessment.next_question:
        asked = assessment.next_question
        told = texts["next_why"].format(text=asked.text, why=asked.why)
        _print_after(texts["next"], told, console, "bold")


def print_what_stands(found: GuidelineAnswer, console: Console, language: str = "en") -> None:
    """What stands, what to do and what to ask next, without the reasons: beside an answer."""
    for told in what_stands(found, language):
        if told.step:
            print_hanging(console, "  - ", told.text)
            continue
        style = _STYLES.get(told.colour, "bold")
        head = f"[{style}]{escape(told.head)}[/{style}]{beside(told.head)}" if told.head else ""
        more = f"  [dim]{escape(told.at_a_terminal)}[/dim]" if told.at_a_terminal else ""
        console.print(f"{head}{escape(told.text)}{more}")
    if found.way_on:
        told_on = page_texts(language)["guideline"]["way_on"].format(command=found.way_on)
        console.print(told_on, markup=False, soft_wrap=True)


def beside(head: str) -> str:
    """What stands between a heading and its words: nothing behind a wide colon."""
    return "" if head.endswith("：") else " "


def _print_after(head: str, told: str, console: Console, style: str) -> None:
    console.print(f"[{style}]{head}[/{style}]{beside(head)}{escape(told)}")


def _print_checks(assessment: Assessment, console: Console, texts: dict[str, Any]) -> None:
    for warning in (*assessment.warnings, *assessment.contradictions):
        _print_after(texts["check"], warning, console, "bold")


def _print_refer(assessment: Assessment, console: Console, texts: dict[str, Any]) -> None:
    if assessment.refer:
        _print_after(texts["refer"], assessment.refer, console, "bold magenta")


def _print_head(
    result: ClassificationResult, console: Console, texts: dict[str, Any], number: str = ""
) -> None:
    style = _STYLES.get(result.colour or "", "bold")
    colour = f"{texts['colours'][result.colour]}: " if result.colour else ""
    label = escape(f"{colour}{result.label}")
    console.print(f"{number}[{style}]{label}[/{style}] ({texts['statuses'][result.status]})")


def _print_standing(
    number: int,
    result: ClassificationResult,
    assessment: Assessment,
    console: Console,
    language: str,
) -> None:
    texts = page_texts(language)["guideline"]
    console.print()
    _print_head(result, console, texts, f"{number}. ")
    if result.why:
        console.print(f"  {escape(texts['because'].format(why=result.why))}")
    rows = (row for row in assessment.treatments if row.classification == result.id)
    for told in treatments_in_words(rows, language):
        print_hanging(console, "  - ", told)


def _print_possible(assessment: Assessment, console: Console, texts: dict[str, Any]) -> None:
    possible = [each for each in assessment.classifications if each.status == "possible"]
    if not possible:
        return
    console.print(f"\n[bold]{texts['still_possible']}[/bold]")
    for result in possible[:_SHOWN]:
        console.print(f"  {escape(result.label)}: {escape(result.why)}")
    if len(possible) > _SHOWN:
        console.print(f"  {texts['more'].format(n=len(possible) - _SHOWN)}")
