"""What is asked once the classifications are settled: what the treatment of them rests on."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from medweave.guideline.logic.evaluation import Evaluated
from medweave.guideline.logic.graph import FALSE, TRUE
from medweave.guideline.logic.missing import Missing
from medweave.model.assessment import STANDS, ClassificationResult, NextQuestion
from medweave.model.guideline import BandDose, Observation, TreatmentStep, WeightDose, answers_of

_ANY = (None, None)


def treatment_question(
    state: Evaluated, results: Sequence[ClassificationResult], passed: Collection[str]
) -> NextQuestion | None:
    """The next question on which a treatment rests; None where nothing is left.

    First what has an answer only because nobody was asked, and could change what stands or what is
    given (a second count of the breaths, vitamin A in the last month); then what decides whether a
    treatment is given (wheezing); then the weight. What is checked in every child is left out.
    """
    steps = list(_steps_of_what_stands(state, results))
    read = [rule.standing for rule in state.graph.rules.values()] + [node for node, _ in steps]
    for each in _by_default(state):
        if each.id not in passed and _could_change(state, each, read):
            return NextQuestion.about(each, "what stands, or its treatment, may change by it")
    waiting = Missing(state).of(*(node for node, _ in steps)).missing
    for name in waiting:
        observation = state.graph.observations.get(name)
        if observation is None or observation.routine or name in passed:
            continue
        if state.shown(name) == TRUE:
            return NextQuestion.about(observation, "a treatment depends on it")
    by_weight = any(_is_by_weight(step) for _, step in steps)
    if by_weight and state.findings.weight_kg is None and "weight" not in passed:
        return NextQuestion("weight", "How much does the child weigh?", "doses depend on it")
    return None


def _by_default(state: Evaluated) -> Iterator[Observation]:
    """What the form asks for in this child, and has an answer only because nobody was asked."""
    for each in state.graph.observations.values():
        known = state.known.get(each.id)
        by_default = known is not None and known.source == "default"
        if by_default and each.asked_if is not None and state.shown(each.id) == TRUE:
            yield each


def _could_change(state: Evaluated, observation: Observation, read: Sequence[int]) -> bool:
    """Whether some answer would give one of these nodes another value."""
    before = [state.values[node] for node in read]
    afters = (
        state.after(observation.id, answer.id).values
        for answer in answers_of(observation)
        if answer.means != "unavailable"
    )
    return any([values[node] for node in read] != before for values in afters)


def _steps_of_what_stands(
    state: Evaluated, results: Sequence[ClassificationResult]
) -> Iterator[tuple[int, TreatmentStep]]:
    """Treatments that may be due, each with the node of its own condition."""
    for result in results:
        if result.status not in STANDS:
            continue
        for step in state.graph.classifications[result.id].treatments:
            node = state.graph.steps[result.id, step.id]
            if state.values[node] != FALSE:
                yield node, step


def _is_by_weight(step: TreatmentStep) -> bool:
    return any(
        isinstance(each.dose, WeightDose)
        or (isinstance(each.dose, BandDose) and any(b.weight != _ANY for b in each.dose.bands))
        for each in step.formulations
    )
