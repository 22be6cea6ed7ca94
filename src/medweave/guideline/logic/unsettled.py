"""What a child has, and the guideline could settle nothing about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from medweave.guideline.logic.evaluation import Evaluated
from medweave.guideline.logic.explanations import first_of, observations_named
from medweave.guideline.logic.graph import FALSE, TRUE
from medweave.guideline.logic.questions import is_present
from medweave.model.assessment import STANDS, ClassificationResult
from medweave.model.guideline import Observation
from medweave.model.reached import reached


def unsettled(state: Evaluated, results: Sequence[ClassificationResult]) -> Iterator[str]:
    """A sentence for every main symptom that is there, with the conditions left open by it.

    A cough whose breaths nobody could count is neither pneumonia nor a cold: what stands beside it
    (no throat problem) must not be taken for all there is to say.
    """
    for symptom in state.graph.observations.values():
        if symptom.main_symptom and is_present(state, symptom):
            possible = _left_open(state, symptom, results)
            if possible:
                yield _sentence(state, symptom, possible)


def _sentence(
    state: Evaluated, symptom: Observation, possible: Sequence[ClassificationResult]
) -> str:
    labels = first_of([each.label for each in possible])
    told = f"{symptom.label} is there, and these are not settled: {labels}"
    waits = tuple(dict.fromkeys(name for each in possible for name in each.missing))
    return f"{told}; it depends on {observations_named(state, waits)}" if waits else told


def _left_open(
    state: Evaluated, symptom: Observation, results: Sequence[ClassificationResult]
) -> list[ClassificationResult]:
    """What may hold because of a symptom, where nothing of its condition stands.

    That is what could not hold without it; else what it speaks for beside something else: fever,
    where nobody took the temperature.
    """
    without = _without(state, symptom)
    resting = [each for each in results if without.standing(each.id) == FALSE]
    settled = {each.condition for each in results if each.status in STANDS}
    if not any(each.status in (*STANDS, "possible") for each in resting):
        resting = [each for each in results if _speaks_for(state, symptom.id, each.id)]
    return [each for each in resting if each.status == "possible" and each.condition not in settled]


def _without(state: Evaluated, symptom: Observation) -> Evaluated:
    """The same child without the symptom, and without what says the same: difficult breathing is
    not asked for where a cough is there."""
    for other in state.graph.observations.values():
        alike = other.main_symptom and symptom.group and other.group == symptom.group
        if other.id == symptom.id or (alike and other.id not in state.known):
            state = state.after(other.id, False)
    return state


def _speaks_for(state: Evaluated, observation: str, classification: str) -> bool:
    """Whether a rule that is open has a part that holds by an observation."""
    graph, values = state.graph, state.values
    leaves = {leaf for leaf in graph.leaves.get(observation, ()) if values[leaf] == TRUE}
    within = reached(
        [graph.rules[classification].standing],
        lambda node: () if values[node] == FALSE else graph.kids[node],
    )
    return any(node in leaves for node in within)
