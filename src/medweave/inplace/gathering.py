"""Statements that were found in several places, put together."""

from __future__ import annotations

from collections.abc import Iterable

from medweave.model.statement import Evidence, Statement, SupportedStatement
from medweave.stores.order import in_evidence_order


def gathered(found: Iterable[tuple[Statement, Evidence, str]]) -> list[SupportedStatement]:
    """Statements, those that are the same as one with all evidence, as they were found first.

    Each comes with a piece of its evidence, and what orders that among others that say the same:
    the name of its document.
    """
    statements: dict[str, Statement] = {}
    evidence: dict[str, dict[str, tuple[Evidence, str]]] = {}
    for statement, item, name in found:
        statements[statement.id] = statement
        evidence.setdefault(statement.id, {})[item.id] = (item, name)
    return [
        SupportedStatement(one, tuple(in_evidence_order(evidence[one.id].values())))
        for one in statements.values()
    ]
