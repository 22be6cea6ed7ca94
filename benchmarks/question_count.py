"""How many questions it takes to settle a child: guided, against the form's own order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import mean
from typing import Literal

from benchmarks.simulated_children import Child, children, everything_known
from medweave.guideline.logic.evaluation import Evaluated, evaluate
from medweave.guideline.logic.graph import FALSE, Graph
from medweave.guideline.logic.questions import is_read, next_question
from medweave.guideline.logic.status import outcomes, statuses
from medweave.model.findings import Findings, FindingValue
from medweave.model.logic import Answered, Compared

Order = Literal["guided", "form", "relevant"]
_REMEMBERED = 12
"""So many questions deep, what was chosen is remembered for children with the same answers."""


@dataclass(frozen=True, slots=True)
class Walk:
    """The questions one child was asked, and what came out otherwise than when all is known."""

    asked: tuple[str, ...]
    differs: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """By classification: its status now, and with everything known."""


@dataclass(frozen=True, slots=True)
class Counted:
    """One child, guided and by the form."""

    child: Child
    guided: Walk
    form: Walk
    relevant: Walk
    """In the form's order, too, but without what could no longer settle anything."""
    whole_form: int
    """Questions of the form by its skip logic, had it not stopped once all was settled."""
    first: int
    """Danger signs and main symptoms among the guided ones: they are always asked."""
    hidden: int = 0
    """Guided questions that the form would never have shown for this child."""
    unread: int = 0
    """Questions in the form's order that no rule reads (names, the village)."""
    needed: int = 0
    """Questions without which something would not be settled, found by leaving out one by one."""


