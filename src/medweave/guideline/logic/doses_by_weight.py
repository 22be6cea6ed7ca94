"""Doses by weight: how much of a formulation is given at a time, from mg per kg and day.

The rules are those of ePOCT+ (medAL-reader), which give pieces of tablets that can be broken off
and never more in a day than the drug's maximum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from medweave.model.guideline import WeightDose

_MARKS = ((1.0, 0.05), (5.0, 0.1), (50.0, 0.5))
"""Below a volume (mL), the marks (mL) it is measured by."""
_ROUNDED = 1.05
"""A dose that is one figure, and not a range, may be rounded up by so much."""
_ALMOST_ENOUGH = 0.95
"""Pieces that give so much of the least are enough."""
_DUST = 1e-9
"""What binary fractions leave."""


@dataclass(frozen=True, slots=True)
class DoseOfWeight:
    """What is given at a time: in the dose's unit (mg), and in mL or whole or broken pieces.

    `amount` is None where the formulation does not say how strong it is.
    """

    value: float
    amount: float | None


def dose_range(weight_kg: float, dose: WeightDose, times_per_day: float) -> tuple[float, float]:
    """The least and the most at a time, each rounded to 0.1; the daily maximum holds for both.

    >>> dose_range(8.2, WeightDose("mg", 80, 90, 3000), 2)
    (328.0, 369.0)
    >>> dose_range(80, WeightDose("mg", 80, 90, 3000), 2)
    (1500.0, 1500.0)
    """
    cap = dose.cap / times_per_day
    least, most = (weight_kg * each / times_per_day for each in (dose.least, dose.most))
    return min(_tenth(least), cap), min(_tenth(most), cap)


def liquid_dose(
    weight_kg: float,
    dose: WeightDose,
    times_per_day: float,
    *,
    strength: float | None,
    volume: float | None,
) -> DoseOfWeight:
    """A liquid of `strength` mg in `volume` mL: the mean of the least and the most.

    The daily maximum holds for the mean, not for the two it is the mean of.

    >>> liquid_dose(8.0, WeightDose("mg", 80, 90, 3000), 2, strength=250, volume=5)
    DoseOfWeight(value=340.0, amount=6.8)
    """
    least, most = (_tenth(weight_kg * each / times_per_day) for each in (dose.least, dose.most))
    value = min((least + most) / 2, dose.cap / times_per_day)
    amount = value * volume / strength if strength and volume else None
    return DoseOfWeight(_clean(value), None if amount is None else _clean(amount))


def solid_dose(
    weight_kg: float,
    dose: WeightDose,
    times_per_day: float,
    *,
    strength: float,
    breakable: int = 1,
) -> DoseOfWeight | None:
    """Tablets or capsules of `strength` mg that break into `breakable` pieces.

    Midway between the least and the most, rounded up to whole pieces if that is not too much, else
    down if that is not too little, else as many pieces as the least holds. None where not even one
    piece may be given.

    >>> solid_dose(8.0, WeightDose("mg", 80, 90, 3000), 2, strength=250, breakable=2)
    DoseOfWeight(value=250.0, amount=1.0)
    >>> solid_dose(2.0, WeightDose("mg", 25, 50, 2000), 2, strength=500) is None
    True
    """
    piece = strength / max(breakable, 1)
    least, most = (_tenth(each / piece) for each in dose_range(weight_kg, dose, times_per_day))
    if most < 1:
        return None
    pieces = _whole_pieces(least, most)
    # A tenth of a piece may have been rounded up: the maximum of the day is never exceeded by it.
    if pieces * piece * times_per_day > dose.cap:
        pieces -= 1
    if pieces < 1:
        return None
    return DoseOfWeight(_clean(pieces * piece), _clean(pieces / max(breakable, 1)))


def measurable_pieces(
    weight_kg: float, dose: WeightDose, times_per_day: float, *, strength: float, breakable: int = 1
) -> DoseOfWeight | None:
    """Pieces of a tablet within the least and the most of the weight; None where none are.

    >>> paracetamol = WeightDose("mg", 40, 60, 4000)
    >>> measurable_pieces(17, paracetamol, 4, strength=500, breakable=2)
    DoseOfWeight(value=250.0, amount=0.5)
    >>> measurable_pieces(16, paracetamol, 4, strength=500, breakable=2) is None
    True
    """
    piece = strength / max(breakable, 1)
    least, most = _exact_range(weight_kg, dose, times_per_day)
    pieces = math.floor(most / piece + _DUST)
    middle = math.ceil((least + most) / 2 / piece - _DUST)
    pieces = min(pieces, middle)
    if pieces < 1 or pieces * piece < least * _ALMOST_ENOUGH:
        return None
    return DoseOfWeight(_clean(pieces * piece), _clean(pieces / max(breakable, 1)))


def measurable_volume(
    weight_kg: float,
    dose: WeightDose,
    times_per_day: float,
    *,
    strength: float,
    volume: float,
    sites: int = 1,
) -> DoseOfWeight | None:
    """A volume that can be measured, at each of `sites` places: midway between the least and the
    most, never above the most. A dose that is one figure may be up to 5 % more, by rounding.

    None where even the smallest volume is too much.

    >>> measurable_volume(8.3, WeightDose("mg", 50, 60, 4000), 4, strength=125, volume=5)
    DoseOfWeight(value=115.0, amount=4.6)
    """
    least, most = _exact_range(weight_kg, dose, times_per_day)
    exact = (least + most) / 2 * volume / strength / sites
    slack = _ROUNDED if dose.least == dose.most else 1.0
    largest = min(most * slack, dose.cap / times_per_day) * volume / strength / sites
    step = measurable_step(exact)
    amount = math.floor(exact / step + 0.5) * step
    if amount > largest + _DUST:
        amount = math.floor(largest / step + _DUST) * step
    if amount <= 0:
        return None
    value = amount * sites * strength / volume
    value = round(value, 1) if value >= 1 else value  # 0.65 mL of it are 108.3 mg, not 108.333
    return DoseOfWeight(_clean(value), _clean(amount * sites))


def measurable_step(volume: float) -> float:
    """The marks (mL) of what such a volume is measured with: a syringe, a spoon, a cup.

    >>> [measurable_step(each) for each in (0.6, 3, 12, 400)]
    [0.05, 0.1, 0.5, 10.0]
    """
    return next((step for below, step in _MARKS if volume < below), 10.0)


def _exact_range(weight_kg: float, dose: WeightDose, times_per_day: float) -> tuple[float, float]:
    cap = dose.cap / times_per_day
    return (
        min(weight_kg * dose.least / times_per_day, cap),
        min(weight_kg * dose.most / times_per_day, cap),
    )


def _whole_pieces(least: float, most: float) -> int:
    middle = (least + most) / 2
    if math.ceil(middle) <= most:
        return math.ceil(middle)
    if math.floor(middle) >= least:
        return math.floor(middle)
    return math.floor(least)


def _tenth(value: float) -> float:
    """Rounded to 0.1, halves up."""
    return math.floor(value * 10 + 0.5) / 10


def _clean(value: float) -> float:
    """Without the dust of binary fractions."""
    return round(value, 6)
