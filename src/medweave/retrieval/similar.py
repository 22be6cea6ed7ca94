"""Past dialogues like a message: by equation 9, by their words, as wholes, or by several of these.

`best` is what was measured best (decision 29): whole dialogues by their cosine, and their words.

Where vectors cannot be had, words remain, and it is said: any failure falls back to textual
retrieval (T11).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from medweave.errors import ConfigurationError, EmbeddingError
from medweave.language.segmentation import index_terms
from medweave.model.dialogue_tree import WHOLE, TreeKey
from medweave.model.document import Document
from medweave.model.link_weight import similarity
from medweave.model.similar import (
    SIMILAR_HOW,
    MatchedSection,
    MatchedWhole,
    MatchedWords,
    Message,
    Similar,
    SimilarBy,
    SimilarDialogue,
    SimilarHow,
    Why,
)
from medweave.model.statement import EvidenceClass
from medweave.model.vectors import Vectors
from medweave.ports import Embedder, GraphStore, SupportsTextSearch, SupportsVectors, VectorIndex
from medweave.retrieval.current_graph import CurrentGraph
from medweave.retrieval.dialogue_graph import DialogueGraph, Scored
from medweave.vocabulary.dialogue_trees import trees_of
from medweave.vocabulary.vocabulary import Vocabulary

FUSED = 100
"""So many of each ranking are fused."""
_CONSTANT = 60
"""Of reciprocal rank fusion: Cormack, Clarke and Buettcher, SIGIR 2009."""
_WORDS_SHOWN = 12
_DIGITS = 6
_OTHERS: tuple[EvidenceClass, ...] = tuple(
    known for known in get_args(EvidenceClass) if known != "dialogue"
)


class PastDialogues:
    """The dialogues of a base as messages are compared with them.

    The graph is made when it is first needed, and brought up to date when the base
    changes. `embedder` opens what makes vectors, or says why there is nothing.
    """

    def __init__(
        self,
        store: GraphStore,
        vocabulary: Vocabulary,
        embedder: Callable[[], tuple[Embedder | None, str]],
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._graph = CurrentGraph(store, vocabulary)

    def like(self, message: Message, k: int, how: SimilarHow = SIMILAR_HOW) -> Similar:
        """The `k` dialogues most like a message, best first, each with why.

        Scores are those of equation 9, those of full text (BM25), or sums of reciprocal ranks,
        as `how` says; they can be compared within one answer alone. Where there are no vectors,
        the ranking is by words, and `missing` says why.
        """
        ranking: SimilarBy = "text"
        missing: tuple[str, ...] = ()
        found: Sequence[SimilarDialogue] | None = None
        if how.ranking != "text":
            try:
                found, missing = self._by_vectors(message, k, how)
                ranking = how.ranking
            except (EmbeddingError, ConfigurationError) as error:
                missing = (_fallen_back(error),)
        if found is None:
            found = self._by_words(message, k)
        told = tuple(self._told(found, message))
        return Similar(told, ranking, message.sections, message.intents, missing)

    def _by_vectors(
        self, message: Message, k: int, how: SimilarHow
    ) -> tuple[Sequence[SimilarDialogue], tuple[str, ...]]:
        """What is found, and what is not among it.

        Raises `EmbeddingError` or `ConfigurationError` where there are no vectors to be had.
        """
        index = self._index()
        embedder = self._embedder_of(index)
        graph, missing = self._graph_now(index, how)
        names = [name for name in message.sections if name in graph.sections]
        texts = [message.text, *(message.sections[name] for name in names)]
        different = list(dict.fromkeys(texts))
        vectors = embedder.embed(different)
        asked = {
            name: graph.vector(vectors, different.index(text))
            for name, text in zip(names, texts[1:], strict=True)
        }
        if how.ranking == "best":
            whole = Vectors.of(vectors.model, [vectors[0]])
            by_whole = _by_whole(index, whole, max(k, FUSED))
            best = fused(by_whole, self._by_words(message, max(k, FUSED)))[:k]
            return [_explained(one, graph, asked, message) for one in best], missing
        depth = k if how.ranking == "equation9" else max(k, FUSED)
        scored = graph.equation9(asked, depth, how.score_norm)
        found = [
            SimilarDialogue("", one.tree.document, one.score, _matched(one, graph, message))
            for one in scored
        ]
        if how.ranking == "hybrid":
            found = fused(found, self._by_words(message, max(k, FUSED)))[:k]
        return found, missing

    def _embedder_of(self, index: VectorIndex) -> Embedder:
        """What made the vectors of the base. Raises `EmbeddingError` where it is not to be had."""
        if not self._store.count_mentioned_as("dialogue"):
            raise EmbeddingError(
                "this base holds no dialogues", remedy="add some with `medweave add dialogues`"
            )
        if not index.counts().get("section"):
            raise EmbeddingError(
                "the dialogues of this base have no vectors",
                remedy="make them with `medweave vectors make`",
            )
        embedder, reason = self._embedder()
        if embedder is None:
            raise EmbeddingError(f"there is no embedder ({reason})")
        if index.model() != embedder.model:
            raise EmbeddingError(
                f"the vectors of this base are not by {embedder.model.id}",
                remedy="set the embedder that made them, or `medweave vectors forget` them",
            )
        return embedder

    def _index(self) -> VectorIndex:
        if not isinstance(self._store, SupportsVectors):
            raise ConfigurationError(
                "this kind of base keeps no vectors", remedy="use a base in a file"
            )
        return self._store.vectors()

    def _graph_now(
        self, index: VectorIndex, how: SimilarHow
    ) -> tuple[DialogueGraph, tuple[str, ...]]:
        """The graph of the base as it is, and what is not in it."""
        graph, without = self._graph.now(index, how)
        if not without:
            return graph, ()
        return graph, (
            f"{without} dialogues have no vectors, and are found by words alone:"
            " make them with `medweave vectors make`",
        )

    def _by_words(self, message: Message, k: int) -> list[SimilarDialogue]:
        if not isinstance(self._store, SupportsTextSearch):
            return []
        hits = self._store.search_text(message.text, limit=k, without=_OTHERS)
        return [
            SimilarDialogue("", hit.document, hit.score, (MatchedWords((), place),))
            for place, hit in enumerate(hits, 1)
        ]

    def _told(
        self, found: Sequence[SimilarDialogue], message: Message
    ) -> Iterator[SimilarDialogue]:
        """What was found, with its id, the texts of its sections, and the words it shares."""
        linked = {why.linked for one in found for why in one.why
                  if isinstance(why, MatchedSection)}  # fmt: skip
        wanted = {one.document for one in found} | linked - {""}
        documents = {document.id: document for document in self._store.documents(wanted)}
        names = {identifier: document.name for identifier, document in documents.items()}
        texts = self._texts(found)
        for one in found:
            document = documents[one.document]
            why = tuple(
                replace(part, text=texts[one.document][part.section],
                        linked=names.get(part.linked, ""))
                if isinstance(part, MatchedSection)
                else replace(part, words=_shared(message.text, document))
                if isinstance(part, MatchedWords)
                else part
                for part in one.why
            )  # fmt: skip
            yield replace(one, id=document.name, why=why)

    def _texts(self, found: Sequence[SimilarDialogue]) -> dict[str, Mapping[str, str]]:
        """The sections of dialogues, by document."""
        roots = {why.text for one in found for why in one.why if isinstance(why, MatchedSection)}
        return {
            tree.key.document: tree.sections
            for trees in trees_of(self._store, sorted(roots))
            for tree in trees
        }


def _by_whole(index: VectorIndex, asked: Vectors, k: int) -> list[SimilarDialogue]:
    """Dialogues as wholes, by their cosine with the whole message."""
    [near] = index.search("publication", asked, k, concepts=[WHOLE])
    return [
        SimilarDialogue(
            "", TreeKey.of(one.key).document, one.score,
            (MatchedWhole(round(similarity(one.score), _DIGITS), place),),
        )
        for place, one in enumerate(near, 1)
    ]  # fmt: skip


def _explained(
    one: SimilarDialogue, graph: DialogueGraph, asked: Mapping[str, Any], message: Message
) -> SimilarDialogue:
    """With the terms of equation 9 besides: which section says something like the message's."""
    scored = graph.terms(one.document, asked)
    return replace(one, why=(*one.why, *_matched(scored, graph, message))) if scored else one


