"""KG-Rank: what lies beside what is named, ranked so that no two are alike."""

from __future__ import annotations

from medweave.generation.strategies.strategy import MOST, Found, Search
from medweave.retrieval.graph.pruning import best


def kg_rank(search: Search) -> Found:
    """KG-Rank: the statements beside what a question names, by maximal marginal relevance, so that
    no two are alike. Similarity is that of words.

    Source: Yang, Liu, Marrese-Taylor and others, "KG-Rank: enhancing large language models for
    medical QA with knowledge graphs and ranking techniques" (arXiv 2403.05881, 2024).
    """
    found = {each.statement.id: each for each in search.beside(search.things())}
    keys = best(search.question.text, found, {}, search.knowledge, room=MOST)
    return [found[key] for key in keys]
