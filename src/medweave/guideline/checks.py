"""What is wrong with a guideline, with file and line.

Errors make it unusable or unsafe (rules in circles, a dose without a maximum); warnings are for a
clinician to look at (a gap between ages, a classification that nothing can reach).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Literal as OneOf

from medweave.errors import GuidelineError
from medweave.guideline.logic.doses import amount_unit
from medweave.guideline.logic.explanations import age_in_words
from medweave.guideline.logic.graph import CONSTANT, FALSE, Graph, compile_guideline
from medweave.guideline.yaml.reading import WrittenGuideline
from medweave.model.guideline import (
    ANY_AGE,
    AgeBand,
    BandDose,
    Classification,
    Formulation,
    TreatmentStep,
    WeightDose,
)
from medweave.model.json_form import json_of
from medweave.model.logic import Answered, Compared, Expression, walk

_EVERY_AGE = 45_658


@dataclass(frozen=True, slots=True)
class GuidelineProblem:
    """One thing that is wrong, and where."""

    where: str
    what: str
    severity: OneOf["error", "warning"] = "error"

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
    found = [
        *_unreachable(written, graph),
        *_overlapping(written),
        *_gaps(written),
        *_doses(written),
        *_substitutes(written),
        *_thresholds(written),
        *_danger_signs(written),
        *_implied(written),
    ]
    return sorted(found, key=lambda problem: problem.severity)


def _unreachable(written: WrittenGuideline, graph: Graph) -> Iterator[GuidelineProblem]:
    """Rules that cannot be true whatever is answered, and observations no rule asks for."""
    for each in graph.guideline.classifications:
        node = graph.kids[graph.rules[each.id].strict][0]
        where = written.where("classification", each.id)
        if graph.kinds[node] == CONSTANT and graph.data[node] == FALSE:
            yield GuidelineProblem(where, f"'{each.id}' can never hold")
        elif _outside(each.ages, graph.guideline.ages):
            yield GuidelineProblem(
                where, f"'{each.id}' is for no age that the guideline is for", "warning"
            )
        for goes_before in graph.yields[each.id]:
            other = graph.classifications[goes_before]
            if other.rule == each.rule and _contains(other.ages, each.ages):
                yield GuidelineProblem(
                    where,
                    f"'{each.id}' can never stand: '{goes_before}' goes before it, by the same "
                    "rule",
                )


def _outside(band: AgeBand, of: AgeBand) -> bool:
    low, high = _ends(band)
    least, most = _ends(of)
    return low >= most or high <= least


def _contains(wide: AgeBand, band: AgeBand) -> bool:
    return _ends(wide)[0] <= _ends(band)[0] and _ends(band)[1] <= _ends(wide)[1]


def _ends(band: AgeBand) -> tuple[int, int]:
    return band.from_days or 0, _EVERY_AGE if band.to_days is None else band.to_days


def _overlapping(written: WrittenGuideline) -> Iterator[GuidelineProblem]:
    """Two classifications of one condition, equally severe, by the same rule."""
    seen: dict[tuple[str, str, int, Expression, AgeBand], str] = {}
    for each in written.guideline.classifications:
        key = (each.condition, each.severity, each.urgency, each.rule, each.ages)
        before = seen.setdefault(key, each.id)
        if before != each.id:
            yield GuidelineProblem(
                written.where("classification", each.id),
                f"'{each.id}' and '{before}' are equally severe and have the same rule",
            )


def _gaps(written: WrittenGuideline) -> Iterator[GuidelineProblem]:
    """Ages of the guideline between those of a condition's classifications."""
    low, high = _ends(written.guideline.ages)
    for condition in written.guideline.conditions:
        held = [c for c in written.guideline.classifications if c.condition == condition.id]
        bands = sorted(_ends(each.ages) for each in held)
        if not bands:
            yield GuidelineProblem(
                written.where("condition", condition.id),
                f"'{condition.id}' has no classifications",
                "warning",
            )
            continue
        reached = max(low, bands[0][0])
        for start, end in bands:
            if start > reached:
                yield GuidelineProblem(
                    written.where("condition", condition.id),
                    f"'{condition.id}' says nothing from {age_in_words(reached)} to "
                    f"{age_in_words(min(start, high))}",
                    "warning",
                )
            reached = max(reached, end)


def _doses(written: WrittenGuideline) -> Iterator[GuidelineProblem]:
    for each, step in _steps(written):
        where = written.where("step", each.id, step.id)
        for formulation in step.formulations:
            subject = f"'{formulation.id}' of '{step.id}'"
            yield from _dose(where, subject, formulation)
        if step.kind == "drug" and not step.formulations and not step.text:
            yield GuidelineProblem(where, f"'{step.id}' is a drug without a dose", "warning")


def _dose(where: str, subject: str, formulation: Formulation) -> Iterator[GuidelineProblem]:
    dose = formulation.dose
    if isinstance(dose, WeightDose):
        if dose.cap <= 0 or dose.cap == float("inf"):
            yield GuidelineProblem(where, f"{subject} has no maximum")
        if dose.least <= 0 or dose.least > dose.most:
            yield GuidelineProblem(where, f"{subject}: from {dose.least:g} to {dose.most:g} a kg")
    if isinstance(dose, BandDose):
        yield from _bands(where, subject, dose)
    if formulation.times_per_day <= 0:
        yield GuidelineProblem(
            where, f"{subject} is given {formulation.times_per_day:g} times a day"
        )
    if formulation.breakable < 1:
        yield GuidelineProblem(where, f"{subject} breaks into {formulation.breakable} pieces")
    if isinstance(dose, WeightDose) and not formulation.strength:
        unit = amount_unit(formulation)
        yield GuidelineProblem(
            where, f"{subject} does not say how much is in a {unit}: no amount is told", "warning"
        )


