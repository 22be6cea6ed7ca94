"""A treatment in plain words: what is given, how much, how often and for how long."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from medweave.faces.texts import page_texts
from medweave.model.assessment import Assessment, Quantity, TreatmentRow


def treatment_in_words(row: TreatmentRow, language: str = "en") -> str:
    """One sentence of a treatment.

    >>> dose, amount = Quantity(250, "mg"), Quantity(5, "mL")
    >>> row = TreatmentRow("pneumonia", "a", "drug", "Amoxicillin", dose=dose, amount=amount,
    ...     formulation="syrup", route="by mouth", times_per_day=2, days=5)
    >>> treatment_in_words(row)
    'Amoxicillin: syrup, 5 mL (250 mg) each time, by mouth, twice a day, for 5 days'
    """
    texts = page_texts(language)["treatment"]
    if row.formulation and row.dose is None and row.amount is None:  # no dose: nothing to give
        wording = texts["about"].format(label=row.label, parts=row.formulation)
        return _with_note(wording, row, texts)
    parts = (row.formulation, _amount(row, texts), row.route, *_how_long(row, texts))
    listed = str(texts["separator"]).join(part for part in parts if part)
    wording = texts["about"].format(label=row.label, parts=listed) if listed else row.label
    return _with_note(wording, row, texts)


def _with_note(wording: str, row: TreatmentRow, texts: dict[str, Any]) -> str:
    return str(texts["note"].format(told=wording, note=row.note)) if row.note else wording


def treatments_in_words(rows: Iterable[TreatmentRow], language: str = "en") -> list[str]:
    """Treatments in words, in order; what is given in place of the one before begins with "or"."""
    lines = []
    before = ""
    for row in rows:
        step = treatment_in_words(row, language)
        instead = bool(row.alternative) and row.alternative == before
        lines.append(page_texts(language)["treatment"]["or"].format(step=step) if instead else step)
        before = row.alternative
    return lines


def steps_in_words(rows: Iterable[TreatmentRow], language: str = "en") -> list[str]:
    """What to do, a line for each step; of alternatives one is told, and the others counted."""
    by_step: dict[str, list[TreatmentRow]] = {}
    for row in rows:
        by_step.setdefault(row.alternative or row.label, []).append(row)
    forms = page_texts(language)["treatment"]["other_ways"]
    lines = []
    for steps in by_step.values():
        best = next((row for row in steps if row.dose or row.amount), steps[0])
        others = len(steps) - 1
        more = forms["one" if others == 1 else "many"].format(n=others) if others else ""
        lines.append(treatment_in_words(best, language) + more)
    return lines


def _amount(row: TreatmentRow, texts: dict[str, Any]) -> str:
    shown = row.amount or row.dose
    if shown is None:
        return ""
    wording = _quantity(shown, texts)
    if row.dose is not None and row.amount is not None and row.dose != row.amount:
        wording += texts["makes"].format(dose=_quantity(row.dose, texts))
    return str(texts["each_time"].format(amount=wording))


def _quantity(quantity: Quantity, texts: dict[str, Any]) -> str:
    return f"{quantity.value:g} {texts['units'].get(quantity.unit, quantity.unit)}"


def _how_long(row: TreatmentRow, texts: dict[str, Any]) -> tuple[str, ...]:
    """How often and for how long: what the guideline says in words goes before "for 1 day"."""
    if row.days == 1 and row.duration:
        often = _often(row, texts) if row.times_per_day and row.times_per_day > 1 else ""
        return often, row.duration
    form = texts["days"]["one" if row.days == 1 else "many"]
    return _often(row, texts), form.format(n=f"{row.days:g}") if row.days else "", row.duration


def _often(row: TreatmentRow, texts: dict[str, Any]) -> str:
    if not row.times_per_day:
        return ""
    whole = int(row.times_per_day)
    if whole != row.times_per_day:
        return str(texts["every_hours"].format(n=f"{24 / row.times_per_day:g}"))
    return str(texts["often"].get(str(whole)) or texts["times_a_day"].format(n=whole))


def follow_ups_in_words(assessment: Assessment, language: str = "en") -> list[str]:
    """When to come back for what, the earliest first; nothing where one day says it all."""
    labels = {each.id: each.label for each in assessment.classifications}
    rows = assessment.follow_ups
    if len({(row.days, row.when) for row in rows}) <= 1 and not any(row.when for row in rows):
        return []
    all_texts = page_texts(language)
    texts = all_texts["guideline"]
    by_case: dict[str, list[str]] = {}
    for row in rows:
        form = texts["back_case" if row.when else "back_days"]
        label = labels[row.classification]
        name = texts["back_open"].format(name=label) if row.missing else label
        by_case.setdefault(form.format(n=row.days, when=row.when), []).append(name)
    return [
        texts["back_for"].format(case=case, names=all_texts["separator"].join(dict.fromkeys(names)))
        for case, names in by_case.items()
    ]
