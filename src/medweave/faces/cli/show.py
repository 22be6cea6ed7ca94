"""`medweave show`: everything a base says of one thing, or a past case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from medweave.errors import NotFoundError
from medweave.faces.cli.common import console, print_json, reading
from medweave.faces.cli.options import InPlace, Json, Kb

if TYPE_CHECKING:
    from medweave.knowledge_base import KnowledgeBase


def show(
    name: Annotated[str, typer.Argument(help="A name, an identifier, or the id of a case.")],
    kb: Kb = "",
    mapping: InPlace = "",
    json: Json = False,
) -> None:
    """Show a thing with its names, statements and sources; or a past case, by its id."""
    with reading(kb, mapping=mapping) as base:
        if json:
            print_json(_as_json(base, name))
            return
        from medweave.faces.terminal.card import print_named

        print_named(base, name, console())


def _as_json(base: KnowledgeBase, name: str) -> dict[str, Any]:
    """The thing of a name; else the documents that bear it."""
    try:
        return base.show(name).to_json()
    except NotFoundError:
        documents = base.documents_called(name)
        if not documents:
            raise
        return {"documents": [document.to_json() for document in documents]}
