"""`medweave show`: everything a base says of one thing, or a past case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from medweave.errors import NotFoundError
from medweave.faces.cli.common import console, print_json, reading
from medweave.faces.cli.options import Json, Kb
from medweave.model.statement import Literal

if TYPE_CHECKING:
    from medweave.knowledge_base import KnowledgeBase
    from medweave.model.entity_card import EntityCard


def show(
    name: Annotated[str, typer.Argument(help="A name, an identifier, or the id of a case.")],
    kb: Kb = "",
    json: Json = False,
) -> None:
    """Show a thing with its names, statements and sources; or a past case, by its id."""
    with reading(kb) as base:
        if json:
            print_json(_as_json(base, name))
            return
        from medweave.faces.terminal.card import print_named

        print_named(base, name, console())


def _as_json(base: KnowledgeBase, name: str) -> dict[str, Any]:
    """The thing of a name; else the documents that bear it."""
    try:
        return _card_json(base.show(name))
    except NotFoundError:
        documents = base.documents_called(name)
        if not documents:
            raise
        return {
            "documents": [
                {
                    "id": document.id,
                    "name": document.name,
                    "title": document.title,
                    "source": document.source,
                    "fields": dict(document.fields),
                }
                for document in documents
            ]
        }


def _card_json(card: EntityCard) -> dict[str, Any]:
    entity = card.entity
    return {
        "id": entity.id,
        "name": entity.name(),
        "concept": entity.concept,
        "concepts": list(entity.concepts),
        "names": {language: list(names) for language, names in entity.names.items()},
        "xrefs": list(entity.xrefs),
        "named_by": [
            {
                "name": mention.name,
                "language": mention.language,
                "concept": mention.concept,
                "document": card.documents[document].name,
            }
            for mention, document in card.named_by
        ],
        "statements": [
            {
                "id": found.statement.id,
                "subject": found.statement.subject,
                "predicate": found.statement.predicate,
                "object": found.statement.object.value
                if isinstance(found.statement.object, Literal)
                else found.statement.object,
                "qualifiers": dict(found.statement.qualifiers),
                "belief": round(card.beliefs[found.statement.id], 4),
                "evidence": [
                    {
                        "document": card.documents[item.document].name,
                        "quote": item.quote,
                        "polarity": item.polarity,
                        "strength": item.strength,
                        "class": item.evidence_class,
                    }
                    for item in found.evidence
                ],
            }
            for found in card.statements
        ],
    }
