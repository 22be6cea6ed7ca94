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
class Limits:
    """How much may be spent; None is without a limit."""

    requests: int | None = None
    tokens: int | None = None
    seconds: float | None = None


NO_LIMITS = Limits()
_LETTERS = 4
"""Characters of a token, about; of what is not ASCII, each is one."""


def about_tokens(text: str) -> int:
    """About how many tokens a text has: no two models agree.

    >>> about_tokens("dry cough"), about_tokens("干咳")
    (2, 2)
    """
    plain = len(text.encode("ascii", "ignore"))
    return plain // _LETTERS + len(text) - plain


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
    most: Limits = NO_LIMITS
    """Requests for it, tokens of a reply, and seconds for all of it, at most; what is asked does
    not depend on it."""

    @property
    def tokens(self) -> int:
        """About how many tokens it has."""
        texts = (self.instructions, self.material, *(turn.text for turn in self.history))
        return sum(map(about_tokens, texts))


@dataclass(frozen=True, slots=True)
class Usage:
    """What was spent. What comes out of a cache costs nothing.

    >>> Usage(1, 20, 5) + Usage(1, 10, 5)
    Usage(requests=2, input_tokens=30, output_tokens=10, cached=0)
    """

    requests: int = 0
    """All that left the program: those that failed, were refused or tried again, too."""
    input_tokens: int = 0
    output_tokens: int = 0
    cached: int = 0
    """Replies that were kept."""

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.requests + other.requests,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached + other.cached,
        )

    @property
    def tokens(self) -> int:
        """Those that were sent and those that came back."""
        return self.input_tokens + self.output_tokens


NO_USAGE = Usage()
"""Nothing was asked."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An object by the schema of the prompt, and what it cost."""

    content: Mapping[str, Any]
    usage: Usage = Usage()
    reasoning: str = ""
    """What the model thought before it replied, where it tells."""


@dataclass(frozen=True, slots=True)
class Written:
    """A reply as it came, or words as they were said, and what they cost."""

    text: str
    usage: Usage = Usage()
    reasoning: str = ""
    """What the model thought before its words, where it tells."""
