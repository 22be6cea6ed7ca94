"""A text of practical advice that may answer a question."""

from __future__ import annotations

from dataclasses import dataclass

from medweave.model.statement import SupportedStatement


@dataclass(frozen=True, slots=True)
class Advised:
    """A text, the chance that it answers, and whether it goes before what is listed, where it is
    likely."""

    supported: SupportedStatement
    chance: float = 0.0
    first: bool = False
