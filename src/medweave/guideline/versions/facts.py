"""What is so of a part of a guideline: each of its attributes by a name, in words or as a rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from medweave.guideline.logic.explanations import ages_in_words
from medweave.guideline.rule_words import dose_in_words
from medweave.guideline.yaml.spans import plain
from medweave.model import guideline as model
from medweave.model.guideline import answers_of
from medweave.model.logic import Expression

Facts = Mapping[str, str | Expression | None]
_NAMES: Mapping[str, str] = {
    "measurable_doses": "doses that can be measured",
    "range": "possible values",
    "warn": "usual values",
    "routine": "checked in every child",
    "unasked": "needless where it is not asked",
    "low": "from, to below",
    "value": "counts as",
    "follow_up_days": "follow-up",
    "when": "condition",
    "excludes": "not beside",
    "follow_ups": "come back",
    "substitutes": "instead",
    "times_per_day": "times a day",
    "volume": "volume in mL",
    "breakable": "parts of a piece",
    "sites": "places at least",
    "per_site": "mL at one place",
}
"""What an attribute is called, where that is not its own name."""
_ELSEWHERE = frozenset({
    "id", "version", "observations", "conditions", "classifications", "groups", "tables", "group",
    "treatments", "answers", "derived", "formulations", "high", "yields_to",
})  # fmt: skip
"""What is compared as a part of its own, or is no difference."""


def facts_of(part: Any) -> dict[str, str | Expression | None]:
    """The facts of a part, with those of what is within it ("answer yes: label").

    >>> facts_of(model.Condition("c", "Cough"))
    {'label': 'Cough', 'aliases': ''}
    """
    found: dict[str, str | Expression | None] = {}
    for each in fields(part):
        if each.name not in _ELSEWHERE:
            name = _NAMES.get(each.name, each.name.replace("_", " "))
            found[name] = _fact(part, each.name, getattr(part, each.name))
    if isinstance(part, model.Observation):
        found |= _derivation(part.derived)
        found |= _within("answer", answers_of(part))
    if isinstance(part, model.TreatmentStep):
        found |= _within("formulation", part.formulations)
    return found


def _within(kind: str, parts: Iterable[Any]) -> dict[str, str | Expression | None]:
    return {
        f"{kind} {each.id}: {what}": fact for each in parts for what, fact in facts_of(each).items()
    }


def _fact(part: Any, name: str, value: Any) -> str | Expression | None:  # noqa: PLR0911 - by name
    match name:
        case "question":
            return str(value or part.label)
        case "low":
            return _span((part.low, part.high))
        case "range" | "warn":
            return _span(value)
        case "unasked":
            return _in_words(value == "needless")
        case "follow_up_days":
            return "" if value is None else f"in {value} days"
        case "follow_ups":
            return _in_words(tuple(f"in {each.days} days {each.when}".strip() for each in value))
        case "substitutes":
            return "; ".join(value)
        case "dose":
            return dose_in_words(value)
        case "urgency" if value == 0:
            return ""
        case "sites" if value == 1:
            return ""
        case _:
            return value if isinstance(value, Expression) else _in_words(value)


def _in_words(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return plain(value)
        case tuple():
            return "; ".join(sorted(set(value)))
        case model.AgeBand():
            return ages_in_words(value)
        case _:
            return str(value)


def _span(span: tuple[float | None, float | None]) -> str:
    return "" if span == (None, None) else " to ".join(_in_words(end) or "any" for end in span)


def _derivation(derived: model.Derivation | None) -> dict[str, str | Expression | None]:
    match derived:
        case None:
            return {}
        case model.RuleValue(rule):
            return {"worked out by a rule": rule}
        case model.ChosenValue(rules):
            return {
                "worked out as": " / ".join(answer for answer, _ in rules),
                **{f"worked out as {answer}, rule {at}": r for at, (answer, r) in enumerate(rules)},
            }
        case other:
            return {"worked out as": _calculated(other)}


def _calculated(
    derived: model.AgeValue
    | model.SameValue
    | model.FormulaValue
    | model.TableValue
    | model.PersonValue,
) -> str:
    match derived:
        case model.AgeValue(unit):
            return f"the age in {unit}"
        case model.SameValue(name, factor):
            return f"{name} times {plain(factor)}"
        case model.FormulaValue(formula):
            return formula
        case model.TableValue(male, female, x, y, rounding):
            return f"{y} by {x} in {male} or {female}, rounded {rounding.replace('_', ' ')}"
        case model.PersonValue(what):
            return f"the person's {what}"


def names_within(facts: Facts) -> set[str]:
    """The parts within a part: answers, formulations."""
    return {what.rpartition(": ")[0] for what in facts} - {""}


def facts_within(facts: Facts, name: str) -> Facts:
    """The facts of one of these."""
    return dict(_of_one(facts, name))


def _of_one(facts: Facts, name: str) -> Iterator[tuple[str, str | Expression | None]]:
    for what, fact in facts.items():
        within, _, own = what.rpartition(": ")
        if within == name:
            yield own, fact
