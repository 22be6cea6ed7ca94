"""BM25: statements of the documents that hold the words of a question, by these words.

Source: Robertson and Zaragoza, "The probabilistic relevance framework: BM25 and beyond" (2009), as
document 001 uses it as a baseline.
"""

from __future__ import annotations

from medweave.generation.strategies.strategy import MOST, Search
from medweave.model.statement import SupportedStatement

_DOCUMENTS = 5 * MOST


def retrieve(search: Search) -> list[SupportedStatement]:
    """The statements whose words are those of the question."""
    hits = search.knowledge.store.search_text(search.question.text, limit=_DOCUMENTS)
    return search.by_words(search.of_documents([hit.document for hit in hits]))
