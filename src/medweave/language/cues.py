"""Is what a text mentions there, absent, unknown or only supposed? Rules are data files.

A small relative of ConText (Harkema et al. 2009): cues before or behind a mention act within a
stretch of text that breaks end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from typing import Literal as OneOf

from medweave.language.answers import Said, in_an_answer, read_answer
from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.headings import Heading, heading_of
from medweave.language.passage import Passage, Span
from medweave.language.people import people_of
from medweave.language.prefilter import Expression, Prefilter, requirements_of
from medweave.model.question import Status

Search = Callable[[str], re.Match[str] | None]
_BLANKS = re.compile(r"[ \t]{2,}")
_ANSWERED: dict[Said, Status] = {"yes": "present", "no": "absent", "unsure": "unknown"}
_SEEN = {"en": 400, "zh": 150}
"""Characters of a sentence before a mention that are read; some sentences have no end."""
_REACH = 120
"""Characters behind a mention in which cues are looked for."""
_COMMA = re.compile(r",(?!\d)")
_ABSENCES = frozenset({"absent_before", "absent_after"})
_A_LIST = 3
"""So many short names between commas are a list, of which one denial denies all."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How one mention is meant. `said_of_person` tells a report from a general question."""

    status: Status
    experiencer: OneOf["patient", "other"]
    temporality: OneOf["recent", "historical"]
    doubted: bool = False
    """Unknown because the text says so, and not because it says nothing of anybody."""
    asked: bool = False
    """It is asked whether it is there: what the status rests on is the answer, if there is one."""
    family: bool = False
    """It runs in a family, or a relative once had it."""


@dataclass(frozen=True)
class CueRules:
    """The cues of one language, by group."""

    groups: dict[str, Expression]
    searches: dict[str, Search]
    """How each group is looked for."""

    by_word: Prefilter[str]
    """The groups by the words they need."""

    def in_text(self, text: str) -> Cues:
        """The cues of which a text, or any part of it, may have some."""
        return Cues(self, frozenset(self.by_word.likely(text)))


@dataclass(frozen=True, slots=True)
class Cues:
    """The groups of cues of which there may be any in parts of one text."""

    rules: CueRules
    groups: frozenset[str]

    def find(self, group: str, text: str) -> bool:
        """Whether a cue of a group occurs."""
        return group in self.groups and self.rules.searches[group](text) is not None

    def finds(self, group: str, text: str) -> bool:
        """Whether a cue of a group occurs in another text than that of these cues."""
        return group in self.rules.groups and self.rules.searches[group](text) is not None

    def without(self, group: str, text: str) -> str:
        """The text with what a group matches blanked out."""
        if group not in self.groups:
            return text
        return self.rules.groups[group].compiled.sub(" ~ ", text)

    def after_last(self, group: str, text: str) -> str:
        """What follows the last match of a group."""
        if group not in self.groups:
            return text
        end = 0
        for match in self.rules.groups[group].compiled.finditer(text):
            end = match.end()
        return text[end:]


@cache
def cue_rules(language: str) -> CueRules:
    """The cues that ship for a language; English where there are none for it."""
    name = language_with_rules(language)
    content = shipped_yaml("language", "rules", f"cues.{name}.yaml")
    cues = {group: patterns for group, patterns in content.items() if patterns}
    patterns = {group: _any_of(some) for group, some in cues.items()}
    needs = dict(zip(patterns, requirements_of(list(patterns.values())), strict=True))
    groups = {group: Expression(pattern, needs[group]) for group, pattern in patterns.items()}
    searches = {group: _search(groups[group], cues[group]) for group in cues}
    return CueRules(groups, searches, Prefilter(needs.items()))


def _search(pattern: Expression, patterns: list[str]) -> Search:
    """What is only looked for where a text begins is not tried at every other place."""
    at_start = all(p.startswith("^") for p in patterns)

    def search(text: str) -> re.Match[str] | None:
        """Compiled when there may first be any."""
        return pattern.compiled.match(text) if at_start else pattern.compiled.search(text)

    return search


