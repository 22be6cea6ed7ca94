"""The child a case is about: age, weight and sex, as everybody reads them of a text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from medweave.language.passage import Passage, Span, passage_of
from medweave.language.people import GROWN_UP_DAYS, people_of
from medweave.model.value import Value

_LEAST, _MOST = 0.3, 60.0
"""No child of a guideline weighs less, or more (kg)."""


@dataclass(frozen=True, slots=True)
class CasePerson:
    """What a text says of the child; `places` are those where ages stand."""

    age_days: int | None = None
    weight_kg: float | None = None
    sex: str | None = None
    places: tuple[Span, ...] = ()
    contradictions: tuple[str, ...] = ()


def read_person(passage: Passage, values: Iterable[Value]) -> CasePerson:
    """Age, weight and sex of the child; what is stated twice over, otherwise each time, is open.

    >>> person = read_person(passage_of("Mother 24 years old. Her son is 8 months old."), ())
    >>> person.age_days, person.sex
    (243, 'male')
    """
    people = people_of(passage)
    ages = list(dict.fromkeys(age.days for age in people.own_ages))
    weights = list(
        dict.fromkeys(
            value.value
            for value in values
            if value.quantity == "body weight"
            and not value.bound
            and _LEAST <= value.value <= _MOST
            and not people.is_other_weight(value.start)
        )
    )
    notes = [f"age: {', '.join(f'{days} days' for days in ages)}"] if len(ages) > 1 else []
    notes += [f"weight: {', '.join(f'{kg:g} kg' for kg in weights)}"] if len(weights) > 1 else []
    return CasePerson(
        ages[0] if len(ages) == 1 else None,
        weights[0] if len(weights) == 1 else None,
        people.sex,
        tuple((age.start, age.end) for age in people.ages),
        tuple(notes),
    )


def may_be_of_a_child(text: str) -> bool:
    """Whether a text can be a case at all: it names a child, a mother, or a child's age.

    >>> may_be_of_a_child("What are the symptoms of flu?"), may_be_of_a_child("my baby coughs")
    (False, True)
    """
    people = people_of(passage_of(text))
    return names_a_child(text) or bool(people.own_ages)


def names_a_child(text: str) -> bool:
    """Whether a text speaks of a child, of its mother, or of a child's age.

    >>> names_a_child("孩子咳嗽"), names_a_child("我咳嗽"), names_a_child("she coughs")
    (True, False, False)
    """
    people = people_of(passage_of(text))
    if any(age.days < GROWN_UP_DAYS for age in people.own_ages):
        return True
    return people.child is not None or any(
        person.kind == "mother" and person.of != "writer" for person in people.all
    )
