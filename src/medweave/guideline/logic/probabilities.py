"""How likely each part of a guideline is to turn out true, before everything is known.

The prior is deliberately plain and the same for every guideline, since none of them says how common
anything is: a danger sign is present in one of twenty children, a main symptom in three of ten,
another finding in one of four; the answers to a choice, the bands of a number, and the stretches
between the limits that rules compare it with are equally likely. Findings are taken to be
independent. It decides only which question comes first, never what a child is classified as.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from medweave.guideline.logic.evaluation import HOLDS, Evaluated
from medweave.guideline.logic.graph import (
    AND,
    ANSWER,
    COMPARE,
    IF,
    NOT,
    OR,
    SCORE,
    SOFT,
    TRUE,
    UNKNOWN,
)
from medweave.model.guideline import Observation, answers_of
from medweave.model.logic import Answered, Compared
from medweave.model.reached import reached

DANGER_SIGN, MAIN_SYMPTOM, FINDING = 0.05, 0.3, 0.25
"""How often each is present."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way an observation may turn out: how likely, and what it makes of each of its leaves."""

    chance: float
    leaves: Mapping[int, float]


def outcomes_of(state: Evaluated, name: str) -> tuple[Outcome, ...]:
    """The ways in which an observation may turn out; their chances add up to 1.

    >>> from medweave.guideline.logic.graph import compile_guideline
    >>> from medweave.guideline.logic.evaluation import evaluate
    >>> from medweave.model.findings import Findings
    >>> from medweave.model.guideline import Classification, Condition, Guideline
    >>> cold = Classification("cold", "Cold", "coughs", "none", Answered("cough", "yes"))
    >>> cough, table = Observation("cough", "Cough"), Condition("coughs", "Cough")
    >>> graph = compile_guideline(Guideline("g", "1", "G", (cough,), (table,), (cold,)))
    >>> [outcome.chance for outcome in outcomes_of(evaluate(graph, Findings()), "cough")]
    [0.25, 0.75]
    """
    observation, leaves = state.graph.observations[name], state.graph.leaves.get(name, [])
    if observation.kind == "number" and not observation.answers:
        return _stretches(state, leaves)
    options = [answer.id for answer in answers_of(observation) if answer.means != "unavailable"]
    if observation.kind == "boolean" and len(options) == 2:  # noqa: PLR2004
        present = _present(observation)
        true = observation.option("true")
        chances = {
            option: present if option == (true.id if true else options[0]) else 1 - present
            for option in options
        }
    else:
        chances = dict.fromkeys(options, 1 / len(options)) if options else {}
    return tuple(
        Outcome(chance, {leaf: _is(state, leaf, option) for leaf in leaves})
        for option, chance in chances.items()
    )


def _present(observation: Observation) -> float:
    if observation.danger_sign:
        return DANGER_SIGN
    return MAIN_SYMPTOM if observation.main_symptom else FINDING


def _is(state: Evaluated, leaf: int, option: str) -> float:
    """What a leaf comes to where the answer is this one; a limit that bands hide stays open."""
    data = state.graph.data[leaf]
    if isinstance(data, Answered):
        return float(data.answer == option)
    return 0.5


def _stretches(state: Evaluated, leaves: Iterable[int]) -> tuple[Outcome, ...]:
    """A number: one outcome for each stretch between limits, and for each limit itself."""
    compared = [leaf for leaf in leaves if state.graph.kinds[leaf] == COMPARE]
    limits = sorted({cast(Compared, state.graph.data[leaf]).limit for leaf in compared})
    if not limits:
        return ()
    between = [(low + high) / 2 for low, high in pairwise(limits)]
    numbers = [limits[0] - 1, *between, limits[-1] + 1]
    return tuple(
        Outcome(1 / len(numbers), {leaf: _holds(state, leaf, number) for leaf in compared})
        for number in numbers
    )


def _holds(state: Evaluated, leaf: int, number: float) -> float:
    data = cast(Compared, state.graph.data[leaf])
    return float(HOLDS[data.comparator](number, data.limit))


