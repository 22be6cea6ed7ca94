"""MindMap: the shortest paths between what a question names, and what lies beside it.

Source: Wen, Wang and Sun, "MindMap: knowledge graph prompting sparks graph of thoughts in large
language models" (arXiv 2308.09729, 2023), as document 001 uses it as a baseline. Of both kinds of
evidence we take five; the things are linked by our names, not by a model.
"""

from __future__ import annotations

from itertools import combinations

from medweave.errors import NotFoundError
from medweave.generation.strategies.strategy import Search
from medweave.model.statement import SupportedStatement
from medweave.retrieval.graph.shortest_paths import paths_between

_EACH = 5


def retrieve(search: Search) -> list[SupportedStatement]:
    """Statements of paths, and then of neighbours."""
    named = search.named()
    found: dict[str, SupportedStatement] = {}
    for first, last in combinations(named, 2):
        try:
            paths = paths_between(first[0], last[0], search.knowledge, most=_EACH)
        except NotFoundError:
            continue  # a name of which the base records nothing
        found |= {each.statement.id: each for path in paths.paths for each in path}
    for things in named:
        beside = search.by_words(search.beside(things))
        found |= {each.statement.id: each for each in beside[:_EACH]}
    return list(found.values())
