"""MindMap: ways between what is named, and what lies beside it."""

from __future__ import annotations

from itertools import combinations

from medweave.errors import NotFoundError
from medweave.generation.strategies.strategy import Found, Search
from medweave.model.statement import SupportedStatement
from medweave.retrieval.graph.shortest_paths import paths_between

_EACH = 5


def mindmap(search: Search) -> Found:
    """MindMap: the shortest paths between what a question names, then what lies beside it; five of
    both kinds of evidence.

    Source: Wen, Wang and Sun, "MindMap: knowledge graph prompting sparks graph of thoughts in large
    language models" (arXiv 2308.09729, 2023).
    """
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
