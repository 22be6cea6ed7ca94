"""RoK: what lies up to two hops away, by the weight of its ends."""

from __future__ import annotations

from medweave.generation.strategies.strategy import Found, Search
from medweave.retrieval.graph.pruning import ranks
from medweave.retrieval.graph.subgraph import expanded


def rok(search: Search) -> Found:
    """RoK: what lies up to two hops from what a question names, by personalised PageRank from
    there: first the statements both ends of which weigh most.

    Source: Jiang, Wang, Luo and others, "Reasoning on efficient knowledge paths: knowledge graph
    guides large language model for domain question answering" (ICKG 2024, pages 142-149).
    """
    core = sorted(search.things())
    if not core:
        return []
    found = expanded(core, search.knowledge)
    rank = ranks(found, core)

    def weight(key: str) -> tuple[float, str]:
        return -sum(rank.get(end, 0.0) for end in found[key].statement.entities), key

    return [found[key] for key in sorted(found, key=weight)]
