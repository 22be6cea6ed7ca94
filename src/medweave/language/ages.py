"""The ages that a text states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from medweave.language.folding import blotted
from medweave.language.given_names import given_names
from medweave.language.numbers import counting_from_one
from medweave.language.people_rules import DAYS_IN_YEAR, PeopleRules
from medweave.language.person import Age

_MOST_YEARS = 125
_MARK = re.compile(r"(?<![\w.])[1-9](?=[.)、] ?[^\W\d])")
"""A number that may begin an item of a list."""


def ages_in(text: str, language: str, nouns: Sequence[int], rules: PeopleRules) -> tuple[Age, ...]:
    """All ages that a text in lower case states, whosever they are; `nouns` are where nouns for
    people end."""
    numbers = [match.start() for match in rules.number.finditer(text)]
    found = _in_years_and_days(text, language, nouns, numbers, rules) if numbers else []
    return tuple(sorted(found or _decades(text, language, rules), key=lambda age: age.start))


def _in_years_and_days(
    text: str, language: str, nouns: Sequence[int], numbers: Sequence[int], rules: PeopleRules
) -> list[Age]:
    text = blotted(text, (m.span() for m in rules.no_ages.finditer(text)), "~")
    text = blotted(text, _marks_of_list(text), "~")
    found: list[Age] = []
    taken = bytearray(len(text))
    for match in _may_be_ages(text, numbers, nouns, rules):
        begin, end = match.span()
        if any(taken[begin:end]):
            continue
        taken[begin:end] = b"\1" * (end - begin)
        days = rules.days(match.groupdict(), language)
        if days is not None and days <= _MOST_YEARS * DAYS_IN_YEAR:
            found.append(Age(match.start("n"), match.end(), days))
    if not found and (first := rules.first_age.match(text)):
        days = rules.days(first.groupdict(), language)
        if days is not None:
            found.append(Age(first.start("n"), first.end(), days))
    return found


def _marks_of_list(text: str) -> list[tuple[int, int]]:
    """The numbers of a list that counts from one, "1. how much for an adult 2. how long": none is
    an age."""
    marks = counting_from_one(_MARK.finditer(text))
    return [mark.span() for mark in marks] if len(marks) > 1 else []


def _decades(text: str, language: str, rules: PeopleRules) -> list[Age]:
    """Decades of life that a text tells in place of an age."""
    found = (
        (match.span("n"), rules.decade_of(match["n"], language))
        for match in rules.decade.finditer(text)
    )
    return [Age(*span, *days) for span, days in found]


def _may_be_ages(
    text: str, numbers: Sequence[int], nouns: Sequence[int], rules: PeopleRules
) -> Iterator[re.Match[str]]:
    """What the rules of ages match, the surer ones first."""
    for patterns, places in ((rules.ages_at_number, numbers), (rules.ages_behind_person, nouns)):
        for pattern in patterns if places else ():
            found = (pattern.compiled.match(text, place) for place in places)
            yield from filter(None, found)
    for pattern in rules.ages_anywhere:
        for match in pattern.finditer(text):
            name = match.groupdict().get("name")
            if name is None or name in given_names():
                yield match
