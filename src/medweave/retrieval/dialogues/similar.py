"""Past dialogues like a message: by equation 9, by their words, as wholes, or by several of these.

`best` is what was measured best (decision 29): whole dialogues by their cosine, and their words.

Where vectors cannot be had, words remain, and it is said: any failure falls back to textual
retrieval (T11).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, get_args

from medweave.errors import EmbeddingError, MedweaveError
from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.stems import Stem, stem_texts, stems
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
from medweave.ports import Embedder, StoreView, VectorView
from medweave.retrieval.dialogues.current_graph import CurrentGraph
from medweave.retrieval.dialogues.dialogue_graph import DialogueGraph, Scored, as_array
from medweave.retrieval.dialogues.graph_around import count_without_vectors, graph_around
from medweave.retrieval.dialogues.stored_graph import StoredGraph
from medweave.vocabulary.dialogue_trees import roots_called, trees_of
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
        store: StoreView,
        vocabulary: Vocabulary,
        embedder: Callable[[], tuple[Embedder | None, str]],
        files: Path | None = None,
    ) -> None:
        """`files` is the folder of a `StoredGraph`."""
        self._store = store
        self._embedder = embedder
        self._vocabulary = vocabulary
        self._stored = StoredGraph(files, store, vocabulary)
        self._graph = CurrentGraph(store, vocabulary)
        self._counted: tuple[int, bool, int] | None = None
        """At which revision, whether there are vectors, and how many dialogues have none."""
        self._lock = Lock()
        """Held while the graph is brought up to date or looked at: all threads share it."""

    def like(self, message: Message, k: int, how: SimilarHow = SIMILAR_HOW) -> Similar:
        """The `k` dialogues most like a message, best first, each with why.

        Scores are those of equation 9, those of full text (BM25), or sums of reciprocal ranks,
        as `how` says; they can be compared within one answer alone. Where there are no vectors,
        the ranking is by words, and `missing` says why; but who asks for equation 9 gets it, or
        `EmbeddingError`.
        """
        ranking: SimilarBy = "text"
        missing: tuple[str, ...] = ()
        found: Sequence[SimilarDialogue] | None = None
        if how.ranking != "text":
            try:
                with self._lock:
                    found, missing = self._by_vectors(message, k, how)
                ranking = how.ranking
            except Exception as error:  # whatever fails, words remain, and it is said (T11)
                if how.ranking == "equation9" and isinstance(error, _NotComparedError):
                    raise _no_equation9(error, message.language) from error
                missing = (_fallen_back(error, message.language),)
        if found is None:
            found = self._by_words(message, k)
        reasons = tuple(self._explained(found, message))
        return Similar(
            reasons, ranking, message.sections, message.intents, missing, message.language
        )

    @property
    def comparable(self) -> bool:
        """Whether there are vectors to compare a message with; whether they serve is not said."""
        try:
            return self._counts(self._index())[0]
        except Exception:  # what fails here fails again, and is told, where it is compared
            return True

    def section_weights(
        self, documents: Sequence[str], language: str
    ) -> tuple[dict[str, dict[str, float]], tuple[str, ...]]:
        """By document and section, the weight of its weightiest link; and what failed.

        Where there are no vectors, there are no weights. That is no failure: nothing is compared.
        """
        if not self.comparable:
            return {}, ()
        try:
            with self._lock:
                scored = self._terms(documents, SIMILAR_HOW)
        except Exception as error:  # as above
            return {}, (_fallen_back(error, language),)
        return {
            document: {term.section: term.weight for term in found.terms}
            for document, found in scored.items()
            if found
        }, ()

    def _terms(self, documents: Sequence[str], how: SimilarHow) -> dict[str, Scored | None]:
        """The terms of dialogues, whatever they are compared with."""
        index = self._index()
        graph = graph_around(documents, self._store, index, self._vocabulary, how)
        model = index.model()
        none = array("f", bytes(4 * (model.dimension if model else 0)))
        nothing = as_array(Vectors.of(model, [none]), 0) if model else None
        asked = dict.fromkeys(graph.sections, nothing)
        return {document: graph.terms(document, asked) for document in documents}

    def _by_vectors(
        self, message: Message, k: int, how: SimilarHow
    ) -> tuple[Sequence[SimilarDialogue], tuple[str, ...]]:
        """What is found, and what is not among it.

        Raises whatever is in the way of comparing by vectors.
        """
        index = self._index()
        embedder = self._embedder_of(index)
        if how.ranking == "best" and not embedder.model.reads(message.language):
            raise _NotComparedError("other_language", embedder.model.id)
        texts = list(dict.fromkeys((message.text, *message.sections.values())))
        vectors = embedder.embed(texts)
        asked = {
            name: as_array(vectors, texts.index(text)) for name, text in message.sections.items()
        }
        without = self._counts(index)[1]
        missing = (
            (say_notice("without_vectors", message.language, count=without),) if without else ()
        )
        if how.ranking == "best":
            whole = Vectors.of(vectors.model, [vectors[0]])
            by_whole = _by_whole(index, whole, max(k, FUSED))
            best = fused(by_whole, self._by_words(message, max(k, FUSED)))[:k]
            documents = [one.document for one in best]
            graph = graph_around(documents, self._store, index, self._vocabulary, how)
            return [_explained(one, graph, asked, message) for one in best], missing
        depth = k if how.ranking == "equation9" else max(k, FUSED)
        scored = self._stored.equation9(index, asked, depth, how)
        if scored is None:
            graph = self._graph.now(index, how)
            scored = [(one, graph) for one in graph.equation9(asked, depth, how.score_norm)]
        found = [
            SimilarDialogue("", one.tree.document, one.score, _matched(one, around, message))
            for one, around in scored
        ]
        if how.ranking == "hybrid":
            found = fused(found, self._by_words(message, max(k, FUSED)))[:k]
        return found, missing

    def _embedder_of(self, index: VectorView) -> Embedder:
        """What made the vectors of the base. Raises `_NotComparedError` where it is not there."""
        if not self._counts(index)[0]:
            dialogues = self._store.count_mentioned_as("dialogue")
            raise _NotComparedError("no_vectors" if dialogues else "no_dialogues")
        embedder, reason = self._embedder()
        if embedder is None:
            raise _NotComparedError("no_embedder", reason)
        if index.model() != embedder.model:
            raise _NotComparedError("other_model", embedder.model.id)
        return embedder

    def _index(self) -> VectorView:
        index = self._store.vectors()
        if index is None:
            raise _NotComparedError("no_index")
        return index

    def _counts(self, index: VectorView) -> tuple[bool, int]:
        """Whether there are vectors of sections, and how many dialogues have none."""
        revision = self._store.version().revision
        if self._counted is None or self._counted[0] != revision:
            there = bool(index.counts().get("section"))
            without = count_without_vectors(self._store, index) if there else 0
            self._counted = revision, there, without
        return self._counted[1:]

    def _by_words(self, message: Message, k: int) -> list[SimilarDialogue]:
        hits = self._store.search_text(message.text, limit=k, without=_OTHERS)
        return [
            SimilarDialogue("", hit.document, hit.score, (MatchedWords((), place),))
            for place, hit in enumerate(hits, 1)
        ]

    def _explained(
        self, found: Sequence[SimilarDialogue], message: Message
    ) -> Iterator[SimilarDialogue]:
        """What was found, with its id, the texts of its sections, and the words it shares."""
        linked = {why.linked for one in found for why in one.why
                  if isinstance(why, MatchedSection)}  # fmt: skip
        wanted = {one.document for one in found} | linked - {""}
        documents = {document.id: document for document in self._store.documents(wanted)}
        names = {identifier: document.name for identifier, document in documents.items()}
        roots = {why.text for one in found for why in one.why if isinstance(why, MatchedSection)}
        texts = self._texts(roots, [documents[one.document].name for one in found])
        for one in found:
            document = documents[one.document]
            why = tuple(
                replace(part, text=texts[one.document][part.section],
                        linked=names.get(part.linked, ""))
                if isinstance(part, MatchedSection)
                else _in_words(part, message.text, document, texts.get(one.document, {}))
                if isinstance(part, MatchedWords)
                else part
                for part in one.why
            )  # fmt: skip
            yield replace(one, id=document.name, why=why)

    def _texts(self, known: set[str], names: Sequence[str]) -> dict[str, Mapping[str, str]]:
        """The sections of the dialogues of these roots and ids, by document."""
        roots = sorted(known.union(roots_called(self._store, names)))
        return {
            tree.key.document: tree.sections
            for trees in trees_of(self._store, roots)
            for tree in trees
        }


def _by_whole(index: VectorView, asked: Vectors, k: int) -> list[SimilarDialogue]:
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


def shared_words(text: str, *others: str) -> tuple[str, ...]:
    """Words of a text that others have, too, as it has them: the longest, as those tell most.

    Words are compared by their stems; those that tell nothing ("and") are none of them.

    >>> shared_words("My knees hurt and itch", "The knee hurts.")
    ('knees', 'hurt')
    """
    held = frozenset().union(*map(_stems_held, others))
    found: list[tuple[int, int]] = []
    for stem in _stems_of(text):
        if stem.text not in held:
            continue
        if found and stem.start < found[-1][1]:  # pairs of Chinese characters that overlap
            found[-1] = (found[-1][0], stem.end)
        else:
            found.append((stem.start, stem.end))
    both = dict.fromkeys(text[start:end].lower() for start, end in found)
    return tuple(sorted(both, key=lambda word: (-len(word), word))[:_WORDS_SHOWN])


@lru_cache(maxsize=1 << 9)  # the same dialogues are near to many messages
def _stems_held(text: str) -> frozenset[str]:
    return stem_texts(text)


@lru_cache(maxsize=2)  # one message is held against many dialogues
def _stems_of(text: str) -> tuple[Stem, ...]:
    return tuple(stems(text))


def _in_words(
    matched: MatchedWords, text: str, document: Document, sections: Mapping[str, str]
) -> MatchedWords:
    """With the words, and the sections in which the dialogue has them."""
    words = shared_words(text, document.title, *(field for _, field in document.fields))
    by_section = (
        (name, shared_words(text, section_text)) for name, section_text in sections.items()
    )
    return replace(matched, words=words, sections=tuple((n, w) for n, w in by_section if w))


class _NotComparedError(Exception):
    """Messages cannot be compared by meaning; `key` is that of the notice."""

    def __init__(self, key: str, detail: str = "") -> None:
        super().__init__(key)
        self.key, self.detail = key, detail


def _no_equation9(error: _NotComparedError, language: str) -> EmbeddingError:
    """That the ranking which was asked for is not to be had, and why."""
    return EmbeddingError(
        f"equation 9 needs vectors: {say_notice(error.key, language, detail=error.detail)}",
        remedy="make them with `medweave vectors make`, or leave the ranking to medweave",
    )


def say_notice(key: str, language: str, **slots: object) -> str:
    """What is said where something could not be done, in the language of the message."""
    notices = shipped_yaml("retrieval", "dialogues", "similar_notices.yaml")
    return str(notices[language_with_rules(language)][key]).format(**slots)


def _fallen_back(error: Exception, language: str) -> str:
    """That words were compared alone, and why."""
    if isinstance(error, _NotComparedError):
        reason = say_notice(error.key, language, detail=error.detail)
    else:
        reason = say_notice("failed", language, detail=error_text(error))
    return say_notice("by_words", language, reason=reason)


def error_text(error: Exception) -> str:
    """An error in words: ours with its remedy, any other by its kind."""
    if isinstance(error, MedweaveError):
        return f"{error.what}: {error.remedy}" if error.remedy else error.what
    return type(error).__name__
