"""A guided assessment on a terminal: questions, why they are asked, and what came out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rich.markup import escape

from medweave.assessment.answers import choices
from medweave.faces.terminal.assessment import beside, print_assessment
from medweave.faces.texts import page_texts
from medweave.faces.texts.session import overruled_in_words
from medweave.guideline.logic.status import outcomes
from medweave.guideline.wording import Words

if TYPE_CHECKING:
    from rich.console import Console

    from medweave.assessment.session import Session
    from medweave.model.assessment import Assessment, NextQuestion
    from medweave.model.guideline import Observation

_NAMED = 4
_SHORT = 3
"""Shorter words say nothing of what a question is about."""


def assess_texts(words: Words) -> dict[str, Any]:
    """The words of the talk, in its language."""
    texts: dict[str, Any] = page_texts(words.language)["assess"]
    return texts


def print_question(
    session: Session, question: NextQuestion, console: Console, words: Words
) -> None:
    """A question with its answers; signs that are asked together as one list."""
    if question.together:
        _print_list(session, question, console, words)
        return
    graph, about, texts = session.graph, question.observation, assess_texts(words)
    observation = graph.observations.get(about)
    sign = observation is not None and observation.danger_sign
    head = f"[bold magenta]{texts['danger_sign']}[/bold magenta] " if sign else ""
    asked = words.question(question).text
    if observation is not None and not _names(question.text, observation.label):
        asked = texts["asked"].format(label=words(observation.label), question=asked)
    console.print(f"\n{head}[bold]{escape(asked)}[/bold]")
    listed = [f"{at} {words(each.label)}" for at, each in enumerate(choices(graph, about), 1)]
    if listed:
        more = texts["several"] if observation and observation.kind == "choices" else ""
        console.print(f"  {'   '.join(listed)}{more}", markup=False)
    if about in texts["how"]:
        console.print(f"  {texts['how'][about]}", markup=False)
    elif observation is not None and observation.kind == "number":
        number = texts["or_number" if listed else "number"]
        console.print(f"  {number}{_measure(observation, texts)}", markup=False)


def _print_list(session: Session, question: NextQuestion, console: Console, words: Words) -> None:
    texts, observations = assess_texts(words), session.graph.observations
    sign = observations[question.observation].danger_sign
    head = f"[bold magenta]{texts['danger_signs']}[/bold magenta] " if sign else ""
    console.print(f"\n{head}[bold]{escape(texts['which_of_these'])}[/bold]")
    for at, name in enumerate((question.observation, *question.together), 1):
        console.print(f"  {at} {words(observations[name].label)}", markup=False)
    console.print(f"  {texts['none_of_these']}", markup=False)


def _measure(observation: Observation, texts: dict[str, Any]) -> str:
    """The unit and the range of a number."""
    unit = "" if observation.unit == "1" else observation.unit
    unit_words = texts["in_unit"].format(unit=texts["units"].get(unit, unit)) if unit else ""
    low, high = observation.range
    if low is None or high is None:
        return str(unit_words)
    return str(unit_words + texts["span"].format(low=f"{low:g}", high=f"{high:g}"))


def _names(question: str, label: str) -> bool:
    """Whether a question says by itself what it is about.

    >>> _names("Does the child cough?", "Cough"), _names("For how many days?", "Cough: duration")
    (True, False)
    """
    words_asked = question.lower()
    return any(word in words_asked for word in label.lower().split() if len(word) > _SHORT)


def print_explanation(
    session: Session, question: NextQuestion, console: Console, words: Words
) -> None:
    """Why a question is asked, how to find the answer, and what depends on it."""
    observation, texts = session.graph.observations.get(question.observation), assess_texts(words)
    lines = [texts["why"].format(why=words(question.why))]
    if question.together:
        lines += _each_alone(session, question, words)
    elif observation is not None and observation.help:
        lines.append(texts["how_to"].format(how=words(observation.help)))
    if observation is not None and observation.resources:
        lines.append(texts["needs"].format(needs=", ".join(observation.resources)))
    waiting = [words(each.label) for each in outcomes(session.state)
               if question.observation in each.missing]  # fmt: skip
    if waiting:
        lines.append(texts["bears_on"].format(names=_listed(waiting, words)))
    if observation is not None:
        lines.append(texts["source"].format(source=observation.source))
    for line in lines:
        console.print(f"  {line}", markup=False)


def _each_alone(session: Session, question: NextQuestion, words: Words) -> list[str]:
    """Each sign of a list as the question it would be alone, and how to look for it."""
    lines = []
    for at, name in enumerate((question.observation, *question.together), 1):
        each = session.graph.observations[name]
        alone = words.question(replace(question, observation=name, text=each.question))
        how = f" {words(each.help)}" if each.help else ""
        lines.append(f"{at} {alone.text or words(each.label)}{how}")
    return lines


def _listed(names: list[str], words: Words) -> str:
    """Names in a row; of many the first ones, and how many more."""
    shown = page_texts(words.language)["separator"].join(names[:_NAMED])
    more = len(names) - _NAMED
    return str(shown + (words.say("more", count=str(more)) if more > 0 else ""))


def print_urgent(session: Session, severe: Collection[str], console: Console, words: Words) -> None:
    """What is grave and stands already, before anything else is asked."""
    for name in session.graph.classifications:
        if name in severe:
            line = assess_texts(words)["urgent"].format(name=words.classification(name))
            console.print(f"[bold magenta]{escape(line)}[/bold magenta]")


def print_end(
    session: Session, assessment: Assessment, follow_up: str, console: Console, words: Words
) -> None:
    """Everything that came out; what nobody knew is named."""
    texts = assess_texts(words)
    console.print(f"\n[bold]{texts['result']}[/bold]")
    print_assessment(assessment, console, words.language, with_date=False)
    if follow_up:
        console.print(f"[bold]{texts['come_back']}[/bold]{beside(texts['come_back'])}{follow_up}")
    for form, names in (
        ("not_known", session.unknown_at_the_end()),
        ("to_check", session.to_check()),
    ):
        observations = session.graph.observations
        labels = [words(observations[n].label if n in observations else n) for n in names]
        if labels:
            line = page_texts(words.language)["separator"].join(labels)
            console.print(escape(texts[form].format(names=line)))
    for _, line in overruled_in_words(session, words):
        console.print(escape(line))
    agreed = [name for name in session.graph.classifications if name in session.case.agreed]
    if agreed:
        line = "; ".join(words.classification(name) for name in agreed)
        console.print(escape(texts["agreed"].format(names=line)))
