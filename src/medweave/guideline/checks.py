"""What is wrong with a guideline, with file and line.

Errors make it unusable or unsafe (rules in circles, a dose without a maximum); warnings are for a
clinician to look at (a gap between ages, a classification that nothing can reach).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Literal as OneOf

from medweave.errors import GuidelineError
from medweave.guideline.logic.doses import amount_unit
from medweave.guideline.logic.explanations import age_in_words
from medweave.guideline.logic.graph import CONSTANT, FALSE, Graph, compile_guideline
from medweave.guideline.yaml.reading import Line, WrittenGuideline
from medweave.model.guideline import (
    ANY_AGE,
    AgeBand,
    BandDose,
    Formulation,
    Guideline,
    WeightDose,
)
from medweave.model.json_form import json_of
from medweave.model.logic import Compared, Expression, walk

_EVERY_AGE = 45_658
Severity = OneOf["error", "warning"]
Found = tuple[Line, str] | tuple[Line, str, Severity]
"""What is wrong in which line of the file; an error, unless it says otherwise."""


@dataclass(frozen=True, slots=True)
class GuidelineProblem:
    """One thing that is wrong, and where."""

    where: str
    what: str
    severity: Severity = "error"

    def to_json(self) -> dict[str, str]:
        """One of `problems`."""
        return json_of(self, "where what severity")


def check_guideline(written: WrittenGuideline) -> list[GuidelineProblem]:
    """All problems, errors first."""
    try:
        graph = compile_guideline(written.guideline)
    except GuidelineError as error:
        where = next(
            (
                written.where(kind, name)
                for kind in ("classification", "group", "observation")
                for name in (error.where, error.where.removeprefix("group "))
                if (kind, name) in written.lines
            ),
            f"{written.file}: {error.where}",
        )
        return [GuidelineProblem(where, f"{error.what}; {error.remedy}")]
    found = (each for check in _CHECKS for each in check(written.guideline, graph))
    problems = [GuidelineProblem(written.where(*each[0]), *each[1:]) for each in found]
    return sorted(problems, key=lambda problem: problem.severity)


def _unreachable(guideline: Guideline, graph: Graph) -> Iterator[Found]:
    """Rules that cannot be true whatever is answered, and classifications that never stand."""
    for each in guideline.classifications:
        line = ("classification", each.id)
        node = graph.kids[graph.rules[each.id].strict][0]
        if graph.kinds[node] == CONSTANT and graph.data[node] == FALSE:
            yield line, f"'{each.id}' can never hold"
        elif _outside(each.ages, guideline.ages):
            yield line, f"'{each.id}' is for no age that the guideline is for", "warning"
        for before in graph.yields[each.id]:
            other = graph.classifications[before]
            if other.rule == each.rule and _contains(other.ages, each.ages):
                yield (
                    line,
                    f"'{each.id}' can never stand: '{before}' goes before it, by the same rule",
                )


def _outside(band: AgeBand, of: AgeBand) -> bool:
    low, high = _ends(band)
    least, most = _ends(of)
    return low >= most or high <= least


def _contains(wide: AgeBand, band: AgeBand) -> bool:
    return _ends(wide)[0] <= _ends(band)[0] and _ends(band)[1] <= _ends(wide)[1]


def _ends(band: AgeBand) -> tuple[int, int]:
    return band.from_days or 0, _EVERY_AGE if band.to_days is None else band.to_days


def _overlapping(guideline: Guideline, _: Graph) -> Iterator[Found]:
    """Two classifications of one condition, equally severe, by the same rule."""
    seen: dict[object, str] = {}
    for each in guideline.classifications:
        key = (each.condition, each.severity, each.urgency, each.rule, each.ages)
        before = seen.setdefault(key, each.id)
        if before != each.id:
            what = f"'{each.id}' and '{before}' are equally severe and have the same rule"
            yield ("classification", each.id), what


def _gaps(guideline: Guideline, _: Graph) -> Iterator[Found]:
    """Ages of the guideline between those of a condition's classifications."""
    low, high = _ends(guideline.ages)
    for condition in guideline.conditions:
        line = ("condition", condition.id)
        held = [c for c in guideline.classifications if c.condition == condition.id]
        bands = sorted(_ends(each.ages) for each in held)
        if not bands:
            yield line, f"'{condition.id}' has no classifications", "warning"
            continue
        reached = max(low, bands[0][0])
        for start, end in bands:
            if start > reached:
                ages = f"{age_in_words(reached)} to {age_in_words(min(start, high))}"
                yield line, f"'{condition.id}' says nothing from {ages}", "warning"
            reached = max(reached, end)


def _steps(guideline: Guideline, _: Graph) -> Iterator[Found]:
    """Drugs without a dose, doses that cannot be, and substitutes that are not there."""
    for each in guideline.classifications:
        known = {step.id for step in each.treatments}
        for step in each.treatments:
            line = ("step", each.id, step.id)
            for formulation in step.formulations:
                yield from _dose(line, f"'{formulation.id}' of '{step.id}'", formulation)
            if step.kind == "drug" and not step.formulations and not step.text:
                yield line, f"'{step.id}' is a drug without a dose", "warning"
            for name in step.substitutes:
                if name not in known:
                    what = f"'{name}', the substitute of '{step.id}', is no step of '{each.id}'"
                    yield line, what


