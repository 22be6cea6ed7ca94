"""Dense retrieval: the statements that are nearest to a question in meaning.

By the vectors of a base, as document 001 uses it as a baseline: the cosine of a relation in words
with the question.
"""

from __future__ import annotations

from medweave.errors import ConfigurationError
from medweave.generation.strategies.strategy import MOST, Search
from medweave.model.statement import SupportedStatement


def retrieve(search: Search) -> list[SupportedStatement]:
    """The nearest statements. Raises `ConfigurationError` where the base has no vectors of them."""
    found = search.near(MOST)
    if found is None:
        raise ConfigurationError(
            "the base has no vectors of relations in this language",
            where="strategy embedding",
            remedy="make them with `medweave vectors make`",
        )
    return list(found)
