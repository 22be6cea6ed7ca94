"""What does not fit together in what was found, and what is to be checked about the child."""

from __future__ import annotations

from medweave.guideline.logic.allergies import allergy_warnings
from medweave.guideline.logic.evaluation import Evaluated, computed_number, weight_of
from medweave.guideline.logic.explanations import age_in_words, ages_in_words, explain
from medweave.guideline.logic.graph import FALSE, TRUE, UNKNOWN
from medweave.guideline.logic.values import Known
from medweave.model.guideline import Observation, RuleValue
from medweave.model.question import Patient
from medweave.model.value import Value
from medweave.vocabulary.thresholds import plausible_weight, threshold_of

_ALMOST = 0.051
"""Numbers that differ by less are rounded, not contradictory."""


def weight_fits(state: Evaluated) -> bool:
    """Whether the weight can be right for the age, as far as both are known."""
    weight = weight_of(state)
    if weight is None:
        return True
    return plausible_weight(weight, _patient(state))


def _patient(state: Evaluated) -> Patient:
    return Patient(age_days=state.findings.age_days, age_max_days=state.findings.age_days)


def person_warnings(state: Evaluated) -> tuple[str, ...]:
    """What is to be questioned about age and weight."""
    warnings = []
    if state.findings.text:
        warnings.append("the free text was not read: give its findings by name")
    warnings += allergy_warnings(state.findings.allergies)
    weight, age = weight_of(state), state.findings.age_days
    if weight is not None and age is not None and not weight_fits(state):
        warnings.append(
            f"a weight of {weight:g} kg does not fit an age of {age_in_words(age)}: "
            "weigh again, and check the decimal point; no dose is given"
        )
    ages = state.graph.guideline.ages
    if ages.has(age) is False and age is not None:
        warnings.append(
            f"this guideline is for children {ages_in_words(ages)}; "
            f"the child is {age_in_words(age)} old"
        )
    return tuple(warnings)


def contradictions(state: Evaluated) -> tuple[str, ...]:
    """Answers that do not fit another answer, or what is computed from others."""
    found: list[str] = []
    for name, observation in state.graph.observations.items():
        known = state.known.get(name)
        if known is None or known.source != "given" or known.unavailable:
            continue
        problem = _against_computed(state, observation, known) or _of_absent(
            state, observation, known
        )
        if problem:
            found.append(problem)
    return (*found, *_hot_without_fever(state))


def _against_computed(state: Evaluated, observation: Observation, known: Known) -> str:
    """A number or an answer that was given, and is computed otherwise."""
    if isinstance(observation.derived, RuleValue):
        return _against_rule(state, observation, known)
    computed = computed_number(state, observation.id)
    if computed is None or known.number is None or abs(computed - known.number) <= _ALMOST:
        return ""
    return f"{observation.label} was given as {known.number:g}, and computed as {computed:g}"


def _against_rule(state: Evaluated, observation: Observation, known: Known) -> str:
    truths = {answer.id: answer.means for answer in observation.answers}
    for leaf in state.graph.leaves.get(observation.id, ()):
        for kid in state.graph.kids[leaf]:
            answer = state.graph.data[leaf].answer  # type: ignore[attr-defined]
            value = state.values[kid]
            chosen = answer in known.answers
            if value != UNKNOWN and chosen is not (value == TRUE) and truths.get(answer):
                given = "yes" if chosen is (truths[answer] == "true") else "no"
                return f"{observation.label} was answered {given}, and other answers say otherwise"
    return ""


def _of_absent(state: Evaluated, observation: Observation, known: Known) -> str:
    """A sign that is there, of something that is not: cough for 5 days, and no cough. What is asked
    at another age alone rests on nothing here."""
    node = state.graph.asked_if.get(observation.id)
    of_another_age = observation.ages.has(state.findings.age_days) is False
    may_be = observation.unasked == "needless" or observation.danger_sign or of_another_age
    if node is None or may_be or state.values[node] != FALSE:
        return ""
    positive = {answer.id for answer in observation.answers if answer.means == "true"}
    if known.number is None and not positive & known.answers:
        return ""
    return f"{observation.label} was answered, though it does not apply ({explain(state, node)})"


def _hot_without_fever(state: Evaluated) -> list[str]:
    """A temperature that is fever, where fever was denied."""
    observations = state.graph.observations
    denied = [
        observations[name]
        for name in sorted(state.graph.observation_names.called("fever"))
        if (known := state.known.get(name)) is not None
        and known.source == "given"
        and any(a.id in known.answers and a.means == "false" for a in observations[name].answers)
    ]
    if not denied:
        return []
    found = []
    for name, known in state.known.items():
        if observations[name].unit != "Cel" or known.number is None:
            continue
        number = known.number
        value = Value(0, 0, "body temperature", number, "Cel", number, "Cel", "Cel")
        threshold = threshold_of(value, _patient(state))
        if threshold is not None and threshold.finding == "fever":
            found.append(
                f"{denied[0].label} was denied, and {observations[name].label} is "
                f"{known.number:g} Cel"
            )
    return found
