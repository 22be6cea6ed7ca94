"""From where on a value is a finding, and which weights fit an age. The data is thresholds.yaml."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any
from typing import Literal as OneOf

from medweave.errors import VocabularyError
from medweave.language.data import shipped_yaml
from medweave.model.question import Patient
from medweave.model.value import Threshold, Value
from medweave.vocabulary.kidney_filtration import kidney_filtration

WEIGHT = "body weight"
_CREATININE, _FILTRATION = "creatinine", "glomerular filtration"
Span = tuple[float, float]
_OLDEST_DAYS = 45656
"""125 years less a day."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """A threshold, and of whom it holds."""

    threshold: Threshold
    ages: Span | None = None
    not_ages: Span | None = None
    sex: str | None = None
    pregnant: bool | None = None
    near: str = ""
    not_near: str = ""


def threshold_of(
    value: Value, patient: Patient, near: Callable[[str], bool] = lambda _: False
) -> Threshold | None:
    """The threshold that a value is over or under; None if there is none that certainly applies.

    Where an age is not told, or only a range of it, one applies that the value reaches at all of
    these ages: a pulse of 48 is slow in everybody.

    `near` says whether words beside the value tell of something ("axillary", "activity").
    Creatinine is held to what kidneys filter where the age of an adult is told.
    """
    if value.quantity == _CREATININE and not value.bound:
        filtered = kidney_filtration(value.value, patient)
        if filtered is not None:
            value = replace(value, quantity=_FILTRATION, value=filtered)
    for rule in _rules().get(value.quantity, ()):
        if (
            _reached(rule.threshold, value)
            and _holds_for(rule, patient, value)
            and (not rule.near or near(rule.near))
            and not (rule.not_near and near(rule.not_near))
        ):
            return rule.threshold
    return None


def says_more(value: Value) -> bool:
    """Whether a value may be over a threshold, or be a weight: no time, and no dose, is.

    >>> from medweave.language.values import read_values
    >>> [says_more(value) for value in read_values("39 °C for 3 days", "en")]
    [True, False]
    """
    return value.quantity == WEIGHT or value.quantity in _rules()


def plausible_weight(kilograms: float, patient: Patient) -> bool:
    """Whether a person of this age can weigh that; True where the age is not known.

    >>> five_years = Patient(age_days=1826, age_max_days=1826)
    >>> [plausible_weight(weight, five_years) for weight in (1.8, 18, 180)]
    [False, True, False]
    """
    if patient.age_days is None:
        return True
    oldest = patient.age_days if patient.age_max_days is None else patient.age_max_days
    spans = [kg for ages, kg in _weights() if ages[0] <= oldest and patient.age_days < ages[1]]
    return not spans or spans[0][0] <= kilograms <= spans[-1][1]


def _reached(threshold: Threshold, value: Value) -> bool:
    """A bound ("under 38") only reaches what lies beyond it for certain."""
    if threshold.side == "from":
        return value.value >= threshold.at and value.bound != "<"
    return value.value < threshold.at and value.bound != ">"


def _holds_for(rule: _Rule, patient: Patient, value: Value) -> bool:
    out, age = rule.not_ages, patient.age_days
    if out is not None and age is not None and out[0] <= age < out[1]:
        return False
    if rule.ages is not None and not _reached_at_all_ages(rule.threshold, patient, value):
        return False
    return rule.sex in (None, patient.sex) and rule.pregnant in (None, patient.pregnant)


def _reached_at_all_ages(threshold: Threshold, patient: Patient, value: Value) -> bool:
    """Whether a value is the same finding at every age that the person may have."""
    low: float = patient.age_days or 0
    high = patient.age_max_days if patient.age_max_days is not None else patient.age_days
    reached = sorted(
        rule.ages
        for rule in _rules()[threshold.quantity]
        if rule.ages is not None
        and (rule.threshold.finding, rule.threshold.side) == (threshold.finding, threshold.side)
        and _reached(rule.threshold, value)
    )
    for begin, end in reached:
        if begin <= low < end:
            low = end
    return low > (_OLDEST_DAYS if high is None else high)


@cache
def _rules() -> dict[str, tuple[_Rule, ...]]:
    found: dict[str, list[_Rule]] = {}
    for entry in shipped_yaml("vocabulary", "thresholds.yaml")["thresholds"]:
        found.setdefault(entry["quantity"], []).append(_rule(entry))
    return {quantity: tuple(rules) for quantity, rules in found.items()}


def _rule(entry: dict[str, Any]) -> _Rule:
    if not entry.get("source") or ("from" in entry) == ("below" in entry):
        raise VocabularyError(
            f"a threshold needs a source, and one of 'from' and 'below': {entry}",
            where="thresholds.yaml",
            remedy='add what is missing; the source may be "unsourced"',
        )
    side: OneOf["from", "below"] = "from" if "from" in entry else "below"
    return _Rule(
        Threshold(entry["finding"], entry["quantity"], side, float(entry[side]), entry["source"]),
        tuple(entry["age_days"]) if "age_days" in entry else None,
        tuple(entry["not_age_days"]) if "not_age_days" in entry else None,
        entry.get("sex"),
        entry.get("pregnant"),
        entry.get("near", ""),
        entry.get("not_near", ""),
    )


@cache
def _weights() -> tuple[tuple[Span, Span], ...]:
    entries = shipped_yaml("vocabulary", "thresholds.yaml")["weights"]
    return tuple((tuple(entry["age_days"]), tuple(entry["kg"])) for entry in entries)
