"""The numbers of an answer's sources."""

from __future__ import annotations

from medweave.model.answer import Answer


def source_numbers(answer: Answer) -> dict[str, int]:
    """Evidence by identifier, numbered in the order in which sentences use it."""
    ordered: dict[str, None] = {}
    for sentence in answer.sentences:
        for statement in sentence.statements:
            ordered.update((item.id, None) for item in answer.evidence_of(statement))
    for found in answer.statements.values():
        ordered.update((item.id, None) for item in found.evidence)
    return {identifier: number for number, identifier in enumerate(ordered, 1)}
