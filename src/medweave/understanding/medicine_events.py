"""What is told to happen with a medicine, as done or as only intended: begun, refused, replaced.

An event makes of a medicine what it is to somebody: what one is to be switched to is asked about,
and what one was switched from was taken. The phrases, and what each event makes of a medicine, are
data: rules/medicine_events.yaml.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal as OneOf

from medweave.language.data import rules_in, shipped_yaml
from medweave.language.passage import Passage, Span
from medweave.language.prefilter import Expression
from medweave.model.question import Role
from medweave.understanding.placeholders import NAME

Manner = OneOf["done", "intended", "undone"]
_RULES = ("understanding", "rules", "medicine_events.yaml")
_ENDS = re.compile(r"[.?!;。？！；](?!\d)")
_CLAUSES = re.compile("[，,：:。；？！]")
_BEHIND = 8
"""Characters behind an event in which a Chinese particle may say that it is done."""
_GIVE_WAY = ("replaced", "in_place")
_SLOTS = {"": "", "old": "replaced", "new": "replacing"}
"""The parts of a phrase, and by which row of the table what they name is read; a phrase without
parts is about all that it names."""


@dataclass(frozen=True, slots=True)
class Events:
    """What medicines of a text are by what is told of them, and which gives way to which."""

    roles: Mapping[Span, Role] = field(default_factory=dict)
    gives_way: Mapping[Span, Sequence[Span]] = field(default_factory=dict)
    """What is to be replaced, and by what; by nothing where that is sought, or not told."""


def events_in(passage: Passage, medicines: Sequence[Span]) -> Events:
    """The events of a text that name one of the medicines at these spans.

    >>> from medweave.language.passage import passage_of
    >>> text = "We want to replace lisinopril with losartan"
    >>> found = events_in(passage_of(text), [(19, 29), (35, 43)])
    >>> found.roles[19, 29], found.roles[35, 43]
    ('taken', 'asked')
    """
    return _Reading(passage, sorted(medicines)).events()


@dataclass(frozen=True)
class _Phrases:
    """The phrases of one language."""

    events: tuple[tuple[str, Expression], ...]
    done: Expression
    governed: Expression
    undone: Expression
    together: Expression


@dataclass(frozen=True)
class _Reading:
    passage: Passage
    medicines: Sequence[Span]

    def events(self) -> Events:
        """All events; of two that name one medicine the first of the data counts."""
        phrases, text = _phrases(self.passage.language), self._text()
        roles: dict[Span, Role] = {}
        gives_way: dict[Span, Sequence[Span]] = {}
        together = phrases.together.search(text) is not None
        for event, phrase in phrases.events:
            for match in phrase.finditer(text):
                manner = self._manner(match, phrases)
                named = {slot: self._named(match, slot) for slot in _SLOTS}
                for slot, row in _SLOTS.items():
                    if role := _roles()[row or event].get(manner):
                        roles.update((span, role) for span in named[slot] if span not in roles)
                if event in _GIVE_WAY and manner == "intended" and not together:
                    self._give_way(named["old"], named["new"], gives_way)
        return Events(roles, gives_way)

    def _give_way(
        self, old: Sequence[Span], new: Sequence[Span], found: dict[Span, Sequence[Span]]
    ) -> None:
        """Notes what gives way to what; where only what comes is named, what was named before."""
        before = [m for m in self.medicines if new and m[1] <= new[0][0]][-1:]
        for span in old or before:
            found[span] = (*found.get(span, ()), *new)

    def _text(self) -> str:
        parts: list[str] = []
        last = 0
        for start, end in self.medicines:
            parts += self.passage.plain[last:start], NAME
            last = end
        return "".join((*parts, self.passage.plain[last:]))

    def _named(self, match: re.Match[str], slot: str) -> Sequence[Span]:
        """The medicines that a part of a phrase names; without a part, all of it."""
        groups = match.groupdict()
        if not slot:
            return self._within(match, match.start(), match.end()) if not groups else ()
        named = [name for name in groups if name.startswith(slot) and groups[name]]
        return [span for name in named for span in self._within(match, *match.span(name))]

    def _within(self, match: re.Match[str], start: int, end: int) -> Sequence[Span]:
        before, held = match.string[:start].count(NAME), match.string[start:end].count(NAME)
        return self.medicines[before : before + held]

    def _manner(self, match: re.Match[str], phrases: _Phrases) -> Manner:
        """Whether an event is told as done, as intended, or as not done."""
        text = match.string
        before = _ENDS.split(text[: match.start()])[-1]
        if phrases.undone.search(before):
            return "undone"
        told = match.group()
        if self.passage.language == "zh":
            before = _CLAUSES.split(before)[-1]
            told = before + told + _CLAUSES.split(text[match.end() : match.end() + _BEHIND])[0]
        governed = phrases.governed.search(before + told)
        return "done" if phrases.done.search(told) and not governed else "intended"


@cache
def _roles() -> Mapping[str, Mapping[Manner, Role]]:
    return shipped_yaml(*_RULES)["roles"]  # type: ignore[no-any-return]


@cache
def _phrases(language: str) -> _Phrases:
    rules = rules_in(language, *_RULES)
    meds = rules["meds"]
    events = tuple(
        (event, Expression(phrase.format(meds=meds)))
        for event, some in rules["events"].items()
        for phrase in some
    )
    manners = ("done", "governed", "undone", "together")
    return _Phrases(events, *(Expression(rules[name]) for name in manners))
