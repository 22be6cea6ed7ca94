"""Findings with what their free text tells: what was given by name goes before the text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TypeVar

from medweave.answering.danger import sign_in_words
from medweave.errors import FindingsError
from medweave.guideline.danger import (
    signs_in_text,
    signs_left_open,
    signs_of_other_ages,
    signs_to_ask,
    signs_unasked,
    still_open,
)
from medweave.guideline.logic.evaluation import Evaluated, check_person, evaluate
from medweave.guideline.logic.graph import Graph
from medweave.guideline.logic.status import assess
from medweave.guideline.logic.values import Known, read_value
from medweave.guideline.not_understood import not_understood
from medweave.guideline.statements import observations_of
from medweave.language.folding import Folded
from medweave.language.segmentation import language_of
from medweave.language.typed import evened
from medweave.model.assessment import Assessment, UnderstoodFinding
from medweave.model.entity import NameMention
from medweave.model.findings import Findings, FindingValue, Measured, shown_value
from medweave.model.guideline import PersonValue
from medweave.model.question import DangerSign, Unread
from medweave.stores.name_index import NameIndex
from medweave.understanding.case.allergies import allergies_in
from medweave.understanding.case.observation_names import ObservationNames, observation_names
from medweave.understanding.case.read import read_case
from medweave.understanding.case.understood import ReportedCase, ReportedFinding
from medweave.vocabulary.dictionary import Dictionary
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.vocabulary import shipped_vocabulary

_SAME_AGE = 0.1
"""Ages that differ by less than this share are told in other units."""
_FEW_DAYS = 1


@dataclass(frozen=True, slots=True)
class WithText:
    """Findings that hold what their text tells, and what is to be told of that."""

    findings: Findings
    understood: tuple[UnderstoodFinding, ...] = ()
    warnings: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()


def _linker(mentions: Iterable[tuple[NameMention, str]] = ()) -> Dictionary:
    """The linker, with these names for those of a base."""
    return Dictionary(NameIndex(mentions), shipped_vocabulary(), shipped_lexicon())


@cache
def _plain_linker() -> Dictionary:
    """The linker of the lexicon alone: no observation hides the name of a drug."""
    return _linker()


@dataclass(frozen=True)
class CaseReader:
    """Reads the free text of cases for one guideline; its names are made ready once."""

    graph: Graph

    @cached_property
    def names(self) -> ObservationNames:
        """What its observations may be called."""
        return observation_names(self.graph.guideline, shipped_lexicon())

    @cached_property
    def dictionary(self) -> Dictionary:
        """The linker, with its observations for the names of a base."""
        return _linker(self.names.mentions())

    @cached_property
    def included(self) -> Mapping[str, tuple[str, ...]]:
        """By classification, the observations that its rule asks for."""
        guideline = self.graph.guideline
        return {each.id: observations_of(guideline, each) for each in guideline.classifications}

    def read(self, text: str) -> ReportedCase:
        """What a text tells, before anything is checked; the weight is told of the person."""
        reported = read_case(text, self.names, self.dictionary)
        observations = self.graph.observations
        return replace(
            reported,
            findings=tuple(
                each
                for each in reported.findings
                if not isinstance(observations[each.observation].derived, PersonValue)
            ),
        )

    def with_text(self, findings: Findings) -> WithText:
        """The findings with those that their text tells beside them.

        What was given by name goes before the text; where they differ, that is a contradiction.
        What cannot be (a temperature of 52 degrees) is not taken from a text, and questioned.
        """
        if not findings.text.strip():
            return WithText(findings)
        reported = self.read(findings.text)
        merging = _Merging(self.graph, findings, reported)
        return merging.merged()

    def evaluate(self, findings: Findings) -> tuple[Evaluated, WithText]:
        """What is true of a child, its text included."""
        read = self.with_text(findings)
        return evaluate(self.graph, read.findings), read

    def assess(self, findings: Findings, *, order: str = "best") -> Assessment:
        """What the guideline says of a child, its text included.

        Beside a text, danger signs that it leaves out are to be asked for, and what is harmless
        waits for words that nothing took.
        """
        even = evened(findings.text)
        text = even.text
        state, read = self.evaluate(replace(findings, text=text))
        if not text:
            return assess(state, order=order, danger=signs_of_other_ages(state))
        signs = signs_in_text(text, state.findings)
        language = language_of(text)
        danger = (
            *(sign_in_words(sign, language) for sign in still_open(signs, state)),
            *signs_of_other_ages(state),
            *signs_left_open(state.graph, read.understood),
            *signs_to_ask(state.graph, signs_unasked(state), language),
        )
        unread = self.unread(text, read, signs)
        assessment = assess(state, order=order, danger=danger, unread=unread)
        return _in_places_of(even, with_understood(assessment, read, text))

    def unread(self, text: str, read: WithText, signs: Sequence[DangerSign]) -> tuple[Unread, ...]:
        """The words of a text that no finding took, nor a danger sign that has a name."""
        taken = [(each.start, each.end) for each in read.understood]
        names = [each.label for each in read.understood]
        named = [words for sign in signs if sign.has_name for words in sign.words]
        allergens = read.findings.allergies
        told = [form.format(name) for name in allergens for form in _ALLERGY]
        return not_understood(text, taken, names, [*named, *told])


_Placed = TypeVar("_Placed", UnderstoodFinding, Unread)
_ALLERGY = ("allergic to {}", "{} allergy", "对{}过敏", "{}过敏")


def with_understood(assessment: Assessment, read: WithText, text: str) -> Assessment:
    """An assessment that also tells what its text was understood to say."""
    if not text.strip():
        return assessment
    return replace(
        assessment,
        understood=read.understood,
        warnings=(*assessment.warnings, *read.warnings),
        contradictions=(*assessment.contradictions, *read.contradictions),
    )


def _in_places_of(even: Folded, assessment: Assessment) -> Assessment:
    """An assessment whose places are those of the text as it was written."""

    def moved(each: _Placed) -> _Placed:
        start, end = even.span(each.start, each.end) if each.end else (each.start, each.end)
        return replace(each, start=start, end=end)

    understood = assessment.understood and tuple(map(moved, assessment.understood))
    unread = tuple(map(moved, assessment.not_understood))
    return replace(assessment, understood=understood, not_understood=unread)


class _Merging:
    """Puts what a text tells beside what was given by name."""

    def __init__(self, graph: Graph, findings: Findings, reported: ReportedCase) -> None:
        self._graph = graph
        self._findings = findings
        self._reported = reported
        self._given: Mapping[str, FindingValue] = {
            graph.observation_names.find(name): value for name, value in findings.values.items()
        }
        self._values: dict[str, FindingValue] = dict(findings.values)
        self._warnings: list[str] = []
        self._contradictions = list(reported.contradictions)

    def merged(self) -> WithText:
        understood = tuple(self._finding(each) for each in self._reported.findings)
        findings = replace(self._person(), values=self._values, text="")
        return WithText(findings, understood, tuple(self._warnings), tuple(self._contradictions))

    def _person(self) -> Findings:
        given, reported = self._findings, self._reported
        age, weight, sex = given.age_days, given.weight_kg, given.sex
        if age is None:
            age = reported.age_days if self._can_be(Findings(age_days=reported.age_days)) else None
        elif reported.age_days is not None and not _same_age(age, reported.age_days):
            self._differ("age", f"{reported.age_days} days", f"{age} days")
        if weight is None:
            weight = (
                reported.weight_kg if self._can_be(Findings(weight_kg=reported.weight_kg)) else None
            )
        elif reported.weight_kg is not None and abs(reported.weight_kg - weight) > 0.05:  # noqa: PLR2004
            self._differ("weight", f"{reported.weight_kg:g} kg", f"{weight:g} kg")
        if sex is None:
            sex = reported.sex
        elif reported.sex is not None and reported.sex != sex:
            self._differ("sex", reported.sex, sex)
        allergies = (*given.allergies, *allergies_in(given.text, _plain_linker()))
        return replace(
            given,
            age_days=age,
            weight_kg=weight,
            sex=sex,
            allergies=tuple(dict.fromkeys(allergies)),
        )

    def _can_be(self, findings: Findings) -> bool:
        try:
            check_person(findings)
        except FindingsError as error:
            self._warnings.append(f"not taken from the text: {error.what}")
            return False
        return True

    def _differ(self, what: str, reported: str, given: str) -> None:
        self._contradictions.append(
            f"{what}: the text says {reported}, and {given} was given, which holds"
        )

    def _finding(self, reported: ReportedFinding) -> UnderstoodFinding:
        observation = self._graph.observations[reported.observation]
        known = None
        try:
            known = read_value(observation, reported.value).known
        except FindingsError as error:
            self._warnings.append(f"not taken from the text ('{reported.words}'): {error.what}")
            return _understood(reported, observation.label, used=False)
        given = self._given.get(reported.observation)
        if given is None:
            if known is not None:
                self._values[reported.observation] = reported.value
            return _understood(reported, observation.label, used=True)
        if known is not None and _differs(known, read_value(observation, given).known):
            shown = shown_value(reported.value)
            self._differ(observation.label, f"{shown} ('{reported.words}')", shown_value(given))
        return _understood(reported, observation.label, used=False)


def _same_age(one: int, other: int) -> bool:
    return abs(one - other) <= max(_FEW_DAYS, _SAME_AGE * max(one, other))


def _differs(reported: Known, given: Known | None) -> bool:
    if given is None:
        return False
    if reported.number is not None and given.number is not None:
        return abs(reported.number - given.number) > 0.05  # noqa: PLR2004
    return reported.answers != given.answers or reported.unavailable != given.unavailable


def _understood(reported: ReportedFinding, label: str, *, used: bool) -> UnderstoodFinding:
    return UnderstoodFinding(
        reported.observation,
        _plain(reported.value),
        reported.start,
        reported.end,
        reported.words,
        reported.why,
        used,
        label,
        reported.implied,
    )


def _plain(value: FindingValue) -> object:
    if isinstance(value, Measured):
        return {"value": value.value, "unit": value.unit}
    return list(value) if isinstance(value, tuple) else value
