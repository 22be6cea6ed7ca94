"""`/mcp`: the tools over streamable HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from starlette.routing import Route

from medweave.faces.web.house import House
from medweave.faces.web.replies import without_paths
from medweave.knowledge_base import KnowledgeBase

PATH = "/mcp"


class _Here:
    """Reaches what the house serves."""

    def __init__(self, house: House) -> None:
        self._house = house

    def base(self, name: str) -> KnowledgeBase:
        return self._house.named(name).base

    def guideline(self, name: str) -> str:
        return self._house.guideline(name, self._house.named())

    def tell(self, kind: str, kb: str, asked: dict[str, Any], form: dict[str, Any]) -> None:
        self._house.give(kind, self._house.named(kb), asked, form)


@asynccontextmanager
async def mcp_mounted(application: FastAPI, house: House) -> AsyncIterator[None]:
    """While this is open, the tools are served at `/mcp`."""
    from mcp.server.streamable_http_manager import (
        StreamableHTTPASGIApp,
        StreamableHTTPSessionManager,
    )
    from mcp.server.transport_security import TransportSecuritySettings

    from medweave.faces.protocols.mcp_server import mcp_server

    guarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # the guard does it
    manager = StreamableHTTPSessionManager(
        mcp_server(_Here(house), without_paths),
        stateless=True,
        json_response=True,
        security_settings=guarded,
    )
    route = Route(PATH, StreamableHTTPASGIApp(manager), methods=["GET", "POST", "DELETE"])
    application.router.routes.append(route)
    async with manager.run():
        yield
    application.router.routes.remove(route)
