"""A thing and everything a base says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from medweave.model.answer import StoreAnswer
from medweave.model.document import Document
from medweave.model.entity import Entity, NameMention
from medweave.model.json_form import json_of
from medweave.model.statement import Literal, SupportedStatement


@dataclass(frozen=True, slots=True)
class EntityCard:
    """A thing and everything a base says of it."""

    entity: Entity
    statements: tuple[SupportedStatement, ...]
    entities: dict[str, Entity]
    documents: dict[str, Document]
    beliefs: dict[str, float]
    named_by: tuple[tuple[NameMention, str], ...] = ()
    """Names with documents that give them, by id; the lexicon's own names are not among them."""
    stores: tuple[StoreAnswer, ...] = ()
    """What became of each of several stores that were asked together."""
    missing: tuple[str, ...] = ()
    """Those of them that were not heard, in words."""

    def to_json(self) -> dict[str, Any]:
        """The form that `medweave show` prints."""
        entity = self.entity
        return json_of(entity, "id name=id concept concepts names xrefs") | {
            "name": entity.name(),
            "named_by": [
                json_of(mention, "name language concept")
                | {"document": self.documents[document].name}
                for mention, document in self.named_by
            ],
            "statements": [self._statement(found) for found in self.statements],
            **self._store_fields(),
        }

    def _store_fields(self) -> dict[str, Any]:
        if not self.stores:
            return {}
        stores = [each.to_json() for each in self.stores]
        return {"stores": stores, "missing": list(self.missing)}

    def _statement(self, found: SupportedStatement) -> dict[str, Any]:
        statement = found.statement
        target = statement.object
        return {
            "id": statement.id,
            "subject": statement.subject,
            "predicate": statement.predicate,
            "object": target.value if isinstance(target, Literal) else target,
            "qualifiers": dict(statement.qualifiers),
            "belief": round(self.beliefs[statement.id], 4),
            "evidence": [
                {
                    "document": self.documents[item.document].name,
                    "quote": item.quote,
                    "polarity": item.polarity,
                    "strength": item.strength,
                    "class": item.evidence_class,
                }
                for item in found.evidence
            ],
        }
