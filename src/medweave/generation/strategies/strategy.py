"""What a strategy is given and gives, and which there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from medweave.errors import ConfigurationError
from medweave.model.question import Question
from medweave.model.statement import SupportedStatement
from medweave.retrieval.graph.pruning import names_and_relations
from medweave.retrieval.lexical import LexicalIndex
from medweave.vocabulary.knowledge import Knowledge

OURS, ALONE = "ours", "model"
MOST = 20
"""Statements that a strategy gives."""
_CAP = 300
"""Statements of one thing and direction that are looked at."""
RETRIEVING = ("bm25", "embedding", "mindmap", "kg-rank", "rok", "talk2doc")
"""The strategies that find something without a model; `docs/reference/strategies.md` lists them."""
NAMES = (OURS, ALONE, *RETRIEVING)


Found = list[SupportedStatement]
"""Statements, best first."""


@dataclass(frozen=True, slots=True)
class Search:
    """A question, and what a base has to find statements with."""

    question: Question
    knowledge: Knowledge
    near: Callable[[int], Sequence[SupportedStatement] | None]
    """The relations that are nearest in meaning; None where the base has no vectors of these."""
    nearness: Callable[[str, Sequence[str]], Sequence[float]]
    """How near a text is to others in meaning; nothing without an embedder."""
    dialogues: Callable[[int], Sequence[str]]
    """The documents of the past dialogues that are most like the question."""

    def named(self) -> list[list[str]]:
        """The things that the question names, each by all its identifiers."""
        mentions = self.question.mentions
        found = (sorted({s for e in m.entities for s in self.knowledge.same(e)}) for m in mentions)
        return list({tuple(one): one for one in found}.values())

    def things(self) -> set[str]:
        """All identifiers of all that the question names."""
        return {same for one in self.named() for same in one}

    def beside(self, things: Iterable[str]) -> list[SupportedStatement]:
        """What is recorded of some things."""
        predicates = list(self.knowledge.vocabulary.predicates)
        found = self.knowledge.store.neighbours(sorted(things), predicates, cap=_CAP)
        return [each for each in found if each.affirmed and each.statement.object_entity]

    def of_documents(self, documents: Sequence[str]) -> list[SupportedStatement]:
        """What is recorded in some documents; not how dialogues hang together."""
        made = self.knowledge.store.contributions(documents)
        keys = dict.fromkeys(s.id for extraction in made for s in extraction.statements)
        predicate = self.knowledge.vocabulary.predicate
        return [
            each
            for each in self.knowledge.store.statements(keys)
            if each.affirmed
            and not (
                each.statement.object_entity and predicate(each.statement.predicate).importance
            )
        ]

    def by_words(self, some: Sequence[SupportedStatement]) -> list[SupportedStatement]:
        """Statements by what their words have in common with the question (BM25), best first; those
        that have nothing are left out."""
        words = names_and_relations(some, self.knowledge, self.question.language)
        scores = LexicalIndex(words).scores(self.question.text)
        order = sorted(scores, key=lambda number: (-scores[number], some[number].statement.id))
        return [some[number] for number in order]


def checked_name(name: str) -> str:
    """The name of a strategy, or a `ConfigurationError` that lists all.

    >>> checked_name("mindmap")
    'mindmap'
    """
    if name not in NAMES:
        raise ConfigurationError(
            "there is no such strategy", where=name, remedy=f"one of {', '.join(NAMES)}"
        )
    return name


def retrieved(name: str, search: Search) -> list[SupportedStatement]:
    """What a strategy finds for a question, best first; nothing for a model alone."""
    if name == ALONE:
        return []
    from medweave.generation.strategies.ways import WAYS

    return WAYS[name](search)[:MOST]
