"""Conditions in few words: "children under 8 years", "pregnancy from week 20, at high doses"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from medweave.sources.prose.patterns import compile_pattern, slot
from medweave.sources.prose.templates import TemplateSet

DAYS = {
    "days": 1.0, "day": 1.0, "天": 1.0, "日": 1.0,
    "weeks": 7.0, "week": 7.0, "周": 7.0,
    "months": 30.4375, "month": 30.4375, "个月": 30.4375, "月": 30.4375,
    "years": 365.25, "year": 365.25, "岁": 365.25, "年": 365.25,
}  # fmt: skip
"""Days in a unit of age; months and years at their mean length, as WHO tools count them."""

_SEVERE_GFR = 30
"""A filtration rate below this is severe kidney disease (KDIGO: stages 4 and 5)."""
_NOTE = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
MAX_PHRASE = 300
"""A longer text is no phrase."""
_UNIT = re.compile("|".join(sorted(DAYS, key=len, reverse=True)), re.IGNORECASE)
_ENDING = re.compile(r"^(?P<main>.*?)\s*(?:,\s*(?P<en>.+)|[（(](?P<zh>[^（）()]+)[）)])$")


Known = Callable[[str, str], bool]
"""Whether a name of a `kind` of phrase is one that the lexicon has."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase as understood.

    `kind` says what `name` names: `population`, `substance`, `condition`, or a text as it is,
    `in_words`.
    """

    kind: str
    name: str
    qualifiers: dict[str, Any]
    predicate: str = ""
    """Another predicate than the field's, where the phrase calls for one ("prevention of …")."""


def read_conditions(text: str, rules: TemplateSet, known: Known) -> tuple[Phrase, ...]:
    """The conditions that a text is.

    `known` tells the names of diseases, findings and substances.
    What can be computed is; what holds a number or words that no name has, and can not, is kept
    `in_words`; anything else is the name of a condition.
    """
    whole = text.strip(" .;。；")
    if known(whole, "condition"):
        return (Phrase("condition", whole, {}),)
    parts = [part.strip() for part in rules.both.split(whole) if part.strip()]
    first = _computed(whole, rules, known)
    if first is None and len(parts) > 1:
        found = [_computed(part, rules, known) for part in parts]
        if all(found):
            return tuple(phrase for phrase in found if phrase)
    if first is not None:
        return (first,)
    if len(whole) <= MAX_PHRASE and rules.of_phrases.search(whole):
        return (Phrase("in_words", whole, {}),)
    plain = read_phrase(whole, rules)
    return (plain,) if plain else ()


def _computed(text: str, rules: TemplateSet, known: Known) -> Phrase | None:
    """A phrase that names something known, whatever it carries around the name."""
    for shorter in (text, _NOTE.sub("", text)):
        for bare in _barer(shorter, rules):
            found = read_phrase(bare, rules, against=True)
            if found is None:
                continue
            if found.kind == "population":
                return found
            name = next((n for n in _barer(found.name, rules) if known(n, found.kind)), "")
            if name:
                return replace(found, name=name)
            unlisted = found.kind == "substance" and not found.predicate
            if unlisted and not rules.of_phrases.search(found.name):
                return found
    return None


def _barer(text: str, rules: TemplateSet) -> Iterator[str]:
    """A text, and what is left of it when what may stand around a name is taken off."""
    yield text
    space = "" if rules.language == "zh" else " "
    while True:
        before = next((w for w in rules.before if text.lower().startswith(w + space)), "")
        behind = next((w for w in rules.behind if text.endswith(space + w)), "")
        if before and len(before) < len(text):
            text = text[len(before) :].strip()
        elif behind and len(behind) < len(text):
            text = text[: -len(behind)].strip()
        else:
            return
        yield text


def read_phrase(text: str, rules: TemplateSet, *, against: bool = False) -> Phrase | None:
    """What a phrase names and under which qualifiers; None where nothing is left of it.

    `against`: it is a condition that speaks against something, not what something is used for.
    """
    if len(text) > MAX_PHRASE:
        return None
    main, qualifiers = _without_endings(text.strip(" .;。；"), rules)
    for rule in rules.phrases:
        if rule.get("against") and not against:
            continue
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
    if "condition" in rule:
        found |= {"severity": "severe"} if float(number or 0) <= _SEVERE_GFR else {}
        return Phrase("condition", rule["condition"], found, predicate)
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
    if not qualifier.endswith("_days"):
        return int(number)
    unit = _UNIT.search(text)
    return round(number * DAYS[unit.group().lower() if unit else "years"])
