"""What people decide about the statements of a base: a queue, what is least believed first."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from medweave.faces.web.house import Base, HouseHere
from medweave.faces.web.replies import (
    Json,
    Part,
    another_list,
    cursor_of,
    key_in,
    page,
    told,
)
from medweave.faces.web.rest.documents import check_writable
from medweave.faces.web.rest.graph import Language
from medweave.graph.review import Doubt, doubt_of
from medweave.model.decision import Decision, Verdict
from medweave.model.support_json import SupportForm
from medweave.retrieval.card import closure

router = APIRouter(prefix="/api/v1", tags=["review"])


class Word(BaseModel):
    """What a person decides, and what holds in place of what is corrected, in names.

    `new` is the concept of a thing that nothing is called like yet.
    """

    model_config = ConfigDict(extra="forbid")
    decision: Verdict
    by: str = Field("", max_length=200)
    correction: dict[str, str] = {}
    new: str = Field("", max_length=200)


@router.get("/review")
def queue(served: Base, part: Part, lang: Language = "en") -> Json:
    """The statements that nobody decided about; where sources disagree, first."""
    found = served.base.undecided_page(part.limit, _behind(part.cursor))
    held = {each.statement.id: each for each in found.items}
    form = SupportForm(held, *closure(held.values(), served.base.knowledge), lang)
    items = [form.whole(each) for each in held.values()]
    following = cursor_of(doubt_of(found.items[-1])) if found.more and held else None
    return told({"items": items, "next": following, "total": found.total})


def _behind(cursor: str) -> Doubt | None:
    match key_in(cursor) if cursor else None:
        case None:
            return None
        case [int() | float() as doubt, int() as number]:
            return doubt, number
        case _:
            raise another_list()


@router.get("/review/decisions")
def decided(served: Base, part: Part) -> Json:
    """What was decided, each as `review --list` has it."""
    return told(page(served.base.decisions(), _when, part, Decision.to_json))


def _when(made: Decision) -> tuple[str, str]:
    return made.time, made.statement.id


@router.post("/review/{statement}")
def decide(statement: str, word: Word, served: Base, house: HouseHere) -> Json:
    """Accept, reject or correct a statement; a later word takes the place of an earlier one."""
    check_writable(served)
    right = word.correction or None
    made = served.base.review(statement, word.decision, by=word.by, correction=right, new=word.new)
    house.changed("review", served, {"statement": statement, "decision": word.decision})
    return told(made.to_json())