class Probabilities:
    """How likely each node of one evaluated child is to turn out true."""

    def __init__(self, state: Evaluated) -> None:
        self._state = state
        self._outcomes: dict[str, tuple[Outcome, ...]] = {}
        self._all: list[float] = []
        for node in range(len(state.values)):
            self._all.append(self._of(node, self._all))

    def outcomes(self, name: str) -> tuple[Outcome, ...]:
        """The ways in which an observation may turn out."""
        if name not in self._outcomes:
            self._outcomes[name] = outcomes_of(self._state, name)
        return self._outcomes[name]

    def of(self, node: int) -> float:
        """How likely a node is to be true, as far as is known now."""
        return self._all[node]

    def open_above(self, leaves: Iterable[int]) -> list[int]:
        """The nodes still open that rest on these leaves, in an order in which to work them out."""
        graph, values = self._state.graph, self._state.values

        def open_parents(node: int) -> Iterator[int]:
            for parent in graph.parents[node]:
                if values[parent] == UNKNOWN or graph.kinds[parent] == SOFT:
                    yield parent

        nearest = (parent for leaf in leaves for parent in open_parents(leaf))
        return sorted(reached(nearest, open_parents))

    def after(self, outcome: Outcome, above: Iterable[int]) -> dict[int, float]:
        """How likely the nodes above its leaves are once an observation turned out so."""
        chances, of = self._all, self._of
        before = {node: chances[node] for node in (*outcome.leaves, *above)}
        for leaf, chance in outcome.leaves.items():
            chances[leaf] = chance
        for node in above:
            chances[node] = of(node, chances)
        found = {node: chances[node] for node in before}
        for node, chance in before.items():
            chances[node] = chance
        return found

    def _of(self, node: int, parts: list[float]) -> float:  # noqa: PLR0911 - one a kind
        graph, value = self._state.graph, self._state.values[node]
        kind, kids = graph.kinds[node], graph.kids[node]
        if kind == SOFT:
            return parts[kids[0]]
        if value != UNKNOWN:
            return 1.0 if value == TRUE else 0.0
        if kind in (AND, OR):
            return _joined(parts, kids, conjunction=kind == AND)
        if kind == NOT:
            return 1 - parts[kids[0]]
        if kind == IF:
            guard = parts[kids[0]]
            return guard * parts[kids[1]] + (1 - guard) * parts[kids[2]]
        if kind == SCORE:
            count, scores = cast(tuple[float, tuple[float, ...]], graph.data[node])
            return _reaches(count, scores, [parts[kid] for kid in kids])
        if kids:
            return parts[kids[0]]
        return self._leaf(node) if kind in (ANSWER, COMPARE) else 0.5

    def _leaf(self, node: int) -> float:
        data = cast(Answered | Compared, self._state.graph.data[node])
        outcomes = self.outcomes(data.observation)
        return sum(o.chance * o.leaves.get(node, 0.5) for o in outcomes) if outcomes else 0.5


def _joined(parts: list[float], kids: Iterable[int], *, conjunction: bool) -> float:
    chance = 1.0
    if conjunction:
        for kid in kids:
            chance *= parts[kid]
        return chance
    for kid in kids:
        chance *= 1 - parts[kid]
    return 1 - chance


def _reaches(count: float, scores: Iterable[float], chances: Iterable[float]) -> float:
    """How likely the scores of what is true add up to `count`.

    >>> _reaches(2, (1, 1, 1), (0.5, 0.5, 0.5))
    0.5
    """
    totals = {0.0: 1.0}
    for score, chance in zip(scores, chances, strict=True):
        after: dict[float, float] = {}
        for total, so_far in totals.items():
            after[total] = after.get(total, 0.0) + so_far * (1 - chance)
            after[total + score] = after.get(total + score, 0.0) + so_far * chance
        totals = after
    return sum(chance for total, chance in totals.items() if total >= count)