def _matched(one: Scored, graph: DialogueGraph, message: Message) -> tuple[MatchedSection, ...]:
    """Terms with the words of the message; the root stands for the text until it is told."""
    return tuple(
        MatchedSection(
            term.section,
            message.sections[term.section],
            one.tree.root,
            term.similarity,
            term.weight,
            term.link,
            "" if graph.trees[term.linked] == one.tree else graph.trees[term.linked].document,
        )
        for term in one.terms
    )


def fused(
    *rankings: Sequence[SimilarDialogue], constant: float = _CONSTANT
) -> list[SimilarDialogue]:
    """Several rankings as one: the sum of 1 / (60 + place), ties in the order of documents.

    Source: Cormack, Clarke and Buettcher, "Reciprocal rank fusion", SIGIR 2009.

    >>> def found(document):
    ...     return SimilarDialogue("", document, 1.0, ())
    >>> [one.document for one in fused([found("a"), found("b")], [found("b")])]
    ['b', 'a']
    """
    scores: dict[str, float] = {}
    why: dict[str, tuple[Why, ...]] = {}
    for ranking in rankings:
        for place, one in enumerate(ranking, 1):
            scores[one.document] = scores.get(one.document, 0.0) + 1 / (constant + place)
            why[one.document] = why.get(one.document, ()) + one.why
    best = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    return [SimilarDialogue("", document, score, why[document]) for document, score in best]


def _shared(text: str, document: Document) -> tuple[str, ...]:
    """Words of a text that a document has, too: the longest ones, as those tell most."""
    held = {term for _, field in document.fields for term in index_terms(field)}
    held |= set(index_terms(document.title))
    both = [term for term in dict.fromkeys(index_terms(text)) if term in held]
    return tuple(sorted(both, key=lambda term: (-len(term), term))[:_WORDS_SHOWN])


def _fallen_back(error: EmbeddingError | ConfigurationError) -> str:
    remedy = f": {error.remedy}" if error.remedy else ""
    return f"dialogues were compared by words alone, as {error.what}{remedy}"
