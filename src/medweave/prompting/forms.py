"""The forms in which an object is asked for, and what comes back in each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic_ai.messages import (
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.tools import ToolDefinition

from medweave.model.json_schema import violation
from medweave.model.loose_json import objects_in
from medweave.prompting.endpoint_memory import Form

_IN_WORDS = "The reply is JSON, and nothing else, by this schema:\n{}"


def in_words(schema: Mapping[str, Any]) -> str:
    """How the schema is told in words."""
    return _IN_WORDS.format(json.dumps(schema, ensure_ascii=False))


def parameters_of(form: Form, schema: Mapping[str, Any]) -> tuple[ModelRequestParameters, str]:
    """How a request says what it wants in a form, and what instructions say besides."""
    title, whole = schema["title"], dict(schema)
    if form == "native":
        output = OutputObjectDefinition(whole, title, strict=True)
        return ModelRequestParameters(output_mode="native", output_object=output), ""
    if form == "tool":
        tool = ToolDefinition(
            name=title,
            parameters_json_schema=whole,
            description="Give the reply.",
            kind="output",
            strict=True,
        )
        asked = ModelRequestParameters(
            output_mode="tool", output_tools=[tool], allow_text_output=False
        )
        return asked, ""
    said = "\n\n" + in_words(schema)
    if form == "json":
        return ModelRequestParameters(output_mode="prompted", prompted_output_template=False), said
    return ModelRequestParameters(), said


def text_of(reply: ModelResponse) -> tuple[str, str]:
    """A reply as it was written, or the arguments of the tool that it calls; and what an endpoint
    gives apart as thoughts."""
    calls = [part.args_as_json_str() for part in reply.parts if isinstance(part, ToolCallPart)]
    words = [part.content for part in reply.parts if isinstance(part, TextPart)]
    thought = [part.content for part in reply.parts if isinstance(part, ThinkingPart)]
    return calls[0] if calls else "".join(words), "\n".join(thought).strip()


def piece_of(event: object) -> tuple[str, str]:
    """What an event of a stream says, and what is thought in it."""
    if isinstance(event, PartStartEvent):
        part: Any = event.part
    elif isinstance(event, PartDeltaEvent):
        part = event.delta
    else:
        return "", ""
    if isinstance(part, TextPart):
        return part.content, ""
    if isinstance(part, TextPartDelta):
        return part.content_delta, ""
    if isinstance(part, ThinkingPart):
        return "", part.content
    if isinstance(part, ThinkingPartDelta):
        return "", part.content_delta or ""
    return "", ""


def object_of(text: str, schema: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """The object of a reply, and '' or what is wrong: as it is, or as far as it can be mended."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    wrong = violation(value, schema) if value is not None else "it is no JSON"
    if not wrong:
        return dict(value), ""
    found = (each for each in objects_in(text) if not violation(each, schema))
    mended = next(found, None)
    return (mended, "") if mended is not None else ({}, wrong)
