"""Which drugs are not for somebody of an age: "what must a seven-year-old not be given"."""

from __future__ import annotations

from dataclasses import replace

from medweave.language.people import GROWN_UP_DAYS
from medweave.model.material import Focus, Looked
from medweave.model.question import Patient
from medweave.model.statement import SupportedStatement

_CHILDREN = "mw.population:children"


def of_their_age(patient: Patient) -> list[Focus]:
    """Children, where somebody is one by age; empty for others, and where no age is known.

    >>> from medweave.model.question import Patient
    >>> [focus.entity for focus in of_their_age(Patient(age_days=2556, age_max_days=2556))]
    ['mw.population:children']
    >>> of_their_age(Patient())
    []
    """
    _, last = _ages(patient)
    return [Focus((_CHILDREN,))] if last is not None and last < GROWN_UP_DAYS else []


def at_this_age(looked: list[Looked], patient: Patient) -> list[Looked]:
    """What was looked up, without what is said of people younger or older than somebody is."""
    first, last = _ages(patient)
    if first is None or last is None:
        return looked
    return [
        replace(item, statements=tuple(s for s in item.statements if _may_be_of(s, first, last)))
        for item in looked
    ]


def _ages(patient: Patient) -> tuple[int | None, int | None]:
    first = patient.age_days
    return first, first if patient.age_max_days is None else patient.age_max_days


def _may_be_of(supported: SupportedStatement, first: int, last: int) -> bool:
    stated = supported.statement
    low, high = stated.qualifier("age_min_days"), stated.qualifier("age_max_days")
    too_young = low is not None and last < float(low)
    return not too_young and (high is None or first < float(high))