def _bands(where: str, subject: str, dose: BandDose) -> Iterator[GuidelineProblem]:
    """Weights in no band between others, and in two with different doses."""
    by_ages: dict[AgeBand, list[tuple[float, float, float]]] = {}
    for band in dose.bands:
        low, high = band.weight
        ends = (low or 0.0, float("inf") if high is None else high)
        by_ages.setdefault(band.ages, []).append((*ends, band.value))
        if band.value <= 0:
            yield GuidelineProblem(where, f"{subject} has a dose of {band.value:g}")
    for rows in by_ages.values():
        rows.sort()
        for (_, end, value), (start, _, other) in pairwise(rows):
            if start > end:
                yield GuidelineProblem(where, f"{subject} has no dose from {end:g} to {start:g} kg")
            if start < end and value != other:
                yield GuidelineProblem(
                    where, f"{subject} has two doses from {start:g} to {end:g} kg"
                )
    yield from _bands_of_ages(where, subject, dose)


def _bands_of_ages(where: str, subject: str, dose: BandDose) -> Iterator[GuidelineProblem]:
    """Ages in no band between others, and in two with different doses for one weight."""
    bands = sorted((*_ends(band.ages), band.weight, band.value) for band in dose.bands)
    reached = bands[0][1] if bands else 0
    for start, end, _, _ in bands:
        if start > reached:
            ages = f"{age_in_words(reached)} to {age_in_words(start)}"
            yield GuidelineProblem(where, f"{subject} has no dose from {ages}")
        reached = max(reached, end)
    for one, other in combinations(bands, 2):
        start, end = max(one[0], other[0]), min(one[1], other[1])
        if start < end and one[:2] != other[:2] and one[2] == other[2] and one[3] != other[3]:
            ages = f"{age_in_words(start)} to {age_in_words(end)}"
            yield GuidelineProblem(where, f"{subject} has two doses from {ages}")


def _substitutes(written: WrittenGuideline) -> Iterator[GuidelineProblem]:
    for each, step in _steps(written):
        known = {other.id for other in each.treatments}
        for name in step.substitutes:
            if name not in known:
                yield GuidelineProblem(
                    written.where("step", each.id, step.id),
                    f"'{name}', the substitute of '{step.id}', is no step of '{each.id}'",
                )


def _thresholds(written: WrittenGuideline) -> Iterator[GuidelineProblem]:
    """Limits that no number can reach, and numbers without a range."""
    observations = {each.id: each for each in written.guideline.observations}
    used: set[str] = set()
    for where, rule in _rules(written):
        for leaf in walk(rule):
            if isinstance(leaf, Answered | Compared):
                used.add(leaf.observation)
            if isinstance(leaf, Compared):
                low, high = observations[leaf.observation].range
                below, above = (
                    low is not None and leaf.limit < low,
                    (high is not None and leaf.limit > high),
                )
                if below or above:
                    yield GuidelineProblem(
                        where,
                        f"'{leaf.observation}' is compared with {leaf.limit:g}, which it cannot be",
                        "warning",
                    )
    for each in written.guideline.observations:
        where = written.where("observation", each.id)
        if each.kind == "number" and each.derived is None and each.range == (None, None):
            yield GuidelineProblem(
                where, f"'{each.id}' has no range: slips are not noticed", "warning"
            )


def _rules(written: WrittenGuideline) -> Iterator[tuple[str, Expression]]:
    for each in written.guideline.classifications:
        yield written.where("classification", each.id), each.rule
        for step in each.treatments:
            if step.when is not None:
                yield written.where("step", each.id, step.id), step.when
    for name, rule in written.guideline.groups.items():
        yield written.where("group", name), rule


def _danger_signs(written: WrittenGuideline) -> Iterator[GuidelineProblem]:
    guideline = written.guideline
    if guideline.observations and not any(each.danger_sign for each in guideline.observations):
        yield GuidelineProblem(written.file, "no observation is marked as a danger sign", "warning")
    if guideline.ages == ANY_AGE:
        yield GuidelineProblem(written.file, "it does not say which ages it is for", "warning")


def _implied(written: WrittenGuideline) -> Iterator[GuidelineProblem]:
    """What an answer implies that is not there, cannot be there, or is the observation itself."""
    by_id = {each.id: each for each in written.guideline.observations}
    for each in by_id.values():
        where = written.where("observation", each.id)
        for name in (name for answer in each.answers for name in answer.implies):
            other = by_id.get(name)
            problem = f"'{each.id}' implies '{name}'"
            if other is None:
                yield GuidelineProblem(where, f"{problem}, which is no observation")
            elif other is each:
                yield GuidelineProblem(where, f"{problem}, which it is itself")
            elif other.kind != "boolean" or other.option("true") is None:
                yield GuidelineProblem(where, f"{problem}, which has no yes and no")
            elif other.derived is not None:
                yield GuidelineProblem(where, f"{problem}, which is worked out by a rule")
            elif _outside(each.ages, other.ages):
                yield GuidelineProblem(where, f"{problem}, which is for other ages", "warning")


def _steps(written: WrittenGuideline) -> Iterator[tuple[Classification, TreatmentStep]]:
    for each in written.guideline.classifications:
        for step in each.treatments:
            yield each, step
