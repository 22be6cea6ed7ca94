"""A part of the body and a complaint that are said apart, and the names they make together.

"My left knee is swollen" names nothing, but a base may have "knee swelling". Patterns, parts and
complaints are data; which of the names made is one, the dictionary asks the base.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.folding import name_key
from medweave.language.prefilter import Expression, Prefilter

_WORD = re.compile(r"(?<!\?P)<(\w+)>")


@dataclass(frozen=True, slots=True)
class Composed:
    """A stretch of a folded text, and the keys of the names it may stand for, the best first."""

    start: int
    end: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Complaint:
    said: Expression
    """Anything of it, to see quickly that a text has nothing of it."""
    patterns: tuple[Expression, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Rules:
    parts: Mapping[str, tuple[str, ...]]
    """By what is said, what names call it."""
    part: re.Pattern[str]
    complaints: Prefilter[_Complaint]
    lists: tuple[Expression, ...]
    """Several complaints of one part, as `list` beside `part`."""
    item: re.Pattern[str]
    """One of the complaints of a list."""


def composed(text: str, language: str) -> Iterator[Composed]:
    """What may be put together in a folded text.

    >>> found = next(composed("there is a pain in my left knee", "en"))
    >>> found.start, found.names[:2]
    (11, ('knee pain', 'kneeache'))
    """
    rules = _rules(language_with_rules(language))
    if not rules.part.search(text):
        return
    heard = [one for one in rules.complaints.of(text) if one.said.compiled.search(text)]
    for complaint in heard:
        for pattern in complaint.patterns:
            for found in pattern.finditer(text):
                yield from _read(found, complaint, rules)
    if len(heard) > 1:
        yield from _of_one_part(text, heard, rules)


def composed_wordings(language: str) -> Iterator[str]:
    """All that is said of parts and complaints; of complaints, as patterns."""
    rules = _rules(language_with_rules(language))
    yield from rules.parts
    yield from (complaint.said.pattern for complaint in rules.complaints.things())


def _read(found: re.Match[str], complaint: _Complaint, rules: _Rules) -> Iterator[Composed]:
    names = _names(found.group("part"), complaint, rules)
    more = found.groupdict().get("more")
    end = found.start("more") if more else found.end()
    yield Composed(found.start(), end, names)
    if more:  # "pain in my knees and elbows": the elbows are on their own
        for other in rules.part.finditer(more):
            start = end + other.start()
            names = _names(other.group(), complaint, rules)
            yield Composed(start, start + len(other.group()), names)


def _of_one_part(text: str, heard: list[_Complaint], rules: _Rules) -> Iterator[Composed]:
    """What else is said of the same part: "my toe is red and hot", "ear pain and discharge".

    The complaint beside the part is read with it; each of the others has a place of its own, with
    what joins it to the one before: so it is not read as that complaint of the whole body.
    """
    for pattern in rules.lists:
        for found in pattern.compiled.finditer(text):
            start, end = found.span("list")
            items = list(rules.item.finditer(text, start, end))
            beside = items[-1] if end <= found.start("part") else items[0]
            for at, item in enumerate(items):
                one = next((c for c in heard if c.said.compiled.fullmatch(item.group())), None)
                if one is not None and item is not beside:
                    first = items[at - 1].end() if at else item.start()
                    yield Composed(first, item.end(), _names(found["part"], one, rules))


def _names(part: str, complaint: _Complaint, rules: _Rules) -> tuple[str, ...]:
    """By what was said itself before what it is else called."""
    called = (part, *rules.parts[part])
    made = (name.replace("<part>", one) for one in called for name in complaint.names)
    return tuple(dict.fromkeys(map(name_key, made)))


@cache
def _rules(language: str) -> _Rules:
    content = shipped_yaml("vocabulary", "composition", f"{language}.yaml")
    parts = {wording: tuple(row["names"]) for row in content["parts"] for wording in row["said"]}
    before, behind = content["borders"]
    longest_first = "|".join(sorted(parts, key=lambda wording: (-len(wording), wording)))
    part = f"{before}(?:{longest_first}){behind}"
    words = {**content["words"], "part": f"(?P<part>{longest_first}){behind}"}
    complaints = [
        _complaint(row, [before + pattern + behind for pattern in content["patterns"]], words, part)
        for row in content["complaints"]
    ]
    every = "|".join(complaint.said.pattern for complaint in complaints)
    item = f"{before}(?:{every}){content['behind_item']}"
    words |= {"item": item, "anypart": part}
    lists = tuple(Expression(_written(pattern, words)) for pattern in content["lists"])
    by_words = Prefilter((one, one.said.needs) for one in complaints)
    return _Rules(parts, re.compile(part), by_words, lists, re.compile(item))


def _complaint(
    row: Mapping[str, Any], patterns: Iterable[str], words: Mapping[str, str], part: str
) -> _Complaint:
    """The patterns of one complaint: those for which it has the words."""
    wordings = {kind: row[kind] for kind in ("noun", "verb", "adjective") if kind in row}
    known = {**words, **wordings}
    complete: list[Expression] = []
    for pattern in patterns:
        first, begun, more = pattern.partition("(?P<more>")
        if {*_WORD.findall(pattern)} <= {*known, "place"}:
            written = _written(first, known) + begun
            complete.append(Expression(written + _written(more, {**known, "part": part})))
    return _Complaint(Expression("|".join(wordings.values())), tuple(complete), tuple(row["names"]))


def _written(pattern: str, words: Mapping[str, str]) -> str:
    """A pattern with its words written out; a place is a part, or one with "left" before it."""
    pattern = pattern.replace("<place>", "<where>*?<part>")
    while _WORD.search(pattern):
        pattern = _WORD.sub(lambda found: words[found.group(1)], pattern)
    return pattern
