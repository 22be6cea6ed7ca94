"""Whether what a statement names holds of a person: pregnancy, breastfeeding, age, sex.

Three values throughout: it holds, it does not, or it is unknown. Unknown is never taken for absent.
"""

from __future__ import annotations

from medweave.model.question import Patient
from medweave.model.statement import SupportedStatement

_LEAST_PREGNANT_DAYS = 4383
"""Limits for children up to this age (12 years) do not concern someone who is pregnant."""


def breastfeeding(patient: Patient) -> bool | None:
    """Whether the person breastfeeds; what is said goes before what the sex tells."""
    if patient.breastfeeding is None and patient.sex == "male":
        return False
    return patient.breastfeeding


def of_sex(supported: SupportedStatement, patient: Patient) -> bool | None:
    """Whether the person is of the sex that the statement names."""
    if patient.sex is None:
        return None
    return patient.sex == supported.statement.qualifier("sex")


def pregnant(supported: SupportedStatement, patient: Patient) -> bool | None:
    """Whether the person is pregnant in the weeks that the statement names."""
    if patient.pregnant is not True:
        return patient.pregnant if patient.pregnant is False or patient.sex != "male" else False
    return _within(
        patient.pregnancy_weeks,
        patient.pregnancy_weeks_max,
        _number(supported, "pregnancy_weeks_min"),
        _number(supported, "pregnancy_weeks_max"),
    )


_LIKELY = 0.1
"""So much of the time that somebody may be in makes a part of it one to reckon with."""

_TERM = 40
"""The weeks of a pregnancy."""


def likely_pregnant(supported: SupportedStatement, patient: Patient) -> bool:
    """Whether somebody pregnant may well be in the weeks that the statement names: who tells no
    week is hardly in the last two."""
    told, until = patient.pregnancy_weeks, patient.pregnancy_weeks_max
    first, last = told or 0, (_TERM if told is None else told) if until is None else until
    low = _number(supported, "pregnancy_weeks_min") or 0
    high = _number(supported, "pregnancy_weeks_max")
    return _much_of(first, last, low, high)


def aged(supported: SupportedStatement, patient: Patient) -> bool | None:
    """Whether the person is of the age that the statement names."""
    high = _number(supported, "age_max_days")
    if patient.pregnant and high is not None and high <= _LEAST_PREGNANT_DAYS:
        return False
    low = _number(supported, "age_min_days")
    return _within(patient.age_days, patient.age_max_days, low, high)


def likely_aged(supported: SupportedStatement, patient: Patient) -> bool:
    """Whether the person may well be of the age that the statement names: "a kid" is hardly an
    infant of two months, "a baby" may be one."""
    first, last = patient.age_days, patient.age_max_days
    if first is None or last is None:
        return True
    low = _number(supported, "age_min_days") or 0
    return _much_of(first, last, low, _number(supported, "age_max_days"))


def _much_of(first: int, last: int, low: int, high: int | None) -> bool:
    """Whether [low, high) holds a good part of the time from first to last."""
    if last <= first:
        return True
    inside = min(last, last if high is None else high) - max(first, low)
    return inside >= _LIKELY * (last - first)


def _number(supported: SupportedStatement, qualifier: str) -> int | None:
    value = supported.statement.qualifier(qualifier)
    return None if value is None else int(value)


def _within(
    known_low: int | None, known_high: int | None, low: int | None, high: int | None
) -> bool | None:
    """Whether a value known to lie in one range lies in [low, high), or may."""
    if low is None and high is None:
        return True
    if known_low is None:
        return None
    upper = known_low if known_high is None else known_high
    above = True if low is None or known_low >= low else (None if upper >= low else False)
    below = True if high is None or upper < high else (None if known_low < high else False)
    if above is False or below is False:
        return False
    return True if above and below else None
