"""A treatment in plain words: what is given, how much, how often and for how long."""

from __future__ import annotations

from collections.abc import Iterable

from medweave.model.assessment import Assessment, TreatmentRow

BEFORE_DRUGS = "Before a drug is given: ask about allergies and about other drugs taken."
"""Told wherever drugs are: a guideline's rules hold none of it."""
_OFTEN = {1: "once a day", 2: "twice a day", 3: "three times a day", 4: "four times a day"}


def treatment_in_words(row: TreatmentRow) -> str:
    """One sentence of a treatment.

    >>> from medweave.model.assessment import Quantity
    >>> dose, amount = Quantity(250, "mg"), Quantity(5, "mL")
    >>> treatment_in_words(TreatmentRow("pneumonia", "a", "drug", "Amoxicillin", dose=dose,
    ...     amount=amount, formulation="syrup", route="by mouth", times_per_day=2, days=5))
    'Amoxicillin: syrup, 5 mL (250 mg) each time, by mouth, twice a day, for 5 days'
    """
    if row.formulation and row.dose is None and row.amount is None:  # no dose: nothing to give
        return "; ".join(part for part in (f"{row.label}: {row.formulation}", row.note) if part)
    parts = [part for part in (row.formulation, _amount(row), row.route, *_how_long(row)) if part]
    told = f"{row.label}: {', '.join(parts)}" if parts else row.label
    return f"{told}; {row.note}" if row.note else told


def treatments_in_words(rows: Iterable[TreatmentRow]) -> list[str]:
    """Treatments in words, in order; what is given in place of the one before begins with "or"."""
    told = []
    before = ""
    for row in rows:
        instead = bool(row.alternative) and row.alternative == before
        told.append(f"or: {treatment_in_words(row)}" if instead else treatment_in_words(row))
        before = row.alternative
    return told


def steps_in_words(rows: Iterable[TreatmentRow]) -> list[str]:
    """What to do, a line for each step; of alternatives one is told, and the others counted."""
    by_step: dict[str, list[TreatmentRow]] = {}
    for row in rows:
        by_step.setdefault(row.alternative or row.label, []).append(row)
    told = []
    for steps in by_step.values():
        best = next((row for row in steps if row.dose or row.amount), steps[0])
        others = len(steps) - 1
        more = f" (or {others} other way{'s' if others > 1 else ''})" if others else ""
        told.append(treatment_in_words(best) + more)
    return told


def _amount(row: TreatmentRow) -> str:
    if row.dose is None and row.amount is None:
        return ""
    shown = row.amount or row.dose
    assert shown is not None  # noqa: S101
    told = f"{shown.value:g} {shown.unit}"
    if row.dose is not None and row.amount is not None and row.dose != row.amount:
        told += f" ({row.dose.value:g} {row.dose.unit})"
    return f"{told} each time"


def _how_long(row: TreatmentRow) -> tuple[str, ...]:
    """How often and for how long: what the guideline says in words goes before "for 1 day"."""
    if row.days == 1 and row.duration:
        often = _often(row) if row.times_per_day and row.times_per_day > 1 else ""
        return often, row.duration
    days = f"for {row.days:g} day{'s' if row.days != 1 else ''}" if row.days else ""
    return _often(row), days, row.duration


def _often(row: TreatmentRow) -> str:
    if not row.times_per_day:
        return ""
    whole = int(row.times_per_day)
    if whole != row.times_per_day:
        return f"every {24 / row.times_per_day:g} hours"
    return _OFTEN.get(whole, f"{whole} times a day")


def follow_ups_in_words(assessment: Assessment) -> list[str]:
    """When to come back for what, the earliest first; nothing where one day says it all."""
    labels = {each.id: each.label for each in assessment.classifications}
    rows = assessment.follow_ups
    if len({(row.days, row.when) for row in rows}) <= 1 and not any(row.when for row in rows):
        return []
    by_case: dict[str, list[str]] = {}
    for row in rows:
        case = f"{row.when}, " if row.when else ""
        open_ = " (whether it applies is not known yet)" if row.missing else ""
        told = f"in {row.days} day{'' if row.days == 1 else 's'} {case}for"
        by_case.setdefault(told, []).append(labels[row.classification] + open_)
    return [f"{told} {', '.join(dict.fromkeys(names))}" for told, names in by_case.items()]