class Walking:
    """Walks children through a guideline."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._chosen: dict[tuple[object, ...], str] = {}

    def count(self, child: Child, *, needed: bool = False) -> Counted:
        """One child both ways; with `needed`, also the fewest answers found to settle it."""
        known = everything_known(self._graph, child)
        full = {name: each.status for name, each in statuses(known).items()}
        guided = self._walk(child, full, "guided")
        form = self._walk(child, full, "form")
        relevant = self._walk(child, full, "relevant")
        observations = self._graph.observations
        first = sum(
            observations[name].danger_sign or observations[name].main_symptom
            for name in guided.asked
        )
        least = self._needed(child, guided, full) if needed else 0
        hidden = sum(known.shown(name) == FALSE for name in guided.asked)
        unread = sum(not is_read(self._graph, name) for name in form.asked)
        whole = self._whole(child)
        return Counted(child, guided, form, relevant, whole, first, hidden, unread, least)

    def _walk(self, child: Child, full: Mapping[str, str], order: Order) -> Walk:
        state = evaluate(self._graph, _with(child, self._seen(child)))
        asked: list[str] = []
        passed: set[str] = set()
        while (name := self._next(child, state, asked, passed, order)) is not None:
            asked.append(name)
            value = child.findings.values.get(name)
            if value is None:
                passed.add(name)
            else:
                state = state.after(name, value)
        now = {name: each.status for name, each in statuses(state).items()}
        differs = {name: (now[name], full[name]) for name in full if now[name] != full[name]}
        return Walk(tuple(asked), differs)

    def _seen(self, child: Child) -> dict[str, FindingValue]:
        """What is told unasked: signs that count where they are seen, though the form asks nobody
        like this child for them (blue lips of an older child without a cough)."""
        known, values = everything_known(self._graph, child), child.findings.values
        return {
            name: value
            for name, value in values.items()
            if known.shown(name) == FALSE and counts_where_seen(self._graph, name)
        }

    def _next(
        self, child: Child, state: Evaluated, asked: list[str], passed: set[str], order: Order
    ) -> str | None:
        person = child.findings.age_days, child.findings.sex, child.findings.weight_kg
        told = {*asked, *self._seen(child)}
        said = tuple(sorted((name, str(child.findings.values.get(name))) for name in told))
        key = (order, person, said)
        if key in self._chosen:
            return self._chosen[key] or None
        if order == "relevant":
            name = self._first_relevant(state, passed)
        else:
            question = next_question(
                state, outcomes(state), form=order == "form", passed=passed, defaults_count=False
            )
            name = question.observation if question else None
        if len(asked) <= _REMEMBERED:
            self._chosen[key] = name or ""
        return name

    def _first_relevant(self, state: Evaluated, passed: set[str]) -> str | None:
        """The first question of the form that could settle something, after those always asked."""
        question = next_question(state, (), passed=passed, defaults_count=False)
        if question is not None:
            return question.observation
        waiting = {name for each in outcomes(state) for name in each.missing} - passed
        ordered = [name for name in self._graph.observations if name in waiting]
        asked = [name for name in ordered if self._asks(state, name)]
        return next(iter(asked or ordered), None)

    def _asks(self, state: Evaluated, name: str) -> bool:
        return state.shown(name) != FALSE

    def _whole(self, child: Child) -> int:
        """How many questions the form has for this child, to its end."""
        state, count = _begun(self._graph, child), 0
        for name, observation in self._graph.observations.items():
            if observation.derived is not None:
                continue
            if observation.ages.has(child.findings.age_days) is False:
                continue
            if not self._asks(state, name):
                continue
            count += 1
            value = child.findings.values.get(name)
            if value is not None:
                state = state.after(name, value)
        return count

    def _needed(self, child: Child, guided: Walk, full: Mapping[str, str]) -> int:
        """A lower bound only for those who know the answers before: what was asked, with all left
        out that can be left out one by one, the first questions apart."""
        observations = self._graph.observations
        values = child.findings.values
        held = {name: values[name] for name in guided.asked if name in values}
        for name in list(reversed(held)):
            if observations[name].danger_sign or observations[name].main_symptom:
                continue
            less = {other: value for other, value in held.items() if other != name}
            state = evaluate(self._graph, _with(child, less))
            if {each: found.status for each, found in statuses(state).items()} == full:
                held = less
        return len(held)


def counts_where_seen(graph: Graph, name: str) -> bool:
    """Whether a rule takes an observation for absent where nobody answered."""
    data = (graph.data[leaf] for leaf in graph.leaves.get(name, ()))
    return any(isinstance(each, Answered | Compared) and each.unanswered is False for each in data)


def _with(child: Child, values: Mapping[str, FindingValue]) -> Findings:
    found = child.findings
    return Findings(found.age_days, found.weight_kg, found.sex, values)


def _begun(graph: Graph, child: Child) -> Evaluated:
    """Age, weight and sex are known; nothing else is."""
    return evaluate(graph, _with(child, {}))


def count_questions(graph: Graph, count: int, seed: int = 0, *, every: int = 10) -> list[Counted]:
    """So many simulated children; of one in `every`, also the fewest answers that settle it."""
    walking = Walking(graph)
    return [
        walking.count(child, needed=number % every == 0)
        for number, child in enumerate(children(graph, count, seed))
    ]


def summary(counted: Iterable[Counted]) -> dict[str, float]:
    """Means over children, and how many came out otherwise than with everything known."""
    found = list(counted)
    some = [each for each in found if each.needed]
    guided = mean(len(each.guided.asked) for each in found)
    form = mean(len(each.form.asked) for each in found)
    return {
        "children": len(found),
        "classifications": len({each.child.target for each in found if each.child.stands}),
        "targets": len({each.child.target for each in found}),
        "guided": guided,
        "form": form,
        "whole_form": mean(each.whole_form for each in found),
        "relevant": mean(len(each.relevant.asked) for each in found),
        "ratio": guided / form if form else 0.0,
        "ratio_to_whole_form": guided / mean(each.whole_form for each in found),
        "first": mean(each.first for each in found),
        "guided_hidden_by_the_form": mean(each.hidden for each in found),
        "form_read_by_no_rule": mean(each.unread for each in found),
        "needed": mean(each.needed for each in some) if some else 0.0,
        "guided_of_those": mean(len(each.guided.asked) for each in some) if some else 0.0,
        "form_of_those": mean(len(each.form.asked) for each in some) if some else 0.0,
        "guided_differs": sum(bool(each.guided.differs) for each in found),
        "form_differs": sum(bool(each.form.differs) for each in found),
        "relevant_differs": sum(bool(each.relevant.differs) for each in found),
    }
