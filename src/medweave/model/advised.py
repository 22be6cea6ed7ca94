"""A text of practical advice that may answer a question."""

from __future__ import annotations

from dataclasses import dataclass

from medweave.model.statement import SupportedStatement


@dataclass(frozen=True, slots=True)
class Advised:
    """A text, and whether it so likely answers that it goes before what else is told."""

    supported: SupportedStatement
    first: bool = False
