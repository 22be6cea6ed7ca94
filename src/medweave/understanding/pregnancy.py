"""Pregnancy, its weeks, and breastfeeding, as a text tells them of who is to be treated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from medweave.language.cues import read_mention
from medweave.language.data import rule_in_any, rules_in
from medweave.language.folding import blotted
from medweave.language.numbers import find_numbers
from medweave.language.passage import Passage
from medweave.language.people import People, people_of
from medweave.language.prefilter import Expression, Prefilter, first_matches, grouped
from medweave.understanding.rule_files import PATIENT_RULES

_WEEKS = 40
"""Weeks of a whole pregnancy, counted from the last period."""
_MOST_WEEKS = 45
_WEEKS_IN = {"mo": 4.345, "d": 1 / 7}
_NEAR = 30
_STATED = ("pregnant", "breastfeeding")
_COUNTED = ("pregnancy_weeks", "pregnancy_months", "due_in")


@dataclass(frozen=True, slots=True)
class Pregnancy:
    """What is said; None means "not said", never "no". Weeks are completed ones, low and high."""

    pregnant: bool | None = None
    weeks: int | None = None
    weeks_max: int | None = None
    breastfeeding: bool | None = None


def read_pregnancy(passage: Passage) -> Pregnancy:
    """Whether who is to be treated is pregnant, how far, and whether she breastfeeds.

    >>> from medweave.language.passage import passage_of
    >>> found = read_pregnancy(passage_of("I'm 20 weeks pregnant"))
    >>> found.pregnant, found.weeks
    (True, 20)
    >>> read_pregnancy(passage_of("We are expecting our first baby in two months")).weeks
    31
    """
    rules = grouped(_patterns(passage.language).of(passage.plain))
    if not rules:
        return Pregnancy()
    reader = _PregnancyReader(passage, people_of(passage), rules)
    pregnant, breastfeeding = (reader.stated(fact) for fact in _STATED)
    weeks, weeks_max = reader.weeks()
    if weeks is not None and pregnant is None:
        pregnant = True
    return Pregnancy(pregnant, weeks, weeks_max, breastfeeding)


@dataclass(frozen=True)
class _PregnancyReader:
    passage: Passage
    people: People
    patterns: Mapping[str, Sequence[Expression]]
    """By rule, the patterns of which the passage may have some."""

    def _matches(self, rule: str, text: str) -> Iterator[re.Match[str]]:
        return first_matches([one.compiled for one in self.patterns.get(rule, ())], text)

    def _own(self, rule: str, text: str) -> Iterator[re.Match[str]]:
        """What a rule finds that is told of who is to be treated."""
        for match in self._matches(rule, text):
            if self.people.is_patients(match.start(), match.end()):
                yield match

    def stated(self, fact: str) -> bool | None:
        """True, False or not said; what is only supposed or hoped for is not said."""
        text = self.passage.plain
        if any(self._own(f"not_{fact}", text)):
            return False
        if fact == "breastfeeding" and self._feeds_a_child(text):
            return True
        maybe = self._matches(f"maybe_{fact}", text)
        text = blotted(text, (match.span() for match in maybe), "~")
        return True if any(map(self._is_now, self._own(fact, text))) else None

    def _is_now(self, match: re.Match[str]) -> bool:
        """Whether what was found is not of years ago: "an ectopic pregnancy in 2019"."""
        if rule_in_any("now_before", *PATIENT_RULES).search(
            self.passage.plain[: match.start()][-_NEAR:]
        ):
            return True  # "I am pregnant with my second"
        reading = read_mention(self.passage, match.start(), match.end())
        return reading.temporality != "historical"

    def _feeds_a_child(self, text: str) -> bool:
        """Whether a child is told of that is at the breast, and somebody else is to be treated."""
        fed = any(self._matches("fed_child", text))
        return fed and not self.people.treats_a_child

    def weeks(self) -> tuple[int | None, int | None]:
        """Completed weeks of pregnancy, lowest and highest that fit what was said."""
        weeks = self._first("pregnancy_weeks")
        if weeks is not None and weeks <= _MOST_WEEKS and not self._of_a_child():
            return int(weeks), int(weeks)
        months = self._first("pregnancy_months")
        if months is not None and months <= _MOST_WEEKS / _WEEKS_IN["mo"]:
            return int((months - 1) * _WEEKS_IN["mo"]) + 1, int(months * _WEEKS_IN["mo"])
        units = _rules(self.passage.language)["due_units"]
        for match in self._own("due_in", self.passage.plain):
            left, unit = self._number(_group(match, "n")), _group(match, "unit")
            if left is not None:
                done = _WEEKS - left * _WEEKS_IN.get(units.get(unit, ""), 1)
                if 0 <= done <= _WEEKS:
                    return int(done), int(done)
        return self._trimester()

    def _of_a_child(self) -> bool:
        """Whether weeks without a word of pregnancy are more likely a small child's age."""
        return self.people.treats_a_child and not any(self._own("pregnant", self.passage.plain))

    def _trimester(self) -> tuple[int | None, int | None]:
        rules = _rules(self.passage.language)
        for match in self._own("trimester_pattern", self.passage.plain):
            which = next((value for value in match.groupdict().values() if value), "")
            low, high = rules["trimester"].get(which, (None, None))
            return low, high
        return None, None

    def _first(self, rule: str) -> float | None:
        for match in self._own(rule, self.passage.plain):
            number = self._number(_group(match, "n"))
            if number is not None:
                return number
        return None

    def _number(self, written: str) -> float | None:
        if written in (ordinals := _rules(self.passage.language)["ordinals"]):
            return float(ordinals[written])
        return next((n.value for n in find_numbers(written, self.passage.language)), None)


def _rules(language: str) -> dict[str, Any]:
    return rules_in(language, *PATIENT_RULES)


@cache
def _patterns(language: str) -> Prefilter[tuple[str, Expression]]:
    rules = _rules(language)
    wanted = [
        *_STATED,
        *(f"not_{fact}" for fact in _STATED),
        "maybe_pregnant",
        "fed_child",
        *_COUNTED,
    ]
    held = {rule: rules[rule] for rule in wanted} | {
        "trimester_pattern": [rules["trimester_pattern"]]
    }
    made = [
        (rule, Expression(pattern.replace("{number}", rules["number"])))
        for rule, patterns in held.items()
        for pattern in patterns
    ]
    return Prefilter((one, one[1].needs) for one in made)


def _group(match: re.Match[str], name: str) -> str:
    """What the group of a name ("n", "n2") holds; '' where there is none."""
    held = (value for group, value in match.groupdict().items() if group.startswith(name))
    return next(filter(None, held), "")
