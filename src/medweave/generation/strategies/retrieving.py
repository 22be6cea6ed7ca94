"""Other ways to find what a model is given to read, as document 001 uses them as baselines.

Things are linked by our names, also where a source lets a model name them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

from medweave.errors import ConfigurationError, NotFoundError
from medweave.generation.strategies.strategy import MOST, Search
from medweave.model.statement import SupportedStatement
from medweave.retrieval.graph.pruning import best, ranks
from medweave.retrieval.graph.shortest_paths import paths_between
from medweave.retrieval.graph.subgraph import expanded

_DOCUMENTS = 5 * MOST
_DIALOGUES = 3
_EACH = 5

Found = list[SupportedStatement]


def bm25(search: Search) -> Found:
    """BM25: statements of the documents that hold the words of a question, by these words.

    Source: Robertson and Zaragoza, "The probabilistic relevance framework: BM25 and beyond" (2009).
    """
    hits = search.knowledge.store.search_text(search.question.text, limit=_DOCUMENTS)
    return search.by_words(search.of_documents([hit.document for hit in hits]))


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


def kg_rank(search: Search) -> Found:
    """KG-Rank: the statements beside what a question names, by maximal marginal relevance, so that
    no two are alike. Similarity is that of words.

    Source: Yang, Liu, Marrese-Taylor and others, "KG-Rank: enhancing large language models for
    medical QA with knowledge graphs and ranking techniques" (arXiv 2403.05881, 2024).
    """
    found = {each.statement.id: each for each in search.beside(search.things())}
    keys = best(search.question.text, found, {}, search.knowledge, room=MOST)
    return [found[key] for key in keys]


def rok(search: Search) -> Found:
    """RoK: what lies up to two hops from what a question names, by personalised PageRank from
    there: first the statements both ends of which weigh most.

    Source: Jiang, Wang, Luo and others, "Reasoning on efficient knowledge paths: knowledge graph
    guides large language model for domain question answering" (ICKG 2024, pages 142-149).
    """
    core = sorted(search.things())
    if not core:
        return []
    found = expanded(core, search.knowledge)
    rank = ranks(found, core)

    def weight(key: str) -> tuple[float, str]:
        return -sum(rank.get(end, 0.0) for end in found[key].statement.entities), key

    return [found[key] for key in sorted(found, key=weight)]


def talk2doc(search: Search) -> Found:
    """Talk2Doc: what the past dialogues say that are most like a message; where none is like it,
    textual retrieval (T11).

    Source: document 000, "Talk2Doc: A Patient Q&A system using Retrieval-Augmented Generation with
    Weighted Knowledge Graphs and LLMs"; the first three dialogues.
    """
    found = search.of_documents(search.dialogues(_DIALOGUES))
    return search.by_words(found) or found or bm25(search)


WAYS: Mapping[str, Callable[[Search], Found]] = {
    "bm25": bm25, "embedding": embedding, "mindmap": mindmap, "kg-rank": kg_rank, "rok": rok,
    "talk2doc": talk2doc,
}  # fmt: skip
"""By the names of strategies, how each finds."""
