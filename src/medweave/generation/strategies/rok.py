"""RoK: what lies up to two hops from what a question names, by personalised PageRank from there.

Source: Jiang, Wang, Luo and others, "Reasoning on efficient knowledge paths: knowledge graph guides
large language model for domain question answering" (ICKG 2024, pages 142-149), as document 001 uses
it as a baseline. The things are linked by our names, where the source lets a model name them.
"""

from __future__ import annotations

from medweave.generation.strategies.strategy import Search
from medweave.model.statement import SupportedStatement
from medweave.retrieval.graph.pruning import ranks
from medweave.retrieval.graph.subgraph import expanded


def retrieve(search: Search) -> list[SupportedStatement]:
    """The statements both ends of which weigh most."""
    core = sorted(search.things())
    if not core:
        return []
    found = expanded(core, search.knowledge)
    rank = ranks(found, core)

    def weight(key: str) -> tuple[float, str]:
        return -sum(rank.get(end, 0.0) for end in found[key].statement.entities), key

    return [found[key] for key in sorted(found, key=weight)]
