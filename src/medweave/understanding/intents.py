"""What a question asks for, by rules that are data files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from medweave.language.data import shipped_yaml
from medweave.model.question import Intent, Mention

_LANGUAGES = ("en", "zh")
_RULE_SCORE = 0.9
_GUESS_SCORE = 0.5
_FINDINGS = ("symptom", "disease")
_REPLACED = ("symptom", "disease", "drug")
_SUBSTANCES = ("drug", "drug_class")
_NOT_WITH_AVOID = ("drug", "treatment", "diet", "prevention")
_ELSEWHERE = ("who ", "when ", "where ")
"""Questions that begin so ask for what no base of this kind holds, unless a rule knows better."""


@dataclass(frozen=True, slots=True)
class IntentRule:
    """One intent: the concepts it must be about, and how it is asked for."""

    label: str
    about: frozenset[str]
    pattern: re.Pattern[str]


@cache
def intent_rules(language: str) -> tuple[IntentRule, ...]:
    """The rules that ship for a language; English where there are none for it."""
    name = language if language in _LANGUAGES else "en"
    content = shipped_yaml("understanding", "rules", f"intents.{name}.yaml")
    return tuple(
        IntentRule(
            entry["label"], frozenset(entry["about"]), re.compile("|".join(entry["patterns"]))
        )
        for entry in content["intents"]
    )


def find_intents(text: str, language: str, mentions: tuple[Mention, ...]) -> tuple[Intent, ...]:
    """All that is asked for, in the order of the rules; if nothing is, a guess from what is named.

    Intents that the mentions cannot serve are left out: there are no symptoms of a drug.
    """
    concepts = {mention.concept for mention in mentions}
    lowered = _with_placeholders(text, mentions).lower().replace("’", "'")
    found = [
        rule.label
        for rule in intent_rules(language)
        if concepts & rule.about and rule.pattern.search(lowered)
    ]
    labels = _settled(found, concepts)
    if labels:
        return tuple(Intent(label, _RULE_SCORE) for label in labels)
    if lowered.lstrip().startswith(_ELSEWHERE):
        return ()
    return tuple(Intent(label, _GUESS_SCORE) for label in _guess(mentions, concepts))


def _with_placeholders(text: str, mentions: tuple[Mention, ...]) -> str:
    """The text with names as placeholders, as document K has it: an eating disorder is no diet."""
    for mention in sorted(mentions, key=lambda m: -m.start):
        if mention.concept in _REPLACED:
            text = f"{text[: mention.start]}xname{text[mention.end :]}"
    return text


def _settled(found: list[str], concepts: set[str]) -> list[str]:
    """Without what another intent says better."""
    labels = list(dict.fromkeys(found))
    if "description" in labels and len(labels) > 1:
        labels.remove("description")
    if "diet" in labels and concepts & set(_SUBSTANCES) and "contraindication" in labels:
        labels.remove("diet")  # "can I eat cephalosporins" asks about a drug
    if "diet" in labels and "diagnosis" in labels:
        labels.remove("diet")  # "after meals" describes a complaint
    if "avoid" in labels:  # asked the other way round, the answer must be the other way round
        labels = [label for label in labels if label not in _NOT_WITH_AVOID]
    if "diagnosis" in labels and concepts.isdisjoint({"symptom"}) and len(labels) > 1:
        labels.remove("diagnosis")
    return labels


def _guess(mentions: tuple[Mention, ...], concepts: set[str]) -> list[str]:
    reported = [m for m in mentions if m.concept in _FINDINGS and m.status == "present"]
    if concepts & set(_SUBSTANCES):
        return (
            ["contraindication"]
            if reported or "population" in concepts
            else ["indication", "contraindication"]
        )
    if any(mention.concept == "symptom" for mention in mentions):
        return ["diagnosis"]
    if "disease" in concepts:
        return ["description", "symptom"]
    return []
