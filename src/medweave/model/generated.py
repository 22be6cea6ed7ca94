"""What a language model added to an answer, what of it was let through, and what it took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from medweave.model.claim import Reason, Verdict
from medweave.model.prompt import NO_USAGE, Usage

GateMode = Literal["remove", "mark"]


@dataclass(frozen=True, slots=True)
class ModelUse:
    """How a language model may be used for one question."""

    gate: GateMode = "remove"
    """What becomes of its sentences that nothing supports."""
    supplement: bool = False
    """Whether things that it adds may be used, marked as such."""
    seconds: float = 60.0
    """For all its requests together."""
    calls: int = 8
    """Requests at most, those that fail included."""
    strategy: str = "ours"
    """How is found what it is given to read; see `generation.strategies`."""


MODEL_USE = ModelUse()


@dataclass(frozen=True, slots=True)
class Fallback:
    """A part that went wrong, and what was done instead."""

    role: str
    reason: str
    instead: str = "rules"


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A sentence of a model, with what the base has on it.

    `sentence` is its place among the sentences of the answer; None where it was taken out.
    """

    text: str
    sentence: int | None
    verdict: Verdict
    statements: tuple[str, ...] = ()
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Generated:
    """All that a model had to do with an answer."""

    model: str = ""
    """Its id; '' for none."""
    sub_questions: tuple[str, ...] = ()
    """What the question was taken apart into."""
    claims: tuple[CheckedClaim, ...] = ()
    fallback: tuple[Fallback, ...] = ()
    usage: Usage = NO_USAGE
    seconds: float = 0.0
    reasoning: str = ""
    """What the model thought."""

    def usage_to_json(self) -> dict[str, Any]:
        """`usage` of an answer. What a token costs, nobody tells."""
        spent = self.usage
        return {
            "calls": spent.requests,
            "cached": spent.cached,
            "input_tokens": spent.input_tokens,
            "output_tokens": spent.output_tokens,
            "seconds": round(self.seconds, 3),
            "cost": None,
        }


NOTHING_GENERATED = Generated()
"""Where no model was asked."""
