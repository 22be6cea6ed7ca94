"""Children drawn from a guideline's own logic, to count questions with.

Each child is drawn by the prior that questions are chosen by (`guideline/logic/probabilities.py`),
and then, for one classification in turn, so that its rule holds: a part of each OR, every part of
each AND, chosen at random. So every classification occurs that can. They are no children anybody
met: how often anything is found says nothing of how common it is.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from medweave.guideline.logic.evaluation import Evaluated, evaluate
from medweave.guideline.logic.graph import (
    AGED,
    AND,
    ANSWER,
    COMPARE,
    IF,
    NOT,
    OR,
    OWN,
    SCORE,
    SOFT,
    Graph,
)
from medweave.guideline.logic.probabilities import DANGER_SIGN, FINDING, MAIN_SYMPTOM
from medweave.guideline.logic.status import statuses
from medweave.model.assessment import STANDS
from medweave.model.findings import Findings, FindingValue
from medweave.model.guideline import AgeBand, Observation, TableValue, answers_of
from medweave.model.logic import Answered, Compared

_ATTEMPTS = 200
"""So often a child is drawn anew until the classification stands: some are rare."""
_ROUNDS = 3
"""So often the rules are gone through for one child: what one changes may undo another."""
_WEIGHTS = ((0, 3.3), (60, 5.2), (182, 7.5), (365, 9.5), (730, 12.0), (1095, 14.0), (1826, 18.0))
"""Age (days) and a weight (kg) that fits it, between which weights are read off a line."""
_EDGE = 1.0


@dataclass(frozen=True, slots=True)
class Child:
    """A child of whom everything is known, and the classification it was drawn for."""

    findings: Findings
    target: str
    stands: bool


def children(graph: Graph, count: int, seed: int = 0) -> Iterator[Child]:
    """So many children, each classification of the guideline in turn."""
    rnd = random.Random(seed)  # noqa: S311 - simulation
    targets = list(graph.classifications)
    rnd.shuffle(targets)
    for number in range(count):
        yield draw(graph, targets[number % len(targets)], rnd)


def draw(graph: Graph, target: str, rnd: random.Random) -> Child:
    """A child for whom a classification stands, if one is found in two hundred draws."""
    child = Child(Findings(), target, stands=False)
    for _ in range(_ATTEMPTS):
        findings = _drawn(graph, target, rnd)
        state = evaluate(graph, findings)
        child = Child(findings, target, statuses(state)[target].status in STANDS)
        if child.stands:
            break
    return child


def _drawn(graph: Graph, target: str, rnd: random.Random) -> Findings:
    band, limits = graph.classifications[target].ages, graph.guideline.ages
    low = max(band.from_days or 0, limits.from_days or 0)
    high = min(band.to_days or 1826, limits.to_days or 1826)
    drawer = _Drawer(graph, rnd, rnd.randrange(low, max(high, low + 1)))
    for _ in range(_ROUNDS):
        for other in graph.yields[target]:
            drawer.make(graph.rules[other].strict, holds=False)
        drawer.make(graph.rules[target].strict, holds=True)
    return drawer.findings()


def _weight(age: int, share: float) -> float:
    """A weight that is such a share of what is usual at an age."""
    for (low, light), (high, heavy) in pairwise(_WEIGHTS):
        if age < high:
            usual = light + (heavy - light) * (age - low) / (high - low)
            return round(usual * share, 1)
    return round(_WEIGHTS[-1][1] * share, 1)


class _Drawer:
    """Values by the prior, changed until a rule holds."""

    def __init__(self, graph: Graph, rnd: random.Random, age: int) -> None:
        self._graph, self._rnd, self.age = graph, rnd, age
        self._sex, self._share = rnd.choice(["female", "male"]), rnd.uniform(0.85, 1.15)
        self.values: dict[str, FindingValue] = {}
        for name, observation in graph.observations.items():
            if observation.derived is None and _is_asked(observation):
                value = self._usual(observation)
                if value is not None:
                    self.values[name] = value

    def findings(self) -> Findings:
        """All that is known of the child."""
        return Findings(self.age, _weight(self.age, self._share), self._sex, dict(self.values))

    def _usual(self, observation: Observation) -> FindingValue:
        rnd = self._rnd
        options = [each.id for each in answers_of(observation) if each.means != "unavailable"]
        if observation.kind == "boolean":
            chance = DANGER_SIGN if observation.danger_sign else FINDING
            return rnd.random() < (MAIN_SYMPTOM if observation.main_symptom else chance)
        if observation.kind == "number":
            return rnd.choice(_numbers(self._graph, observation))
        if observation.kind == "choices":
            return tuple(each for each in options if rnd.random() < FINDING)
        return rnd.choice(options) if options else None

    def make(self, node: int, *, holds: bool) -> None:
        """Change values so that a node is true, or false; what cannot be changed is left."""
        graph, rnd = self._graph, self._rnd
        kind, kids = graph.kinds[node], graph.kids[node]
        if kind == NOT:
            self.make(kids[0], holds=not holds)
        elif kind in (AND, OR):
            every = (kind == AND) is holds
            for kid in kids if every else (rnd.choice(kids),):
                self.make(kid, holds=holds)
        elif kind == SCORE or (kind == IF and holds):
            for kid in kids if kind == SCORE else kids[:2]:
                self.make(kid, holds=holds)
        elif kind in (OWN, SOFT, IF) or (kind == ANSWER and kids):
            self.make(kids[-1 if kind == IF else 0], holds=holds)
        elif kind == AGED and holds:
            band = cast(AgeBand, graph.data[node])
            if not band.has(self.age):
                low = band.from_days or 0
                self.age = rnd.randrange(low, max(band.to_days or 1826, low + 1))
        elif kind == ANSWER:
            self._answer(cast(Answered, graph.data[node]), holds=holds)
        elif kind == COMPARE:
            self._compare(node, holds=holds)

    def _answer(self, leaf: Answered, *, holds: bool) -> None:
        observation = self._graph.observations[leaf.observation]
        if observation.derived is not None or not _is_asked(observation):
            return
        options = [each for each in answers_of(observation) if each.means != "unavailable"]
        if observation.kind == "choices":
            held = self.values.get(leaf.observation)
            others = (
                [each for each in held if each != leaf.answer] if isinstance(held, tuple) else []
            )
            self.values[leaf.observation] = tuple([*others, leaf.answer] if holds else others)
            return
        fitting = [each for each in options if (each.id == leaf.answer) is holds]
        if not fitting:
            return
        option = self._rnd.choice(fitting)
        if option.is_band:
            inside = [
                number
                for number in _numbers(self._graph, observation)
                if (option.low is None or number >= option.low)
                and (option.high is None or number < option.high)
            ]
            if inside:
                self.values[leaf.observation] = self._rnd.choice(inside)
        else:
            self.values[leaf.observation] = option.id

    def _compare(self, node: int, *, holds: bool) -> None:
        leaf = cast(Compared, self._graph.data[node])
        observation = self._graph.observations[leaf.observation]
        if isinstance(observation.derived, TableValue):
            self._score(leaf, observation.derived, holds=holds)
        if observation.derived is not None or not _is_asked(observation):
            return
        fitting = [
            number for number in _numbers(self._graph, observation) if _is(leaf, number) is holds
        ]
        if fitting:
            self.values[leaf.observation] = self._rnd.choice(fitting)

    def _score(self, leaf: Compared, derived: TableValue, *, holds: bool) -> None:
        """Change the length, or else the weight, until a z-score is what it should be."""
        measured = self._graph.observations[derived.x].derived is None
        low, high = self._graph.observations[derived.x].range
        for _ in range(_ATTEMPTS):
            state = evaluate(self._graph, self.findings())
            known = state.known.get(leaf.observation)
            if known and known.number is not None and _is(leaf, known.number) is holds:
                return
            if measured and low is not None and high is not None:
                self.values[derived.x] = round(self._rnd.uniform(low, high), 1)
            else:
                self._share = self._rnd.uniform(0.4, 1.3)


def _is_asked(observation: Observation) -> bool:
    """What has an answer where nobody gave one is left at that, the first questions apart."""
    return not observation.default or observation.danger_sign or observation.main_symptom


def _is(leaf: Compared, number: float) -> bool:
    below, same = number < leaf.limit, number == leaf.limit
    truths: Mapping[str, bool] = {
        "<": below, "<=": below or same, ">": not below and not same, ">=": not below,
        "=": same, "!=": not same,
    }  # fmt: skip
    return truths[leaf.comparator]


def _numbers(graph: Graph, observation: Observation) -> list[float]:
    """One number of each stretch between limits that rules or bands have, and each limit."""
    limits = {
        cast(Compared, graph.data[leaf]).limit
        for leaf in graph.leaves.get(observation.id, ())
        if graph.kinds[leaf] == COMPARE
    }
    limits |= {edge for each in observation.answers for edge in (each.low, each.high)
               if edge is not None}  # fmt: skip
    low, high = observation.range
    ordered = sorted(limits)
    if not ordered:
        first = low if low is not None else 0.0
        return [first if high is None else (first + high) / 2]
    found = [ordered[0] - _EDGE, *ordered, ordered[-1] + _EDGE]
    found += [(a + b) / 2 for a, b in pairwise(ordered)]
    inside = [
        number
        for number in found
        if (low is None or number >= low) and (high is None or number <= high)
    ]
    return sorted(inside) or [ordered[0]]


def everything_known(graph: Graph, child: Child) -> Evaluated:
    """The child with every observation made."""
    return evaluate(graph, child.findings)
