"""The task `guideline`: cases with what must come out of a guideline, each all right or not.

A name that is expected in a status must be in it; of what is not named, nothing is expected. Beside
ours: the same rules read as most systems read them, unknown as absent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

from medweave.errors import MedweaveError, SourceError
from medweave.evaluation.data.guideline_expected import LISTS, expected_of
from medweave.evaluation.data.reading import digest_of, evenly
from medweave.evaluation.items import Data, Item, Ranked, Trainer
from medweave.evaluation.measures.classification import Measure, right, share
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.runner import OURS, Plan
from medweave.evaluation.task import Request, register
from medweave.guideline.case_reader import CaseReader
from medweave.guideline.findings_json import findings_of, read_record
from medweave.guideline.loading import guideline_in
from medweave.guideline.logic.evaluation import Evaluated, answers_to, evaluate
from medweave.guideline.logic.graph import compile_guideline
from medweave.guideline.logic.status import assess, statuses
from medweave.guideline.logic.values import Names, read_value
from medweave.language.text_file import lines_of, read_text
from medweave.model.assessment import STANDS, Assessment, TreatmentRow
from medweave.model.guideline import Guideline
from medweave.model.identifiers import normalise_name

ABSENT = "unknown as absent"
RIGHT, WRONG = "right", "wrong"
FALSE_CONFIRMED, MISSED_CONFIRMED, UNSAFE = "false_confirmed", "missed_confirmed", "unsafe"
_OPEN = ("possible", "provisional")
_SLACK = 0.005


def plan(request: Request) -> Plan:
    """What is run: ours, and the same rules with what is unknown taken as absent.

    A case that cannot be read, or names what its guideline does not know, is wrong, with the reason
    among the errors. Raises `SourceError` where the file has no cases.
    """
    guidelines = Guidelines(request)
    systems: dict[str, Trainer] = {
        OURS: lambda _: GuidelineCases(guidelines),
        ABSENT: lambda _: GuidelineCases(guidelines, unknown_is_absent=True),
    }
    return request.plan("guideline", _data(request), systems, measures_of, errors=errors_of)


class Guidelines:
    """Readers of cases by the names of their guidelines, each made once."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._readers: dict[str, CaseReader] = {}

    def reader(self, name: str) -> CaseReader:
        """`id@version` is a guideline in the base, else a file, which may lie beside the cases."""
        if name not in self._readers:
            self._readers[name] = CaseReader(compile_guideline(self._named(name)))
        return self._readers[name]

    def _named(self, name: str) -> Guideline:
        if "@" in name and not Path(name).exists():
            return self._request.base.guideline(name)
        return guideline_in(name, beside=self._request.data.parent)


class GuidelineCases:
    """A guideline evaluated on what a case says, and held against what the case expects."""

    def __init__(self, guidelines: Guidelines, *, unknown_is_absent: bool = False) -> None:
        self._guidelines, self._absent = guidelines, unknown_is_absent

    def rank(self, item: Item) -> Ranked:
        """Right where everything that is expected came out."""
        started = perf_counter()
        try:
            record = read_record(item.text, where=item.facts[0])
            reader = self._guidelines.reader(str(record.get("guideline") or "sample"))
            expected = expected_of(record)
            started = perf_counter()
            findings = reader.with_text(findings_of(record)).findings
            state = evaluate(reader.graph, findings, unknown_is_false=self._absent)
            assessment = assess(state)
            spent = (perf_counter() - started) * 1000
            known = evaluate(reader.graph, findings) if self._absent else state
            truly = {each: status.status for each, status in statuses(known).items()}
            judged = _judged(state, assessment, expected, truly)
        except MedweaveError as error:
            spent = (perf_counter() - started) * 1000
            problem = {"expected": "a case that can be evaluated", "got": str(error)}
            judged = Ranked((WRONG,), 1.0, wrong=(problem,))
        return replace(judged, milliseconds=spent)


def _data(request: Request) -> Data:
    lines = [*enumerate(_lines(request.data), 1)]
    items = tuple(
        Item(_identifier(line, number), (RIGHT,), line, facts=(f"line {number}",))
        for number, line in evenly(lines, request.sample)
    )
    return Data(request.data.name, digest_of(request.data), len(lines), items)


def _identifier(line: str, number: int) -> str:
    try:
        return str(read_record(line, where="").get("id", number))
    except MedweaveError:
        return str(number)


def _lines(path: Path) -> list[str]:
    lines = [line for _, line in lines_of(read_text(path, remedy="give JSONL"))]
    if not lines:
        raise SourceError("there are no cases in it", where=str(path), remedy="one JSON a line")
    return lines


def measures_of(
    items: Sequence[Item],  # noqa: ARG001 - the form of every task
    outcomes: Sequence[Outcome],
) -> dict[str, Measure]:
    """The share of cases that are all right, and of those with each grave error."""
    flags = (FALSE_CONFIRMED, MISSED_CONFIRMED, UNSAFE)
    return {
        "exact": share(right(outcomes)),
        **{flag: share([flag in outcome.flags for outcome in outcomes]) for flag in flags},
    }


