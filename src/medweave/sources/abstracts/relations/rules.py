"""Relations by rules: what stands between two things of a sentence says how they are related."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.language.sentences import sentences
from medweave.model.identifiers import digest
from medweave.sources.abstracts.entities.spans import Span
from medweave.sources.abstracts.relations.certainty import Certainty, certainty, lead_strength
from medweave.sources.abstracts.relations.phrases import ending_phrase, phrase

_USUAL_GAP = 8
"""Words between two things that are none of the pattern's."""
_FARTHEST = 160
"""Characters between two things that are looked at."""
_WORD = re.compile(r"\w+")
_BREAK = re.compile(r";|:|\bwhereas\b|\bwhile\b|\balthough\b|\bbut\b")
"""What parts a sentence into statements of their own."""
_NEXT_ITEM = re.compile(r"[,/]|\b(?:and|or|as well as)\b")
"""What goes on with a list, whatever was told of its items."""
_ANY = "_"
_CONFIDENCE = 0.7
"""How far a pattern is trusted: a convention, below a table's and above a language model's."""


@dataclass(frozen=True, slots=True)
class TextRelation:
    """A relation that a sentence says, with where and how surely."""

    subject: Span
    predicate: str
    object: Span
    start: int
    end: int
    """Of the sentence."""
    certainty: Certainty
    confidence: float = _CONFIDENCE
    method: str = "pattern"


@dataclass(frozen=True, slots=True)
class RelationRule:
    """A pattern that says how what stands before it is related to what stands behind it."""

    predicate: str
    pattern: re.Pattern[str]
    before: re.Pattern[str] | None
    backward: bool
    gap: int
    subjects: frozenset[str]
    objects: frozenset[str]
    in_whom: re.Pattern[str] | None = None
    """What leads to the circumstances of what is said, where an object stands before."""

    def fits(self, subject: Span, object_: Span) -> bool:
        """Whether both are of types that it joins."""
        of_subject = not self.subjects or subject.type in self.subjects
        return of_subject and (not self.objects or object_.type in self.objects)


def relations_in_text(text: str, spans: Sequence[Span]) -> Iterator[TextRelation]:
    """All relations between the things of a text that its sentences say, each pair once.

    >>> text = "Ranibizumab was not effective against drusen."
    >>> [said] = relations_in_text(text, [Span(0, 11, "treatment"), Span(38, 44, "symptom")])
    >>> said.predicate, said.certainty.polarity
    ('treat', -1)
    """
    ordered = sorted(spans)
    for start, end, _ in sentences(text):
        for first, second in _pairs(ordered, start, end):
            between = text[first.end : second.start]
            if _BREAK.search(between.lower()):
                continue
            before, behind = text[start : first.start], text[second.end : end]
            rule = best_rule(before.lower(), between.lower(), first, second)
            if rule and not _is_circumstance(rule, between.lower(), first, ordered):
                subject, object_ = (second, first) if rule.backward else (first, second)
                surely = _surely(rule, before, between, behind)
                yield TextRelation(subject, rule.predicate, object_, start, end, surely)


def _pairs(ordered: Sequence[Span], start: int, end: int) -> Iterator[tuple[Span, Span]]:
    """The spans of a sentence by twos, those that are not too far apart."""
    begin, behind = (bisect_left(ordered, place, key=attrgetter("start")) for place in (start, end))
    inside = [span for span in ordered[begin:behind] if span.end <= end]
    for at, first in enumerate(inside):
        for place in range(at + 1, len(inside)):
            second = inside[place]
            if second.start - first.end > _FARTHEST:
                break
            yield first, second


def _is_circumstance(
    rule: RelationRule, between: str, first: Span, ordered: Sequence[Span]
) -> bool:
    """Whether what stands behind tells in whom or when: another thing is the object."""
    match = rule.pattern.search(between)
    if rule.backward or rule.in_whom is None or match is None:
        return False
    said, end = first.end + match.end(), first.end + len(between)
    place = bisect_left(ordered, end, key=attrgetter("start")) - 1
    if ordered[place].start < said or ordered[place].end > end:
        return False
    behind = between[ordered[place].end - first.end :]
    leads = rule.in_whom.search(behind)
    return leads is not None and _NEXT_ITEM.search(behind, leads.end()) is None


def _surely(rule: RelationRule, before: str, between: str, behind: str) -> Certainty:
    found = certainty(between, before, behind)
    match = rule.pattern.search(between.lower())
    lead = between[: match.start()] if match else ""
    return found._replace(strength=min(found.strength, lead_strength(lead)))


def best_rule(
    before: str, between: str, first: Span, second: Span, *, typed: bool = True
) -> RelationRule | None:
    """The rule that leaves fewest words unexplained; of as few, that which stands first.

    `before` and `between` are what stands before and between both, in small letters. A rule joins
    things of any types unless `typed`.
    """
    ranked = []
    for number, rule in enumerate(_rules()):
        ends = (second, first) if rule.backward else (first, second)
        if typed and not rule.fits(*ends):
            continue
        match = rule.pattern.search(between)
        if not match or (rule.before and not rule.before.search(before)):
            continue
        left = len(_WORD.findall(between[: match.start()] + " " + between[match.end() :]))
        if left <= rule.gap:
            ranked.append((left - len(_WORD.findall(match[0])), number, rule))
    return min(ranked)[2] if ranked else None


@cache
def _rules() -> tuple[RelationRule, ...]:
    content = shipped_yaml("sources", "abstracts", "rules", "relations.yaml")
    return tuple(
        _rule(predicate, line, direction == "backward", entry)
        for predicate, entry in content.items()
        for direction in ("forward", "backward")
        for line in entry.get(direction, ())
    )


def _rule(
    predicate: str, line: str | dict[str, Any], backward: bool, of_all: dict[str, Any]
) -> RelationRule:
    entry: dict[str, Any] = {"words": line} if isinstance(line, str) else line
    subjects, objects = entry.get("types") or of_all.get("types") or [_ANY, _ANY]
    before, in_whom = entry.get("before"), of_all.get("in_whom")
    return RelationRule(
        predicate=predicate,
        pattern=phrase(entry["words"]),
        before=ending_phrase(before) if before else None,
        backward=backward,
        gap=entry.get("gap", _USUAL_GAP),
        subjects=frozenset() if subjects == _ANY else frozenset(subjects),
        objects=frozenset() if objects == _ANY else frozenset(objects),
        in_whom=phrase(in_whom) if in_whom else None,
    )


@cache
def relations_version() -> str:
    """Changes whenever the rules do."""
    return digest(shipped_yaml("sources", "abstracts", "rules", "relations.yaml"), 6)
