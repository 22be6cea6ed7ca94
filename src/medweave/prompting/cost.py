"""What one call of a language model may take, and what it takes."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

from medweave.errors import LanguageModelLimitError
from medweave.model.prompt import Prompt, Usage


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much a model may be asked, and how long is waited."""

    seconds: float = 120
    """For a whole call: all its requests, tries and pauses."""
    tries: int = 3
    """Of a request that is not answered, with pauses that grow."""
    pause: float = 0.5
    """Seconds before the second try; each further one is twice as long."""
    longest_pause: float = 10
    """An endpoint that asks for more is not asked again."""
    repairs: int = 1
    """So often a reply that does not keep to the schema is asked for again."""
    answer_tokens: int = 8_000
    """Of one reply, with what the model thinks before it."""
    reply_bytes: int = 8_000_000
    """Of one reply as it is sent: a stream wraps each token in some hundred bytes."""
    tokens: int = 0
    """Of all requests and replies of a run; 0 for no limit."""


ALLOWANCE = Allowance()
"""What is right for most."""


class Cost:
    """What one call costs, counted as requests leave, with what it may cost."""

    def __init__(self, prompt: Prompt, allowance: Allowance) -> None:
        self.prompt = prompt
        self.allowance = allowance
        self.requests = 0
        self.input_tokens = 0
        self.output_tokens = 0
        self.over = ""
        """Which limit kept it from going on; '' for none."""
        most = prompt.most.seconds
        self.seconds = allowance.seconds if most is None else min(most, allowance.seconds)
        self._until = monotonic() + self.seconds

    def count(self) -> None:
        """Called before each request: one too many never leaves."""
        most = self.prompt.most.requests
        if most is not None and self.requests >= most:
            self.over = "its limit is reached: no request is left"
        elif self.left_seconds <= 0:
            self.over = "its limit is reached: no time is left"
        if self.over:
            raise LanguageModelLimitError(self.over)
        self.requests += 1

    def never_left(self) -> None:
        """Called where a request that was counted did not get as far as to be sent."""
        self.requests -= 1

    @property
    def left_seconds(self) -> float:
        """Time that is left."""
        return max(0.0, self._until - monotonic())

    @property
    def reply_tokens(self) -> int:
        """Of one reply at most."""
        most, usual = self.prompt.most.tokens, self.allowance.answer_tokens
        return usual if most is None else min(most, usual)

    @property
    def repairs(self) -> int:
        """How often it may be asked for again, where what is left is enough for that."""
        usual, most = self.allowance.repairs, self.prompt.most
        enough = 2 * (self.prompt.tokens + self.allowance.answer_tokens)
        return 0 if most.tokens is not None and most.tokens < enough else usual

    def pause(self, tried: int, retry_after: float | None) -> float | None:
        """How long to wait before trying again; None where that is of no use."""
        allowed, most = self.allowance, self.prompt.most.requests
        wait = retry_after if retry_after is not None else allowed.pause * 2 ** (tried - 1)
        spent = tried >= allowed.tries or (most is not None and self.requests >= most)
        longest = min(allowed.longest_pause, self.left_seconds)
        return (
            wait if not spent and wait <= longest else None
        )  # what is no number is not waited for

    @property
    def usage(self) -> Usage:
        """What it has cost so far."""
        return Usage(self.requests, self.input_tokens, self.output_tokens)
