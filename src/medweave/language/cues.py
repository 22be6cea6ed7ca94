"""Is what a text mentions there, absent, unknown or only supposed? Rules are data files.

A small relative of ConText (Harkema et al. 2009): cues before or behind a mention act within a
stretch of text that breaks end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal as OneOf

from medweave.language.data import shipped_yaml
from medweave.language.folding import lower
from medweave.model.question import Status

_LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Reading:
    """How one mention is meant. `said_of_person` tells a report from a general question."""

    status: Status
    experiencer: OneOf["patient", "other"]
    temporality: OneOf["recent", "historical"]
    doubted: bool = False
    """Unknown because the text says so, and not because it says nothing of anybody."""


@dataclass(frozen=True)
class CueRules:
    """The compiled cues of one language, by group."""

    groups: dict[str, re.Pattern[str] | None]

    def find(self, group: str, text: str) -> bool:
        """Whether a cue of a group occurs."""
        pattern = self.groups.get(group)
        return pattern is not None and pattern.search(text) is not None

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
    name = language if language in _LANGUAGES else "en"
    content = shipped_yaml("language", "rules", f"cues.{name}.yaml")
    compiled = {
        group: re.compile("|".join(patterns)) if patterns else None
        for group, patterns in content.items()
    }
    return CueRules(compiled)


def read_mention(text: str, start: int, end: int, language: str) -> Reading:
    """How the mention at a span of a text is meant.

    >>> text = "I have a cough but no fever"
    >>> read_mention(text, 9, 14, "en").status, read_mention(text, 22, 27, "en").status
    ('present', 'absent')
    """
    rules = cue_rules(language)
    lowered = lower(text)
    sentence_before = _sentence_before(lowered[:start])
    after = lowered[end : end + 80]
    before = rules.after_last("breaks", rules.without("pseudo", sentence_before))
    uncertain = rules.after_last("breaks", sentence_before)
    historical = rules.find("historical_before", before) or rules.find("historical_after", after)
    other = rules.find("other_before", sentence_before)
    status = _status(
        rules,
        before=before,
        uncertain=uncertain,
        sentence=sentence_before,
        whole=lowered,
        after=after,
    )
    return Reading(
        status,
        "other" if other else "patient",
        "historical" if historical else "recent",
        doubted=status == "unknown" and rules.find("unknown_before", uncertain),
    )


def _sentence_before(text: str) -> str:
    return re.split(r"[.!?;。！？；\n]", text)[-1]


def _status(
    rules: CueRules, *, before: str, uncertain: str, sentence: str, whole: str, after: str
) -> Status:
    if rules.find("absent_after", after) or rules.find("absent_before", before):
        return "absent"
    if rules.find("unknown_before", uncertain):
        return "unknown"
    if rules.find("hypothetical_before", uncertain):
        return "hypothetical"
    if rules.find("topic_before", sentence) or rules.find("topic_after", after):
        return "unknown"
    return "present" if rules.find("person", whole) else "unknown"
