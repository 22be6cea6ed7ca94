"""The bases, what they hold in numbers, and new ones."""

from __future__ import annotations

import re
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from medweave.errors import ConfigurationError
from medweave.faces.web.house import BASE_SUFFIX, Base, HouseHere, Served
from medweave.faces.web.replies import Json, told

router = APIRouter(prefix="/api/v1", tags=["bases"])
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class Named(BaseModel):
    """The name of a new base."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(json_schema_extra={"pattern": f"^{_NAME.pattern}$"})


@router.get("/bases")
def bases(house: HouseHere) -> Json:
    """All bases, the default one first."""
    first = house.all[0]
    return Json({"items": [base_form(each, default=each is first) for each in house.all]})


def base_form(served: Served, *, default: bool = False) -> dict[str, Any]:
    """A base as it is listed."""
    return {
        "name": served.name,
        "writable": served.writable,
        "default": default,
        "base": served.base.version.to_json(),
    }


@router.post("/bases", status_code=201)
def make_base(named: Named, house: HouseHere) -> Json:
    """Make an empty base in the folder for new ones."""
    folder = house.serving.folder
    if folder is None or house.serving.read_only:
        raise ConfigurationError(
            "this server makes no bases", remedy="start it with --bases FOLDER"
        )
    if not _NAME.fullmatch(named.name):
        raise ConfigurationError(
            "this is no name for a base",
            where="name",
            remedy="use letters, digits, - and _",
        )
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{named.name}{BASE_SUFFIX}"
    return Json(base_form(house.add(named.name, str(place), create=True)), 201)


@router.get("/stats")
def stats(served: Base) -> Json:
    """What a base holds, in numbers."""
    counts = served.base.stats()
    return told({"hash": counts["base"]["hash"], **counts})
