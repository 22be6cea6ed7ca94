"""Dense retrieval: statements by what their words mean."""

from __future__ import annotations

from medweave.errors import ConfigurationError
from medweave.generation.strategies.strategy import MOST, Found, Search
from medweave.retrieval.graph.pruning import names_and_relations


def embedding(search: Search) -> Found:
    """Dense retrieval: the statements whose words have the greatest cosine with the question.

    They are chosen among those of papers, by the vectors of the base, and those beside what the
    question names, which get vectors as they are needed: a base keeps none of these. Raises
    `ConfigurationError` where there is nothing to make or compare vectors with.
    """
    near = search.near(MOST)
    some = {each.statement.id: each for each in (*(near or ()), *search.beside(search.things()))}
    found = list(some.values())
    question = search.question
    words = list(names_and_relations(found, search.knowledge, question.language))
    cosines = search.nearness(question.text, words) if found else ()
    if cosines:
        order = sorted(zip(cosines, some, strict=True), key=lambda pair: (-pair[0], pair[1]))
        return [some[key] for _, key in order[:MOST]]
    if near is None and not cosines:
        raise ConfigurationError(
            "there is no embedder to compare the question with, and the base has no vectors",
            where="strategy embedding",
            remedy="run `pip install 'medweave[dense]'` and `medweave weights install`; "
            "`medweave vectors make` makes those of papers",
        )
    return list(near or ())
