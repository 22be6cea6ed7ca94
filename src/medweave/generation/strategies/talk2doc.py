"""Talk2Doc: what past dialogues like a message say."""

from __future__ import annotations

from medweave.generation.strategies.bm25 import bm25
from medweave.generation.strategies.strategy import Found, Search

_DIALOGUES = 3


def talk2doc(search: Search) -> Found:
    """Talk2Doc: what the past dialogues say that are most like a message; where none is like it,
    textual retrieval (T11).

    Source: document 000, "Talk2Doc: A Patient Q&A system using Retrieval-Augmented Generation with
    Weighted Knowledge Graphs and LLMs"; the first three dialogues.
    """
    found = search.of_documents(search.dialogues(_DIALOGUES))
    return search.by_words(found) or found or bm25(search)
