"""Which observations could still settle what is unknown, and which of them cannot be had."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from medweave.guideline.logic.evaluation import Evaluated
from medweave.guideline.logic.graph import (
    AGE,
    AGED,
    ANSWER,
    COMPARE,
    IF,
    OWN,
    SEX,
    UNKNOWN,
    WEIGHT,
    Graph,
)
from medweave.model.logic import Answered, Compared

_PERSON = {AGE: "age", SEX: "sex", WEIGHT: "weight"}


@dataclass(frozen=True, slots=True)
class Open:
    """Observations by id, in the order of the guideline."""

    missing: tuple[str, ...] = ()
    """Nobody has asked for them yet ("age", "sex" and "weight" are the person's)."""
    unavailable: tuple[str, ...] = ()


class Missing:
    """What is open in the rules of one evaluated child; worked out once for each node."""

    def __init__(self, state: Evaluated) -> None:
        self._state = state
        self._names = [*state.graph.observations, AGE, SEX, WEIGHT]
        self._bit = {name: 1 << at for at, name in enumerate(self._names)}
        self._masks: dict[int, tuple[int, int]] = {}

    def of(self, *nodes: int) -> Open:
        """What could settle these nodes; of those that are known, nothing."""
        unknown = away = 0
        for node in nodes:
            some, others = self._mask(node)
            unknown, away = unknown | some, away | others
        return Open(self._listed(unknown), self._listed(away))

    def _listed(self, mask: int) -> tuple[str, ...]:
        found: list[str] = []
        while mask:
            lowest = mask & -mask
            name = self._names[lowest.bit_length() - 1]
            found.append(_PERSON.get(name, name))
            mask ^= lowest
        return tuple(found)

    def _mask(self, node: int) -> tuple[int, int]:
        """Unknown and unavailable observations below a node, as bits."""
        waiting = [node]
        masks, graph, values = self._masks, self._state.graph, self._state.values
        while waiting:
            current = waiting[-1]
            if current in masks:
                waiting.pop()
            elif values[current] != UNKNOWN:
                masks[waiting.pop()] = (0, 0)
            else:
                kids = self._kids(graph, current)
                before = [kid for kid in kids if kid not in masks]
                if before:
                    waiting += before
                else:
                    masks[waiting.pop()] = self._joined(current, kids)
        return masks[node]

    def _kids(self, graph: Graph, node: int) -> tuple[int, ...]:
        kind, kids = graph.kinds[node], graph.kids[node]
        if kind == OWN:
            return kids[:1]
        return kids[:2] if kind == IF else kids

    def _joined(self, node: int, kids: tuple[int, ...]) -> tuple[int, int]:
        unknown = away = 0
        for kid in kids:
            some, others = self._masks[kid]
            unknown, away = unknown | some, away | others
        kind = self._state.graph.kinds[node]
        if kind == AGED:
            unknown |= self._bit[AGE]
        elif kind in (ANSWER, COMPARE) and not kids:
            leaf = cast(Answered | Compared, self._state.graph.data[node])
            some, others = self._inputs(leaf.observation)
            unknown, away = unknown | some, away | others
        return unknown, away

    def _inputs(self, name: str) -> tuple[int, int]:
        """An observation; of a computed one, what is needed to compute it."""
        state = self._state
        known = state.known.get(name)
        if known is not None and known.unavailable:
            return 0, self._bit[name]
        if known is not None:
            return 0, 0
        if name in (AGE, SEX, WEIGHT):
            held = {AGE: state.findings.age_days, SEX: state.findings.sex}.get(
                name, state.findings.weight_kg
            )
            return (self._bit[name], 0) if held is None else (0, 0)
        inputs = state.graph.computed.get(name)
        if inputs is None:
            return self._bit[name], 0
        unknown = away = 0
        for other in inputs:
            some, others = self._inputs(other)
            unknown, away = unknown | some, away | others
        return (unknown, away) if unknown or away else (self._bit[name], 0)
