"""What the words around a name say of it: there, denied, left open, or which answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from medweave.language.cues import Reading, read_mention
from medweave.language.folding import lower
from medweave.language.passage import Passage
from medweave.language.people import people_of
from medweave.model.findings import UNAVAILABLE, FindingValue
from medweave.model.guideline import Observation
from medweave.understanding.case.answers import (
    absent_answer,
    answer_within,
    has_denial,
    is_after_earlier,
    is_earlier,
    is_open,
    is_taken_back,
    is_unavailable,
    present_answer,
)
from medweave.understanding.case.names import Named, whose_finding, window
from medweave.understanding.case.observation_names import CaseName, ObservationNames
from medweave.understanding.case.understood import ReportedFinding
from medweave.understanding.case.words import CaseWord, stem_of_word, word_set

_AROUND = 60
"""How much of a text beside a name is read for doubt and for what cannot be had."""
_JUST_BEFORE = 3
_WORDS = 150
"""Longer sentences are none."""


@dataclass
class CaseText:
    """Reads what one text says of the names in it."""

    passage: Passage
    words: list[CaseWord]
    named: tuple[Named, ...]
    names: ObservationNames

    @property
    def text(self) -> str:
        """The text as it is written."""
        return self.passage.text

    def findings(self) -> Iterator[ReportedFinding]:
        """What is said of each name."""
        for number, each in enumerate(self.named):
            whose = whose_finding(people_of(self.passage), each)
            reading = self._read(each)
            if whose == "other" or reading.family or reading.status == "hypothetical":
                continue
            for name in _of_person(each.names, whose):
                reported = self._reported(number, each, name, reading)
                if reported is not None:
                    value, why = reported
                    yield ReportedFinding(
                        name.observation,
                        value,
                        each.start,
                        each.end,
                        self.text[each.start : each.end],
                        why,
                    )
                    if value is True:
                        yield from self._included(each, name)

    def _included(self, each: Named, name: CaseName) -> Iterator[ReportedFinding]:
        """Other signs whose whole name is part of one that is there: "bloody diarrhoea"."""
        stems = {word.stem for word in self.words[each.first : each.last + 1]}
        if stems & {*word_set("negations"), "unable"}:
            return
        inside = self.words[each.first : each.last + 1]
        for at, word in enumerate(inside):
            for other in self.names.by_stem.get(word.stem, ()):
                part = set(other.stems) < set(name.stems) and other.observation != name.observation
                held = self.names.observations[other.observation]
                if not part or other.says != "name" or held.kind != "boolean":
                    continue
                within = window(inside, at, other)
                if within is not None and within.last - within.first < len(other.stems):
                    yield ReportedFinding(
                        other.observation,
                        True,
                        each.start,
                        each.end,
                        self.text[each.start : each.end],
                        f"it includes '{other.written}'",
                    )

    def _read(self, each: Named) -> Reading:
        """How a name is meant; what answers by itself ("no stridor, drinks well") begins anew."""
        reading = read_mention(self.passage, each.start, each.end)
        begins = each.denied or all(
            held.says in ("answer", "denial")
            or self.names.observations[held.observation].kind != "boolean"
            for held in each.names
        )
        if not begins or reading.asked or reading.status not in ("absent", "unknown"):
            return reading
        comma = self.passage.plain.rfind(",", self.passage.sentence_at(each.start)[0], each.start)
        if comma < 0:
            return reading
        alone = read_mention(self.passage, each.start, each.end, since=comma + 1)
        return reading if alone.status == "absent" or alone.asked else alone

    def _reported(
        self, number: int, each: Named, name: CaseName, reading: Reading
    ) -> tuple[FindingValue, str] | None:
        """What a name's surroundings make of it, and why; None where they say nothing."""
        observation = self.names.observations[name.observation]
        before, behind = self._beside(number)
        open_ = is_open(behind) or is_open(before)
        if reading.doubted or open_:
            return None, f"the text leaves it open{f' ({open_})' if open_ else ''}"
        around = f"{before}{self.text[each.start : each.end]}{behind}"
        if observation.kind == "number":
            return self._not_measured(number, observation, around)
        lost = is_unavailable(around)
        if lost and (observation.kind != "boolean" or observation.resources):
            return UNAVAILABLE, f"the text says that it cannot be had ({lost})"
        earlier = reading.temporality == "historical" or is_earlier(behind)
        if (earlier or is_after_earlier(before)) and reading.status != "absent":
            return None, "the text tells of an earlier time"
        return self._there(number, each, name, reading)

    def _there(
        self, number: int, each: Named, name: CaseName, reading: Reading
    ) -> tuple[FindingValue, str] | None:
        """Which answer is meant, where one is told."""
        observation = self.names.observations[name.observation]
        if name.says == "denial":
            before = self.text[max(0, each.start - _AROUND) : each.start]
            affirmed = reading.status != "absent" and not each.denied and not is_taken_back(before)
            return (False, f"'{name.written}' denies it") if affirmed else None
        absent = (reading.status == "absent") is not each.denied
        if observation.kind != "boolean":
            return self._chosen(number, name, observation, absent=absent)
        if reading.status == "absent" or each.denied:
            return not absent, "the text denies it"
        return True, "the text says that it is there"

    def _not_measured(
        self, number: int, observation: Observation, around: str
    ) -> tuple[FindingValue, str] | None:
        """That a number cannot be had; the numbers themselves are read elsewhere."""
        lost = is_unavailable(around)
        if lost:
            return UNAVAILABLE, f"the text says that it cannot be had ({lost})"
        behind, before = self._around(number)
        found = answer_within(observation, behind, whole=True)
        found = found or answer_within(observation, before, whole=True)
        if found is None or found[0].means != "unavailable":
            return None
        answer, _ = found
        return UNAVAILABLE, f"the answer '{answer.label}'"

    def _chosen(
        self, number: int, name: CaseName, observation: Observation, *, absent: bool
    ) -> tuple[FindingValue, str] | None:
        """The answer of a choice that is named, or stands beside its name."""
        if name.says == "answer":
            return None if absent else (name.answer, f"the answer '{name.written}'")
        behind, before = self._around(number)
        found = answer_within(observation, behind) or answer_within(observation, before)
        if found is not None:
            answer, word = found
            if self._is_denied_before(number) and not has_denial(answer):
                return None, f"the text denies '{answer.label}', and says no other answer"
            value: FindingValue = UNAVAILABLE if answer.means == "unavailable" else answer.id
            return value, f"'{self.text[word.start : word.end]}' beside it"
        if absent and answer_within(observation, _undenied([*before, *behind])):
            return None, "the text denies an answer, and says no other"
        chosen = absent_answer(observation) if absent else present_answer(observation)
        if chosen is None:
            return None
        return chosen.id, "the text denies it" if absent else "the text says that it is there"

    def _around(self, number: int) -> tuple[list[CaseWord], list[CaseWord]]:
        """The words of a name and those that can answer it: behind it, and before it.

        They end at the names beside it, and where another thing is joined ("but", "and").
        """
        each = self.named[number]
        low = self.named[number - 1].last + 1 if number else 0
        high = self.named[number + 1].first if number + 1 < len(self.named) else len(self.words)
        within = self.words[each.first : each.last + 1]
        ends = word_set("connectors")
        before: list[CaseWord] = []
        for word in reversed(self.words[max(low, each.first - _WORDS) : each.first]):
            if word.clause != within[0].clause or word.written in ends:
                break
            before.insert(0, word)
        behind: list[CaseWord] = []
        for word in self.words[each.last + 1 : min(high, each.last + _WORDS)]:
            far = word.clause > within[-1].clause + 1 or word.sentence != within[-1].sentence
            if far or word.written in ends:
                break
            behind.append(word)
        return [*within, *behind], [*before, *within]

    def _is_denied_before(self, number: int) -> bool:
        """Whether a denial stands right before a name, in its clause: "not HIV positive"."""
        each = self.named[number]
        words = self.words[max(0, each.first - _JUST_BEFORE) : each.first]
        clause = self.words[each.first].clause
        return any(w.written in word_set("negations") and w.clause == clause for w in words)

    def _sentence(self, each: Named) -> list[CaseWord]:
        """The words of a name's sentence, as far as they can matter."""
        low, high = max(0, each.first - _WORDS), each.last + _WORDS
        sentence = self.words[each.first].sentence
        return [word for word in self.words[low:high] if word.sentence == sentence]

    def _beside(self, number: int) -> tuple[str, str]:
        """The text before and behind a name that belongs to no other, within its sentence."""
        each = self.named[number]
        low = self.named[number - 1].end if number else 0
        high = self.named[number + 1].start if number + 1 < len(self.named) else len(self.text)
        same = self._sentence(each)
        clause = [w for w in same if w.clause == self.words[each.first].clause]
        first, last = clause[0].start, same[-1].end
        before = self.text[max(low, first, each.start - _AROUND) : each.start]
        behind = self.text[each.end : min(high, max(last, each.end), each.end + _AROUND)]
        return before, behind

    def unavailable(self, reported: list[ReportedFinding]) -> Iterator[ReportedFinding]:
        """Observations whose means are said not to be at hand: "the oximeter is broken"."""
        known = {each.observation for each in reported}
        for observation in self.names.observations.values():
            if observation.id in known:
                continue
            for resource in observation.resources:
                stem = [stem_of_word(word) for word in lower(resource).split()]
                place = _run(self.words, stem)
                if place is None:
                    continue
                first, last = self.words[place], self.words[place + len(stem) - 1]
                mates = [w for w in self.words if w.sentence == first.sentence]
                low = max(mates[0].start, first.start - _AROUND)
                near = self.text[low : min(mates[-1].end, last.end + _AROUND)]
                denied = place > 0 and self.words[place - 1].written == "no"
                lost = is_unavailable(near) or (f"no {resource}" if denied else "")
                if lost:
                    yield ReportedFinding(
                        observation.id,
                        UNAVAILABLE,
                        first.start,
                        last.end,
                        self.text[first.start : last.end],
                        f"its means are not at hand ({lost})",
                    )
                    break


def _run(words: list[CaseWord], stems: list[str]) -> int | None:
    """Where words with these stems stand one behind the other."""
    for at in range(len(words) - len(stems) + 1):
        if stems and all(words[at + n].stem == stem for n, stem in enumerate(stems)):
            return at
    return None


def _undenied(words: list[CaseWord]) -> list[CaseWord]:
    """Words without the denials among them."""
    return [word for word in words if word.written not in word_set("negations")]


def _of_person(names: tuple[CaseName, ...], whose: str) -> Iterator[CaseName]:
    """The names that can be meant of who is spoken of.

    What the mother has is not the child's, unless the name itself is the child's ("mother HIV
    positive, PCR negative") or of both. What she reports may be either's.
    """
    both = {stem_of_word(word) for word in word_set("of_both")}
    for name in names:
        if name.whose == "mother":
            if whose in ("mother", "reporting"):
                yield name
        elif whose != "mother" or name.whose == "child" or set(name.stems) & both:
            yield name
