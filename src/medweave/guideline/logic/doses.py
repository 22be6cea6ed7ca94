"""How much of a formulation is given at a time: by weight, by bands, or the same for all.

What cannot be given for certain is not given as a figure: no weight, a weight that does not fit the
age, or one that no band holds.
"""

from __future__ import annotations

from dataclasses import dataclass

from medweave.guideline.logic.doses_by_weight import liquid_dose, solid_dose
from medweave.model.assessment import Quantity
from medweave.model.guideline import Band, BandDose, FixedDose, Formulation, WeightDose

_PIECES = ("tablet", "capsule", "suppository", "sachet")
_LIQUIDS = ("syrup", "suspension", "solution", "drops", "injection", "powder", "mL")


@dataclass(frozen=True, slots=True)
class Dose:
    """For one administration; None where there is no figure, and `note` says why."""

    dose: Quantity | None = None
    amount: Quantity | None = None
    source: str = ""
    note: str = ""


def dose_of(formulation: Formulation, weight_kg: float | None, age_days: int | None) -> Dose:
    """The dose of a formulation for one child.

    >>> syrup = Formulation("s", "250 mg in 5 mL", "syrup", WeightDose("mg", 80, 90, 3000),
    ...                     times_per_day=2, strength=250, volume=5)
    >>> found = dose_of(syrup, 8.0, 300)
    >>> found.dose, found.amount
    (Quantity(value=340.0, unit='mg'), Quantity(value=6.8, unit='mL'))
    >>> dose_of(syrup, None, 300).note
    'weigh the child to find the dose'
    """
    match formulation.dose:
        case FixedDose(unit, value):
            return _with_amount(formulation, Quantity(value, unit), formulation.source)
        case BandDose():
            return _of_bands(formulation, formulation.dose, weight_kg, age_days)
        case WeightDose():
            if weight_kg is None:
                return Dose(note="weigh the child to find the dose")
            return _of_weight(formulation, formulation.dose, weight_kg)


def is_solid(formulation: Formulation) -> bool:
    """Whether it comes in pieces."""
    if formulation.volume:
        return False
    form = formulation.form.lower()
    return formulation.breakable > 1 or any(piece in form for piece in _PIECES)


def _of_weight(formulation: Formulation, dose: WeightDose, weight: float) -> Dose:
    if formulation.strength and is_solid(formulation):
        given = solid_dose(
            weight,
            dose,
            formulation.times_per_day,
            strength=formulation.strength,
            breakable=formulation.breakable,
        )
        if given is None:
            return Dose(note="even the smallest piece is too much for this weight")
    else:
        given = liquid_dose(
            weight,
            dose,
            formulation.times_per_day,
            strength=formulation.strength,
            volume=formulation.volume,
        )
    amount = None if given.amount is None else Quantity(given.amount, amount_unit(formulation))
    return Dose(Quantity(given.value, dose.unit), amount, formulation.source)


def _of_bands(
    formulation: Formulation, dose: BandDose, weight: float | None, age: int | None
) -> Dose:
    unknown = False
    for band in dose.bands:
        holds = _holds(band, weight, age)
        if holds:
            source = band.source if band.source != "unsourced" else formulation.source
            return _with_amount(formulation, Quantity(band.value, dose.unit), source)
        unknown = unknown or holds is None
    if unknown:
        needed = "weigh the child" if weight is None else "find out the age"
        return Dose(note=f"{needed} to find the dose")
    return Dose(note="the guideline has no dose for this weight and age")


def _holds(band: Band, weight: float | None, age: int | None) -> bool | None:
    low, high = band.weight
    if low is None and high is None:
        weighs: bool | None = True
    elif weight is None:
        weighs = None
    else:
        weighs = (low is None or weight >= low) and (high is None or weight < high)
    aged = band.ages.has(age)
    if weighs is False or aged is False:
        return False
    return None if weighs is None or aged is None else True


def _with_amount(formulation: Formulation, dose: Quantity, source: str) -> Dose:
    """In mL or pieces beside the dose, where the strength is known and is in the same unit."""
    if not formulation.strength or dose.unit in ("mL", "tablet", "capsule", *_LIQUIDS, *_PIECES):
        return Dose(dose, dose if dose.unit in ("mL", *_PIECES) else None, source)
    per = formulation.volume if formulation.volume else 1.0
    if not formulation.volume and not is_solid(formulation):
        return Dose(dose, None, source)
    amount = round(dose.value * per / formulation.strength, 6)
    return Dose(dose, Quantity(amount, amount_unit(formulation)), source)


def amount_unit(formulation: Formulation) -> str:
    """What an amount is counted in: mL, tablet, capsule …

    >>> amount_unit(Formulation("t", "250 mg", "dispersible tablet", FixedDose("mg", 250)))
    'tablet'
    """
    if formulation.volume:
        return "mL"
    form = formulation.form.lower()
    return next((piece for piece in _PIECES if piece in form), "piece")
