"""The graph: things, what is said of them, and how two of them hang together."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from medweave.faces.web.house import Base
from medweave.faces.web.replies import Json, Part, page, told
from medweave.model.statement import SupportedStatement
from medweave.model.support_json import SupportForm, named_form
from medweave.retrieval.things import Thing

router = APIRouter(prefix="/api/v1", tags=["graph"])
Language = Annotated[str, Query(description="The language of names.", pattern="^(en|zh)$")]


@router.get("/entities")
def entities(
    served: Base,
    part: Part,
    q: Annotated[str, Query(max_length=200, description="What a name holds.")] = "",
    concept: Annotated[str, Query(max_length=100)] = "",
    lang: Language = "en",
) -> Json:
    """Things, those whose name fits best first."""
    known = served.base.knowledge.entities

    def form(thing: Thing) -> dict[str, Any]:
        return named_form(known.get(thing.id), lang)

    found = served.base.things(q, concept)
    key = _by_fit if q else _by_id
    return Json(page(found, key, part, form))


def _by_fit(thing: Thing) -> tuple[int, str, str]:
    return thing.rank, thing.name.casefold(), thing.id


def _by_id(thing: Thing) -> tuple[str]:
    return (thing.id,)


@router.get("/entities/{id:path}/statements")
def statements(
    served: Base,
    part: Part,
    id: str,
    predicate: Annotated[str, Query(max_length=100)] = "",
    lang: Language = "en",
) -> Json:
    """What is said of a thing, each statement with its evidence."""
    card = served.base.show(id)
    held = {
        each.statement.id: each
        for each in card.statements
        if predicate in ("", each.statement.predicate)
    }
    form = SupportForm(held, card.entities, card.documents, card.beliefs, lang)

    def key(found: SupportedStatement) -> tuple[str]:
        return (found.statement.id,)

    return told(page(held.values(), key, part, form.whole))


@router.get("/entities/{id:path}")
def entity(served: Base, id: str) -> Json:
    """A thing, as `show` has it."""
    return told(served.base.show(id).to_json())


@router.get("/paths")
def paths(
    served: Base,
    start: Annotated[str, Query(alias="from", max_length=500)],
    end: Annotated[str, Query(alias="to", max_length=500)],
    lang: Language = "en",
) -> Json:
    """The shortest chains of statements between two things."""
    return told(served.base.paths(start, end, lang).to_json(lang))
