"""What to do about the classifications that stand, with doses for this child."""

from __future__ import annotations

from collections.abc import Iterable

from medweave.inference.doses import Dose, dose_of
from medweave.inference.guideline_contradictions import weight_fits
from medweave.inference.guideline_graph import FALSE, TRUE, UNKNOWN
from medweave.inference.guideline_logic import Evaluated, weight_of
from medweave.inference.guideline_missing import Missing
from medweave.model.assessment import TreatmentRow
from medweave.model.guideline import Classification, TreatmentStep
from medweave.model.identifiers import normalise_name


def treatments(
    state: Evaluated, standing: Iterable[Classification], missing: Missing
) -> tuple[tuple[TreatmentRow, ...], tuple[str, ...]]:
    """A row for each thing to do (for a drug, one for each formulation), and why to refer for
    what cannot be had here.

    Steps whose own condition is false are left out, as are those that a drug given already
    excludes, and those that a management which applies here excludes. In place of what is not at
    hand come its substitutes.
    """
    rows: list[TreatmentRow] = []
    cannot: list[str] = []
    given = {normalise_name(name) for name in state.findings.given}
    standing = list(standing)
    excluded = _excluded_by(state, given, standing)
    for each in standing:
        replacing = {name for step in each.treatments for name in step.substitutes}
        steps = {step.id: step for step in each.treatments}
        for step in each.treatments:
            if step.id in replacing or _names(step) & excluded or not _holds(state, each, step):
                continue
            rows += _rows(state, each, step, missing, steps=steps, cannot=cannot)
    return tuple(rows), tuple(dict.fromkeys(cannot))


def _excluded_by(state: Evaluated, given: set[str], standing: Iterable[Classification]) -> set[str]:
    """The names that are not offered. A drug excludes once it is chosen, for whatever reason; what
    is no drug is not chosen, and excludes where it applies."""
    chosen = [
        step
        for each in state.graph.guideline.classifications
        for step in each.treatments
        if given and step.excludes and _names(step) & given
    ]
    applying = [
        step
        for each in standing
        for step in each.treatments
        if step.excludes and step.kind != "drug" and _applies(state, each, step)
    ]
    return {normalise_name(name) for step in (*chosen, *applying) for name in step.excludes}


def _applies(state: Evaluated, each: Classification, step: TreatmentStep) -> bool:
    return state.values[state.graph.steps[each.id, step.id]] == TRUE


def _names(step: TreatmentStep) -> set[str]:
    named = (step.id, step.label, step.drug, *step.aliases)
    return {normalise_name(name) for name in named if name}


def _holds(state: Evaluated, each: Classification, step: TreatmentStep) -> bool:
    return state.values[state.graph.steps[each.id, step.id]] != FALSE


def _at_hand(state: Evaluated, step: TreatmentStep) -> bool:
    needed = {*step.resources, step.drug} - {""}
    stock = {normalise_name(name): there for name, there in state.findings.resources.items()}
    return all(stock.get(normalise_name(name), True) for name in needed)


def _rows(
    state: Evaluated,
    each: Classification,
    step: TreatmentStep,
    missing: Missing,
    *,
    steps: dict[str, TreatmentStep],
    cannot: list[str],
) -> list[TreatmentRow]:
    """A step, or what is done in its place where it is not at hand."""
    if _at_hand(state, step):
        return _of_step(state, each, step, missing)
    for name in step.substitutes:
        other = steps.get(name)
        if other is not None and _at_hand(state, other) and _holds(state, each, other):
            note = f"in place of: {step.label} (not at hand here)"
            return _of_step(state, each, other, missing, note)
    cannot.append(f"{step.label} is not at hand here, and there is no substitute: refer")
    note = "not at hand here, and there is no substitute: refer"
    return [_row(state, each, step, missing, note)]


def _of_step(
    state: Evaluated, each: Classification, step: TreatmentStep, missing: Missing, note: str = ""
) -> list[TreatmentRow]:
    if not step.formulations:
        return [_row(state, each, step, missing, note)]
    rows = []
    for formulation in step.formulations:
        dose = _dose(state, step, formulation.id)
        told = "; ".join(part for part in (note, dose.note, formulation.instructions) if part)
        plain = _row(state, each, step, missing, told)
        rows.append(
            TreatmentRow(
                plain.classification,
                plain.step,
                plain.kind,
                plain.label,
                plain.text,
                plain.drug,
                plain.drug_id,
                plain.aliases,
                formulation.id,
                formulation.label,
                dose.dose,
                dose.amount,
                formulation.route,
                formulation.times_per_day,
                plain.days,
                plain.duration,
                plain.missing,
                dose.source if dose.source not in ("", "unsourced") else plain.source,
                told,
            )
        )
    return rows


def _dose(state: Evaluated, step: TreatmentStep, identifier: str) -> Dose:
    formulation = next(each for each in step.formulations if each.id == identifier)
    if not weight_fits(state):
        return Dose(note="no dose: the weight does not fit the age; weigh again")
    return dose_of(formulation, weight_of(state), state.findings.age_days)


def _row(
    state: Evaluated, each: Classification, step: TreatmentStep, missing: Missing, note: str
) -> TreatmentRow:
    node = state.graph.steps[each.id, step.id]
    waits = missing.of(node) if state.values[node] == UNKNOWN else None
    if waits and waits.unavailable and not waits.missing:
        note = "; ".join(filter(None, (note, "whether it applies cannot be told here")))
    return TreatmentRow(
        classification=each.id,
        step=step.id,
        kind=step.kind,
        label=step.label,
        text=step.text,
        drug=(step.drug or step.label) if step.kind == "drug" else None,
        drug_id=(step.drug or step.id) if step.kind == "drug" else None,
        aliases=step.aliases,
        days=step.days,
        duration=step.duration,
        missing=waits.missing if waits else (),
        source=step.source,
        note=note,
    )
