"""Everything a base says of one thing, looked up by its name or identifier."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from medweave.errors import NotFoundError
from medweave.model.belief import belief
from medweave.model.document import Document
from medweave.model.entity import Entity
from medweave.model.entity_card import EntityCard
from medweave.model.statement import SupportedStatement
from medweave.vocabulary.knowledge import Knowledge


def card_of(name: str, knowledge: Knowledge) -> EntityCard:
    """A thing by name or identifier, with all statements about it. Raises `NotFoundError`."""
    identifiers = things_called(name, knowledge)
    if not identifiers:
        raise NotFoundError(
            "the base knows nothing of this name", where=name, remedy="try another spelling"
        )
    found = {
        supported.statement.id: supported
        for identifier in identifiers
        for supported in (
            *knowledge.store.match(identifier),
            *knowledge.store.match(None, None, identifier),
        )
    }
    return _card(identifiers[0], tuple(found.values()), knowledge)


def things_called(name: str, knowledge: Knowledge) -> list[str]:
    """What the base has under an identifier, or a name; the first choice first."""
    if knowledge.holds([name]):
        return [name]
    named = knowledge.dictionary.names(name) or knowledge.dictionary.names(f"a {name}")
    return [found.entity for found in named if found.present]


def _card(
    identifier: str, statements: tuple[SupportedStatement, ...], knowledge: Knowledge
) -> EntityCard:
    named_by = tuple(
        pair
        for same in knowledge.same(identifier)
        for pair in knowledge.store.naming_documents(same)
    )
    entities, documents, beliefs = closure(
        statements, knowledge, {document for _, document in named_by}
    )
    entity = knowledge.entities.get(identifier)
    return EntityCard(entity, statements, entities, documents, beliefs, named_by)


def closure(
    statements: Iterable[SupportedStatement],
    knowledge: Knowledge,
    named_by: Collection[str] = (),
) -> tuple[dict[str, Entity], dict[str, Document], dict[str, float]]:
    """The things that statements join, the documents behind them (and further ones), and how far
    each statement is believed."""
    held = list(statements)
    ends = {
        end
        for supported in held
        for end in (supported.statement.subject, supported.statement.object_entity)
        if end is not None
    }
    documents = {item.document for found in held for item in found.evidence} | set(named_by)
    return (
        knowledge.entities.all(sorted(ends)),
        {document.id: document for document in knowledge.store.documents(documents)},
        {found.statement.id: belief(found.evidence) for found in held},
    )
