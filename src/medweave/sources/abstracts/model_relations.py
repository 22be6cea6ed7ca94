"""What a model says of an abstract, as far as it rests on the abstract.

Both names of a relation must stand in the text, and its quote, where it has one: there is nothing
else that anybody could look at. Denials and hedges are the model's where it tells them, and else
those of the sentence.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from heapq import nsmallest
from itertools import islice
from typing import Any, NamedTuple

from medweave.language.abbreviations import abbreviations
from medweave.language.sentences import sentences
from medweave.model.document import Document
from medweave.model.ontology import Ontology, term
from medweave.sources.abstracts.entities.spans import Span
from medweave.sources.abstracts.entities.tokens import name_key
from medweave.sources.abstracts.extracted import Dropped, Entity, ReadAbstract, Relation
from medweave.sources.abstracts.extraction import entities_of, wrong
from medweave.sources.abstracts.readers import RuleReader
from medweave.sources.abstracts.reading import TEXT
from medweave.sources.abstracts.relations.certainty import CLAUSE, Certainty, certainty
from medweave.sources.abstracts.relations.rules import best_rule
from medweave.sources.abstracts.replies import FIELDS, RepliedRelations
from medweave.sources.names import MAX_NAME, Naming
from medweave.sources.quoted_text import QuotedText
from medweave.sources.refining import without_repeat

_QUOTED, _UNQUOTED = 0.7, 0.5
"""Confidence in what a model says with and without a quote: a convention, as for dialogues."""
_PLACES = 50
"""Of a name that are looked at."""
_LOOKED_AT = 8
"""Pairs of places that rules are held against."""
_FAR = 160
"""Characters between two names where a rule is looked for."""
_SHOWN = 100
_ABBREVIATION = 5
"""Letters of a name in capitals that is looked for in capitals alone: ALL is not "all"."""
_HYPHENS = str.maketrans(dict.fromkeys("-‐‑–—−", " "))
_DENIED = ("denied", "negative", "negated", "no", "false", "-1")
_AFFIRMED = ("affirmed", "positive", "yes", "true", "1", "+1")


class _Fields(NamedTuple):
    """A relation of a reply with its fields as texts."""

    predicate: str
    types: tuple[str, str]
    names: tuple[str, str]
    given: Mapping[str, Any]

    @property
    def shown(self) -> str:
        return f"{self.names[0]} {self.predicate} {self.names[1]}"[:_SHOWN]


class _Place(NamedTuple):
    """Where a name stands."""

    start: int
    end: int
    other: int
    """1 where it is the other form of an abbreviation."""

    def within(self, stretch: tuple[int, int] | None) -> bool:
        """Whether it is a part of a stretch."""
        return stretch is not None and stretch[0] <= self.start and self.end <= stretch[1]


class _Placed(NamedTuple):
    """A relation with its places in the text."""

    subject: Span
    predicate: str
    object: Span
    start: int
    end: int
    surely: Certainty
    quoted: bool


class _DroppedError(Exception):
    """A relation cannot be kept."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