def _any_of(patterns: list[str]) -> str:
    """One pattern for all; what they begin with in common comes first, which is much faster."""
    parts = []
    for start in ("^", r"\b", ""):
        rest = [p.removeprefix(start) for p in patterns if p.startswith(start)]
        patterns = [p for p in patterns if not p.startswith(start)]
        either = "|".join(rest)
        parts += [f"{start}(?:{either})" if start else either] if rest else []
    return "|".join(parts)


def read_mention(passage: Passage, start: int, end: int, *, since: int = 0) -> Reading:
    """How the mention at a span of a passage is meant; the names of the passage say nothing of it.

    What stands before the place `since` says nothing of it either.

    >>> from medweave.language.passage import passage_of
    >>> passage = passage_of("I have a cough but no fever")
    >>> read_mention(passage, 9, 14).status, read_mention(passage, 22, 27).status
    ('present', 'absent')
    """
    text, language = passage.hidden, passage.language
    first = max(since, start - _SEEN[passage.language], passage.sentence_at(start)[0])
    sentence = _blanks_taken_together(text[first:start])
    after = _blanks_taken_together(text[end : end + _REACH])
    rules, behind = (cue_rules(language).in_text(part) for part in (sentence, after))
    uncertain = rules.after_last("breaks", sentence)
    heading = _heading(rules, text, start, sentence, language)
    historical = (
        (_past(rules, uncertain) and not behind.find("recent_after", after))
        or rules.find("historical_in_front", sentence)
        or behind.find("historical_after", after)
        or heading == "past"
    )
    denied = _denied(passage, (first, start, end), rules, behind)
    answer = read_answer(passage, start, end, denied=denied)
    doubted = False
    status: Status
    if answer is not None:
        status, doubted = _ANSWERED[answer.said], answer.said == "unsure"
        historical = historical or answer.past
    elif denied:
        sure = behind.find("absent_after", after) or _denial_reaches(passage, start, end, rules)
        status, doubted = ("absent", False) if sure else ("unknown", True)
    elif rules.find("unknown_before", uncertain) or behind.find("unknown_after", after):
        status, doubted = "unknown", True
    elif rules.find("hypothetical_before", uncertain):
        status = "hypothetical"
    else:
        status = _told(passage, rules, behind, sentence, after)
        if status == "unknown" and in_an_answer(text, start, language):
            status = "present"
    family = heading == "family" or _of_family(passage, start, end, rules, behind)
    patients = not family and people_of(passage).is_patients(start, end)
    return Reading(
        status,
        "patient" if patients else "other",
        "historical" if historical else "recent",
        doubted,
        answer is not None,
        family,
    )


def denied_of(passage: Passage, places: Iterable[Span]) -> frozenset[Span]:
    """Those of some places of which it is said that it is not there; as `read_mention` reads it.

    >>> from medweave.language.passage import passage_of
    >>> denied_of(passage_of("No fever, but a cough"), [(3, 8), (16, 21)])
    frozenset({(3, 8)})
    """
    rules, hidden = cue_rules(passage.language), passage.hidden
    found: list[Span] = []
    for (first, last), some in groupby(places, lambda place: passage.sentence_at(place[0])):
        sentence = rules.in_text(hidden[first : last + _REACH])
        if not _ABSENCES.isdisjoint(sentence.groups):  # in most there is no denial at all
            found += (place for place in some if _surely_denied(passage, place, first, rules))
    return frozenset(found)


def _surely_denied(passage: Passage, place: Span, first: int, rules: CueRules) -> bool:
    start, end = place
    first = max(start - _SEEN[passage.language], first)
    before = rules.in_text(passage.hidden[first:start])
    behind = rules.in_text(passage.hidden[end : end + _REACH])
    denied = _denied(passage, (first, start, end), before, behind)
    return denied and _denial_reaches(passage, start, end, before)


