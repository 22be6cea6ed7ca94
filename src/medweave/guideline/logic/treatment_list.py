"""One list of treatments for one child: nothing twice, whatever it is indicated by.

A drug that several classifications ask for is given once, by its highest indication: a step that
surely applies goes before one that may, then the severest classification, the most urgent, the
largest dose and the longest course.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from medweave.model.assessment import TreatmentRow
from medweave.model.guideline import SEVERITIES, Classification

_Step = tuple[str, str]


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
