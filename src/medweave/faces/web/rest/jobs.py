"""Jobs: how far what was sent is read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header
from starlette.responses import Response, StreamingResponse

from medweave.faces.web.house import Base, HouseHere
from medweave.faces.web.jobs import ENDED, Job, Jobs
from medweave.faces.web.replies import Json, Part, page
from medweave.faces.web.streaming import STREAM, event

router = APIRouter(prefix="/api/v1", tags=["jobs"])
_SECONDS = 0.3
"""Between two looks at a job."""


@router.get("/jobs")
def jobs(
    served: Base,
    house: HouseHere,
    part: Part,
) -> Json:
    """The jobs of a base, the oldest first."""
    found = [job for job in house.jobs.all() if job.base == served.name]
    return Json(page(found, lambda j: (j.created, j.id), part, Job.to_json))


@router.get("/jobs/{id}", responses={200: {"description": "A job.", "content": {STREAM: {}}}})
async def job(id: str, house: HouseHere, accept: Annotated[str, Header()] = "") -> Response:
    """A job; with `Accept: text/event-stream` by events until it is ended."""
    found = house.jobs.named(id)
    if STREAM in accept:
        return StreamingResponse(_events(found, house.jobs), media_type=STREAM)
    return Json(found.to_json())


async def _events(job: Job, jobs: Jobs) -> AsyncIterator[bytes]:
    told = b""
    while job.status not in ENDED and not jobs.stopping:
        said = event("progress", job.to_json())
        if said != told:
            yield said
        told = said
        await asyncio.sleep(_SECONDS)
    yield event("done", job.to_json())


@router.post("/jobs/{id}/cancel")
def cancel(id: str, house: HouseHere) -> Json:
    """End a job."""
    return Json(house.jobs.cancel(id).to_json())


@router.post("/jobs/{id}/retry", status_code=202)
def retry(id: str, house: HouseHere) -> Json:
    """Work on a job again."""
    return Json(house.jobs.retry(id).to_json(), 202)
