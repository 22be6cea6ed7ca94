"""Jobs: how far what was sent is read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header
from starlette.responses import Response, StreamingResponse

from medweave.faces.texts.messages import with_reasons
from medweave.faces.web.house import Base, HouseHere
from medweave.faces.web.jobs import ENDED, Job, Jobs
from medweave.faces.web.problems import Spoken, in_language
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
    spoken: Spoken,
) -> Json:
    """The jobs of a base, the oldest first."""
    found = [job for job in house.jobs.all() if job.base == served.name]
    return Json(page(found, lambda j: (j.created, j.id), part, lambda j: _form(j, spoken)))


def _form(job: Job, spoken: str) -> dict[str, Any]:
    form: dict[str, Any] = with_reasons(job.to_json(), spoken)
    error = form["error"]
    return form | {"error": error and in_language(error, spoken)}


@router.get("/jobs/{id}", responses={200: {"description": "A job.", "content": {STREAM: {}}}})
async def job(
    id: str, house: HouseHere, spoken: Spoken, accept: Annotated[str, Header()] = ""
) -> Response:
    """A job; with `Accept: text/event-stream` by events until it is ended."""
    found = house.jobs.named(id)
    if STREAM in accept:
        return StreamingResponse(_events(found, house.jobs, spoken), media_type=STREAM)
    return Json(_form(found, spoken))


async def _events(job: Job, jobs: Jobs, spoken: str) -> AsyncIterator[bytes]:
    told = b""
    while job.status not in ENDED and not jobs.stopping:
        said = event("progress", _form(job, spoken))
        if said != told:
            yield said
        told = said
        await asyncio.sleep(_SECONDS)
    yield event("done", _form(job, spoken))


@router.post("/jobs/{id}/cancel")
def cancel(id: str, house: HouseHere, spoken: Spoken) -> Json:
    """End a job."""
    return Json(_form(house.jobs.cancel(id), spoken))


@router.post("/jobs/{id}/retry", status_code=202)
def retry(id: str, house: HouseHere, spoken: Spoken) -> Json:
    """Work on a job again."""
    return Json(_form(house.jobs.retry(id), spoken), 202)
