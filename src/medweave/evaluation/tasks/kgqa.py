"""The task `kgqa`: questions over a graph, answered by a list of things, yes or no, or an option.

Each question of a list weighs the same, however long its list is. `subgraph_kept` is the share of
right answers that the pruned sub-graphs name, `subgraph_ratio` what share of the sub-graphs is left
by pruning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from medweave.evaluation.items import Item, Trainer
from medweave.evaluation.measures.classification import Measure, mean, right, share_of
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.runner import OURS, Plan
from medweave.evaluation.systems.graph_answers import (
    CHOICE,
    LIST,
    YES_NO,
    GraphAnswers,
    MajorityAnswers,
    OneHop,
    RandomAnswers,
)
from medweave.evaluation.task import Request, register
from medweave.generation.strategies.strategy import RETRIEVING as STRATEGIES
from medweave.knowledge_base import KnowledgeBase
from medweave.language.folding import name_key
from medweave.model.generated import ModelUse


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


register("kgqa", plan)
