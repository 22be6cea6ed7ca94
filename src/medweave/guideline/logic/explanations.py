"""Rules, and what is known of a child, in plain words: why something is so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from medweave.guideline.logic.evaluation import Evaluated
from medweave.guideline.logic.graph import (
    AGED,
    AND,
    ANSWER,
    CONSTANT,
    FALSE,
    IF,
    NOT,
    OR,
    OWN,
    SCORE,
    TRUE,
    UNKNOWN,
)
from medweave.model.guideline import AgeBand
from medweave.model.logic import Answered, Compared

_MOST = 8
"""So many reasons are told; the rest are counted."""
_SIGNS = {
    "<": "below",
    "<=": "at most",
    ">": "above",
    ">=": "at least",
    "=": "",
    "!=": "other than",
}


def reasons(state: Evaluated, node: int) -> list[int]:
    """The leaves that make a node what it is: of a false AND the first false part alone, of a
    true OR the first true one; of what is unknown, all that is unknown in it. Each leaf once; a
    negated one by its NOT; another classification as a whole."""
    found: dict[int, None] = {}
    waiting, seen = [node], set()
    graph, values = state.graph, state.values
    while waiting and len(found) <= 4 * _MOST:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        kind, kids = graph.kinds[current], graph.kids[current]
        inner = kids[0] if kids else current
        if (
            (kind == OWN and current != node)
            or (kind == NOT and (not graph.kids[inner] or graph.kinds[inner] == OWN))
            or not kids
            or (kind == ANSWER and state.known.get(_name(state, current)) is not None)
        ):
            found[current] = None
        else:
            waiting += reversed(_deciding(values, kind, kids, values[current]))
    return list(found)


def _name(state: Evaluated, node: int) -> str:
    return cast(Answered | Compared, state.graph.data[node]).observation


def _deciding(values: list[int], kind: int, kids: tuple[int, ...], value: int) -> list[int]:
    alike = [kid for kid in kids if values[kid] == value]
    if kind == AND:
        return alike[:1] if value == FALSE else alike
    if kind == OR:
        return alike[:1] if value == TRUE else alike
    if kind == IF:
        if values[kids[0]] == TRUE:
            return [kids[0], kids[1]] if value != UNKNOWN else [kids[1]]
        return [kids[0]]
    if kind == SCORE:
        return alike
    return [kids[0]]


def explain(state: Evaluated, node: int) -> str:
    """What makes a node what it is, in words."""
    reasons_in_words = list(
        dict.fromkeys(known_in_words(state, leaf) for leaf in reasons(state, node))
    )
    reasons_in_words = [each for each in reasons_in_words if each]
    if len(reasons_in_words) > _MOST:
        reasons_in_words = [*reasons_in_words[:_MOST], f"and {len(reasons_in_words) - _MOST} more"]
    return "; ".join(reasons_in_words)


def known_in_words(state: Evaluated, node: int) -> str:
    """What is known about what a leaf asks for: "Cough: yes", "Oxygen 92 %, not below 90 %"."""
    graph = state.graph
    kind, data = graph.kinds[node], graph.data[node]
    if kind == NOT:
        return known_in_words(state, graph.kids[node][0])
    if kind == OWN:
        name = graph.classifications[cast(str, data)].label
        value = state.values[node]
        return f"{name} " + ("is ruled out", "cannot be excluded yet", "holds")[value]
    if kind == AGED:
        return _age(state, cast(AgeBand, data))
    if kind == CONSTANT:
        return ""
    return _observed(state, node)


def _observed(state: Evaluated, node: int) -> str:
    graph = state.graph
    leaf = cast(Answered | Compared, graph.data[node])
    observation = graph.observations[leaf.observation]
    known = state.known.get(leaf.observation)
    if known is None:
        return f"{observation.label} is not known"
    if known.number is not None:
        unit = "" if observation.unit in ("", "1") else f" {observation.unit}"
        wording = f"{observation.label} {known.number:g}{unit}"
        if isinstance(leaf, Compared):
            met = state.values[node] == TRUE
            limit = f"{_SIGNS[leaf.comparator]} {leaf.limit:g}".strip()
            return f"{wording} ({'' if met else 'not '}{limit})"
        return wording
    if known.unavailable and not known.answers:
        return f"{observation.label} cannot be had"
    labels = {answer.id: answer.label for answer in observation.answers}
    usual = {"yes": "yes", "no": "no", **labels}
    named = ", ".join(usual.get(each, each) for each in sorted(known.answers)) or "none of these"
    return f"{observation.label}: {named.lower() if named in ('Yes', 'No') else named}"


def _age(state: Evaluated, band: AgeBand) -> str:
    days = state.findings.age_days
    if days is None:
        return "the age is not known"
    has = "" if band.has(days) else "not "
    return f"{has}aged {ages_in_words(band)} (the child is {age_in_words(days)} old)"


def observations_named(state: Evaluated, names: Sequence[str]) -> str:
    """Observations by their labels; of many, the first ones and how many more."""
    person = {"age": "the age", "sex": "the sex", "weight": "the weight"}
    return first_of([person.get(label, label) for label in state.graph.labels(names)])


def first_of(labels: Sequence[str], limit: int = 4) -> str:
    """The first of a list, and how many more there are.

    >>> first_of(["cough", "fever", "rash"], limit=2)
    'cough, fever and 1 more'
    """
    more = f" and {len(labels) - limit} more" if len(labels) > limit else ""
    return ", ".join(labels[:limit]) + more


def ages_in_words(band: AgeBand) -> str:
    """An age band in words.

    >>> ages_in_words(AgeBand(60, 1826)), ages_in_words(AgeBand(None, 7)), ages_in_words(AgeBand(7))
    ('from 2 months to below 5 years', 'below 7 days', 'from 7 days on')
    """
    low = None if band.from_days is None else age_in_words(band.from_days)
    high = None if band.to_days is None else age_in_words(band.to_days)
    if low is None:
        return "of any age" if high is None else f"below {high}"
    return f"from {low} on" if high is None else f"from {low} to below {high}"


def age_in_words(days: int) -> str:
    """An age: whole years and months where it is that, else days.

    >>> age_in_words(1826), age_in_words(304), age_in_words(3)
    ('5 years', '10 months', '3 days')
    """
    months = round(days / 30.4375)
    if months and int(months * 30.4375) == days:
        if months % 12 == 0:
            return f"{months // 12} year{'s' if months > 12 else ''}"  # noqa: PLR2004
        return f"{months} month{'s' if months > 1 else ''}"
    return f"{days} day{'s' if days != 1 else ''}"


@dataclass(frozen=True, slots=True)
class WouldChange:
    """What one more answer would make of a classification."""

    classification: str
    observation: str
    answer: str
    status: str
    words: str
