"""The statements around what a step is about, and what is taken out of them again, with reasons.

Around the things of a question lie more statements than anybody reads. They are taken up to two
steps away, few of a hub; then they are pruned by what `pruning` measures. What an answer rests on
stays, and so does one statement of each thing that is named. Document 001, 3.3.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from medweave.model.statement import SupportedStatement
from medweave.model.steps import Removed, RemovedBy, Subgraph
from medweave.retrieval.graph.pruning import (
    TOKENS,
    Cosines,
    Found,
    best,
    far,
    light,
    of_relations,
    unasked,
    unlike,
)
from medweave.vocabulary.knowledge import Knowledge

HOPS = 2
"""So far statements are taken from what a question names."""
PRUNED_HOPS = max(1, HOPS // 2)
"""So far they may lie from it to stay."""
_CAPS = (60, 4)
"""Statements of one thing and direction, by hop: more of a hub are left where they are."""
_FRONTIER = 24
"""Things from which a further hop is made."""
_MOST = 100
"""Statements that stay beside those that the answer rests on."""
_MOST_UNSURE = 300
"""Statements that stay where none is known to answer."""
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class SubgraphQuery:
    """What a sub-graph is held against."""

    text: str
    core: Collection[str]
    """What is named, and what earlier steps found."""
    wanted: Collection[str] = ()
    """Relations that are asked for, as far as that is known."""
    cosines: Cosines | None = None
    """How near texts are in meaning, where that may be asked."""
    unrelated: Callable[[Found], Collection[str]] | None = None
    """Which relations of some statements have nothing to do with the question, as a model says."""
    likely: Collection[str] = ()
    """Of these the ones that words of the question speak for."""
    sure: bool = True
    """Whether these are the relations: else others are only put behind them."""


@dataclass
class _Pruning:
    asked: SubgraphQuery
    every: Found
    evidence: Found
    knowledge: Knowledge
    beside: Found
    """What may be meant, further away as well: only what has less to do with it goes."""
    remaining: dict[str, SupportedStatement] = field(default_factory=dict)
    removed: dict[str, Removed] = field(default_factory=dict)

    @property
    def _weights(self) -> dict[str, float]:
        asked = self.asked
        return {**dict.fromkeys(asked.wanted, 1.0), **dict.fromkeys(asked.likely, 2.0)}

    def take(self, out: Iterable[str], by: RemovedBy, reason: str) -> None:
        """Take statements out, but for those that an answer rests on."""
        for key in out:
            if key in self.remaining and key not in self.evidence:
                del self.remaining[key]
                self.removed[key] = Removed(key, by, reason)

    def run(self) -> Subgraph:
        asked, knowledge = self.asked, self.knowledge
        self.remaining = dict(self.every)
        core = asked.core
        said = f"more than {PRUNED_HOPS} from what is named"
        self.take(
            [k for k in far(self.every, core, PRUNED_HOPS) if k not in self.beside],
            "distance",
            said,
        )
        weightless = [k for k in light(self.every, core) if k not in self.beside]
        self.take(weightless, "pagerank", "of little weight around what is named")
        if asked.sure or asked.cosines or asked.unrelated:
            self._without_relations()
        others = {key: each for key, each in self.remaining.items() if key not in self.evidence}
        most = _MOST if asked.sure else _MOST_UNSURE
        room = max(0, min(most, int(len(self.every) * _HALF) - len(self.evidence)))
        tokens = TOKENS if asked.sure else TOKENS * 3
        kept = set(best(asked.text, others, self._weights, knowledge, room=room, tokens=tokens))
        said = "less to the question than what stays"
        self.take([key for key in others if key not in kept], "budget", said)
        self._with_all_named()
        return Subgraph(tuple(self.remaining.values()), tuple(self.removed.values()))

    def _without_relations(self) -> None:
        """Relations that have nothing to do with the question: as a model says; else those that are
        far in meaning, where that can be told; else those that share no word with it."""
        asked = self.asked
        relations = sorted({each.statement.predicate for each in self.remaining.values()})
        if asked.unrelated and (out := asked.unrelated(self.remaining)):
            said = "a relation that has nothing to do with the question"
            self.take(of_relations(self.remaining, out), "model", said)
            return
        if asked.cosines:
            out = unlike(asked.text, relations, asked.wanted, self.knowledge, asked.cosines)
            said = "a relation that is far from the question in meaning"
            self.take(of_relations(self.remaining, out), "cosine", said)
        if not asked.sure:
            return
        out = unasked(asked.text, relations, asked.wanted, self.knowledge)
        said = "a relation that the question does not ask for"
        self.take(of_relations(self.remaining, out), "relation", said)

    def _with_all_named(self) -> None:
        """Put back the best statement of each thing of the core that has none left, and one
        statement at least of all."""
        said = {end for each in self.remaining.values() for end in each.statement.entities}
        for thing in self.asked.core:
            if thing not in said:
                own = {k: e for k, e in self.every.items() if thing in e.statement.entities}
                self._put_back(own)
        if not self.remaining:
            self._put_back(self.every)

    def _put_back(self, some: Found) -> None:
        for key in best(self.asked.text, some, self._weights, self.knowledge, room=1):
            self.remaining[key] = self.every[key]
            self.removed.pop(key, None)


def subgraph_of(
    asked: SubgraphQuery, evidence: Found, knowledge: Knowledge, *, beside: Found | None = None
) -> Subgraph:
    """The statements around the things of a step, pruned; `evidence` are those of its answer, and
    `beside` further ones that may go again."""
    every = {**expanded(asked.core, knowledge), **(beside or {}), **evidence}
    return _Pruning(asked, every, evidence, knowledge, beside or {}).run()


def expanded(core: Collection[str], knowledge: Knowledge) -> dict[str, SupportedStatement]:
    """Statements up to two hops from some things."""
    predicates = [p.name for p in knowledge.vocabulary.predicates.values() if not p.takes_text]
    found: dict[str, SupportedStatement] = {}
    seen: set[str] = set()
    frontier = sorted(core)
    for cap in _CAPS[:HOPS]:
        some = knowledge.store.neighbours(frontier, predicates, cap=cap)
        seen.update(frontier)
        new = {each.statement.id: each for each in some if each.affirmed}
        found |= {key: each for key, each in new.items() if key not in found}
        ends = {end for each in new.values() for end in each.statement.entities}
        frontier = sorted(ends - seen)[:_FRONTIER]
    return found
