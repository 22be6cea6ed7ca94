"""Doses by weight: how much of a formulation is given at a time, from mg per kg and day.

The rules are those of ePOCT+ (medAL-reader), which give pieces of tablets that can be broken off
and never more in a day than the drug's maximum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from medweave.model.guideline import WeightDose


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
