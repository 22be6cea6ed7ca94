"""What to ask next, in the plainest way: danger signs, main symptoms, then what settles most."""

from __future__ import annotations

from collections.abc import Sequence

from medweave.inference.guideline_graph import FALSE
from medweave.inference.guideline_logic import Evaluated
from medweave.model.assessment import ClassificationResult, NextQuestion
from medweave.model.guideline import Observation

_GRAVE = {"severe": 0, "moderate": 1, "mild": 2, "none": 3}
_PERSON = {
    "age": "How old is the child?",
    "sex": "Is the child a girl or a boy?",
    "weight": "How much does the child weigh?",
}


def next_question(
    state: Evaluated, results: Sequence[ClassificationResult], *, form: bool = False
) -> NextQuestion | None:
    """The next question; None where everything is settled as far as it can be.

    `form`: in the order of the guideline, by its own skip logic.
    """
    waiting: dict[str, ClassificationResult] = {}
    for result in sorted(results, key=lambda each: _GRAVE[each.severity]):
        for name in result.missing:
            waiting.setdefault(name, result)
    if not waiting:
        return None
    for name, text in _PERSON.items():
        if name in waiting:
            return NextQuestion(name, text, f"{waiting[name].label} depends on it")
    if form:
        return _as_the_form(state)
    return _gravest(state, waiting)


def _gravest(state: Evaluated, waiting: dict[str, ClassificationResult]) -> NextQuestion | None:
    observations = state.graph.observations
    order = {name: at for at, name in enumerate(observations)}
    asked = [name for name in waiting if name in observations]
    if not asked:
        return None
    name = min(
        asked,
        key=lambda each: (
            not observations[each].danger_sign,
            not observations[each].main_symptom,
            _GRAVE[waiting[each].severity],
            order[each],
        ),
    )
    return _question(observations[name], f"it could settle {waiting[name].label}")


def _as_the_form(state: Evaluated) -> NextQuestion | None:
    for name, observation in state.graph.observations.items():
        node = state.graph.asked_if.get(name)
        skipped = node is not None and state.values[node] == FALSE
        if name in state.known or observation.derived is not None or skipped:
            continue
        if observation.ages.has(state.findings.age_days) is False:
            continue
        return _question(observation, "it is next in the form")
    return None


def _question(observation: Observation, why: str) -> NextQuestion:
    if observation.danger_sign:
        why = f"it is a danger sign; {why}"
    elif observation.main_symptom:
        why = f"it is a main symptom; {why}"
    return NextQuestion(observation.id, observation.question or observation.label, why)
