"""What of a base a changed ontology touches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from medweave.model.ontology import Ontology
from medweave.model.statement import Statement
from medweave.ontology.difference import Difference
from medweave.ontology.meaning import class_of, predicates_of
from medweave.vocabulary.knowledge import Knowledge


@dataclass(frozen=True, slots=True)
class Affected:
    """Ids of documents that may be read otherwise, and of statements that may be no more."""

    documents: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The form of `ontology diff --kb`."""
        return {"documents": list(self.documents), "statements": list(self.statements)}


UNTOUCHED = Affected()
_WIDENING = frozenset({"domain", "range", "examples", "parent", "parents"})
"""Parts of an entry by which what was not found, or was left out, may be said."""


def affected_by(
    change: Difference, old: Ontology, knowledge: Knowledge, abstracts: Iterable[str]
) -> Affected:
    """The statements by a relation, or of a thing of a type, that is not as it was, with their
    documents; where more can be said than before, all `abstracts` besides, as any may say it."""
    touched = _Touched(change, old, knowledge)
    found = [each for each in knowledge.store.match() if touched.by(each.statement)]
    documents = {item.document for each in found for item in each.evidence if not item.inferred}
    wider = any(_WIDENING.intersection(what.split(", ")) for _, what in change.changed)
    documents.update(abstracts if change.added or wider else ())
    return Affected(tuple(sorted(documents)), tuple(sorted(each.statement.id for each in found)))


class _Touched:
    """Which statements a change touches."""

    def __init__(self, change: Difference, old: Ontology, knowledge: Knowledge) -> None:
        vocabulary, self._entities = knowledge.vocabulary, knowledge.entities
        self._old = old
        self._terms = change.touched
        relations = [term for term in change.touched if term not in old.class_by_term]
        known = (vocabulary.find(relation) for relation in relations)
        self._predicates = {use.predicate.name for use in known if use}
        self._predicates.update(name for each in relations for name in predicates_of(each))

    def by(self, statement: Statement) -> bool:
        """Whether a statement has such a relation, or such a thing at an end."""
        roles = {statement.qualifier("subject_role"), statement.qualifier("object_role")}
        if statement.predicate in self._predicates or roles & self._terms:
            return True
        ends = (statement.subject, statement.object_entity)
        types = (class_of(self._entities.get(end).concept, self._old) for end in ends if end)
        return any(each.term in self._terms for each in types if each)
