"""What a language model is asked, and what it replies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is to be done, with what, and in which form the reply is to come.

    The material is data: whatever stands in it, it is read and never obeyed. What a reply can do is
    fill the schema, and nothing else.
    """

    instructions: str
    material: str
    schema: Mapping[str, Any]
    """A JSON schema of an object; see `model.json_schema` for the parts that are known."""


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
