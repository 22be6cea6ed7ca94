"""The guidelines that are served, and those of a base."""

from __future__ import annotations

from fastapi import APIRouter

from medweave.faces.web.house import Base, HouseHere
from medweave.faces.web.replies import Json, Part, page, told
from medweave.guideline.listing import listing
from medweave.model.json_form import json_of

router = APIRouter(prefix="/api/v1", tags=["guidelines"])


@router.get("/guidelines")
def guidelines(
    served: Base,
    house: HouseHere,
    part: Part,
) -> Json:
    """All guidelines that may be named."""
    found = house.guidelines(served)
    return Json(
        page(
            found,
            lambda each: (each.id, each.version),
            part,
            lambda each: json_of(each, "id version title sample"),
        )
    )


@router.get("/guidelines/{name:path}")
def guideline(served: Base, house: HouseHere, name: str) -> Json:
    """A whole guideline, as `guideline export --json` has it."""
    return told(listing(served.base.guideline(house.guideline(name, served))))
