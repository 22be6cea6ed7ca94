"""Dense retrieval: statements by what their words mean."""

from __future__ import annotations

from medweave.errors import ConfigurationError
from medweave.generation.strategies.strategy import MOST, Found, Search


def embedding(search: Search) -> Found:
    """Dense retrieval: the statements whose relations, in words, have the greatest cosine with the
    question, by the vectors of the base. Raises `ConfigurationError` where it has none of them."""
    found = search.near(MOST)
    if found is None:
        raise ConfigurationError(
            "the base has no vectors of relations in this language",
            where="strategy embedding",
            remedy="make them with `medweave vectors make`",
        )
    return list(found)
