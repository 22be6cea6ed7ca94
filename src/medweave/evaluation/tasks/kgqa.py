"""The task `kgqa`: questions over a graph, answered by a list of things, yes or no, or an option.

Each question of a list weighs the same, however long its list is. `subgraph_kept` is the share of
right answers that the pruned sub-graphs name, `subgraph_ratio` what share of the sub-graphs is left
by pruning.

Labels of a list are names in lower case, the best first; of a yes/no question "yes" or "no"; of a
choice the letter or number of an option.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from medweave.evaluation.items import Item, Ranked, Trainer
from medweave.evaluation.measures.classification import Measure, mean, right, share_of
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.runner import OURS, Plan
from medweave.evaluation.task import Request, register
from medweave.generation.strategies.strategy import RETRIEVING as STRATEGIES
from medweave.knowledge_base import KnowledgeBase
from medweave.language.folding import name_key
from medweave.model.answer import Answer
from medweave.model.generated import ModelUse
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


def plan(request: Request) -> Plan:
    """What is run: ours, the most frequent answer, any answer, and neighbours of what is named.

    The strategies of `ask --strategy` are run where they are named: some need vectors or dialogues.
    """
    data, _ = request.read(graph_item)
    base = request.base
    systems: dict[str, Trainer] = {
        OURS: lambda _: GraphAnswers(base.ask, base.knowledge),
        "majority": lambda _: MajorityAnswers(data.items),
        "random": lambda _: RandomAnswers(data.items, base.knowledge, request.seed),
        "one hop": lambda _: OneHop(base.understand, base.knowledge),
    }
    for name in STRATEGIES:
        if name in request.strategies:
            systems[name] = partial(_by_strategy, name, base)
    return request.plan("kgqa", data, systems, measures_of)


def _by_strategy(name: str, base: KnowledgeBase, _: Sequence[Item]) -> GraphAnswers:
    use = ModelUse(strategy=name)
    return GraphAnswers(lambda text: base.ask(text, use=use), base.knowledge)


def graph_item(record: Mapping[str, Any], identifier: str) -> Item | str:
    """A question with its answers: names, yes or no, or the label of an option.

    >>> graph_item({"question": "Does A bind B?", "answers": False}, "1").expected
    ('no',)
    >>> graph_item({"question": "Which drugs treat gout?", "answers": ["Colchicine"]}, "2").facts
    ('list',)
    """
    text, answers = record.get("question"), record.get("answers")
    if not isinstance(text, str) or not text.strip():
        return "no question"
    if isinstance(answers, bool):
        return Item(identifier, ("yes" if answers else "no",), text, facts=(YES_NO,))
    if isinstance(answers, str) and answers.strip():
        return Item(identifier, (answers.strip().upper(),), text, facts=(CHOICE,))
    if isinstance(answers, list) and answers and all(isinstance(name, str) for name in answers):
        names = tuple(dict.fromkeys(map(name_key, answers)))
        return Item(identifier, names, text, facts=(LIST,))
    return "no answers, or neither names, true or false, nor a label"


def measures_of(items: Sequence[Item], outcomes: Sequence[Outcome]) -> dict[str, Measure]:
    """Of lists their first thing and their overlap; of all other questions how many are right."""
    measures: dict[str, Measure] = {}
    hits = right(outcomes)
    listing = [item.facts[0] == LIST for item in items]
    if any(listing):
        shares = [_overlap(item, outcome) for item, outcome in zip(items, outcomes, strict=True)]
        measures["hits@1"] = share_of(hits, listing)
        for name, place in (("precision", 0), ("recall", 1), ("f1", 2)):
            measures[name] = _mean_among([each[place] for each in shares], listing)
    others = [not each for each in listing]
    if any(others):
        measures["accuracy"] = share_of(hits, others)
        measures["answered"] = share_of([outcome.answered for outcome in outcomes], others)
    for kind in (YES_NO, CHOICE):
        among = [item.facts[0] == kind for item in items]
        if any(among) and among != others:
            measures[f"accuracy {kind}"] = share_of(hits, among)
    if any("before" in outcome.counts for outcome in outcomes):
        kept = [o.counts["left"] / len(i.expected) for i, o in zip(items, outcomes, strict=True)]
        pruned = [o.counts["before"] > 0 for o in outcomes]
        ratio = [o.counts["after"] / max(1.0, o.counts["before"]) for o in outcomes]
        if any(listing):
            measures["subgraph_kept"] = _mean_among(kept, listing)
        measures["subgraph_ratio"] = _mean_among(ratio, pruned)
    measures["milliseconds"] = mean([outcome.milliseconds for outcome in outcomes])
    return measures


def _overlap(item: Item, outcome: Outcome) -> tuple[float, float, float]:
    listed, found = outcome.counts["listed"], outcome.counts["right"]
    precision = found / listed if listed else 0.0
    recall = found / len(item.expected)
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def _mean_among(values: Sequence[float], among: Sequence[bool]) -> Measure:
    """The mean of what was measured of those items of which something is true."""

    def measure(draw: Sequence[int]) -> float:
        some = [values[at] for at in draw if among[at]]
        return sum(some) / len(some) if some else 0.0

    return measure


register("kgqa", plan, "perturb")
