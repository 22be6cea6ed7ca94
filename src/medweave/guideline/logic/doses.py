"""How much of a formulation is given at a time: by weight, by bands, or the same for all.

What cannot be given for certain is not given as a figure: no weight, a weight that does not fit the
age, or one that no band holds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from medweave.guideline.logic.doses_by_weight import (
    DoseOfWeight,
    liquid_dose,
    measurable_pieces,
    measurable_volume,
    solid_dose,
)
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
    sites: int = 1
    """Into so many places the amount is divided."""


def dose_of(
    formulation: Formulation,
    weight_kg: float | None,
    age_days: int | None,
    *,
    measurable: bool = False,
) -> Dose:
    """The dose of a formulation for one child; `measurable`: in volumes and pieces that can be
    measured, and within the least and the most of the weight.

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
            found = _with_amount(formulation, Quantity(value, unit), formulation.source)
        case BandDose():
            found = _of_bands(formulation, formulation.dose, weight_kg, age_days)
        case WeightDose():
            if weight_kg is None:
                return Dose(note="weigh the child to find the dose")
            by_weight = _measurable if measurable else _of_weight
            found = by_weight(formulation, formulation.dose, weight_kg)
    return _divided(formulation, found)


def _divided(formulation: Formulation, dose: Dose) -> Dose:
    """A volume that is too much for one place, with what is injected at each."""
    if dose.amount is None:
        return dose
    sites = max(dose.sites, _sites(formulation, dose.amount.value))
    if sites == 1:
        return dose
    each = round(dose.amount.value / sites, 2)
    note = f"divided: {each:g} mL at each of {sites} places"
    return replace(dose, sites=sites, note="; ".join(filter(None, (dose.note, note))))


def _sites(formulation: Formulation, volume: float) -> int:
    if not formulation.per_site:
        return formulation.sites
    return max(formulation.sites, math.ceil(volume / formulation.per_site - 1e-9))


def _measurable(formulation: Formulation, dose: WeightDose, weight: float) -> Dose:
    times, strength = formulation.times_per_day, formulation.strength
    if not strength:
        return _of_weight(formulation, dose, weight)
    given: DoseOfWeight | None = None
    sites = 1
    if is_solid(formulation):
        given = measurable_pieces(
            weight, dose, times, strength=strength, breakable=formulation.breakable
        )
    elif formulation.volume:
        middle = min(weight * (dose.least + dose.most) / 2, dose.cap) / times
        sites = _sites(formulation, middle * (formulation.volume / strength))
        given = measurable_volume(
            weight, dose, times, strength=strength, volume=formulation.volume, sites=sites
        )
    if given is None:
        return Dose(note="this formulation cannot be measured for this weight: take another")
    return _given(formulation, dose, given, sites)


def _given(formulation: Formulation, dose: WeightDose, given: DoseOfWeight, sites: int = 1) -> Dose:
    amount = None if given.amount is None else Quantity(given.amount, amount_unit(formulation))
    return Dose(Quantity(given.value, dose.unit), amount, formulation.source, sites=sites)


def is_solid(formulation: Formulation) -> bool:
    """Whether it comes in pieces."""
    if formulation.volume:
        return False
    form = formulation.form.lower()
    return formulation.breakable > 1 or any(piece in form for piece in _PIECES)


def _of_weight(formulation: Formulation, dose: WeightDose, weight: float) -> Dose:
    times, strength = formulation.times_per_day, formulation.strength
    if strength and is_solid(formulation):
        given = solid_dose(weight, dose, times, strength=strength, breakable=formulation.breakable)
        if given is None:
            return Dose(note="even the smallest piece is too much for this weight")
    else:
        volume = formulation.volume
        given = liquid_dose(weight, dose, times, strength=strength, volume=volume)
    return _given(formulation, dose, given)


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
        remedy = "weigh the child" if weight is None else "find out the age"
        return Dose(note=f"{remedy} to find the dose")
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
