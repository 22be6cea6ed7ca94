"""From the free text of a case to findings of a guideline, without a model.

Names of observations and of their answers are found, and cues decide what is meant: doubt comes
before all else, so that "unsure about the PCR" is unknown, and never a positive one. What is said
of the mother or a brother is not the child's.
"""

from __future__ import annotations

from medweave.language.folding import without_halves
from medweave.language.passage import passage_of
from medweave.language.people import people_of
from medweave.language.segmentation import language_of
from medweave.language.values import read_values
from medweave.model.findings import UNAVAILABLE
from medweave.understanding.case.case_text import CaseText
from medweave.understanding.case.chinese import read_chinese
from medweave.understanding.case.implied import case_of
from medweave.understanding.case.names import find_names
from medweave.understanding.case.observation_names import ObservationNames
from medweave.understanding.case.person import read_person
from medweave.understanding.case.times import with_short_times
from medweave.understanding.case.understood import (
    ReportedCase,
    of_number,
    of_several,
    overlaps,
    settled,
)
from medweave.understanding.case.values import (
    ReportedNumber,
    durations,
    measured_values,
    named_numbers,
)
from medweave.understanding.case.words import words_of_text
from medweave.vocabulary.dictionary import Dictionary

MOST_CHARACTERS = 20_000
"""Longer texts are read up to here."""


def read_case(text: str, names: ObservationNames, dictionary: Dictionary) -> ReportedCase:
    """The findings that a text tells, each with its place and why.

    `dictionary` is the linker, which looks in `names` as in those of a base.
    """
    text = without_halves(text[:MOST_CHARACTERS])
    language = language_of(text)
    if language == "zh":
        return read_chinese(text, names, dictionary)
    words = words_of_text(text)
    named = find_names(text, words, names, dictionary)
    passage = passage_of(text, language, [(each.start, each.end) for each in named])
    values = read_values(text, language, ())
    person = read_person(passage, values)
    own = [v for v in values if not overlaps(v.start, v.end, person.places)]
    numbers = list(measured_values(passage, own, names))
    numbers += [
        number
        for number in named_numbers(text, names, named)
        if not any(_same_place(number, other) for other in numbers)
    ]
    reader = CaseText(passage, words, named, names)
    reported = list(reader.findings())
    held = {
        (each.start, each.end) for each in reported if each.value not in (None, False, UNAVAILABLE)
    }
    there = [each for each in named if (each.start, each.end) in held]
    numbers += durations(
        text, words, with_short_times(text, own), names, named=named, present=there
    )
    reported += [of_number(text, number) for number in numbers]
    reported += reader.unavailable(reported)
    findings, contradictions = settled(reported)
    if people_of(passage).several:
        return of_several(findings)
    return case_of(findings, person, contradictions, names.observations)


def _same_place(number: ReportedNumber, other: ReportedNumber) -> bool:
    """Whether one number was read in two ways."""
    same = number.observation == other.observation
    return same and number.start < other.end and other.start < number.end
