"""Values of a guideline as plain JSON values, and back: what a base keeps of each part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from medweave.errors import GuidelineError
from medweave.model import guideline as guidelines
from medweave.model import logic

_KIND = "is"
_RULE = "rule"
_NESTED = (dict, list)
_CLASSES: dict[str, Any] = {
    name: held
    for module in (guidelines, logic)
    for name, held in vars(module).items()
    if is_dataclass(held) and isinstance(held, type)
}


def to_plain(value: Any, rules: list[logic.Expression] | None = None) -> Any:
    """A value without what is as usual. Where `rules` are collected, a rule is its number there.

    >>> to_plain(logic.Answered("cough", "yes"))
    {'is': 'Answered', 'observation': 'cough', 'answer': 'yes'}
    """
    if rules is not None and isinstance(value, logic.Expression):
        rules.append(value)
        return {_RULE: len(rules) - 1}
    if is_dataclass(value) and not isinstance(value, type):
        held = {_KIND: type(value).__name__}
        for each in fields(value):
            found = getattr(value, each.name)
            if each.default is MISSING or found != each.default:
                held[each.name] = to_plain(found, rules)
        return held
    if isinstance(value, tuple):
        return [to_plain(each, rules) for each in value]
    if isinstance(value, dict):
        return {"": {name: to_plain(each, rules) for name, each in value.items()}}
    return value


def from_plain(value: Any, rule: Callable[[int], logic.Expression] | None = None) -> Any:
    """The value again; `GuidelineError` where it is none of a guideline. `rule` finds a rule by its
    number.

    >>> from_plain(to_plain(logic.Aged(60, 365)))
    Aged(from_days=60, to_days=365)
    """
    if isinstance(value, list):
        return tuple(
            [from_plain(each, rule) if isinstance(each, _NESTED) else each for each in value]
        )
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        if rule is not None and _RULE in value:
            return rule(value[_RULE])
        if "" in value:
            return _values(value[""], rule)
    made = _CLASSES.get(value.get(_KIND, ""))
    if made is None:
        raise GuidelineError(
            f"'{value.get(_KIND)}' is no part of a guideline",
            where="base",
            remedy="add the guideline again",
        )
    held = _values(value, rule)
    del held[_KIND]
    return made(**held)


def _values(held: dict[str, Any], rule: Callable[[int], logic.Expression] | None) -> dict[str, Any]:
    """The values by name; most are plain, and are not gone into."""
    return {
        name: from_plain(each, rule) if isinstance(each, _NESTED) else each
        for name, each in held.items()
    }
