"""The dialogues of a base, ranked for a message in every way that is compared.

All ways see the same: turns for words, and the sections of trees for vectors; tags, titles and
ids are seen by none. Vectors that the base lacks are made, and not kept in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from medweave.embedding.cache import CachedEmbedder
from medweave.errors import ConfigurationError, NotFoundError
from medweave.evaluation.systems.embedding import NO_VECTORS, Embedding
from medweave.knowledge_base import KnowledgeBase
from medweave.model.dialogue_tree import WHOLE, Tree
from medweave.model.document import Document
from medweave.model.link_weight import BY_COSINE, LinkWeight
from medweave.model.similar import Direction, Message, ScoreNorm
from medweave.model.vector_links import VectorLink
from medweave.model.vectors import VectorTable
from medweave.ports import Embedder
from medweave.retrieval.dialogues.dialogue_graph import DialogueGraph
from medweave.retrieval.dialogues.graph_parts import GraphParts
from medweave.retrieval.dialogues.references import SIMILAR, importance_table, references
from medweave.retrieval.dialogues.similar import FUSED
from medweave.retrieval.lexical import LexicalIndex
from medweave.retrieval.passages.answer_ranking import fused
from medweave.vocabulary.dialogue_trees import dialogue_roots, trees_of

_TAGS = "tags"
_TURN = "turn "
_BETWEEN = ";"
UNWEIGHTED = LinkWeight("convex", 1.0)
"""With an importance of 1 for all kinds of links, every link weighs 1."""


@dataclass(frozen=True, slots=True)
class PreparedMessage:
    """A message as all ways need it: read, and as vectors."""

    message: Message
    whole: Any
    sections: Mapping[str, Any]


@dataclass
class DialoguePool:
    """See the head of this file. Numbers are places in `trees`, by root and document."""

    base: KnowledgeBase
    embedding: Embedding = NO_VECTORS
    trees: list[Tree] = field(init=False)

    def __post_init__(self) -> None:
        store = self.base.knowledge.store
        found = (tree for some in trees_of(store, dialogue_roots(store)) for tree in some)
        self.trees = sorted(found, key=lambda tree: tree.key.text())
        keys = [tree.key.document for tree in self.trees]
        held = {document.id: document for document in store.documents(keys)}
        self.documents: list[Document] = [held[key] for key in keys]
        self.names = [document.name for document in self.documents]
        self._number = {key: number for number, key in enumerate(keys)}

    def __len__(self) -> int:
        return len(self.trees)

    def tags(self, number: int) -> frozenset[str]:
        """What a dialogue is filed under."""
        listed = self.documents[number].text(_TAGS)
        parts = listed.replace("\n", _BETWEEN).replace(",", _BETWEEN).split(_BETWEEN)
        return frozenset(part.strip().lower() for part in parts if part.strip())

    def transcript(self, number: int) -> str:
        """All turns of a dialogue."""
        fields = self.documents[number].fields
        return " ".join(text for name, text in fields if name.startswith(_TURN))

    def prepare(self, text: str) -> PreparedMessage:
        """A message, read and turned into vectors; without an embedder there are none."""
        message = self.base.message(text)
        if self.embedding.embedder is None:
            return PreparedMessage(message, None, {})
        texts = [message.text, *message.sections.values()]
        rows = self._rows(texts)
        return PreparedMessage(message, rows[0], dict(zip(message.sections, rows[1:], strict=True)))

    def by_words(self, prepared: PreparedMessage) -> list[int]:
        """By BM25 over turns."""
        return _order(self._lexical.scores(prepared.message.text))

    def by_whole(self, prepared: PreparedMessage) -> list[int]:
        """By the cosine of whole dialogues."""
        scores = (self._wholes @ prepared.whole).tolist()
        return _order(dict(enumerate(scores)))

    def by_both(self, prepared: PreparedMessage) -> list[int]:
        """As `similar` does: the two before by their places; words alone where the model cannot
        read the message's language.
        """
        embedder = self.embedding.embedder
        if embedder and not embedder.model.reads(prepared.message.language):
            return self.by_words(prepared)
        return _order(fused(self.by_words(prepared)[:FUSED], self.by_whole(prepared)[:FUSED]))

    def by_graph(
        self, graph: DialogueGraph, prepared: PreparedMessage, k: int, norm: ScoreNorm = "none"
    ) -> list[int]:
        """By equation 9."""
        scored = graph.equation9(prepared.sections, k, norm)
        return [self._number[one.tree.document] for one in scored]

    def graph(
        self,
        weight: LinkWeight = BY_COSINE,
        alike: Sequence[VectorLink] | None = None,
        direction: Direction = "both",
    ) -> DialogueGraph:
        """The graph of all dialogues; with the base's own links by likeness where None are given.

        Raises `ConfigurationError` where there is no embedder, or no numpy.
        """
        if weight is UNWEIGHTED:
            importance = dict.fromkeys(self._importance, 1.0)
        else:
            importance = self._importance
        parts = GraphParts(
            wholes=[self._table(WHOLE)],
            sections=[self._table(name) for name in self._names_of_sections],
            references=self._references,
            alike=self._stored_links if alike is None else alike,
            importance=importance,
            similar=SIMILAR,
        )
        return DialogueGraph(parts, weight, direction)

    def links(self, least: float) -> list[VectorLink]:
        """Whole dialogues whose cosine is `least` or more, as `vectors link` finds them."""
        import numpy as np

        keys = [tree.key.text() for tree in self.trees]
        found = []
        for number in range(1, len(keys)):
            before = self._wholes[:number].astype("f8") @ self._wholes[number].astype("f8")
            for other in np.flatnonzero(before.round(6) >= least).tolist():
                found.append(VectorLink(keys[other], keys[number], float(before[other].round(6))))
        return found

    @cached_property
    def _lexical(self) -> LexicalIndex:
        return LexicalIndex([self.transcript(number) for number in range(len(self))])

    @cached_property
    def _importance(self) -> dict[str, float]:
        return importance_table(self.base.knowledge.vocabulary)

    @cached_property
    def _references(self) -> list[Any]:
        knowledge = self.base.knowledge
        return list(references(knowledge.store, knowledge.vocabulary))

    @cached_property
    def _stored_links(self) -> list[VectorLink]:
        index = self.base.vectors
        stored = [*index.links("publication").links, *index.links("section").links]
        there = {tree.key.text() for tree in self.trees}
        return [link for link in stored
                if {" ".join(end.split(" ")[:2]) for end in link[:2]} <= there]  # fmt: skip

    @cached_property
    def _names_of_sections(self) -> list[str]:
        return sorted({name for tree in self.trees for name in tree.sections})

    @cached_property
    def _wholes(self) -> Any:
        return self._rows([tree.text for tree in self.trees])

    def _table(self, name: str) -> VectorTable:
        """Vectors of whole trees, or of the sections of a name."""
        made = self._cached
        if name == WHOLE:
            texts = {tree.key.text(): tree.text for tree in self.trees}
        else:
            texts = {
                tree.key.section(name): tree.sections[name]
                for tree in self.trees
                if name in tree.sections
            }
        vectors = made.embed(list(texts.values()), progress=self.embedding.progress)
        return VectorTable(name, list(texts), range(len(texts)), vectors)

    def _rows(self, texts: Sequence[str]) -> Any:
        import numpy as np

        vectors = self._cached.embed(texts, progress=self.embedding.progress)
        return np.frombuffer(vectors.data.cast("B"), "f4").reshape(len(texts), -1)

    @cached_property
    def _cached(self) -> Embedder:
        """Vectors of the base where it has them."""
        if self.embedding.embedder is None:
            raise ConfigurationError(
                f"there are no vectors, as {self.embedding.reason}", where="embedder",
                remedy="install the weights with `medweave weights install`, or name an embedder",
            )  # fmt: skip
        from medweave.model.arrays import numpy_for

        numpy_for("equation 9")
        return CachedEmbedder(self.embedding.embedder, self.base.vectors, keep=False)


def dialogue_pool(base: KnowledgeBase, embedding: Embedding = NO_VECTORS) -> DialoguePool:
    """The dialogues of a base. Raises `NotFoundError` where it has none."""
    pool = DialoguePool(base, embedding)
    if not len(pool):
        raise NotFoundError(
            "this base holds no dialogues", remedy="add some with `medweave add dialogues`"
        )
    return pool


Ranker = Callable[[PreparedMessage], Sequence[int]]
"""One way of ranking: the numbers of dialogues, the best first."""


def _order(scores: Mapping[int, float]) -> list[int]:
    """Numbers by their scores, the best first; ties by number."""
    return sorted(scores, key=lambda number: (-scores[number], number))
