"""A thing and everything a base says of it."""

from __future__ import annotations

from dataclasses import dataclass

from medweave.model.document import Document
from medweave.model.entity import Entity, NameMention
from medweave.model.statement import SupportedStatement


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
