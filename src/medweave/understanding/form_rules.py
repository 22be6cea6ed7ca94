"""The rules of how things are asked, from data files: one a language (`rules/forms.*.yaml`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from medweave.language.data import language_with_rules, shipped_yaml


@dataclass(frozen=True, slots=True)
class ClaimRule:
    """One rule for yes/no questions."""

    relation: str
    first: frozenset[str]
    second: frozenset[str]
    exists: bool
    both: bool
    """Whether it is a claim only where both ends are known."""
    words: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]


@dataclass(frozen=True)
class Joins:
    """How names of one kind are joined where they are compared."""

    drugs: bool
    alone: re.Pattern[str]
    commas: re.Pattern[str]
    lists: re.Pattern[str]
    told_from: re.Pattern[str]
    telling: re.Pattern[str]
    asking: re.Pattern[str]
    picks: re.Pattern[str] | None
    """What joins names behind `before`: "is it a cold or the flu?"."""
    before: re.Pattern[str] | None


@dataclass(frozen=True)
class FormRules:
    """The compiled rules of one language."""

    substances: Joins
    conditions: Joins
    leave_out_before: re.Pattern[str]
    leave_out_after: re.Pattern[str] | None
    leave_out_joins: re.Pattern[str]
    something_else: re.Pattern[str]
    claims: tuple[ClaimRule, ...]
    opening: re.Pattern[str]
    pronouns: re.Pattern[str]
    trailing: re.Pattern[str]


@cache
def form_rules(language: str) -> FormRules:
    """The rules that ship for a language; English where there are none for it."""
    name = language_with_rules(language)
    content = shipped_yaml("understanding", "rules", f"forms.{name}.yaml")
    comparison, beyond = content["comparison"], content["what_else"]
    return FormRules(
        substances=_joins(comparison["substances"], comparison["article"], drugs=True),
        conditions=_joins(comparison["conditions"], comparison["article"], drugs=False),
        leave_out_before=_any_of(beyond["before"]),
        leave_out_after=_any_of(beyond["after"]) if beyond["after"] else None,
        leave_out_joins=_any_of(beyond["joins"]),
        something_else=_any_of(beyond["else"]),
        claims=tuple(
            ClaimRule(
                entry["relation"],
                frozenset(entry.get("first", ())),
                frozenset(entry["second"]),
                entry.get("exists", False),
                entry.get("both", False),
                tuple(entry.get("words", ())),
                tuple(re.compile(pattern) for pattern in entry["patterns"]),
            )
            for entry in content["claims"]
        ),
        opening=re.compile(content["opening"]),
        pronouns=re.compile(content["pronouns"]),
        trailing=re.compile(content["trailing"]),
    )


def _any_of(patterns: list[str], then: str = "") -> re.Pattern[str]:
    return re.compile("(?:" + "|".join(patterns) + ")" + then)


def _joins(entry: dict[str, list[str]], article: str, *, drugs: bool) -> Joins:
    return Joins(
        drugs=drugs,
        alone=_any_of(entry["joins"], article),
        commas=_any_of(entry["commas"], article),
        lists=_any_of([*entry["joins"], *entry["commas"], *entry["lists"]], article),
        told_from=_any_of(entry["told_from"], article),
        telling=_any_of(entry["telling"]),
        asking=_any_of(entry["asking"]),
        picks=_any_of(entry["picks"], article) if "picks" in entry else None,
        before=_any_of(entry["before"]) if "before" in entry else None,
    )
