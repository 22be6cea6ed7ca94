"""Danger signs in a text: what is there now, and what must be asked before anything is answered.

A sign is present where all findings of one of its ways are told as present; where one of them is
doubted, or a complaint calls for it and nothing was said, it is asked for. Whose it is does not
matter. The table is a data file (`table`); it is our own, and clinically not validated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice
from typing import Literal as OneOf

from medweave.language.cues import read_mention
from medweave.language.data import language_with_rules
from medweave.language.passage import Passage, passage_of
from medweave.language.people import people_of
from medweave.language.prefilter import first_matches, grouped
from medweave.language.values import PRESSURES, read_values
from medweave.model.question import DangerSign, Patient
from medweave.model.value import Value
from medweave.understanding.danger.amounts import (
    PEAK_FLOW_FALLEN,
    TOO_MUCH,
    amounts_beyond,
    may_name_medicine,
    peak_flow_fallen,
)
from medweave.understanding.danger.table import (
    DangerWords,
    Even,
    Sign,
    Way,
    danger_limits,
    danger_signs,
    danger_words,
    literal,
    of_the_person,
    reading_rule,
    ruled_out_first,
    standing_findings,
    ways_within,
    without_compounds,
)

TOGETHER = 400
"""Findings that make a sign together begin within so many characters of each other."""
AROUND = 240
"""How many characters of a sentence before and behind a finding say how it is meant."""
_WIDEST = ((120, 80), (45, 25))
"""The widest gap, in characters, between two findings that make a sign together, in one sentence at
the second of each; of Chinese, the second of both: decision 508."""
PLACES = 100
"""How many places of one finding are read; more stand in no message."""
_BETWEEN = len(" over ")
_YOUNG = 1096
"""Of an age known as a range, days up to which a limit within the range is worth asking about."""
_PREGNANT = "pregnant_words"
_LACKING = ("no_", "not_", "cannot_", "will_not_", "unable_", "stopped_")
"""How the names of findings that are a lack begin; they are always looked for: see `_lacks`."""
Assertion = OneOf["present", "absent", "doubted", "not now"]
_IN_QUESTIONS: tuple[Assertion, ...] = ("present", "doubted", "not now")
_COUNTS: dict[Even, tuple[Assertion, ...]] = {
    "": ("present",),
    "doubted": ("present", "doubted"),
    "asked": _IN_QUESTIONS,
}


@dataclass(frozen=True, slots=True)
class _Found:
    """One place where the words of a finding stand."""

    start: int
    end: int
    assertion: Assertion


_Spans = Mapping[str, Sequence[tuple[int, int]]]


def read_danger(
    text: str, language: str, patient: Patient, values: Sequence[Value] | None = None
) -> tuple[DangerSign, ...]:
    """The danger signs of a text: those present first, then those to ask for; empty for none.

    `values` are those of the text; without them they are read.

    >>> [(s.sign, s.status) for s in read_danger("His lips are blue", "en", Patient())]
    [('blue_lips', 'present')]
    >>> read_danger("His lips are not blue", "en", Patient())
    ()
    >>> [(s.sign, s.status) for s in read_danger("I have chest pain", "en", Patient())]
    [('cardiac_chest_pain', 'ask')]
    >>> [(s.sign, s.words) for s in read_danger("My sugar is 2.1", "en", Patient())]
    [('low_blood_sugar', ('2.1',))]
    """
    words = danger_words(language)
    passage = literal(text, language)
    plain = without_compounds(passage.hidden, language)
    if values is None:
        values = read_values(text, language)
    measured = _measured(plain, language, values, patient)
    spans = _spans(plain, words, measured.keys()) | measured
    if not spans:
        return ()
    read = _Reading(passage, plain, spans, patient)
    signs = [danger_signs()[at] for at in sorted({way.sign for way in ways_within({*spans})})]
    present = {sign.id: found for sign in signs if (found := read.present(sign))}
    others = [sign for sign in signs if sign.id not in present]
    ask = {sign.id: found for sign in others if (found := read.doubted(sign))}
    if not present:  # who is in danger is not asked about each other sign first
        open_ = [sign for sign in others if sign.id not in ask]
        ask |= {sign.id: found for sign in open_ if (found := read.called_for(sign))}
    known = {sign.id: sign for sign in signs}
    return (
        *(sign_of(known[i], "present", found, passage) for i, found in present.items()),
        *(sign_of(known[i], "ask", found, passage) for i, found in ask.items()),
    )


def _spans(
    plain: str, words: DangerWords, measured: Collection[str]
) -> dict[str, Sequence[tuple[int, int]]]:
    """Where the words of each finding stand that may make a sign with others of the text."""
    expressions = grouped(words.by_word.of(plain))
    likely = {*expressions, *measured}
    wanted = {_PREGNANT, *(name for name in expressions if name.startswith(_LACKING))}
    for way in ways_within(likely):
        wanted |= way.named
    found = {
        name: [
            match.span()
            for match in islice(first_matches([one.compiled for one in some], plain), PLACES)
        ]
        for name, some in expressions.items()
        if name in wanted
    }
    return {name: places for name, places in found.items() if places}


def _measured(
    plain: str, language: str, values: Sequence[Value], patient: Patient
) -> dict[str, Sequence[tuple[int, int]]]:
    """Where values stand that are findings, and amounts of medicines beyond what is meant."""
    found: dict[str, list[tuple[int, int]]] = {}
    for value in values[:PLACES]:
        for limit in danger_limits():
            if limit.reached(value):
                found.setdefault(limit.finding, []).append(_written_whole(value, values))
    if may_name_medicine(plain, language) and (
        any(value.quantity == "dose" for value in values) or reading_rule("counted").search(plain)
    ):
        beyond = islice(amounts_beyond(plain, language, values, patient.weight_kg), PLACES)
        found[TOO_MUCH] = list(beyond)
    if reading_rule("peak_flow").search(plain) and (fallen := peak_flow_fallen(values)):
        found[PEAK_FLOW_FALLEN] = [fallen]
    return {name: places for name, places in found.items() if places}


def _written_whole(value: Value, values: Sequence[Value]) -> tuple[int, int]:
    """Where a value stands; of a pressure, both of its numbers."""
    if value.quantity not in PRESSURES:
        return value.start, value.end
    both = [v for v in values if v.quantity in PRESSURES and _is_beside(v, value)]
    return min(v.start for v in both), max(v.end for v in both)


def _is_beside(one: Value, other: Value) -> bool:
    return max(one.start - other.end, other.start - one.end) <= _BETWEEN


def sign_of(
    sign: Sign,
    status: OneOf["present", "ask"],
    words: tuple[str, ...],
    passage: Passage,
    places: Sequence[int] = (),
) -> DangerSign:
    """A sign of the table, told by these words of a text.

    Whoever was named last before `places` is whose it is; without them, before the words.
    """
    places = places or [passage.text.find(some) for some in words]
    spoken = language_with_rules(passage.language)
    of_another = bool(sign.advice_for_another) and _is_of_another(passage, places, words)
    return DangerSign(
        sign.id,
        status,
        sign.names[spoken],
        words,
        sign.sources,
        kind=sign.kind,
        advice=(sign.advice_for_another if of_another else sign.advice)[spoken],
        of_another=of_another,
        before_medicines=sign.id in ruled_out_first(),
        grade=sign.grade,
    )


def _is_of_another(passage: Passage, places: Sequence[int], words: Sequence[str]) -> bool:
    """Whether whoever writes tells it of somebody else: "my son wants to end his life"."""
    writer = danger_words(passage.language).guards["writer"]
    if any(writer.search(some.lower()) for some in words):
        return False
    people = people_of(passage)
    named = [people.last_before(at) for at in places if at >= 0]
    return bool(named) and all(person and person.role != "writer" for person in named)


def assertion_at(passage: Passage, span: tuple[int, int]) -> Assertion:
    """How the words at a span are meant; what is slight, or asked in general, is no danger yet.

    >>> assertion_at(passage_of("Any fits? No, none."), (4, 8))
    'absent'
    """
    start, end = span
    words = danger_words(passage.language)
    reading = read_mention(passage, start, end)
    if reading.status == "absent":
        return "absent"
    first, last = passage.sentence_at(start)
    general = not reading.asked and _general(passage.plain[first:last], words)
    over = reading.family or reading.temporality == "historical" or _is_told(passage, span, "past")
    general = general or _is_told(passage, span, "asked_effect")
    general = general or _is_story(passage, span, words)
    if general or over or reading.status == "hypothetical":
        return "not now"
    doubted = (
        reading.reaction
        or reading.doubted
        or comes_again(passage, span)
        or _slight(passage, span, words)
    )
    return "doubted" if doubted else "present"


def comes_again(passage: Passage, span: tuple[int, int]) -> bool:
    """Whether what words tell comes again and again, or is kept a remedy for.

    >>> comes_again(passage_of("she wheezes every spring"), (4, 11))
    True
    >>> comes_again(passage_of("she wheezes now as she does every spring"), (4, 11))
    False
    """
    return _is_told(passage, span, "recurring")


_BEHIND = {
    "past": "over_after",
    "recurring": "recurring_after",
    "asked_effect": "asked_effect_after",
}
"""The guards that stand before a finding, and what says the same behind it."""


def _is_told(passage: Passage, span: tuple[int, int], guard: str) -> bool:
    """Whether words before, within or behind a finding say that it was long ago ("once swelled"),
    comes again and again ("every spring"), or is what a medicine may do ("does it make you
    drowsy?"); behind it, where nothing says that it is of now."""
    start, end = span
    first, last = passage.sentence_at(start)
    first, last = max(first, start - AROUND), min(last, end + AROUND)
    text, guards = passage.hidden, danger_words(passage.language).guards
    if guards[guard].search(text[first:end]) is not None:
        rest = text[end : passage.clause_at(start)[1]]  # "…, shivery since this morning"
        return guard != "past" or guards["of_now"].search(rest) is None
    behind = guards[_BEHIND[guard]].search(text[end:last])
    return behind is not None and guards["of_now"].search(text[first : end + behind.end()]) is None


def _slight(passage: Passage, span: tuple[int, int], words: DangerWords) -> bool:
    """Whether it is said to be slight, or to come and go."""
    start, end = span
    before = passage.hidden[max(passage.clause_at(start)[0], start - AROUND) : start]
    after = passage.hidden[end : min(passage.sentence_at(start)[1], end + AROUND)]
    guards = words.guards
    if guards["slight_before"].search(before) is not None:
        return True
    return guards["slight_after"].search(after) is not None


def _general(sentence: str, words: DangerWords) -> bool:
    """Whether a sentence asks in general, and speaks of nobody."""
    guards = words.guards
    general = guards["general"].search(sentence) is not None
    return general and guards["somebody"].search(sentence) is None


def _is_story(passage: Passage, span: tuple[int, int], words: DangerWords) -> bool:
    """Whether a finding stands in a sentence of a film, a game, a dream, a doll or an examination,
    and nothing between them and it speaks of now: "during the film his arm went limp just now"."""
    first, last = passage.sentence_at(span[0])
    sentence, guards = passage.plain[first:last], words.guards
    return guards["story"].search(sentence) is not None and not guards["of_now"].search(sentence)


def _apart(one: _Found, other: _Found) -> int:
    return max(one.start, other.start) - min(one.end, other.end)


def _is_of_the_person(either: Sequence[str]) -> bool:
    return of_the_person().issuperset(either)


@dataclass(frozen=True)
class _Reading:
    """Holds the findings of one text against the signs; what speaks for one are its words."""

    passage: Passage
    plain: str
    """Its text in lower case, without what only looks like a finding."""
    spans: _Spans
    patient: Patient
    _found: dict[str, tuple[_Found, ...]] = field(default_factory=dict)

    def present(self, sign: Sign) -> tuple[str, ...]:
        """The words by which a sign is present; empty where it is not."""
        for way in sign.present:
            if self._holds(way) and self._free(way):
                findings = self._together(way, _COUNTS[way.even])
                if findings:
                    return findings
        return ()

    def doubted(self, sign: Sign) -> tuple[str, ...]:
        """The words by which a sign may be present."""
        for way in sign.present:
            if self._holds(way) is not False and self._free(way):
                findings = self._together(way, ("present", "doubted"))
                if findings:
                    return findings
        return ()

    def called_for(self, sign: Sign) -> tuple[str, ...]:
        """The words of a complaint of which more must be asked before it is judged."""
        for way in sign.ask:
            if self._may_hold(way) and self._free(way) and self._unsaid(way):
                findings = self._together(way, ("present", "doubted"))
                if findings:
                    return findings
        return ()

    def _together(self, way: Way, wanted: tuple[Assertion, ...]) -> tuple[str, ...]:
        """The words of all findings of a way, told like this, which stand together."""
        for first in self._of(way.findings[0], wanted):
            chosen = [first]
            for either in way.findings[1:]:
                near = (f for f in self._of(either, wanted) if self._near(first, f, way))
                nearest = min(near, key=lambda found: _apart(first, found), default=None)
                chosen += [found for found in (nearest,) if found is not None]
            if len(chosen) == len(way.findings) and self._stand_together(chosen, way):
                return tuple(dict.fromkeys(self.passage.text[f.start : f.end] for f in chosen))
        return ()

    def _near(self, one: _Found, other: _Found, way: Way) -> bool:
        if not way.one_sentence:
            return abs(other.start - one.start) <= TOGETHER
        sentence_at = self.passage.sentence_at
        return _apart(one, other) <= AROUND and sentence_at(one.start) == sentence_at(other.start)

    def _stand_together(self, chosen: Sequence[_Found], way: Way) -> bool:
        """Whether no gap between the findings is wide, but to what is told of who it is: words of a
        letter that stand far apart tell of several things."""
        names = zip(chosen, way.findings, strict=True)
        near = sorted(
            (found.start, found.end) for found, either in names if not _is_of_the_person(either)
        )
        widest = _WIDEST[self.passage.language == "zh"][way.one_sentence]
        ends = accumulate((end for _, end in near), max)
        return all(start - end <= widest for (start, _), end in zip(near[1:], ends, strict=False))

    def _of(self, either: Sequence[str], wanted: tuple[Assertion, ...]) -> Iterator[_Found]:
        for name in either:
            counts = _IN_QUESTIONS if name in standing_findings() else wanted
            yield from (found for found in self._places(name) if found.assertion in counts)

    def _places(self, name: str) -> tuple[_Found, ...]:
        """Where a finding stands, and how it is told: read when a sign asks for it."""
        if name not in self._found:
            self._found[name] = tuple(
                _Found(*span, assertion_at(self._passage_around(span), span))
                for span in self.spans.get(name, ())
            )
        return self._found[name]

    def _passage_around(self, span: tuple[int, int]) -> Passage:
        """The text in which a lack found elsewhere denies nothing: "no wind, vomiting"."""
        start, end = span
        lacks = [(a, b) for a, b in self._lacks if b <= start or end <= a]
        if not lacks:
            return self.passage
        names = (*self.passage.names, *lacks)
        return passage_of(self.passage.text, self.passage.language, names)

    @property
    def _lacks(self) -> list[tuple[int, int]]:
        found = (span for places in self.spans.values() for span in places)
        lack = reading_rule("lack")
        return sorted({span for span in found if lack.match(self.plain, span[0])})

    def _free(self, way: Way) -> bool:
        return not any(any(self._of((name,), _IN_QUESTIONS)) for name in way.unless)

    def _unsaid(self, way: Way) -> bool:
        """Whether something to ask about was neither told nor denied."""
        known: tuple[Assertion, ...] = ("present", "absent")
        return any(not any(self._of((name,), known)) for name in way.about)

    def _holds(self, way: Way) -> bool | None:
        """Whether the conditions hold; None where an age is not known well enough to tell."""
        if not self._may_hold(way):
            return False
        if self._over(way) is None:
            return None
        if way.under_days is None or self._under(way.under_days):
            return True
        high = self.patient.age_max_days
        return False if high is None or high > _YOUNG else None

    def _may_hold(self, way: Way) -> bool:
        if way.pregnant and not self._pregnant():
            return False
        if self._over(way) is False:
            return False
        return way.under_days is None or self._under(way.under_days) is not False

    def _pregnant(self) -> bool:
        if self.patient.pregnant is not None:
            return self.patient.pregnant
        return any(self._of((_PREGNANT,), ("present", "doubted")))

    def _over(self, way: Way) -> bool | None:
        low, high = self.patient.age_days, self.patient.age_max_days
        if way.over_days is None or (low is not None and low >= way.over_days):
            return True
        return False if high is not None and high < way.over_days else None

    def _under(self, days: int) -> bool | None:
        low, high = self.patient.age_days, self.patient.age_max_days
        if low is None or low >= days:
            return False
        return True if high is not None and high < days else None
