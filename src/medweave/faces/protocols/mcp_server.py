"""The tools over the Model Context Protocol, by its official SDK: on stdio, or at `/mcp`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from anyio import to_thread
from mcp.server import Server
from mcp.server.stdio import stdio_server

from medweave import __version__
from medweave.errors import MedweaveError, NotFoundError
from medweave.faces.protocols.tools import TOOLS, Reach, Tool, tool_named

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext

    from medweave.knowledge_base import KnowledgeBase

_ABOUT = (
    "Answers about diseases, drugs and sick children from documents, each sentence with its "
    "evidence. Tell danger signs and stops first, and never leave them out. Not a medical device."
)
Shown = Callable[[Mapping[str, Any]], dict[str, Any]]
"""What is done to a JSON form before it is sent."""


def mcp_server(reach: Reach, shown: Shown = dict) -> Server[Any]:
    """A server of the tools over bases; one tool is used at a time."""
    one_at_a_time = anyio.CapacityLimiter(1)

    async def list_tools(
        _: ServerRequestContext[Any], __: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool) for tool in TOOLS])

    async def call_tool(
        _: ServerRequestContext[Any], asked: types.CallToolRequestParams
    ) -> types.CallToolResult:
        def use() -> types.CallToolResult:
            try:
                form, text = tool_named(asked.name)(reach, asked.arguments or {})
            except MedweaveError as error:
                return _failed(error)
            return types.CallToolResult(content=[_text(text)], structured_content=shown(form))

        return await to_thread.run_sync(use, limiter=one_at_a_time)

    return Server(
        "medweave",
        version=__version__,
        instructions=_ABOUT,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def run_stdio(server: Server[Any]) -> None:
    """Serve until stdin ends; nothing but the protocol is written to stdout."""

    async def run() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(run)


class Only:
    """Reaches the one base there is, under its name or none, and its guidelines."""

    def __init__(self, base: KnowledgeBase, name: str) -> None:
        self._base, self._name = base, name

    def base(self, name: str) -> KnowledgeBase:
        """The base; see `Reach`."""
        if name not in ("", self._name):
            raise NotFoundError(
                f"there is no base '{name}' here", where="kb",
                remedy=f"leave it out, or say {self._name}",
            )  # fmt: skip
        return self._base

    def guideline(self, name: str) -> str:
        """The sample guideline, or one of the base; see `Reach`."""
        known = ("sample", *self._base.guidelines())
        if name not in known:
            raise NotFoundError(
                f"there is no guideline '{name}' here", where="guideline",
                remedy=f"one of {', '.join(known)}",
            )  # fmt: skip
        return name

    def tell(self, kind: str, kb: str, asked: dict[str, Any], form: dict[str, Any]) -> None:
        """Nobody keeps a record; see `Reach`."""


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.about,
        input_schema=tool.schema,
        annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
    )


def _failed(error: MedweaveError) -> types.CallToolResult:
    return types.CallToolResult(
        content=[_text(f"error: {error}")],
        structured_content={"error": error.to_json()},
        is_error=True,
    )


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)
