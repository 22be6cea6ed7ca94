"""The rules of how things are asked, from data files: one a language (`rules/forms.*.yaml`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from medweave.language.data import rules_in
from medweave.language.prefilter import Expression, Prefilter
from medweave.understanding.rule_files import FORM_RULES


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


@dataclass(frozen=True)
class Joins:
    """How names of one kind are joined where they are compared."""

    drugs: bool
    alone: Expression
    commas: Expression
    lists: Expression
    told_from: Expression
    telling: Expression
    asking: Expression
    picks: Expression | None
    """What joins names behind `before`: "is it a cold or the flu?"."""
    before: Expression | None


@dataclass(frozen=True)
class FormRules:
    """The compiled rules of one language."""

    substances: Joins
    conditions: Joins
    leave_out_before: Expression
    leave_out_after: Expression | None
    leave_out_joins: Expression
    something_else: Expression
    claims: Prefilter[tuple[ClaimRule, Expression]]
    contagion: ClaimRule
    """Whether an illness is catching."""
    opening: Expression
    pronouns: Expression
    trailing: Expression


@cache
def form_rules(language: str) -> FormRules:
    """The rules that ship for a language; English where there are none for it."""
    content = rules_in(language, *FORM_RULES)
    comparison, beyond = content["comparison"], content["what_else"]
    claims = [
        (_claim(entry), Expression(pattern))
        for entry in content["claims"]
        for pattern in entry["patterns"]
    ]
    return FormRules(
        substances=_joins(comparison["substances"], comparison["article"], drugs=True),
        conditions=_joins(comparison["conditions"], comparison["article"], drugs=False),
        leave_out_before=_any_of(beyond["before"]),
        leave_out_after=_any_of(beyond["after"]) if beyond["after"] else None,
        leave_out_joins=_any_of(beyond["joins"]),
        something_else=_any_of(beyond["else"]),
        claims=Prefilter((claim, claim[1].needs) for claim in claims),
        contagion=next(claim for claim, _ in claims if claim.relation == "contagion"),
        opening=Expression(content["opening"]),
        pronouns=Expression(content["pronouns"]),
        trailing=Expression(content["trailing"]),
    )


def _claim(entry: Mapping[str, Any]) -> ClaimRule:
    return ClaimRule(
        entry["relation"],
        frozenset(entry.get("first", ())),
        frozenset(entry["second"]),
        entry.get("exists", False),
        entry.get("both", False),
        tuple(entry.get("words", ())),
    )


def _any_of(patterns: list[str], then: str = "") -> Expression:
    return Expression("(?:" + "|".join(patterns) + ")" + then)


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
