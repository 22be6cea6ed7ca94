"""`medweave mcp` as the official client meets it: a process of its own, spoken to over stdio."""

from __future__ import annotations

import os
import sys
from typing import Any

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from medweave.knowledge_base import KnowledgeBase

pytestmark = pytest.mark.thorough

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("ask", {"question": "Can I take ibuprofen with warfarin?"}),
    ("similar", {"text": "My child coughs at night", "k": 2}),
    ("entity", {"name": "ibuprofen"}),
    ("classify", {"age_days": 400, "findings": {"cough": True, "convulsions": True}}),
    ("assess", {"age_days": 400, "findings": {"cough": True, "convulsions": True}}),
    ("verify", {"text": "Gout can cause joint pain."}),
    ("query", {"triples": [["?", "has_symptom", "cough"]], "limit": 3}),
    ("entity", {"name": "nothing of this name"}),
    ("ask", {"question": ""}),
    ("ask", {"question": "x", "unknown": 1}),
    ("ask", {"question": "Is it safe?", "kb": "another"}),
    ("no such tool", {}),
]


async def _talk() -> tuple[list[Any], list[Any]]:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "medweave", "mcp"], env=dict(os.environ)
    )
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        return tools, [await session.call_tool(name, arguments) for name, arguments in CALLS]


@pytest.fixture(scope="module")
def talk() -> Any:
    KnowledgeBase.sample().close()
    return anyio.run(_talk)


def test_every_tool_is_described_and_none_writes(talk: Any) -> None:
    tools, _ = talk
    assert [tool.name for tool in tools] == [
        "ask", "similar", "entity", "path", "classify", "assess", "verify", "query",
    ]  # fmt: skip
    for tool in tools:
        assert tool.description and tool.input_schema["type"] == "object"
        assert tool.annotations.read_only_hint


def test_answers_are_those_of_the_library(talk: Any) -> None:
    found = {name: result for (name, _), result in reversed(list(zip(CALLS, talk[1], strict=True)))}
    with KnowledgeBase.sample() as base:
        answer = base.ask("Can I take ibuprofen with warfarin?").to_json()
        entity = base.show("ibuprofen").to_json()
    told = found["ask"].structured_content
    assert {**told, "timing": None} == {**answer, "timing": None}
    assert found["entity"].structured_content == entity
    assert found["query"].structured_content["total"] > 3
    assert found["verify"].structured_content["verdict"] == "supported"
    assert found["assess"].structured_content["stands"][0]["id"] == "very_severe_disease"


def test_what_stops_a_drug_is_read_first_and_sources_last(talk: Any) -> None:
    text = talk[1][0].content[0].text
    assert text.startswith("**AVOID**")
    assert "[1]" in text and text.index("[1]") < text.index("\n1. ")


def test_errors_come_as_results_with_a_remedy(talk: Any) -> None:
    for (name, arguments), result in list(zip(CALLS, talk[1], strict=True))[7:]:
        assert result.is_error, (name, arguments)
        error = result.structured_content["error"]
        assert error["message"] and error["remedy"]
