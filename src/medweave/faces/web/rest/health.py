"""Whether the server is alive, whether its bases can be read, and what was asked so far."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import PlainTextResponse

from medweave.faces.web.house import HouseHere
from medweave.faces.web.replies import Json

router = APIRouter(tags=["health"])


@router.get("/healthz")
async def alive() -> Json:
    """The server is there."""
    return Json({"status": "ok"})


@router.get("/readyz")
def ready(house: HouseHere) -> Json:
    """All bases can be read."""
    for served in house.all:
        _ = served.base.version
    return Json({"status": "ok"})


@router.get("/metrics", response_class=PlainTextResponse)
def metrics(house: HouseHere) -> PlainTextResponse:
    """Counts for Prometheus."""
    return PlainTextResponse(house.counts.text(), media_type="text/plain; version=0.0.4")
