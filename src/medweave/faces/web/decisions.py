"""What somebody thinks of an answer or an assessment."""

from __future__ import annotations

from typing import Literal
from uuid import uuid4

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from medweave.errors import QuestionError
from medweave.faces.web.house import Base, Given, HouseHere
from medweave.faces.web.replies import Json

router = APIRouter(prefix="/api/v1", tags=["asking"])


class Decided(BaseModel):
    """Agreement or disagreement with an answer or assessment, or with one sentence of it."""

    model_config = ConfigDict(extra="forbid")
    answer: str = Field("", max_length=100)
    assessment: str = Field("", max_length=100)
    sentence: int | None = Field(None, ge=0)
    decision: Literal["agree", "disagree"]
    reason: str = Field("", max_length=2000)


@router.post("/decisions", status_code=201)
def decide(decided: Decided, served: Base, house: HouseHere) -> Json:
    """Write down what somebody thinks, where there is an audit file."""
    if bool(decided.answer) == bool(decided.assessment):
        raise QuestionError(
            "an answer or an assessment is decided about", where="answer",
            remedy="give the id of one of them",
        )  # fmt: skip
    about = decided.answer or decided.assessment
    told = decided.model_dump(exclude={"answer", "assessment"}, exclude_none=True)
    house.tell(Given("decision", about, served, told, told))
    return Json({"id": uuid4().hex, "recorded": bool(house.listeners)}, 201)
