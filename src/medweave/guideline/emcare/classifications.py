"""Classifications of EmCare: how severe, for which ages, and which are told from one another."""

from __future__ import annotations

import re
from dataclasses import replace

from medweave.model.guideline import ANY_AGE, AgeBand, Classification, Condition, Severity
from medweave.model.logic import Aged, AllOf, AnyOf, Classified, Expression, Negation, walk

OLDEST = 1826
"""EmCare is for children younger than this many days (60 months)."""
_RANK = {"severe": 3, "moderate": 2, "mild": 1, "none": 0}


def ages_and_rest(rule: Expression) -> tuple[AgeBand, Expression]:
    """The ages a rule asks for at its top, and the rest of it."""
    parts = rule.parts if isinstance(rule, AllOf) else (rule,)
    ages = [part for part in parts if isinstance(part, Aged)]
    if len(ages) != 1:
        return ANY_AGE, rule
    rest = tuple(part for part in parts if part is not ages[0])
    band = AgeBand(ages[0].from_days, ages[0].to_days)
    return band, rest[0] if len(rest) == 1 else AllOf(rest)


def severity_by_name(label: str) -> Severity:
    """How severe a classification without a colour is, as far as its name tells.

    >>> [severity_by_name(each) for each in ("Severe Dehydration", "No Dehydration", "Scabies")]
    ['severe', 'mild', 'moderate']
    """
    words = set(re.findall(r"[a-z]+", label.lower()))
    if words & {"no", "non", "unlikely"}:
        return "mild"
    return "severe" if words & {"severe", "serious"} else "moderate"


def at_either_age(one: Classification, other: Classification) -> Classification:
    """One classification that has a table for each of two ages."""
    rules = [
        AllOf((Aged(found.ages.from_days, found.ages.to_days), found.rule))
        for found in (one, other)
    ]
    starts, ends = zip(*((c.ages.from_days, c.ages.to_days) for c in (one, other)), strict=True)
    return replace(
        one,
        severity=max(one.severity, other.severity, key=_RANK.__getitem__),
        colour=one.colour or other.colour,
        aliases=(*one.aliases, *other.aliases),
        rule=AnyOf(tuple(rules)),
        ages=AgeBand(
            None if None in starts else min(start for start in starts if start is not None),
            None if None in ends else max(end for end in ends if end is not None),
        ),
        source=f"{one.source}; {other.source}",
    )


def _negated(rule: Expression) -> set[str]:
    return {
        part.part.classification
        for part in walk(rule)
        if isinstance(part, Negation) and isinstance(part.part, Classified)
    }


def in_tables(
    found: dict[str, Classification],
) -> tuple[tuple[Condition, ...], tuple[Classification, ...]]:
    """Classifications read together: one joins severer ones if it excludes all of them.

    Tables come in the order of the sheets, in each the severest first.
    """
    tables: list[list[str]] = []
    for name in sorted(found, key=lambda name: -_RANK[found[name].severity]):
        excluded = _negated(found[name].rule)
        homes = [
            table
            for table in tables
            if excluded & set(table) and _fits(name, table, excluded, found)
        ]
        if homes:
            max(homes, key=lambda table: _shared_days(found[name], found[table[0]])).append(name)
        else:
            tables.append([name])
    order = list(found)
    tables.sort(key=lambda table: min(map(order.index, table)))
    conditions = tuple(Condition(f"table.{table[0]}", found[table[0]].label) for table in tables)
    members = (
        replace(found[name], condition=f"table.{table[0]}") for table in tables for name in table
    )
    return conditions, tuple(members)


def _fits(
    name: str, table: list[str], excluded: set[str], found: dict[str, Classification]
) -> bool:
    """Whether the newcomer excludes all those of a table that are severer."""
    rank = _RANK[found[name].severity]
    return all(other in excluded for other in table if _RANK[found[other].severity] > rank)


def _shared_days(one: Classification, other: Classification) -> int:
    """The days of life that two classifications are both for."""
    start = max(one.ages.from_days or 0, other.ages.from_days or 0)
    end = min(one.ages.to_days or OLDEST, other.ages.to_days or OLDEST)
    return max(0, end - start)
