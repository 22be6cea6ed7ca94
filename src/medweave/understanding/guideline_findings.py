"""From the free text of a case to findings of a guideline, without a model.

Names of observations and of their answers are found, and cues decide what is meant: doubt comes
before all else, so that "unsure about the PCR" is unknown, and never a positive one. What is said
of the mother or a brother is not the child's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from medweave.language.cues import Reading, read_mention
from medweave.language.folding import blotted, lower, without_halves
from medweave.language.segmentation import language_of
from medweave.language.values import read_values
from medweave.model.findings import UNAVAILABLE, FindingValue, Measured
from medweave.model.guideline import Observation
from medweave.understanding.case_answers import (
    absent_answer,
    answer_within,
    is_earlier,
    is_list_denied,
    is_open,
    is_unavailable,
    present_answer,
)
from medweave.understanding.case_names import Named, find_names, whose_finding, window
from medweave.understanding.case_person import read_person
from medweave.understanding.case_values import (
    ToldNumber,
    durations,
    measured_values,
    named_numbers,
)
from medweave.understanding.case_words import CaseWord, case_words, stem_of_word, word_set
from medweave.understanding.observation_names import CaseName, ObservationNames
from medweave.vocabulary.lexicon import Lexicon

MOST_CHARACTERS = 20_000
"""Longer texts are read up to here."""
_AROUND = 60
"""How much of a text beside a name is read for doubt and for what cannot be had."""


@dataclass(frozen=True, slots=True)
class ToldFinding:
    """One finding as a text tells it. `value` is None where the text says that it is not known."""

    observation: str
    value: FindingValue
    start: int
    end: int
    words: str
    why: str


@dataclass(frozen=True, slots=True)
class ToldCase:
    """All that a text tells of a child."""

    findings: tuple[ToldFinding, ...] = ()
    age_days: int | None = None
    weight_kg: float | None = None
    sex: str | None = None
    contradictions: tuple[str, ...] = ()


def read_case(text: str, names: ObservationNames, lexicon: Lexicon) -> ToldCase:
    """The findings that a text tells, each with its place and why.

    >>> from medweave.model.guideline import Guideline
    >>> from medweave.understanding.observation_names import observation_names
    >>> from medweave.vocabulary.lexicon import shipped_lexicon
    >>> cough, wheeze = Observation("cough", "Cough"), Observation("wheeze", "Wheezing")
    >>> guideline = Guideline("g", "1", "G", (cough, wheeze), (), ())
    >>> names = observation_names(guideline, shipped_lexicon())
    >>> case = read_case("3 month old, coughs, no wheeze", names, shipped_lexicon())
    >>> case.age_days, [(told.observation, told.value) for told in case.findings]
    (91, [('cough', True), ('wheeze', False)])
    """
    text = without_halves(text[:MOST_CHARACTERS])
    language = language_of(text)
    if language == "zh":
        return _read_chinese(text, names)
    words = case_words(text)
    named = find_names(text, words, names, lexicon)
    spans = tuple((each.start, each.end) for each in named)
    values = read_values(text, language, ())
    person = read_person(text, words, values)
    own = [v for v in values if not _overlaps(v.start, v.end, person.spans)]
    numbers = list(measured_values(text, own, names, named))
    numbers += [
        number
        for number in named_numbers(text, names, named)
        if not any(_same_place(number, other) for other in numbers)
    ]
    reader = _Reader(text, words, named, blotted(text, spans, "x"), names)
    told = list(reader.findings())
    there = [each for each in named if any(_is_there(t, each) for t in told if t.value is not None)]
    numbers += durations(text, words, own, names, there)
    told += [
        ToldFinding(n.observation, n.value, n.start, n.end, text[n.start : n.end], n.why)
        for n in numbers
    ]
    told += reader.unavailable(told)
    findings, contradictions = _settled(told)
    return ToldCase(
        findings,
        person.age_days,
        person.weight_kg,
        person.sex,
        (*person.contradictions, *contradictions),
    )


def _same_place(number: ToldNumber, other: ToldNumber) -> bool:
    """Whether one number was read in two ways."""
    same = number.observation == other.observation
    return same and number.start < other.end and other.start < number.end


def _overlaps(start: int, end: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start < stop and begin < end for begin, stop in spans)


def _is_there(told: ToldFinding, named: Named) -> bool:
    return (told.start, told.end) == (named.start, named.end) and told.value not in (
        False,
        UNAVAILABLE,
    )


@dataclass
class _Reader:
    """Reads what one text says of the names in it."""

    text: str
    words: list[CaseWord]
    named: tuple[Named, ...]
    blotted_out: str
    names: ObservationNames

    def findings(self) -> Iterator[ToldFinding]:
        """What is said of each name."""
        for number, each in enumerate(self.named):
            whose, tells = whose_finding(self.text, self.words, each)
            reading = self._surely_read(each)
            if whose == "other" or reading.status == "hypothetical":
                continue
            for name in _of_person(each.names, whose, tells, reading.experiencer):
                observation = self.names.observations[name.observation]
                told = self._told(number, each, name, observation, reading)
                if told is not None:
                    value, why = told
                    yield ToldFinding(
                        observation.id,
                        value,
                        each.start,
                        each.end,
                        self.text[each.start : each.end],
                        why,
                    )
                    if value is True:
                        yield from self._included(each, name)

    def _included(self, each: Named, name: CaseName) -> Iterator[ToldFinding]:
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
                    yield ToldFinding(
                        other.observation,
                        True,
                        each.start,
                        each.end,
                        self.text[each.start : each.end],
                        f"it includes '{other.written}'",
                    )

    def _surely_read(self, each: Named) -> Reading:
        """How a name is meant; a denial reaches over a comma only where a list says so.

        "No cough, chest indrawing" may be read either way: it is asked again. What is an answer by
        itself ("no stridor, drinks well") begins anew.
        """
        name = self.text[each.start : each.end]
        before, behind = self.blotted_out[: each.start], self.blotted_out[each.end :]
        reading = read_mention(f"{before}{name}{behind}", each.start, each.end, "en")
        if reading.status != "absent" or reading.asked:
            return reading
        apart = f"{before.replace(',', ';')}{name}{behind}"
        alone = read_mention(apart, each.start, each.end, "en")
        if alone.status == "absent" or alone.asked:
            return reading
        if all(
            held.says in ("answer", "denial")
            or self.names.observations[held.observation].kind != "boolean"
            for held in each.names
        ):
            return alone
        sentence = self.words[each.first].sentence
        first = next(word.start for word in self.words if word.sentence == sentence)
        if is_list_denied(self.text[first : each.start], self.text[each.end :]):
            return reading
        return replace(alone, status="unknown", doubted=True)

    def _told(
        self, number: int, each: Named, name: CaseName, observation: Observation, reading: Reading
    ) -> tuple[FindingValue, str] | None:
        """What a name's surroundings make of it, and why; None where they say nothing."""
        before, behind = self._beside(number)
        open_ = is_open(behind) or is_open(before)
        if reading.doubted or open_:
            return None, f"the text leaves it open{f' ({open_})' if open_ else ''}"
        if name.says == "denial":
            if reading.status == "absent" or each.denied:
                return None
            return False, f"'{name.written}' denies it"
        absent = (reading.status == "absent") is not each.denied
        if observation.kind == "number":
            return self._not_measured(number, observation, f"{before} ~ {behind}")
        lost = is_unavailable(f"{before}{self.text[each.start : each.end]}{behind}")
        if lost and (observation.kind != "boolean" or observation.resources):
            return UNAVAILABLE, f"the text says that it cannot be had ({lost})"
        earlier = reading.temporality == "historical" or is_earlier(behind)
        if earlier and reading.status != "absent":
            return None, "the text tells of an earlier time"
        if name.says == "answer":
            return None if absent else (name.answer, f"the answer '{name.written}'")
        if observation.kind == "boolean":
            if reading.status == "absent" or each.denied:
                return not absent, "the text denies it"
            return True, "the text says that it is there"
        return self._chosen(number, each, observation, absent=absent)

    def _not_measured(
        self, number: int, observation: Observation, around: str
    ) -> tuple[FindingValue, str] | None:
        """That a number cannot be had; the numbers themselves are read elsewhere."""
        lost = is_unavailable(around)
        if lost:
            return UNAVAILABLE, f"the text says that it cannot be had ({lost})"
        found = answer_within(observation, self._around(number), whole=True)
        if found is None or found[0].means != "unavailable":
            return None
        answer, _ = found
        return UNAVAILABLE, f"the answer '{answer.label}'"

    def _chosen(
        self, number: int, each: Named, observation: Observation, *, absent: bool
    ) -> tuple[FindingValue, str] | None:
        """The answer of a choice that stands beside its name."""
        found = answer_within(observation, self._around(number))
        if found is not None:
            answer, word = found
            value: FindingValue = UNAVAILABLE if answer.means == "unavailable" else answer.id
            return value, f"'{self.text[word.start : word.end]}' beside it"
        meant = absent_answer(observation) if absent else present_answer(observation)
        if meant is None:
            return None
        return meant.id, "the text denies it" if absent else "the text says that it is there"

    def _around(self, number: int) -> list[CaseWord]:
        """The words of a name's clause, from the name before it to the name behind it."""
        each = self.named[number]
        low = self.named[number - 1].last + 1 if number else 0
        high = self.named[number + 1].first if number + 1 < len(self.named) else len(self.words)
        sentence, clause = self.words[each.last].sentence, self.words[each.first].clause
        before = [w for w in self.words[low : each.first] if w.clause == clause]
        within = self.words[each.first : each.last + 1]
        behind = [w for w in self.words[each.last + 1 : high] if w.sentence == sentence]
        own = {self.words[each.last].clause, self.words[each.last].clause + 1}
        return [*before, *within, *(w for w in behind if w.clause in own)]

    def _beside(self, number: int) -> tuple[str, str]:
        """The text before and behind a name that belongs to no other, within its sentence."""
        each = self.named[number]
        sentence = self.words[each.first].sentence
        low = self.named[number - 1].end if number else 0
        high = self.named[number + 1].start if number + 1 < len(self.named) else len(self.text)
        same = [w for w in self.words if w.sentence == sentence]
        clause = [w for w in same if w.clause == self.words[each.first].clause]
        first, last = clause[0].start, same[-1].end
        before = self.text[max(low, first, each.start - _AROUND) : each.start]
        behind = self.text[each.end : min(high, max(last, each.end), each.end + _AROUND)]
        return before, behind

    def unavailable(self, told: list[ToldFinding]) -> Iterator[ToldFinding]:
        """Observations whose means are said not to be at hand: "the oximeter is broken"."""
        known = {each.observation for each in told}
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
                before = self.words[place - 1].written if place else ""
                lost = is_unavailable(near) or (
                    f"no {resource}" if before == "no" and before not in word_set("fillers") else ""
                )
                if lost:
                    yield ToldFinding(
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


def _of_person(
    names: tuple[CaseName, ...], whose: str, tells: bool, experiencer: str
) -> Iterator[CaseName]:
    """The names that can be meant of who is spoken of."""
    for name in names:
        if name.whose == "mother":
            if whose == "mother":
                yield name
        elif set(name.stems) & {stem_of_word(word) for word in word_set("of_both")}:
            yield name
        elif (whose != "mother" or tells) and (experiencer == "patient" or whose == "child"):
            yield name


def _settled(told: list[ToldFinding]) -> tuple[tuple[ToldFinding, ...], tuple[str, ...]]:
    """One finding for each observation: what is said last holds, and known goes before unknown."""
    last: dict[str, ToldFinding] = {}
    notes: dict[str, None] = {}
    for each in sorted(told, key=lambda found: found.start):
        held = last.get(each.observation)
        if held is None or held.value is None:
            last[each.observation] = each
        elif each.value is not None:
            if each.value != held.value:
                notes[
                    f"{each.observation}: the text says {_shown(held)} ('{held.words}'), "
                    f"then {_shown(each)} ('{each.words}')"
                ] = None
            last[each.observation] = each
    return tuple(sorted(last.values(), key=lambda f: (f.start, f.observation))), tuple(notes)


def _shown(told: ToldFinding) -> str:
    value = told.value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Measured):
        return f"{value.value:g} {value.unit}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _read_chinese(text: str, names: ObservationNames) -> ToldCase:
    """Chinese texts: the names as they stand, with the cues of the house."""
    from medweave.understanding.patient import read_patient

    taken: list[tuple[int, int]] = []
    found: list[tuple[int, int, str, str, str]] = []
    for name, observation, says, answer in names.han:
        at = text.find(name)
        while at >= 0:
            span = (at, at + len(name))
            if not _overlaps(*span, taken) or any((start, end) == span for start, end, *_ in found):
                taken.append(span)
                found.append((*span, observation, says, answer))
            at = text.find(name, at + 1)
    blank = blotted(text, taken, "x")
    told: list[ToldFinding] = []
    for start, end, observation, says, answer in sorted(found):
        reading = read_mention(f"{blank[:start]}{text[start:end]}{blank[end:]}", start, end, "zh")
        value = _chinese_value(names.observations[observation], says, answer, reading)
        if value == "":
            continue
        told.append(
            ToldFinding(observation, value, start, end, text[start:end], "named in the text")
        )
    values = read_values(text, "zh", ())
    numbers = measured_values(text, values, names, ())
    told += [
        ToldFinding(n.observation, n.value, n.start, n.end, text[n.start : n.end], n.why)
        for n in numbers
    ]
    patient = read_patient(text, "zh", ())
    weight = next((v.value for v in values if v.quantity == "body weight"), None)
    exact = patient.age_days if patient.age_days == patient.age_max_days else None
    findings, contradictions = _settled(told)
    return ToldCase(findings, exact, weight, patient.sex, contradictions)


def _chinese_value(
    observation: Observation, says: str, answer: str, reading: Reading
) -> FindingValue:
    """The value of a Chinese name; '' where it says nothing of the child."""
    if reading.status == "hypothetical" or reading.experiencer == "other":
        return ""
    if reading.doubted or reading.temporality == "historical" != reading.status == "absent":
        return None
    absent = reading.status == "absent"
    if says == "answer":
        return "" if absent else answer
    if observation.kind == "boolean":
        return not absent
    return ""
