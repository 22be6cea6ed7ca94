"""BM25 over the words of documents, the usual ranking of text retrieval."""

from __future__ import annotations

from medweave.generation.strategies.strategy import MOST, Found, Search

_DOCUMENTS = 5 * MOST


def bm25(search: Search) -> Found:
    """BM25: statements of the documents that hold the words of a question, by these words.

    Source: Robertson and Zaragoza, "The probabilistic relevance framework: BM25 and beyond" (2009).
    """
    hits = search.knowledge.store.search_text(search.question.text, limit=_DOCUMENTS)
    return search.by_words(search.of_documents([hit.document for hit in hits]))
