"""What a case expects of a guideline: its form is checked before anything is compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from medweave.errors import SourceError

LISTS = (
    "confirmed", "provisional", "excluded", "possible", "stands", "not_standing", "not_confirmed",
)  # fmt: skip
"""What is expected of classifications: lists of their names."""
_STEPS = ("treatments", "no_treatments")
_KEYS = (*LISTS, "values", *_STEPS, "doses")


def expected_of(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The `expected` of a case; `SourceError` where there is none, or it has another form.

    >>> expected_of({"expected": {"confirmed": ["pneumonia"]}})
    {'confirmed': ['pneumonia']}
    """
    expected = record.get("expected")
    if not isinstance(expected, dict):
        raise SourceError("this case has nothing expected", remedy='write "expected": {…}')
    for key, value in expected.items():
        if key not in _KEYS:
            raise SourceError(f"'{key}' cannot be expected", remedy=f"one of {', '.join(_KEYS)}")
        if value is not None:
            _check(key, value)
    return expected


def _check(key: str, value: Any) -> None:
    if key in LISTS and not _all(value, str | int):
        _refuse(key, "a list of names of classifications")
    if key in _STEPS and not (_all(value, dict | str | int) and all(map(_named, value))):
        _refuse(key, 'a list of {"classification", "drug"}')
    if key == "values" and not isinstance(value, dict):
        _refuse(key, "names of observations with their values")
    if key == "doses" and not (_all(value, dict) and all(map(_dosed, value))):
        _refuse(key, 'a list of {"drug", "value" (a number), "unit"}')


def _all(value: Any, kind: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, kind) for each in value)


def _named(step: Any) -> bool:
    return isinstance(step, str | int) or any(
        step.get(each) for each in ("drug", "treatment", "id")
    )


def _dosed(dose: Mapping[str, Any]) -> bool:
    numbers = (dose.get("value"), dose.get("times_per_day"))
    return isinstance(dose.get("drug"), str | int) and all(
        each is None or (isinstance(each, int | float) and not isinstance(each, bool))
        for each in numbers
    )


def _refuse(key: str, form: str) -> None:
    raise SourceError(f"'{key}' of what is expected has another form", remedy=f"give {form}")
