"""What a base holds, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from medweave.ports import StoreView
from medweave.vocabulary.entities import ranked_concepts
from medweave.vocabulary.knowledge import Knowledge


def statistics(knowledge: Knowledge) -> dict[str, Any]:
    """Counts of a base: totals, entities by concept, statements by predicate, topology."""
    store: StoreView = knowledge.store
    counts, version, tally = store.counts(), store.version(), store.tally()

    def concept_of(votes: Mapping[str, int]) -> str:
        return next(iter(ranked_concepts(votes, knowledge.vocabulary)), "thing")

    topology = store.topology(concept_of)
    return {
        "base": version.to_json(),
        "documents": counts.documents,
        "statements": counts.statements,
        "evidence": counts.evidence,
        "entities": counts.entities,
        "sources": store.sources(),
        "concepts": _ordered({name: part.nodes for name, part in topology.concepts.items()}),
        "predicates": _ordered(tally.predicates),
        "evidence_classes": _ordered(tally.evidence_classes),
        "conflicts": tally.conflicts,
        "topology": topology.to_json(),
    }


def _ordered(counted: Mapping[str, int]) -> dict[str, int]:
    return {name: counted[name] for name in sorted(counted, key=lambda n: (-counted[n], n))}
