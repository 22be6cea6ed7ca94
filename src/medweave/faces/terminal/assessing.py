"""A guided assessment on a terminal: questions, why they are asked, and what came out."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from rich.markup import escape

from medweave.assessment.answers import choices
from medweave.faces.terminal.assessment import print_assessment
from medweave.guideline.logic.status import outcomes

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.assessment.session import Session
    from medweave.model.assessment import Assessment, NextQuestion

KEYS = (
    "a number, y or n: the answer; u: not known; x: cannot be had here; ?: why; b: back; "
    "w: what so far; c NAME: change an answer; no NAME: something is not at hand; "
    "allergy NAME: to a drug; q: leave"
)
CLOSING_KEYS = (
    "a: agree with all (a 2: with the second); o 2 REASON: refuse the second; s ID REASON: set one "
    "that does not stand; g NAME: a drug was given; no NAME: not at hand; b: back; "
    "allergy NAME: to a drug; c NAME: change an answer; f: finish; q: leave"
)
_NAMED = 4
_SHORT = 3
"""Shorter words say nothing of what a question is about."""
_UNITS = {"Cel": "°C", "/min": "a minute", "1": "", "mo": "months", "d": "days"}
_HOW = {
    "age": "like 10 mo, 3 d, 5 wk or 2 y; a number alone is months",
    "weight": "in kg",
}


def print_question(session: Session, question: NextQuestion, console: Console) -> None:
    """A question with its answers."""
    graph, about = session.graph, question.observation
    observation = graph.observations.get(about)
    sign = observation is not None and observation.danger_sign
    head = "[bold magenta]DANGER SIGN[/bold magenta] " if sign else ""
    asked = question.text
    if observation is not None and not _names(asked, observation.label):
        asked = f"{observation.label}: {asked}"
    console.print(f"\n{head}[bold]{escape(asked)}[/bold]")
    listed = [f"{at} {each.label}" for at, each in enumerate(choices(graph, about), 1)]
    if listed:
        more = " (several: 1, 3; none: 0)" if observation and observation.kind == "choices" else ""
        console.print(f"  {'   '.join(listed)}{more}", markup=False)
    if about in _HOW:
        console.print(f"  {_HOW[about]}", markup=False)
    elif observation is not None and observation.kind == "number":
        unit = _UNITS.get(observation.unit, observation.unit)
        console.print(f"  {'or ' if listed else ''}a number{f' in {unit}' if unit else ''}"
                      f"{_span(observation.range)}", markup=False)  # fmt: skip


def _names(question: str, label: str) -> bool:
    """Whether a question says by itself what it is about.

    >>> _names("Does the child cough?", "Cough"), _names("For how many days?", "Cough: duration")
    (True, False)
    """
    said = question.lower()
    return any(word in said for word in label.lower().split() if len(word) > _SHORT)


def _span(span: tuple[float | None, float | None]) -> str:
    low, high = span
    if low is None or high is None:
        return ""
    return f", {low:g} to {high:g}"


def print_explanation(session: Session, question: NextQuestion, console: Console) -> None:
    """Why a question is asked, how to find the answer, and what depends on it."""
    observation = session.graph.observations.get(question.observation)
    console.print(f"  why: {question.why}", markup=False)
    if observation is not None and observation.help:
        console.print(f"  how: {observation.help}", markup=False)
    if observation is not None and observation.resources:
        needed = ", ".join(observation.resources)
        console.print(f"  it needs: {needed}; if there is none here, type: no {needed}",
                      markup=False)  # fmt: skip
    waiting = [each.label for each in outcomes(session.state)
               if question.observation in each.missing]  # fmt: skip
    if waiting:
        more = f" and {len(waiting) - _NAMED} more" if len(waiting) > _NAMED else ""
        console.print(f"  it bears on: {', '.join(waiting[:_NAMED])}{more}", markup=False)
    if observation is not None:
        console.print(f"  source: {observation.source}", markup=False)


def print_urgent(session: Session, severe: Collection[str], console: Console) -> None:
    """What is grave and stands already, before anything else is asked."""
    for name in session.graph.classifications:
        if name in severe:
            label = session.graph.classifications[name].label
            console.print(f"[bold magenta]URGENT (pink): {escape(label)}. Act now; go on with the "
                          "questions while you do.[/bold magenta]")  # fmt: skip


def print_end(session: Session, assessment: Assessment, follow_up: str, console: Console) -> None:
    """Everything that came out; what nobody knew is named."""
    console.print("\n[bold]What the guideline says[/bold]")
    print_assessment(assessment, console)
    if follow_up:
        console.print(f"[bold]come back:[/bold] {follow_up}")
    labels = [
        session.graph.observations[name].label if name in session.graph.observations else name
        for name in session.unknown_at_the_end()
    ]
    if labels:
        console.print(f"asked, and not known: {escape(', '.join(labels))}")
    to_check = [session.graph.observations[name].label for name in session.to_check()]
    if to_check:
        console.print(f"still to check in every child: {escape(', '.join(to_check))}")
    for name, reason in session.case.reasons.items():
        label = session.graph.classifications[name].label
        done = "refused" if name in session.case.findings.refused else "set"
        console.print(f"{done} by you: {escape(label)} ({escape(reason)})")
    agreed = [name for name in session.graph.classifications if name in session.case.agreed]
    if agreed:
        labels = [session.graph.classifications[name].label for name in agreed]
        console.print(f"agreed with: {escape('; '.join(labels))}")
