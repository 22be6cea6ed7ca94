"""What an endpoint of a language model can do, as it was found by asking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from medweave.model.json_form import json_of

Structured = Literal["native", "tool", "json", "prompted", "none"]


@dataclass(frozen=True, slots=True)
class ModelChecked:
    """What came back of some small requests."""

    model: str
    url: str
    reachable: bool
    streaming: bool
    structured: Structured
    """The best form in which an object that was asked for came back right."""
    reasoning: bool
    """Whether it tells what it thinks."""
    usage: bool
    """Whether it counts tokens."""
    calls: int
    seconds: float
    problems: tuple[str, ...] = ()

    @property
    def can_be_used(self) -> bool:
        """Whether it says words, or fills in objects."""
        return self.reachable and (self.streaming or self.structured != "none")

    def to_json(self) -> dict[str, Any]:
        """As `medweave model check` prints it."""
        form = "model url reachable streaming structured reasoning usage calls seconds problems"
        return json_of(self, form)
