"""What a base holds, in numbers."""

from __future__ import annotations

from collections import Counter
from typing import Any

from medweave.ports import GraphStore
from medweave.vocabulary.knowledge import Knowledge


def statistics(knowledge: Knowledge) -> dict[str, Any]:
    """Counts of a base: totals, entities by concept, statements by predicate, conflicts."""
    store: GraphStore = knowledge.store
    counts, version = store.counts(), store.version()
    statements = store.match()
    concepts = Counter(
        entity.concept for entity in knowledge.entities.all(sorted(knowledge.things)).values()
    )
    classes = Counter(item.evidence_class for found in statements for item in found.evidence)
    return {
        "base": {"id": version.id, "revision": version.revision, "hash": version.hash},
        "documents": counts.documents,
        "statements": counts.statements,
        "evidence": counts.evidence,
        "entities": counts.entities,
        "sources": store.sources(),
        "concepts": _ordered(concepts),
        "predicates": _ordered(Counter(found.statement.predicate for found in statements)),
        "evidence_classes": _ordered(classes),
        "conflicts": sum(found.conflicting for found in statements),
    }


def _ordered(counted: Counter[Any]) -> dict[str, int]:
    return {str(name): counted[name] for name in sorted(counted, key=lambda n: (-counted[n], n))}