def errors_of(items: Sequence[Item], outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """Everything that came out otherwise than expected, case by case."""
    return [
        {"id": item.id, **wrong}
        for item, outcome in zip(items, outcomes, strict=True)
        for wrong in outcome.wrong
    ]


def _judged(
    state: Evaluated,
    assessment: Assessment,
    expected: Mapping[str, Any],
    truly: Mapping[str, str],
) -> Ranked:
    status = {result.id: result.status for result in assessment.classifications}
    names = state.graph.classification_names
    names_expected = {
        key: [names.find(str(name)) for name in expected.get(key) or ()] for key in LISTS
    }
    wrong: list[Mapping[str, Any]] = []
    for key, allowed in _ALLOWED.items():
        for name in names_expected[key]:
            if (status[name] in allowed) is (key in _FORBID):
                wrong.append(
                    {"about": name, "expected": key.replace("_", " "), "got": status[name]}
                )
    not_so = {
        n
        for key in names_expected
        if key not in ("confirmed", "stands")
        for n in names_expected[key]
    }
    wrong += _values(state, expected.get("values") or {})
    wrong += _treatments(assessment, expected, names)
    wrong += _doses(assessment, expected.get("doses") or [])
    confirmed = {name for name, each in status.items() if each == "confirmed"}
    unsafe = unsafe_pairs(state, status, truly)
    flags = {
        FALSE_CONFIRMED: bool(not_so & confirmed),
        MISSED_CONFIRMED: not confirmed.issuperset(names_expected["confirmed"]),
        UNSAFE: bool(unsafe),
    }
    differing = [{"expected": "no milder class confirmed", "got": each} for each in unsafe]
    return Ranked(
        (WRONG if wrong else RIGHT,),
        1.0,
        wrong=(*wrong, *differing),
        flags=tuple(name for name, raised in flags.items() if raised),
    )


_ALLOWED: Mapping[str, tuple[str, ...]] = {
    "confirmed": ("confirmed",),
    "provisional": ("provisional",),
    "possible": ("possible",),
    "excluded": ("excluded", "not_applicable"),
    "stands": tuple(STANDS),
    "not_standing": tuple(STANDS),
    "not_confirmed": ("confirmed",),
}
_FORBID = ("not_standing", "not_confirmed")


def unsafe_pairs(
    state: Evaluated, status: Mapping[str, str], truly: Mapping[str, str]
) -> tuple[str, ...]:
    """Each milder classification that is confirmed while one that goes before it is open: that is
    told by what is known (`truly`), also of a system that knows no "open"."""
    return tuple(
        f"{name} is confirmed while {severer} is {truly[severer]}"
        for name, goes_before in state.graph.yields.items()
        if status[name] == "confirmed" and name not in state.overruled
        for severer in goes_before
        if truly[severer] in _OPEN and severer not in state.overruled
    )


def _values(state: Evaluated, expected: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    wrong: list[Mapping[str, Any]] = []
    for name, value in expected.items():
        identifier = state.graph.observation_names.find(str(name))
        observation = state.graph.observations[identifier]
        given = tuple(str(each) for each in value) if isinstance(value, list) else value
        value_expected = read_value(observation, given).known
        answers, number = answers_to(state, identifier)
        if value_expected is None:
            same = answers is None and number is None
        elif (
            observation.kind == "number"
            and value_expected.number is not None
            and number is not None
        ):
            same = math.isclose(value_expected.number, number, abs_tol=_SLACK)
        else:
            same = answers is not None and value_expected.answers == answers
        if not same:
            got = number if number is not None else sorted(answers) if answers else None
            wrong.append({"about": name, "expected": value, "got": got})
    return wrong


def _treatments(
    assessment: Assessment, expected: Mapping[str, Any], names: Names
) -> list[Mapping[str, Any]]:
    wrong: list[Mapping[str, Any]] = []
    for key in ("treatments", "no_treatments"):
        for listed in expected.get(key) or ():
            treatment = listed if isinstance(listed, dict) else {"drug": listed}
            drug = str(
                treatment.get("drug") or treatment.get("treatment") or treatment.get("id") or ""
            )
            of = treatment.get("classification")
            classification = names.find(str(of)) if of is not None else None
            there = any(
                _is_called(row, drug) and classification in (None, *row.classifications)
                for row in assessment.treatments
            )
            if there is not (key == "treatments"):
                wrong.append(
                    {
                        "about": drug,
                        "expected": "given" if key == "treatments" else "not given",
                        "got": "given" if there else "not given",
                    }
                )
    return wrong


def _is_called(row: TreatmentRow, name: str) -> bool:
    called = (row.step, row.label, row.drug or "", row.drug_id or "", *row.aliases)
    return normalise_name(name) in {normalise_name(each) for each in called if each}


def _doses(assessment: Assessment, expected: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    wrong: list[Mapping[str, Any]] = []
    for dose in expected:
        rows = [row for row in assessment.treatments if _is_called(row, str(dose.get("drug")))]
        if "formulation" in dose:
            formulation = normalise_name(str(dose["formulation"]))
            rows = [
                row
                for row in rows
                if formulation
                in (normalise_name(row.formulation_id), normalise_name(row.formulation))
            ]
        if not any(_dosed(row, dose) for row in rows):
            got = [
                [each.to_json() for each in (row.dose, row.amount) if each] or row.note
                for row in rows
            ]
            wrong.append({"about": dose.get("drug"), "expected": dict(dose), "got": got})
    return wrong


def _dosed(row: TreatmentRow, expected: Mapping[str, Any]) -> bool:
    times = expected.get("times_per_day")
    if times is not None and row.times_per_day != times:
        return False
    value, unit = expected.get("value"), str(expected.get("unit") or "")
    if value is None:
        return row.dose is None
    held = [each for each in (row.dose, row.amount) if each is not None]
    return any(
        (not unit or normalise_name(each.unit) in (normalise_name(unit), unit.rstrip("s")))
        and math.isclose(each.value, float(value), abs_tol=_SLACK)
        for each in held
    )


register("guideline", plan)
