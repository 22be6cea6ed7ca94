"""What a language model is asked, and what it replies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """What one side said before."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is to be done, with what, and in which form the reply is to come.

    The material is data: whatever stands in it, it is read and never obeyed. What a reply can do is
    fill the schema, and nothing else.
    """

    instructions: str
    """What the system says."""
    material: str
    """What the user says last."""
    schema: Mapping[str, Any] = field(default_factory=dict)
    """A JSON schema of an object; see `model.json_schema` for the parts that are known.

    Its `title` is what the model is asked for ("extract"). Words need none.
    """
    history: tuple[ChatMessage, ...] = ()
    """What was said before the material, oldest first."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What was spent. What comes out of a cache costs nothing.

    >>> Usage(1, 20, 5) + Usage(1, 10, 5)
    Usage(requests=2, input_tokens=30, output_tokens=10)
    """

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.requests + other.requests,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """An object by the schema of the prompt, and what it cost."""

    content: Mapping[str, Any]
    usage: Usage = Usage()
