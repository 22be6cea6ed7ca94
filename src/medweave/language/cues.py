"""Is what a text mentions there, absent, unknown or only supposed? Rules are data files.

A small relative of ConText (Harkema et al. 2009): cues before or behind a mention act within a
stretch of text that breaks end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal as OneOf

from medweave.language.answers import Said, in_an_answer, read_answer
from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.folding import lower
from medweave.language.headings import Heading, heading_of
from medweave.language.needed import Expression
from medweave.language.segmentation import SENTENCE_END
from medweave.model.question import Status

Search = Callable[[str], re.Match[str] | None]
_BLANKS = re.compile(r"[ \t]{2,}")
_ANSWERED: dict[Said, Status] = {"yes": "present", "no": "absent", "unsure": "unknown"}
_LONGEST = 1000
"""Characters of a sentence before a mention; what has no end is not read from its beginning."""
_REACH = 120
"""Characters behind a mention in which cues are looked for."""


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


@dataclass(frozen=True)
class CueRules:
    """The cues of one language, by group."""

    groups: dict[str, Expression]
    searches: dict[str, Search]
    """How each group is looked for."""

    def find(self, group: str, text: str) -> bool:
        """Whether a cue of a group occurs."""
        search = self.searches.get(group)
        return search is not None and search(text) is not None

    def without(self, group: str, text: str) -> str:
        """The text with what a group matches blanked out."""
        pattern = self.groups.get(group)
        return pattern.sub(" ~ ", text) if pattern else text

    def after_last(self, group: str, text: str) -> str:
        """What follows the last match of a group."""
        pattern = self.groups.get(group)
        end = 0
        for match in pattern.finditer(text) if pattern else ():
            end = match.end()
        return text[end:]


@cache
def cue_rules(language: str) -> CueRules:
    """The cues that ship for a language; English where there are none for it."""
    name = language_with_rules(language)
    content = shipped_yaml("language", "rules", f"cues.{name}.yaml")
    cues = {group: patterns for group, patterns in content.items() if patterns}
    groups = {group: _any_of(patterns) for group, patterns in cues.items()}
    return CueRules(groups, {group: _search(groups[group], cues[group]) for group in cues})


def _search(pattern: Expression, patterns: list[str]) -> Search:
    """What is only looked for where a text begins is not tried at every other place."""
    return pattern.match if all(p.startswith("^") for p in patterns) else pattern.search


def _any_of(patterns: list[str]) -> Expression:
    """One pattern for all; what they begin with in common comes first, which is much faster."""
    parts = []
    for start in ("^", r"\b", ""):
        rest = [p.removeprefix(start) for p in patterns if p.startswith(start)]
        patterns = [p for p in patterns if not p.startswith(start)]
        either = "|".join(rest)
        parts += [f"{start}(?:{either})" if start else either] if rest else []
    return Expression("|".join(parts))


def read_mention(text: str, start: int, end: int, language: str) -> Reading:
    """How the mention at a span of a text is meant.

    >>> text = "I have a cough but no fever"
    >>> read_mention(text, 9, 14, "en").status, read_mention(text, 22, 27, "en").status
    ('present', 'absent')
    """
    rules = cue_rules(language)
    lowered = lower(text)
    sentence = _blanks_taken_together(
        SENTENCE_END.split(lowered[max(0, start - _LONGEST) : start])[-1]
    )
    after = _blanks_taken_together(lowered[end : end + _REACH])
    uncertain = rules.after_last("breaks", sentence)
    denying = rules.without("pseudo", sentence)
    before = uncertain if denying == sentence else rules.after_last("breaks", denying)
    heading = _heading(rules, lowered, start, sentence, language)
    historical = (
        _past(rules, uncertain) or rules.find("historical_after", after) or heading == "past"
    )
    whose = rules.after_last("other_breaks", sentence)
    other = rules.find("other_before", whose) or rules.find("other_after", after)
    other = other or heading == "family"
    denied = _absent(rules, before, after)
    answer = read_answer(lowered, start, end, language, denied=denied)
    doubted = False
    status: Status
    if answer is not None:
        status, doubted = _ANSWERED[answer.said], answer.said == "unsure"
        historical = historical or answer.past
    elif denied:
        status = "absent"
    elif rules.find("unknown_before", uncertain) or rules.find("unknown_after", after):
        status, doubted = "unknown", True
    elif rules.find("hypothetical_before", uncertain):
        status = "hypothetical"
    else:
        status = _told(rules, sentence, after, lowered)
        if status == "unknown" and in_an_answer(lowered, start, language):
            status = "present"
    return Reading(
        status,
        "other" if other else "patient",
        "historical" if historical else "recent",
        doubted,
        answer is not None,
    )


def _blanks_taken_together(text: str) -> str:
    return _BLANKS.sub(" ", text) if "  " in text else text


def _heading(rules: CueRules, text: str, start: int, sentence: str, language: str) -> Heading:
    """The heading above a mention, unless its sentence speaks of somebody or of now."""
    if rules.find("person", sentence) or rules.find("historical_breaks", sentence):
        return ""
    return heading_of(text, start, language)


def _past(rules: CueRules, before: str) -> bool:
    group = "historical_before"
    before = rules.after_last("historical_breaks", before)
    return rules.find(group, before) and rules.find(group, rules.without("not_past", before))


def _absent(rules: CueRules, before: str, after: str) -> bool:
    if rules.find("absent_after", after) and not rules.find("awaited_before", before):
        return True
    if not rules.find("absent_before", before) or rules.find("present_after", after):
        return False
    reached = rules.after_last("denial_breaks", before)
    return reached == before or rules.find("absent_before", reached)


def _told(rules: CueRules, sentence: str, after: str, whole: str) -> Status:
    """What nobody denied, answered or doubted: said of somebody, or only named."""
    if rules.find("topic_before", sentence) or rules.find("topic_after", after):
        return "unknown"
    return "present" if rules.find("person", whole) else "unknown"