@dataclass(frozen=True)
class ReplyReader:
    """Reads replies about one abstract."""

    document: Document
    ontology: Ontology
    naming: Naming
    known: RuleReader

    @cached_property
    def text(self) -> str:
        """What the abstract says."""
        return self.document.text(TEXT)

    def read(self, reply: RepliedRelations) -> ReadAbstract:
        """What of a reply can be kept, and what was dropped for which reason."""
        dropped = [Dropped("broken", what) for what in reply.broken]
        placed: list[tuple[_Placed, str]] = []
        once: dict[str, _Placed | str] = {}
        for given in reply.found:
            said = _fields(given)
            if (key := repr(said)) not in once:
                once[key] = self._placed_or_why_not(said)
            found = once[key]
            if isinstance(found, str):
                dropped.append(Dropped(found, said.shown))
            else:
                placed.append((found, said.shown))
        spans = sorted({span for each, _ in placed for span in (each.subject, each.object)})
        entities = entities_of(self.text, spans, self.known, self.naming)
        relations: dict[tuple[object, ...], Relation] = {}
        repeated = 0
        for each, shown in placed:
            made = self._relation(each, spans)
            names = entities[made.subject].name, entities[made.object].name
            same = (*names, made.predicate, made.start, made.polarity)
            if reason := wrong(made, entities, self.ontology):
                dropped.append(Dropped(reason, shown))
            elif same in relations:
                repeated += 1
            else:
                relations[same] = made
        return ReadAbstract(
            self.document.name,
            self.document.title,
            self.text,
            *_named(entities, list(relations.values())),
            tuple(dropped),
            repeated,
        )

    def _placed_or_why_not(self, said: _Fields) -> _Placed | str:
        try:
            return self._placed(said)
        except _DroppedError as error:
            return error.reason

    def _placed(self, said: _Fields) -> _Placed:
        """A relation with its places, if all of it is as it should be."""
        if not all((*said.types, *said.names, said.predicate)) or any(
            len(name) > MAX_NAME for name in said.names
        ):
            raise _DroppedError("broken")
        known = self.ontology.class_by_term
        if said.predicate not in self.ontology.predicate_by_term or any(
            type_ not in known for type_ in said.types
        ):
            raise _DroppedError("label")
        first, second = map(self._places, said.names)
        quote = said.given.get("quote")
        quoted = isinstance(quote, str) and any(sign.isalnum() for sign in quote)
        stands = self._quote(str(quote)) if quoted else None
        if not first or not second or (quoted and stands is None):
            raise _DroppedError("not_in_text")
        ends = self._nearest(said, first, second, stands)
        start, end = stands or self._around(*ends)
        subject, object_ = (
            Span(at.start, at.end, type_) for at, type_ in zip(ends, said.types, strict=True)
        )
        surely = _merged_certainty(said.given, self._certainty(*ends))
        return _Placed(subject, said.predicate, object_, start, end, surely, quoted)

    def _relation(self, placed: _Placed, spans: Sequence[Span]) -> Relation:
        return Relation(
            subject=bisect_left(spans, placed.subject),
            predicate=placed.predicate,
            object=bisect_left(spans, placed.object),
            polarity=placed.surely.polarity,
            strength=placed.surely.strength,
            confidence=_QUOTED if placed.quoted else _UNQUOTED,
            start=placed.start,
            end=placed.end,
            method=f"llm: {'quote' if placed.quoted else 'names'}",
        )

    @cached_property
    def _quotable(self) -> QuotedText:
        return QuotedText(self.text)

    @cached_property
    def _without_hyphens(self) -> QuotedText:
        return QuotedText(self.text.translate(_HYPHENS))

    def _quote(self, quote: str) -> tuple[int, int] | None:
        """Where a quote stands, with the mark that ends its sentence."""
        stands = self._quotable.whole(quote)
        if stands and any(stands[1] + 1 == end for _, end in self._sentences):
            return stands[0], stands[1] + 1
        return stands

    @cached_property
    def _sentences(self) -> list[tuple[int, int]]:
        return [(start, end) for start, end, _ in sentences(self.text)]

    @cached_property
    def _also(self) -> Mapping[str, str]:
        """The long forms that the abstract gives its short ones, and the other way round."""
        found: dict[str, str] = {}
        for each in abbreviations(self.text):
            long = self.text[each.long_start : each.long_end]
            short = self.text[each.short_start : each.short_end]
            found |= {name_key(short): long, name_key(long): short}
        return found

    def _places(self, name: str) -> list[_Place]:
        """Where the text has a name, or what it says that the name is short for."""
        plain = without_repeat(name)
        both = self._also.get(name_key(plain), "")
        found = {place: 1 for each in (both, plain) for place in self._places_of(each)}
        found |= dict.fromkeys(self._places_of(name), 0)
        return sorted(_Place(*place, other) for place, other in found.items())

    def _places_of(self, name: str) -> list[tuple[int, int]]:
        short = name.isupper() and len(name) <= _ABBREVIATION
        places = islice(self._quotable.places(name, plural=True), _PLACES)
        found = [each for each in places if not short or self.text[slice(*each)].startswith(name)]
        if found or short:
            return found
        spaced = name.translate(_HYPHENS)
        return list(islice(self._without_hyphens.places(spaced, plural=True), _PLACES))

    def _nearest(
        self,
        said: _Fields,
        first: Sequence[_Place],
        second: Sequence[_Place],
        quote: tuple[int, int] | None,
    ) -> tuple[_Place, _Place]:
        """The places of both names that lie best: none of them a part of the other, within the
        quote, in one sentence, where rules find the same relation, in one clause, as the names are
        written, close together."""

        def ranked(pair: tuple[_Place, _Place], *, by_rules: bool = False) -> tuple[object, ...]:
            before, behind = sorted(pair)
            overlap = behind.start < before.end
            outside = sum(not place.within(quote) for place in pair) if quote else 0
            apart = len({self._sentence(place) for place in pair})
            between = self.text[before.end : behind.start]
            said_so = by_rules and not overlap and apart == 1 and self._rule_says(said, pair)
            clauses = len(CLAUSE.findall(between.lower()))
            other = before.other + behind.other
            return overlap, outside, apart, not said_so, clauses, other, len(between), pair

        pairs = ((one, other) for one in first for other in _close(one, second, quote))
        return min(nsmallest(_LOOKED_AT, pairs, key=ranked), key=partial(ranked, by_rules=True))

    def _rule_says(self, said: _Fields, pair: tuple[_Place, _Place]) -> bool:
        """Whether rules find the relation between two places of one sentence."""
        spans = [Span(at.start, at.end, type_) for at, type_ in zip(pair, said.types, strict=True)]
        first, second = sorted(spans)
        before = self.text[self._sentences[self._sentence(pair[0])][0] : first.start].lower()
        between = self.text[first.end : second.start].lower()
        rule = best_rule(before, between, first, second) if len(between) <= _FAR else None
        backward = first != spans[0]
        return rule is not None and (rule.predicate, rule.backward) == (said.predicate, backward)

    def _sentence(self, place: _Place) -> int:
        return bisect_right(self._starts, place.start) - 1

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self._sentences]

    def _around(self, first: _Place, second: _Place) -> tuple[int, int]:
        """The sentence in which both stand, or all from the one to the other."""
        begins, ends = min(first.start, second.start), max(first.end, second.end)
        start = next((s for s, e in self._sentences if s <= begins < e), begins)
        end = next((e for s, e in self._sentences if s < ends <= e), ends)
        return start, end

    def _certainty(self, first: _Place, second: _Place) -> Certainty:
        start, end = self._around(first, second)
        before, behind = sorted((first, second))
        between = self.text[before.end : behind.start]
        return certainty(between, self.text[start : before.start], self.text[behind.end : end])


