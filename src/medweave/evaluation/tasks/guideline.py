"""The task `guideline`: cases with what must come out of a guideline, each all right or not.

A name that is expected in a status must be in it; of what is not named, nothing is expected. Beside
ours: the same rules read as most systems read them, unknown as absent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from medweave.errors import MedweaveError, SourceError
from medweave.evaluation.data.guideline_expected import LISTS, expected_of
from medweave.evaluation.data.reading import digest_of
from medweave.evaluation.items import Data, Item
from medweave.evaluation.measures.bootstrap import draw_all
from medweave.evaluation.measures.classification import Measure, share
from medweave.evaluation.result import Evaluation, SystemResult
from medweave.guideline.case_reader import CaseReader
from medweave.guideline.findings_json import findings_of, read_record
from medweave.guideline.logic.evaluation import Evaluated, answers_to, evaluate
from medweave.guideline.logic.graph import Graph
from medweave.guideline.logic.status import assess, statuses
from medweave.guideline.logic.values import Names, read_value
from medweave.model.assessment import STANDS, Assessment, TreatmentRow
from medweave.model.identifiers import normalise_name
from medweave.ports import Progress, no_progress

OURS, ABSENT = "medweave", "unknown as absent"
_OPEN = ("possible", "provisional")
_SLACK = 0.005


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What one system made of one case."""

    wrong: tuple[Mapping[str, Any], ...]
    false_confirmed: bool
    missed_confirmed: bool
    unsafe: tuple[str, ...]
    milliseconds: float

    @property
    def exact(self) -> bool:
        """Whether everything that is expected came out."""
        return not self.wrong