def _dose(line: Line, subject: str, formulation: Formulation) -> Iterator[Found]:
    dose, times = formulation.dose, formulation.times_per_day
    if isinstance(dose, WeightDose):
        if dose.cap <= 0 or dose.cap == float("inf"):
            yield line, f"{subject} has no maximum"
        if dose.least <= 0 or dose.least > dose.most:
            yield line, f"{subject}: from {dose.least:g} to {dose.most:g} a kg"
    if isinstance(dose, BandDose):
        yield from _bands(line, subject, dose)
    if times <= 0:
        yield line, f"{subject} is given {times:g} times a day"
    if formulation.breakable < 1:
        yield line, f"{subject} breaks into {formulation.breakable} pieces"
    if isinstance(dose, WeightDose) and not formulation.strength:
        unit = amount_unit(formulation)
        what = f"{subject} does not say how much is in a {unit}: no amount is told"
        yield line, what, "warning"


def _bands(line: Line, subject: str, dose: BandDose) -> Iterator[Found]:
    """Weights in no band between others, and in two with different doses."""
    by_ages: dict[AgeBand, list[tuple[float, float, float]]] = {}
    for band in dose.bands:
        low, high = band.weight
        ends = (low or 0.0, float("inf") if high is None else high)
        by_ages.setdefault(band.ages, []).append((*ends, band.value))
        if band.value <= 0:
            yield line, f"{subject} has a dose of {band.value:g}"
    for rows in by_ages.values():
        rows.sort()
        for (_, end, value), (start, _, other) in pairwise(rows):
            if start > end:
                yield line, f"{subject} has no dose from {end:g} to {start:g} kg"
            if start < end and value != other:
                yield line, f"{subject} has two doses from {start:g} to {end:g} kg"
    yield from _bands_of_ages(line, subject, dose)


def _bands_of_ages(line: Line, subject: str, dose: BandDose) -> Iterator[Found]:
    """Ages in no band between others, and in two with different doses for one weight."""
    bands = sorted((*_ends(band.ages), band.weight, band.value) for band in dose.bands)
    reached = bands[0][1] if bands else 0
    for start, end, _, _ in bands:
        if start > reached:
            ages = f"{age_in_words(reached)} to {age_in_words(start)}"
            yield line, f"{subject} has no dose from {ages}"
        reached = max(reached, end)
    for one, other in combinations(bands, 2):
        start, end = max(one[0], other[0]), min(one[1], other[1])
        if start < end and one[:2] != other[:2] and one[2] == other[2] and one[3] != other[3]:
            ages = f"{age_in_words(start)} to {age_in_words(end)}"
            yield line, f"{subject} has two doses from {ages}"


def _thresholds(guideline: Guideline, graph: Graph) -> Iterator[Found]:
    """Limits that no number can reach, and numbers without a range."""
    for line, rule in _rules(guideline):
        for leaf in walk(rule):
            if isinstance(leaf, Compared):
                low, high = graph.observations[leaf.observation].range
                if (low is not None and leaf.limit < low) or (
                    high is not None and leaf.limit > high
                ):
                    limit = f"{leaf.limit:g}, which it cannot be"
                    yield line, f"'{leaf.observation}' is compared with {limit}", "warning"
    for each in guideline.observations:
        if each.kind == "number" and each.derived is None and each.range == (None, None):
            what = f"'{each.id}' has no range: slips are not noticed"
            yield ("observation", each.id), what, "warning"


def _rules(guideline: Guideline) -> Iterator[tuple[Line, Expression]]:
    for each in guideline.classifications:
        yield ("classification", each.id), each.rule
        for step in each.treatments:
            if step.when is not None:
                yield ("step", each.id, step.id), step.when
    for name, rule in guideline.groups.items():
        yield ("group", name), rule


def _danger_signs(guideline: Guideline, _: Graph) -> Iterator[Found]:
    if guideline.observations and not any(each.danger_sign for each in guideline.observations):
        yield (), "no observation is marked as a danger sign", "warning"
    if guideline.ages == ANY_AGE:
        yield (), "it does not say which ages it is for", "warning"


def _implied(guideline: Guideline, graph: Graph) -> Iterator[Found]:
    """What an answer implies that is not there, cannot be there, or is the observation itself."""
    for each in guideline.observations:
        line = ("observation", each.id)
        for name in (name for answer in each.answers for name in answer.implies):
            other = graph.observations.get(name)
            problem = f"'{each.id}' implies '{name}', which"
            if other is None:
                yield line, f"{problem} is no observation"
            elif other is each:
                yield line, f"{problem} it is itself"
            elif other.kind != "boolean" or other.option("true") is None:
                yield line, f"{problem} has no yes and no"
            elif other.derived is not None:
                yield line, f"{problem} is worked out by a rule"
            elif _outside(each.ages, other.ages):
                yield line, f"{problem} is for other ages", "warning"


_CHECKS: tuple[Callable[[Guideline, Graph], Iterator[Found]], ...] = (
    _unreachable,
    _overlapping,
    _gaps,
    _steps,
    _thresholds,
    _danger_signs,
    _implied,
)
