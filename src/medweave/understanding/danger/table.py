"""The table of danger signs as it ships: which findings make a sign, and the words for findings.

`rules/signs.yaml` holds the signs, `rules/findings.LANGUAGE.yaml` the words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from medweave.language.data import LANGUAGES, language_with_rules, shipped_yaml
from medweave.language.needed import ByWord, Expression, expressions, needs_of

GUARDS = (
    "no_denial",
    "now",
    "doubt_before",
    "doubt_after",
    "past_before",
    "past_after",
    "supposed_before",
    "general",
    "somebody",
)
"""What takes a finding out of the present, or keeps it there."""


@dataclass(frozen=True, slots=True)
class Way:
    """Findings that make a sign present together, or a complaint that calls for it to be asked."""

    findings: tuple[str, ...]
    about: tuple[str, ...] = ()
    """Asked for while one of these was neither told nor denied; empty in a way to be present."""
    unless: tuple[str, ...] = ()
    pregnant: bool = False
    under_days: int | None = None


@dataclass(frozen=True, slots=True)
class Sign:
    """One danger sign of the table."""

    id: str
    names: Mapping[str, str]
    present: tuple[Way, ...]
    ask: tuple[Way, ...]
    sources: tuple[str, ...]
    """The records it was checked against, or 'unsourced'."""


@dataclass(frozen=True, slots=True)
class DangerWords:
    """The words of one language, as expressions."""

    findings: Mapping[str, tuple[Expression, ...]]
    by_word: ByWord[tuple[str, Expression]]
    """Each finding with each of its expressions, by what a text must have for it."""
    guards: Mapping[str, Expression]
    idioms: ByWord[Expression]
    """Figures of speech, by the words they need."""


@cache
def danger_signs() -> tuple[Sign, ...]:
    """All signs, in the order in which they are told."""
    held = shipped_yaml("understanding", "danger", "rules", "signs.yaml")["signs"]
    return tuple(_sign(name, entry) for name, entry in held.items())


@cache
def danger_words(language: str) -> DangerWords:
    """The words of a language; English where there are none for it."""
    name = language_with_rules(language)
    held = shipped_yaml("understanding", "danger", "rules", f"findings.{name}.yaml")
    parts = held["parts"]
    without_parts = dict.fromkeys(parts, ".")  # all that is needed is written beside them
    said = [(name, pattern) for name, some in held["findings"].items() for pattern in some]
    needs = needs_of([_filled(pattern, without_parts) for _, pattern in said])
    made = [
        (name, Expression(_filled(pattern, parts), need), need)
        for (name, pattern), need in zip(said, needs, strict=True)
    ]
    by_word = ByWord(((name, expression), need) for name, expression, need in made)
    findings: dict[str, tuple[Expression, ...]] = {}
    for name, expression, _ in made:
        findings[name] = (*findings.get(name, ()), expression)
    guarding = expressions([_filled("|".join(held[guard]), parts) for guard in GUARDS])
    guards = dict(zip(GUARDS, guarding, strict=True))
    idioms = expressions([_filled(pattern, parts) for pattern in held["idioms"]])
    return DangerWords(findings, by_word, guards, ByWord((one, one.needs) for one in idioms))


def _sign(name: str, entry: Mapping[str, Any]) -> Sign:
    return Sign(
        id=name,
        names={language: entry[language] for language in LANGUAGES},
        present=tuple(_way(way) for way in entry["present"]),
        ask=tuple(_way(way) for way in entry.get("ask", ())),
        sources=tuple(entry["source"]),
    )


def _way(entry: Sequence[str] | Mapping[str, Any]) -> Way:
    """A list of findings, or a mapping with conditions."""
    if not isinstance(entry, Mapping):
        return Way(tuple(entry))
    return Way(
        tuple(entry["with"]),
        tuple(entry.get("about", ())),
        tuple(entry.get("unless", ())),
        bool(entry.get("pregnant", False)),
        entry.get("under_days"),
    )


def _filled(pattern: str, parts: Mapping[str, str]) -> str:
    """An expression with the shared parts put in."""
    for name, part in parts.items():
        pattern = pattern.replace("{" + name + "}", part)
    return pattern
