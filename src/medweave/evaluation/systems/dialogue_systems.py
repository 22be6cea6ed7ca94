"""The dialogues of a base as systems of the task `retrieval` (table 3 of document T, no models).

A document of the folder and a dialogue of the base are the same where they have the same id. What
the base does not have is ranked behind all else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from medweave.evaluation.items import Item, Ranked, System, Trainer
from medweave.evaluation.systems.dialogue_pool import UNWEIGHTED, DialoguePool, PreparedMessage
from medweave.evaluation.systems.embedding import Embedding
from medweave.knowledge_base import KnowledgeBase
from medweave.model.link_weight import BY_COSINE, LinkWeight

_MOST = 1000


@dataclass
class BaseDialogues:
    """The dialogues of a base that are documents of a folder."""

    pool: DialoguePool
    documents: frozenset[str]

    @cached_property
    def known(self) -> int:
        """How many documents of the folder the base has."""
        return len(self.documents & {*self.pool.names})

    @cached_property
    def systems(self) -> Mapping[str, Trainer]:
        """The variants that `evaluate retrieval` adds."""
        return {
            "medweave weighted": self._graph(BY_COSINE),
            "medweave unweighted": self._graph(UNWEIGHTED),
            "medweave similar": lambda _: _Ranks(self, self.pool.by_both),
        }

    def _graph(self, weight: LinkWeight) -> Trainer:
        def make(_: Sequence[Item]) -> System:
            graph = self.pool.graph(weight)
            return _Ranks(
                self, lambda prepared: self.pool.by_graph(graph, prepared, len(self.pool))
            )

        return make

    def ask(self, item: Item) -> PreparedMessage:
        """The message of an item, read once for all systems."""
        if item.id not in self._prepared:
            self._prepared[item.id] = self.pool.prepare(item.text)
        return self._prepared[item.id]

    @cached_property
    def _prepared(self) -> dict[str, PreparedMessage]:
        return {}


@dataclass(frozen=True, slots=True)
class _Ranks:
    """One way of ranking as a system."""

    held: BaseDialogues
    order: Callable[[PreparedMessage], Sequence[int]]

    def rank(self, item: Item) -> Ranked:
        """The ids of dialogues, the best first, among the candidates of an item."""
        allowed = frozenset(item.candidates) or self.held.documents
        names = (self.held.pool.names[number] for number in self.order(self.held.ask(item)))
        return Ranked(tuple(dict.fromkeys(n for n in names if n in allowed))[:_MOST])


def base_dialogues(
    base: KnowledgeBase, documents: Sequence[str], embedding: Embedding
) -> BaseDialogues | None:
    """The dialogues of a base that are among documents, by id; None where there are none."""
    if not base.knowledge.store.count_mentioned_as("dialogue"):
        return None
    held = BaseDialogues(DialoguePool(base, embedding), frozenset(documents))
    return held if held.known else None
