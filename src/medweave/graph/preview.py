"""What a build would make of a file: its mapping, a few rows as statements, what is left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from medweave.model.document import Extraction, Skipped
from medweave.model.json_form import json_of
from medweave.model.statement import Literal

ROWS = 3
"""Records shown."""


@dataclass(frozen=True, slots=True)
class Preview:
    """A look at a file before it is built from."""

    path: str
    recognised: bool
    """Whether the layout is known; otherwise `mapping` is a guess to be looked over."""
    mapping: str
    """The mapping as YAML."""
    extractions: tuple[Extraction, ...]
    left_out: tuple[tuple[str, str], ...]
    """(column, why)."""
    skipped: tuple[Skipped, ...]
    sure: float = 1.0
    """From 0 to 1: how sure the mapping is; 1 for a known or named one."""

    def to_json(self) -> dict[str, Any]:
        """The preview as one JSON object."""
        records = [
            {"document": made.document.name, "statements": statements_of(made)}
            for made in self.extractions
        ]
        left_out = [{"column": column, "reason": reason} for column, reason in self.left_out]
        return (
            json_of(self, "file=path recognised sure mapping")
            | {"records": records, "left_out": left_out}
            | json_of(self, "skipped")
        )


def statements_of(made: Extraction) -> list[dict[str, Any]]:
    """The statements of one record, with the names the record itself uses."""
    named = sorted(made.mentions, key=lambda mention: mention.preferred)
    names = {mention.entity: mention.name for mention in named}
    evidence = {item.statement: item for item in made.evidence}
    return [
        {
            "subject": names.get(statement.subject, statement.subject),
            "predicate": statement.predicate,
            "object": statement.object.value
            if isinstance(statement.object, Literal)
            else names.get(statement.object, statement.object),
            "qualifiers": dict(statement.qualifiers),
            "polarity": evidence[statement.id].polarity,
            "quote": evidence[statement.id].quote,
        }
        for statement in made.statements
    ]
