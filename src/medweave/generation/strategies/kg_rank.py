"""KG-Rank: the statements beside what a question names, ranked, and no two alike.

Source: Yang, Liu, Marrese-Taylor and others, "KG-Rank: enhancing large language models for medical
QA with knowledge graphs and ranking techniques" (arXiv 2403.05881, 2024), as document 001 uses it
as a baseline. Similarity is that of words, the choice by maximal marginal relevance.
"""

from __future__ import annotations

from medweave.generation.strategies.strategy import MOST, Search
from medweave.model.statement import SupportedStatement
from medweave.retrieval.graph.pruning import best


def retrieve(search: Search) -> list[SupportedStatement]:
    """One hop from what is named, by maximal marginal relevance."""
    found = {each.statement.id: each for each in search.beside(search.things())}
    keys = best(search.question.text, found, {}, search.knowledge, room=MOST)
    return [found[key] for key in keys]
