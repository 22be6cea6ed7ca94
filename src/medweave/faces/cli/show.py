"""`medweave show`: everything a base says of one thing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from medweave.faces.cli.common import console, print_json, reading
from medweave.faces.cli.options import Json, Kb
from medweave.model.statement import Literal

if TYPE_CHECKING:
    from medweave.model.entity_card import EntityCard


def show(
    name: Annotated[str, typer.Argument(help="A name or identifier.")],
    kb: Kb = "",
    json: Json = False,
) -> None:
    """Show a thing: names, concept, statements, and where they come from."""
    with reading(kb) as base:
        card = base.show(name)
    if json:
        print_json(_card_json(card))
        return
    from medweave.faces.terminal.card import print_card

    print_card(card, console())


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
