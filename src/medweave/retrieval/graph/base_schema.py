"""Which relations a base has, and what things they join: what a query may ask."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from medweave.model.answer import ALL_HEARD, Heard
from medweave.model.json_form import json_of
from medweave.vocabulary.knowledge import Knowledge
from medweave.vocabulary.vocabulary import TEXT


@dataclass(frozen=True, slots=True)
class PredicateShape:
    """A relation as a base uses it."""

    name: str
    subject: tuple[str, ...]
    """The concepts of its subjects, by name."""
    object: tuple[str, ...]
    """The concepts of its objects; `text` where they are values."""
    statements: int

    def to_json(self) -> dict[str, Any]:
        """One of `predicates` of `medweave query --schema`."""
        return json_of(self, "name subject object statements")


@dataclass(frozen=True, slots=True)
class BaseSchema:
    """The relations of a base, those with the most statements first."""

    predicates: tuple[PredicateShape, ...]
    heard: Heard = ALL_HEARD

    def to_json(self) -> dict[str, Any]:
        """As `medweave query --schema` prints it."""
        return {"predicates": [each.to_json() for each in self.predicates], **self.heard.to_json()}


def schema_of(knowledge: Knowledge) -> BaseSchema:
    """The relations of a base, with what each joins."""
    counted = knowledge.store.tally().predicates
    names = sorted(counted, key=lambda each: (-counted[each], each))
    return BaseSchema(tuple(_shape(name, counted[name], knowledge) for name in names))


def _shape(name: str, count: int, knowledge: Knowledge) -> PredicateShape:
    subjects: set[int] = set()
    objects: set[int] = set()
    edges = 0
    for edge in knowledge.store.all_edges([name]):
        edges += 1
        subjects.add(edge.subject)
        objects.add(edge.object)
    text: tuple[str, ...] = ()
    if edges < count:  # the others have a value as their object, and are no edges
        text = (TEXT,)
        valued = (each.statement for each in knowledge.store.match(None, name))
        subjects_of_values = {each.subject for each in valued if each.object_entity is None}
    else:
        subjects_of_values = set()
    return PredicateShape(
        name,
        _concepts(subjects, subjects_of_values, knowledge),
        (*_concepts(objects, (), knowledge), *text),
        count,
    )


def _concepts(
    numbers: Iterable[int], things: Iterable[str], knowledge: Knowledge
) -> tuple[str, ...]:
    named = {*knowledge.store.identifiers(numbers).values(), *things}
    return tuple(sorted({each.concept for each in knowledge.entities.all(sorted(named)).values()}))
