"""Systems that answer a question over a graph in one value: ours, and what any must be better than.

Labels of a list are names in lower case, the best first; of a yes/no question "yes" or "no"; of a
choice the letter or number of an option.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from medweave.evaluation.items import Item, Ranked
from medweave.language.folding import name_key
from medweave.model.answer import Answer
from medweave.model.graph_question import Option
from medweave.model.question import Question
from medweave.understanding.graph_question_items import options_of
from medweave.understanding.graph_question_rules import graph_rules
from medweave.vocabulary.knowledge import Knowledge

LIST, YES_NO, CHOICE = "list", "yes_no", "choice"
"""Kinds of questions: the first of the facts of an item."""
_CAP = 200


class GraphAnswers:
    """The `result` of an answer, with the sizes of the sub-graphs of its steps."""

    def __init__(self, ask: Callable[[str], Answer], knowledge: Knowledge) -> None:
        self._ask = ask
        self._knowledge = knowledge

    def rank(self, item: Item) -> Ranked:
        """The value as labels; none where the base does not say."""
        answer = self._ask(item.text)
        value = answer.result.value
        labels: tuple[str, ...] = ()
        if isinstance(value, bool):
            labels = ("yes" if value else "no",)
        elif isinstance(value, str):
            labels = (value,)
        elif value is not None:
            labels = tuple(dict.fromkeys(name_key(entity.name()) for entity in value))
        left = {
            name_key(entity.name())
            for entity in self._knowledge.entities.all(
                {
                    end
                    for step in answer.steps
                    for each in step.subgraph.statements
                    for end in each.statement.entities
                }
            ).values()
        }
        counts = {
            **_counts(item, labels),
            "left": float(len(left.intersection(item.expected))),
            "before": float(sum(step.subgraph.before for step in answer.steps)),
            "after": float(sum(len(step.subgraph.statements) for step in answer.steps)),
        }
        return Ranked(labels, 1.0, counts=counts)


class MajorityAnswers:
    """The most frequent answer to questions of the same kind."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._best = {
            kind: Counter(e for i in items if i.facts[0] == kind for e in i.expected)
            for kind in (LIST, YES_NO, CHOICE)
        }

    def rank(self, item: Item) -> Ranked:
        """One label, the same for all of a kind."""
        counted = self._best[item.facts[0]]
        best = min(counted, key=lambda label: (-counted[label], label))
        return Ranked((best,), 1.0, counts=_counts(item, (best,)))


class RandomAnswers:
    """Any answer that some question of the same kind has; of options that are given, any one."""

    def __init__(self, items: Sequence[Item], knowledge: Knowledge, seed: int) -> None:
        self._known = {
            kind: sorted({e for i in items if i.facts[0] == kind for e in i.expected})
            for kind in (LIST, YES_NO, CHOICE)
        }
        self._dictionary = knowledge.dictionary
        self._random = random.Random(seed)  # noqa: S311 - a baseline, and no secret

    def rank(self, item: Item) -> Ranked:
        """One label."""
        labels = self._known[item.facts[0]]
        if item.facts[0] == CHOICE:
            _, options = options_of(item.text, (), self._dictionary)
            labels = [option.label for option in options] or labels
        chosen = (self._random.choice(labels),)
        return Ranked(chosen, 0.0, counts=_counts(item, chosen))


class OneHop:
    """What is one statement away from what a question names, of the kind of its first noun."""

    def __init__(self, understand: Callable[[str], Question], knowledge: Knowledge) -> None:
        self._understand = understand
        self._knowledge = knowledge
        predicates = knowledge.vocabulary.predicates.values()
        self._predicates = [each.name for each in predicates if not each.takes_text]

    def rank(self, item: Item) -> Ranked:
        """Neighbours; yes where all that is named is joined to the first of it."""
        question = self._understand(item.text)
        stem, options = options_of(item.text, question.mentions, self._knowledge.dictionary)
        named = [m.entities for m in question.mentions if m.end <= len(stem)]
        beside = [set(self._beside(entities)) for entities in named]
        labels: tuple[str, ...] = ()
        if item.facts[0] == YES_NO:
            joined = len(named) > 1 and all(beside[0].intersection(e) for e in named[1:])
            labels = ("yes" if joined else "no",)
        elif options:
            labels = tuple(self._chosen(options, set().union(*beside)))[:1]
        elif beside:
            labels = tuple(self._of_kind(stem, set().union(*beside)))
        return Ranked(labels, 1.0, counts=_counts(item, labels))

    def _beside(self, entities: Sequence[str]) -> Iterator[str]:
        same = [one for entity in entities for one in self._knowledge.same(entity)]
        for found in self._knowledge.store.neighbours(same, self._predicates, cap=_CAP):
            for end in found.statement.entities:
                if end not in same:
                    yield from self._knowledge.same(end)

    def _chosen(self, options: Sequence[Option], beside: set[str]) -> Iterator[str]:
        return (option.label for option in options if beside.intersection(option.entities))

    def _of_kind(self, stem: str, beside: set[str]) -> Iterator[str]:
        nouns = [word for word in graph_rules().words if word.kind == "noun"]
        places = [(m.start(), word) for word in nouns if (m := word.pattern.search(stem.lower()))]
        wanted = min(places, key=lambda place: place[0])[1].concepts if places else ()
        entities = self._knowledge.entities.all(sorted(beside))
        names = (e.name() for e in entities.values() if not wanted or e.concept in wanted)
        return iter(dict.fromkeys(map(name_key, names)))


def _counts(item: Item, labels: Sequence[str]) -> dict[str, float]:
    right = len(set(labels).intersection(item.expected))
    return {"listed": float(len(labels)), "right": float(right)}
