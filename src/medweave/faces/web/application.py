"""The application: a guard, and routers, each a part of what can be asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module

import anyio.to_thread
from fastapi import FastAPI

from medweave import __version__
from medweave.access import Keys
from medweave.faces.web.auditing import audited
from medweave.faces.web.guard import Guard
from medweave.faces.web.house import House
from medweave.faces.web.key_guard import KeyGuard
from medweave.faces.web.mcp_mount import mcp_mounted
from medweave.faces.web.problems import DESCRIBED, tell_problems
from medweave.faces.web.serving import Serving

ROUTERS = (
    "rest.health",
    "rest.bases",
    "rest.asking",
    "rest.guidelines",
    "rest.graph",
    "rest.documents",
    "rest.jobs",
    "rest.review",
    "views.ask",
    "views.assess",
    "views.documents",
    "views.graph",
    "views.guideline",
    "views.evaluation",
    "views.about",
    "decisions",
    "openai_chat",
    "cds_services",
)
"""Modules beside this one, each with a `router`; one more is one more line."""
_AT_ONCE = 4
"""So many requests are worked on at a time, in the order they came: more threads would only wait
for each other, and each holds a connection and what it has read."""


def application(serving: Serving) -> FastAPI:
    """All of `medweave serve`, with its bases open. Raises what opening them raises."""
    house = House.opened(serving)
    made = FastAPI(
        title="medweave",
        version=__version__,
        description="Answers about diseases, drugs and sick children, each with its evidence.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses={422: DESCRIBED, "4XX": DESCRIBED, "5XX": DESCRIBED},
        lifespan=_lifespan,
    )
    made.state.house = house
    tell_problems(made)
    for name in ROUTERS:
        made.include_router(import_module(f"medweave.faces.web.{name}").router)
    if serving.audit:
        audited(house, serving.audit, keep_text=serving.keep_text)
    if serving.keys:
        made.add_middleware(KeyGuard, keys=Keys(serving.keys))
    made.add_middleware(Guard, serving=serving, counts=house.counts)
    return made


@asynccontextmanager
async def _lifespan(made: FastAPI) -> AsyncIterator[None]:
    anyio.to_thread.current_default_thread_limiter().total_tokens = _AT_ONCE
    house: House = made.state.house
    async with mcp_mounted(made, house):
        yield
    await anyio.to_thread.run_sync(house.close)
