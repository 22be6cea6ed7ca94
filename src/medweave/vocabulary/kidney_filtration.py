"""How much kidneys filter, from creatinine in the blood.

The equation is CKD-EPI 2021 (Inker et al., N Engl J Med 2021;385:1737), which is for adults and
knows neither muscle nor an illness of hours; it was written down from memory, so unsourced.
"""

from __future__ import annotations

from medweave.language.people import GROWN_UP_DAYS
from medweave.model.question import Patient

_YEAR = 365.25
_UMOL_PER_MG = 88.42
_BY_SEX: dict[str, tuple[float, float, float]] = {
    "female": (0.7, -0.241, 1.012),
    "male": (0.9, -0.302, 1.0),
}
"""Creatinine of the healthy in mg/dL, the power below it, and a factor."""


def kidney_filtration(creatinine: float, patient: Patient) -> float | None:
    """Millilitres a minute and 1.73 m2 from creatinine in µmol/L; None for whom it does not hold.

    Where the sex or the exact age is not known, the most that it may be.

    >>> round(kidney_filtration(320, Patient(age_days=22645, sex="male")))
    18
    >>> kidney_filtration(60, Patient(age_days=3000)) is None
    True
    """
    if patient.age_days is None or patient.age_days < GROWN_UP_DAYS or creatinine <= 0:
        return None
    years, sex = patient.age_days / _YEAR, patient.sex
    return max(
        _estimated(creatinine / _UMOL_PER_MG, years, *held)
        for of, held in _BY_SEX.items()
        if sex in (None, of)
    )


def _estimated(creatinine: float, years: float, usual: float, power: float, factor: float) -> float:
    ratio = creatinine / usual
    return float(142 * min(ratio, 1) ** power * max(ratio, 1) ** -1.2 * 0.9938**years * factor)
