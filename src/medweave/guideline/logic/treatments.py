"""What to do about the classifications that stand, with doses for this child."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from medweave.guideline.logic.allergies import stopped_by
from medweave.guideline.logic.contradictions import weight_fits
from medweave.guideline.logic.doses import Dose, dose_of
from medweave.guideline.logic.evaluation import Evaluated, weight_of
from medweave.guideline.logic.graph import FALSE, TRUE, UNKNOWN
from medweave.guideline.logic.missing import Missing
from medweave.model.assessment import TreatmentRow
from medweave.model.guideline import SEVERITIES, Classification, TreatmentStep
from medweave.model.identifiers import normalise_name

_Step = tuple[str, str]


def treatments(
    state: Evaluated, standing: Iterable[Classification], missing: Missing
) -> tuple[tuple[TreatmentRow, ...], tuple[str, ...]]:
    """A row for each thing to do (for a drug, one for each formulation), each thing once for the
    child, and why to refer for what cannot be had here.

    Steps whose own condition is false are left out, as are those that a drug given already
    excludes, and those that a management which applies here excludes. In place of what is not at
    hand, and of drugs that the child is allergic to, come their substitutes.
    """
    rows: list[TreatmentRow] = []
    cannot: list[str] = []
    given = {normalise_name(name) for name in state.findings.given}
    standing = list(standing)
    excluded = _excluded_by(state, given, standing)
    for each in standing:
        replacing = {name for step in each.treatments for name in step.substitutes}
        plan = _Plan(state, each)
        for step in each.treatments:
            if step.id in replacing or _names(step) & excluded or not _holds(state, each, step):
                continue
            plan.add(step)
        rows += [row for item in plan.items.values() for row in item.rows(state, each, missing)]
        cannot += plan.cannot
    listed = once_for_the_child(rows, state.graph.classifications)
    return listed, tuple(dict.fromkeys(cannot))


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
    required = {*step.resources, step.drug.replace("_", " ")} - {""}
    stock = {normalise_name(name): there for name, there in state.findings.resources.items()}
    return all(stock.get(normalise_name(name), True) for name in required)


def _can_be_given(state: Evaluated, step: TreatmentStep) -> bool:
    return _at_hand(state, step) and not _allergen(state, step)


def _allergen(state: Evaluated, step: TreatmentStep) -> str:
    return stopped_by(step, state.findings.allergies) if step.kind == "drug" else ""


@dataclass(slots=True)
class _Planned:
    """A step that is to be done, and what it takes the place of."""

    step: TreatmentStep
    replaced: list[str] = field(default_factory=list)
    note: str = ""

    def rows(self, state: Evaluated, each: Classification, missing: Missing) -> list[TreatmentRow]:
        if self.note:
            return [_row(state, each, self.step, missing, self.note)]
        note = f"in place of: {' and of: '.join(self.replaced)}" if self.replaced else ""
        return _of_step(state, each, self.step, missing, note)


class _Plan:
    """What is done about one classification, each step once: also one that replaces several."""

    def __init__(self, state: Evaluated, each: Classification) -> None:
        self._state, self._each = state, each
        self._steps = {step.id: step for step in each.treatments}
        self.items: dict[str, _Planned] = {}
        self.cannot: list[str] = []

    def add(self, step: TreatmentStep) -> None:
        """A step, or what is done in its place: it is not at hand, or an allergy forbids it."""
        allergen = _allergen(self._state, step)
        if not allergen and _at_hand(self._state, step):
            self.items.setdefault(step.id, _Planned(step))
            return
        why = f"allergy to {allergen}" if allergen else "not at hand here"
        other = self._substitute(step)
        if other is not None:
            self.items.setdefault(other.id, _Planned(other)).replaced.append(
                f"{step.label} ({why})"
            )
        elif allergen:
            self.cannot.append(
                f"{step.label}: not done, because of an allergy to {allergen}, and there is no "
                "substitute: refer"
            )
        else:
            self.cannot.append(
                f"{step.label} is not at hand here, and there is no substitute: refer"
            )
            self.items[step.id] = _Planned(
                step, note="not at hand here, and there is no substitute: refer"
            )

    def _substitute(self, step: TreatmentStep) -> TreatmentStep | None:
        named = (self._steps.get(name) for name in step.substitutes)
        return next(
            (
                other
                for other in named
                if other is not None
                and _can_be_given(self._state, other)
                and _holds(self._state, self._each, other)
            ),
            None,
        )


def _of_step(
    state: Evaluated, each: Classification, step: TreatmentStep, missing: Missing, note: str = ""
) -> list[TreatmentRow]:
    if not step.formulations:
        return [_row(state, each, step, missing, note)]
    rows = []
    for formulation in step.formulations:
        dose = _dose(state, step, formulation.id)
        note_text = _joined(note, dose.note, formulation.instructions)
        plain = _row(state, each, step, missing, note_text)
        rows.append(
            replace(
                plain,
                formulation_id=formulation.id,
                formulation=formulation.label,
                dose=dose.dose,
                amount=dose.amount,
                sites=dose.sites,
                route=formulation.route,
                times_per_day=formulation.times_per_day,
                source=dose.source if dose.source not in ("", "unsourced") else plain.source,
            )
        )
    return rows


def _dose(state: Evaluated, step: TreatmentStep, identifier: str) -> Dose:
    formulation = next(each for each in step.formulations if each.id == identifier)
    if not weight_fits(state):
        return Dose(note="no dose: the weight does not fit the age; weigh again")
    return dose_of(
        formulation,
        weight_of(state),
        state.findings.age_days,
        measurable=state.graph.guideline.measurable_doses,
    )


def _row(
    state: Evaluated, each: Classification, step: TreatmentStep, missing: Missing, note: str
) -> TreatmentRow:
    node = state.graph.steps[each.id, step.id]
    waits = missing.of(node) if state.values[node] == UNKNOWN else None
    if waits and waits.missing:
        note = _joined(
            note, f"only if this turns out so: {', '.join(state.graph.labels(waits.missing))}"
        )
    elif waits and waits.unavailable:
        note = _joined(note, "whether it applies cannot be told here")
    if step.kind == "management" and (allergen := stopped_by(step, state.findings.allergies)):
        note = _joined(note, f"allergy to {allergen}: give nothing that is of it")
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


def _joined(*parts: str) -> str:
    return "; ".join(filter(None, parts))


def once_for_the_child(
    rows: Sequence[TreatmentRow], classifications: Mapping[str, Classification]
) -> tuple[TreatmentRow, ...]:
    """The rows without repetition; what was left out is named in those that stay.

    >>> from medweave.model.logic import Constant
    >>> fever = Classification("fever", "Fever", "fever", "moderate", Constant(True))
    >>> rows = [TreatmentRow(each, "p", "drug", "Paracetamol", drug_id="p")
    ...         for each in ("fever", "cough")]
    >>> found = once_for_the_child(rows, {"fever": fever, "cough": fever})
    >>> [each.classifications for each in found]
    [('fever', 'cough')]
    """
    by_thing: dict[tuple[str, ...], dict[_Step, list[TreatmentRow]]] = {}
    for row in rows:
        step = (row.classification, row.step)
        by_thing.setdefault(_thing(row), {}).setdefault(step, []).append(row)
    chosen: dict[_Step, tuple[str, ...]] = {}
    for steps in by_thing.values():
        first = min(steps, key=lambda step: _rank(steps[step], classifications[step[0]]))
        others = (name for name, _ in steps if name != first[0])
        chosen[first] = tuple(dict.fromkeys(others))
    listed = [
        replace(row, also_for=chosen[row.classification, row.step])
        for row in rows
        if (row.classification, row.step) in chosen
    ]
    return tuple(_with_alternatives(listed))


def _thing(row: TreatmentRow) -> tuple[str, ...]:
    if row.kind == "drug" and row.drug_id:
        return ("drug", row.drug_id)
    return (row.kind, row.label, row.text)


def _rank(rows: Sequence[TreatmentRow], by: Classification) -> tuple[float, ...]:
    dose = max((row.dose.value for row in rows if row.dose), default=0.0)
    days = max((row.days or 0 for row in rows), default=0)
    return (bool(rows[0].missing), SEVERITIES.index(by.severity), -by.urgency, -dose, -days)


def _with_alternatives(rows: Sequence[TreatmentRow]) -> list[TreatmentRow]:
    """Formulations of one step are alternatives, as far as this child can be given them."""
    counted: dict[_Step, int] = {}
    for row in rows:
        step = (row.classification, row.step)
        counted[step] = counted.get(step, 0) + (row.drug_id is not None)
    return [
        replace(row, alternative=row.drug_id or row.step)
        if counted[row.classification, row.step] > 1
        else row
        for row in rows
    ]
