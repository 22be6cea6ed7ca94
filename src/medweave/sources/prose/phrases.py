"""Conditions in few words: "children under 8 years", "pregnancy from week 20, at high doses"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from medweave.sources.prose.patterns import compile_pattern, slot
from medweave.sources.prose.templates import TemplateSet

DAYS = {
    "days": 1.0, "day": 1.0, "天": 1.0,
    "weeks": 7.0, "week": 7.0, "周": 7.0,
    "months": 30.4375, "month": 30.4375, "个月": 30.4375,
    "years": 365.25, "year": 365.25, "岁": 365.25,
}  # fmt: skip
"""Days in a unit of age; months and years at their mean length, as WHO tools count them."""

MAX_PHRASE = 300
"""A longer text is no phrase."""
_UNIT = re.compile("|".join(sorted(DAYS, key=len, reverse=True)), re.IGNORECASE)
_ENDING = re.compile(r"^(?P<main>.*?)\s*(?:,\s*(?P<en>.+)|[（(](?P<zh>[^（）()]+)[）)])$")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase as understood.

    `kind` says what `name` names: `population`, `substance` or `condition`.
    """

    kind: str
    name: str
    qualifiers: dict[str, Any]
    predicate: str = ""
    """Another predicate than the field's, where the phrase calls for one ("prevention of …")."""


def read_phrase(text: str, rules: TemplateSet) -> Phrase | None:
    """What a phrase names and under which qualifiers; None where nothing is left of it."""
    if len(text) > MAX_PHRASE:
        return None
    main, qualifiers = _without_endings(text.strip(" .;。；"), rules)
    for rule in rules.phrases:
        match = compile_pattern(rule["pattern"]).fullmatch(main)
        if match:
            return _phrase(rule, match, main, qualifiers, rules)
    return None


def _without_endings(text: str, rules: TemplateSet) -> tuple[str, dict[str, Any]]:
    qualifiers: dict[str, Any] = {}
    while match := _ENDING.match(text):
        found = _ending(match["en"] or match["zh"], rules)
        if found is None:
            break
        qualifiers = {**found, **qualifiers}
        text = match["main"]
    return text, qualifiers


def _ending(text: str, rules: TemplateSet) -> dict[str, Any] | None:
    found: dict[str, Any] = {}
    for part in re.split(r", |，", text):
        qualifier = _one_ending(part.strip(), rules)
        if qualifier is None:
            return None
        found |= qualifier
    return found


def _one_ending(text: str, rules: TemplateSet) -> dict[str, Any] | None:
    for rule in rules.endings:
        match = compile_pattern(rule["pattern"]).fullmatch(text)
        if match:
            text = slot(match, "text")
            return rule.get("qualifiers") or {rule["qualifier"]: rules.codes.get(text, text)}
    return None


def _phrase(
    rule: dict[str, Any],
    match: re.Match[str],
    text: str,
    qualifiers: dict[str, Any],
    rules: TemplateSet,
) -> Phrase:
    found = {**rule.get("qualifiers", {}), **qualifiers}
    number = slot(match, "n")
    if number:
        found[rule["number"]] = _amount(rule["number"], float(number), text)
    predicate = rule.get("predicate", "")
    if "population" in rule:
        return Phrase("population", rule["population"], found, predicate)
    name = slot(match, rule["object"])
    if rule.get("captured"):
        word = text[: text.rindex(name)].rsplit(maxsplit=1)[-1].lower()
        found[rule["captured"]] = rules.codes.get(word, word)
    return Phrase(rule["object"], name, found, predicate)


def _amount(qualifier: str, number: float, text: str) -> int:
    if qualifier.startswith("pregnancy"):
        return int(number)
    unit = _UNIT.search(text)
    return round(number * DAYS[unit.group().lower()]) if unit else int(number)
