"""Talk2Doc: what the past dialogues say that are most like a message.

Source: document 000, "Talk2Doc: A Patient Q&A system using Retrieval-Augmented Generation with
Weighted Knowledge Graphs and LLMs"; the first three dialogues. Where no dialogue is like it,
textual retrieval (T11).
"""

from __future__ import annotations

from medweave.generation.strategies import bm25
from medweave.generation.strategies.strategy import Search
from medweave.model.statement import SupportedStatement

_DIALOGUES = 3


def retrieve(search: Search) -> list[SupportedStatement]:
    """Statements of the dialogues; else of the documents that hold the words of the message."""
    found = search.of_documents(search.dialogues(_DIALOGUES))
    return search.by_words(found) or found or bm25.retrieve(search)