def evaluate_guidelines(
    path: Path,
    graph_of: Callable[[str], Graph],
    *,
    seed: int = 0,
    sample: int = 0,
    progress: Progress = no_progress,
) -> Evaluation:
    """All cases of a JSONL file. `graph_of` finds a guideline by what a case calls it.

    A case that cannot be read, or names what its guideline does not know, is wrong, with the reason
    among the errors. Raises `SourceError` where the file has no cases.
    """
    lines = _lines(path)
    numbers = list(range(len(lines)))
    if sample and sample < len(lines):
        numbers = [at * len(lines) // sample for at in range(sample)]
    results: dict[str, list[CaseResult]] = {OURS: [], ABSENT: []}
    errors: list[dict[str, Any]] = []
    readers: dict[str, CaseReader] = {}
    for done, number in enumerate(numbers):
        identifier = str(number + 1)
        for name, found in results.items():
            case, identifier = _case(lines[number], number, graph_of, readers, name == ABSENT)
            found.append(case)
        ours = results[OURS][-1]
        errors += [{"id": identifier, **wrong} for wrong in ours.wrong]
        errors += [
            {"id": identifier, "expected": "no milder class confirmed", "got": told}
            for told in ours.unsafe
        ]
        progress(done + 1, len(numbers), "cases")
    items = tuple(Item(str(number + 1), ("case",)) for number in numbers)
    data = Data(path.name, digest_of(path), len(lines), items)
    return _evaluation(data, results, errors, seed=seed, sample=sample)


def _lines(path: Path) -> list[str]:
    import gzip

    try:
        held = path.read_bytes()
        text = (gzip.decompress(held) if held[:2] == b"\x1f\x8b" else held).decode("utf-8-sig")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise SourceError(
            "this file cannot be read", where=str(path), remedy="give UTF-8 JSONL"
        ) from error
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        raise SourceError("there are no cases in it", where=str(path), remedy="one JSON a line")
    return lines


def _case(
    line: str,
    number: int,
    graph_of: Callable[[str], Graph],
    readers: dict[str, CaseReader],
    absent: bool,
) -> tuple[CaseResult, str]:
    identifier = str(number + 1)
    started = perf_counter()
    try:
        record = read_record(line, where=f"line {number + 1}")
        identifier = str(record.get("id", identifier))
        name = str(record.get("guideline") or "sample")
        if name not in readers:
            readers[name] = CaseReader(graph_of(name))
        reader = readers[name]
        expected = expected_of(record)
        started = perf_counter()
        findings = reader.with_text(findings_of(record)).findings
        state = evaluate(reader.graph, findings, unknown_is_false=absent)
        assessment = assess(state)
        spent = (perf_counter() - started) * 1000
        known = evaluate(reader.graph, findings) if absent else state
        truly = {each: status.status for each, status in statuses(known).items()}
        return _judged(state, assessment, expected, truly, spent), identifier
    except MedweaveError as error:
        spent = (perf_counter() - started) * 1000
        wrong = {"expected": "a case that can be evaluated", "got": str(error)}
        return CaseResult((wrong,), False, False, (), spent), identifier


def _judged(
    state: Evaluated,
    assessment: Assessment,
    expected: Mapping[str, Any],
    truly: Mapping[str, str],
    spent: float,
) -> CaseResult:
    status = {result.id: result.status for result in assessment.classifications}
    names = state.graph.classification_names
    wanted = {key: [names.find(str(name)) for name in expected.get(key) or ()] for key in LISTS}
    wrong: list[Mapping[str, Any]] = []
    for key, allowed in _ALLOWED.items():
        for name in wanted[key]:
            if (status[name] in allowed) is (key in _FORBID):
                wrong.append(
                    {"about": name, "expected": key.replace("_", " "), "got": status[name]}
                )
    not_so = {n for key in wanted if key not in ("confirmed", "stands") for n in wanted[key]}
    wrong += _values(state, expected.get("values") or {})
    wrong += _treatments(assessment, expected, names)
    wrong += _doses(assessment, expected.get("doses") or [])
    return CaseResult(
        tuple(wrong),
        any(status[name] == "confirmed" for name in not_so - set(wanted["not_standing"]))
        or any(status[name] == "confirmed" for name in wanted["not_standing"]),
        any(status[name] != "confirmed" for name in wanted["confirmed"]),
        unsafe_pairs(state, status, truly),
        spent,
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
        wanted = read_value(observation, given).known
        answers, number = answers_to(state, identifier)
        if wanted is None:
            same = answers is None and number is None
        elif observation.kind == "number" and wanted.number is not None and number is not None:
            same = math.isclose(wanted.number, number, abs_tol=_SLACK)
        else:
            same = answers is not None and wanted.answers == answers
        if not same:
            got = number if number is not None else sorted(answers) if answers else None
            wrong.append({"about": name, "expected": value, "got": got})
    return wrong


def _treatments(
    assessment: Assessment, expected: Mapping[str, Any], names: Names
) -> list[Mapping[str, Any]]:
    wrong: list[Mapping[str, Any]] = []
    for key in ("treatments", "no_treatments"):
        for wanted in expected.get(key) or ():
            asked = wanted if isinstance(wanted, dict) else {"drug": wanted}
            drug = str(asked.get("drug") or asked.get("treatment") or asked.get("id") or "")
            of = asked.get("classification")
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
    for wanted in expected:
        rows = [row for row in assessment.treatments if _is_called(row, str(wanted.get("drug")))]
        if "formulation" in wanted:
            asked = normalise_name(str(wanted["formulation"]))
            rows = [
                row
                for row in rows
                if asked in (normalise_name(row.formulation_id), normalise_name(row.formulation))
            ]
        if not any(_dosed(row, wanted) for row in rows):
            got = [
                [each.to_json() for each in (row.dose, row.amount) if each] or row.note
                for row in rows
            ]
            wrong.append({"about": wanted.get("drug"), "expected": dict(wanted), "got": got})
    return wrong


def _dosed(row: TreatmentRow, wanted: Mapping[str, Any]) -> bool:
    times = wanted.get("times_per_day")
    if times is not None and row.times_per_day != times:
        return False
    value, unit = wanted.get("value"), str(wanted.get("unit") or "")
    if value is None:
        return row.dose is None
    held = [each for each in (row.dose, row.amount) if each is not None]
    return any(
        (not unit or normalise_name(each.unit) in (normalise_name(unit), unit.rstrip("s")))
        and math.isclose(each.value, float(value), abs_tol=_SLACK)
        for each in held
    )


def _evaluation(
    data: Data,
    results: Mapping[str, list[CaseResult]],
    errors: list[dict[str, Any]],
    *,
    seed: int,
    sample: int,
) -> Evaluation:
    measures = {name: _measures(found) for name, found in results.items()}
    every = {(name, key): m for name, some in measures.items() for key, m in some.items()}
    drawn = draw_all(every, len(data.items), seed=seed)
    systems = []
    for name, found in results.items():
        spent = [each.milliseconds for each in found]
        figures = {key: drawn[name, key].figure() for key in measures[name]}
        systems.append(SystemResult(name, figures, sum(spent) / 1000, median(spent)))
    ours, theirs = drawn[OURS, "exact"], drawn[ABSENT, "exact"]
    return Evaluation(
        task="guideline",
        data=data,
        seed=seed,
        settings={"sample": sample},
        systems=systems,
        errors=errors,
        differences={"exact": {ABSENT: ours.less(theirs).to_json()}},
    )


def _measures(found: list[CaseResult]) -> dict[str, Measure]:
    return {
        "exact": share([each.exact for each in found]),
        "false_confirmed": share([each.false_confirmed for each in found]),
        "missed_confirmed": share([each.missed_confirmed for each in found]),
        "unsafe": share([bool(each.unsafe) for each in found]),
    }