def _denied(passage: Passage, place: tuple[int, int, int], rules: Cues, behind: Cues) -> bool:
    """Whether a cue of absence acts on what stands at a place, in the clause that is its own."""
    first, start, end = place
    after = _blanks_taken_together(passage.hidden[end : end + _REACH])
    sentence = _blanks_taken_together(passage.hidden[first:start])
    said_before = rules.find("absent_before", sentence)
    if not said_before and not behind.find("absent_after", after):
        return False  # so it is of most, and quickly seen
    anew = max(first, people_of(passage).own_clause(start))
    denying = rules.without("pseudo", _blanks_taken_together(passage.hidden[anew:start]))
    return _absent(rules, behind, rules.after_last("breaks", denying), after)


def _of_family(passage: Passage, start: int, end: int, rules: Cues, behind: Cues) -> bool:
    """Whether it is what a family has, or what a relative once had."""
    first = max(passage.sentence_at(start)[0], start - _SEEN[passage.language])
    whose = rules.after_last("other_breaks", passage.hidden[first:start])
    if rules.find("other_before", whose):
        return True
    if behind.find("other_after", passage.hidden[end : end + _REACH]):
        return True
    return people_of(passage).only_had(start, end)


def _denial_reaches(passage: Passage, start: int, end: int, rules: Cues) -> bool:
    """Whether a denial before a comma surely reaches over it, to what stands behind.

    "No fever, cough or rash", "denies fever, cough" and "no murmurs, rubs, gallops" deny all;
    "no blood in the stool, sunken eyes" may be read either way.
    """
    first, last = passage.sentence_at(start)
    first, last = (
        max(first, start - _SEEN[passage.language]),
        min(last, end + _SEEN[passage.language]),
    )
    sentence = passage.hidden[first:start]
    denials = list(rules.rules.groups["absent_before"].compiled.finditer(sentence))
    if not denials:
        return True
    listed = passage.plain[first + denials[-1].end() : start]
    if not _COMMA.search(listed):
        return True
    behind = passage.plain[end:last]
    if rules.finds("denies_all", sentence) or rules.finds("list_closed", listed):
        return True
    if rules.finds("list_closed", behind):
        return True
    items = _COMMA.split(listed + passage.plain[start:end] + behind)
    items = [item.strip(" .;!") for item in items]
    return len(items) >= _A_LIST and not any(rules.finds("no_item", item) for item in items)


def _blanks_taken_together(text: str) -> str:
    return _BLANKS.sub(" ", text) if "  " in text else text


def _heading(rules: Cues, text: str, start: int, sentence: str, language: str) -> Heading:
    """The heading above a mention, unless its sentence speaks of somebody or of now."""
    if rules.find("person", sentence) or rules.find("historical_breaks", sentence):
        return ""
    return heading_of(text, start, language)


def _past(rules: Cues, before: str) -> bool:
    group = "historical_before"
    before = rules.after_last("historical_breaks", before)
    return rules.find(group, before) and rules.find(group, rules.without("not_past", before))


def _absent(rules: Cues, behind: Cues, before: str, after: str) -> bool:
    if behind.find("absent_after", after) and not rules.find("awaited_before", before):
        return True
    if not rules.find("absent_before", before) or behind.find("present_after", after):
        return False
    reached = rules.after_last("denial_breaks", before)
    return reached == before or rules.find("absent_before", reached)


def _told(passage: Passage, rules: Cues, behind: Cues, sentence: str, after: str) -> Status:
    """What nobody denied, answered or doubted: said of somebody, or only named."""
    if behind.find("confirmed_after", after):
        return "present"
    if rules.find("topic_before", sentence) or behind.find("topic_after", after):
        return "unknown"
    return "present" if _tells_of_somebody(passage) else "unknown"


@lru_cache(maxsize=16)
def _tells_of_somebody(passage: Passage) -> bool:
    """Whether a text has a word for a person anywhere."""
    return cue_rules(passage.language).groups["person"].search(passage.hidden) is not None
