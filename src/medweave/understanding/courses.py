"""What two values of one thing say together: creatinine that has risen by half in days.

One value of 190 may be years old; "98 -> 190" is an acute kidney injury, whatever each of the two
is by itself. The words, and from how many times on, are data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from medweave.language.cues import read_mention
from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.passage import Passage, Span
from medweave.understanding.linked import linked
from medweave.understanding.measured import LINK, Measured
from medweave.vocabulary.dictionary import Match
from medweave.vocabulary.knowledge import Knowledge

_NUMBER = r"\d+(?:\.\d+)?(?!\d|\s?%)"


@dataclass(frozen=True, slots=True)
class _Course:
    """One thing that is measured again, and what its rise means."""

    finding: str
    times: float
    pairs: tuple[re.Pattern[str], ...]
    said: tuple[re.Pattern[str], ...]
    slow: re.Pattern[str]


def with_courses(passage: Passage, measured: Measured, knowledge: Knowledge) -> Measured:
    """What was measured, with what rises of values tell; nothing that the text names or denies
    itself."""
    found = measured.mentions
    for course in _courses(language_with_rules(passage.language)):
        bearers = knowledge.dictionary.names(course.finding)
        named = {e for m in found if m.experiencer == "patient" for e in m.entities}
        span = next(_rises(passage, course), None)
        if span is None or not bearers or bearers[0].entity in named:
            continue
        reading = read_mention(passage, *span)
        if reading.experiencer == "other" or reading.status == "absent":
            continue
        match = Match(*span, bearers)
        mention = linked(passage.text, match, LINK, passage.language, knowledge, status="present")
        found = tuple(sorted((*found, mention), key=lambda m: m.start))
    return replace(measured, mentions=found)


def _rises(passage: Passage, course: _Course) -> Iterator[Span]:
    """Where a text tells that a value has risen so much, and not over years."""
    text = passage.plain
    spans = [m.span() for pattern in course.said for m in pattern.finditer(text)]
    spans += [
        m.span()
        for pattern in course.pairs
        for m in pattern.finditer(text)
        if float(m["now"]) >= course.times * float(m["before"]) > 0
    ]
    for start, end in spans:
        first, last = passage.sentence_at(start)
        if not course.slow.search(text[first:last]):
            yield start, end


@cache
def _courses(language: str) -> tuple[_Course, ...]:
    return tuple(
        _course(rules, rules[language])
        for rules in shipped_yaml("understanding", "rules", "courses.yaml").values()
    )


def _course(rules: dict[str, Any], words: dict[str, Any]) -> _Course:
    parts = {"{thing}": words["thing"], "{to}": words["to"], "{number}": _NUMBER}

    def written(pattern: str) -> re.Pattern[str]:
        for name, part in parts.items():
            pattern = pattern.replace(name, part)
        return re.compile(pattern)

    return _Course(
        rules["finding"],
        float(rules["times"]),
        tuple(map(written, words["pairs"])),
        tuple(map(written, words["said"])),
        written(words["slow"]),
    )