def _fields(given: Mapping[str, Any]) -> _Fields:
    held = [given.get(field) for field in FIELDS]
    texts = [" ".join(each.split()) if isinstance(each, str) else "" for each in held]
    relation, type1, name1, type2, name2 = texts
    return _Fields(term(relation), (term(type1), term(type2)), (name1, name2), given)


def _close(
    one: _Place, others: Sequence[_Place], quote: tuple[int, int] | None
) -> Iterator[_Place]:
    """The few places next to another, and those within the quote."""
    for start in (one.start, *(quote[:1] if quote else ())):
        at = bisect_left(others, (start, 0, 0))
        yield from others[max(0, at - 3) : at + 3]


def _merged_certainty(given: Mapping[str, Any], read: Certainty) -> Certainty:
    """Polarity and strength as a reply tells them, and as the sentence does where it does not."""
    polarity, strength = _polarity(given.get("polarity")), _share(given.get("certainty"))
    return Certainty(
        read.polarity if polarity is None else polarity,
        read.strength if strength is None else strength,
    )


def _polarity(told: object) -> int | None:
    if isinstance(told, str):
        word = told.strip().lower().replace("−", "-")
        return -1 if word in _DENIED else 1 if word in _AFFIRMED else None
    if isinstance(told, bool):
        return 1 if told else -1
    if isinstance(told, int | float) and told:
        return 1 if told > 0 else -1
    return None


def _share(told: object) -> float | None:
    """A number from 0 to 1; None for all else."""
    if isinstance(told, str):
        try:
            told = float(told)
        except ValueError:
            return None
    number = isinstance(told, int | float) and not isinstance(told, bool)
    if not number or not isinstance(told, int | float) or not math.isfinite(told):
        return None
    return round(float(told), 3) if 0 <= told <= 1 else None


def _named(
    entities: Sequence[Entity], relations: Sequence[Relation]
) -> tuple[tuple[Entity, ...], tuple[Relation, ...]]:
    """The entities that relations name, and the relations with their new places in these."""
    used = sorted({place for each in relations for place in (each.subject, each.object)})
    at = {place: number for number, place in enumerate(used)}
    moved = (replace(r, subject=at[r.subject], object=at[r.object]) for r in relations)
    return tuple(entities[place] for place in used), tuple(moved)
