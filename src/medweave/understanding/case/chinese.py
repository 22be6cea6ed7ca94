"""Cases in Chinese: the Chinese names of a guideline and of the lexicon, with the house's cues."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from medweave.language.cues import Reading, read_mention
from medweave.language.data import rules_in
from medweave.language.passage import passage_of
from medweave.language.values import read_values
from medweave.model.findings import FindingValue
from medweave.model.guideline import Observation
from medweave.model.value import Value
from medweave.understanding.case.implied import case_of
from medweave.understanding.case.names import Named
from medweave.understanding.case.observation_names import CaseName, ObservationNames, Says
from medweave.understanding.case.person import read_person
from medweave.understanding.case.understood import (
    ReportedCase,
    ReportedFinding,
    of_number,
    overlaps,
    settled,
)
from medweave.understanding.case.values import ReportedNumber, durations_of_sign, measured_values
from medweave.understanding.rule_files import CASE_RULES
from medweave.vocabulary.dictionary import Dictionary

_BREAK = re.compile(r"[。；;！!\n]")
_PART = re.compile(r"[，、,。；;！!\n]")
_Found = tuple[int, int, str, Says, str]
"""Start, end, the observation, what the name says, the answer."""


def read_chinese(text: str, names: ObservationNames, dictionary: Dictionary) -> ReportedCase:
    """What a Chinese text tells: the names as they stand, with the cues of the house."""
    found = [*_whole(text, names, dictionary)]
    found += _alone(text, names, found)
    found += _placed(text, names, found)
    taken = [(start, end) for start, end, *_ in found]
    passage = passage_of(text, "zh", taken)
    reported: list[ReportedFinding] = []
    there: list[tuple[int, int, str]] = []
    for start, end, observation, says, answer in sorted(found):
        reading = read_mention(passage, start, end)
        value = _chinese_value(names.observations[observation], says, answer, reading)
        if value == "":
            continue
        if value is True:
            there.append((start, end, observation))
        reported.append(
            ReportedFinding(observation, value, start, end, text[start:end], "named in the text")
        )
    values = read_values(text, "zh", ())
    numbers = list(measured_values(passage, values, names))
    numbers += _durations(text, values, names, there, taken)
    reported += [of_number(text, number) for number in numbers]
    person = read_person(passage, values)
    findings, contradictions = settled(reported)
    return case_of(findings, person, contradictions, names.observations)


def _whole(text: str, names: ObservationNames, dictionary: Dictionary) -> Iterator[_Found]:
    """What the linker finds of the guideline's names."""
    for match in dictionary.find(text):
        for each in match.named:
            name = names.linked.get(each.entity)
            if name is not None:
                yield match.start, match.end, name.observation, name.says, name.answer


def _alone(text: str, names: ObservationNames, found: list[_Found]) -> Iterator[_Found]:
    """What a part of a sentence says that tells nothing else: 咳嗽三天，孩子很烫."""
    taken = [(start, end) for start, end, *_ in found]
    for name, told in _alone_parts():
        for part in told.finditer(text):
            if overlaps(*part.span(1), taken):
                continue
            for called, observation, says, answer in names.han:
                if called == name:
                    yield *part.span(1), observation, says, answer


@cache
def _alone_parts() -> tuple[tuple[str, re.Pattern[str]], ...]:
    rules = rules_in("zh", *CASE_RULES)
    beside = f"(?:{'|'.join(rules['alone_with'])})*+"
    return tuple(
        (
            name,
            re.compile(
                f"(?<![^，、,。；;！!\\s]){beside}({'|'.join(said)}){beside}(?![^，、,。；;！!\\s])"
            ),
        )
        for name, said in rules["alone"].items()
    )


def _placed(text: str, names: ObservationNames, found: list[_Found]) -> list[_Found]:
    """Signs without the place that was named before: 耳朵痛，流脓."""
    taken = [(start, end) for start, end, *_ in found]
    made: list[_Found] = []
    places: dict[str, str] = rules_in("zh", *CASE_RULES)["places"]
    for name, observation, says, answer in names.han:
        place = next((each for each in places if name.startswith(each)), "")
        rest = name.removeprefix(place).removeprefix(places.get(place, ""))
        if not place or says != "name" or len(rest) < 2:  # noqa: PLR2004 - one sign says too little
            continue
        for match in re.finditer(re.escape(rest), text):
            if overlaps(*match.span(), taken):
                continue
            before = _BREAK.split(text[: match.start()])[-1]
            if max(places, key=before.rfind) == place and place in before:
                made.append((*match.span(), observation, says, answer))
                taken.append(match.span())
    return made


def _durations(
    text: str,
    values: Iterable[Value],
    names: ObservationNames,
    there: list[tuple[int, int, str]],
    taken: list[tuple[int, int]],
) -> Iterator[ReportedNumber]:
    """How long a sign has lasted that stands before a time, or behind it, in its part."""
    for value in values:
        if value.quantity not in ("duration", "onset") or value.bound:
            continue
        part = len(_PART.split(text[: value.start]))
        beside = [(start, end) for start, end in taken if len(_PART.split(text[:start])) == part]
        nearest = min(beside, key=lambda s: max(value.start - s[1], s[0] - value.end), default=None)
        for start, end, observation in there:
            if (start, end) == nearest:
                name = CaseName((), observation, "name", "", text[start:end])
                yield from durations_of_sign(text, Named(0, 0, start, end, (name,)), value, names)


def _chinese_value(
    observation: Observation, says: str, answer: str, reading: Reading
) -> FindingValue:
    """The value of a Chinese name; '' where it says nothing of the child."""
    if reading.status == "hypothetical" or reading.experiencer == "other":
        return ""
    absent = reading.status == "absent"
    if reading.doubted or (reading.temporality == "historical" and not absent):
        return None
    if says == "answer":
        return "" if absent else answer
    if observation.kind == "boolean":
        return not absent
    return ""
