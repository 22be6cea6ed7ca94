"""What was said of a child, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medweave.guideline.logic.explanations import age_in_words
from medweave.guideline.logic.values import answers_of

if TYPE_CHECKING:
    from medweave.assessment.session import Session
    from medweave.guideline.logic.values import Known
    from medweave.model.guideline import Observation


def person_in_words(session: Session) -> list[str]:
    """Age, sex and weight, each known or not."""
    findings = session.case.findings
    age, weight = findings.age_days, findings.weight_kg
    return [
        "age not known" if age is None else f"{age_in_words(age)} old",
        "sex not known" if findings.sex is None else findings.sex,
        "weight not known" if weight is None else f"{weight:g} kg",
    ]


def findings_in_words(session: Session) -> list[tuple[str, str]]:
    """(label, answer) of what was answered, in the order of the guideline."""
    state = session.state
    return [
        (observation.label, _answer(observation, state.known[name]))
        for name, observation in session.graph.observations.items()
        if name in session.case.findings.values and name in state.known
    ]


def _answer(observation: Observation, known: Known) -> str:
    if known.unavailable:
        return "cannot be had here"
    if known.number is not None:
        unit = "" if observation.unit in ("", "1") else f" {observation.unit}"
        return f"{known.number:g}{unit}"
    labels = {each.id: each.label for each in answers_of(observation)}
    return ", ".join(labels.get(each, each) for each in sorted(known.answers)) or "none of these"
