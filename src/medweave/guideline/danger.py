"""Danger in a case: what its text tells, and signs that the guideline asks for at another age."""

from __future__ import annotations

from collections.abc import Iterable

from medweave.guideline.logic.evaluation import Evaluated
from medweave.guideline.logic.explanations import age_in_words
from medweave.guideline.logic.graph import Graph
from medweave.language.segmentation import language_of
from medweave.model.answer import Danger
from medweave.model.assessment import UnderstoodFinding
from medweave.model.findings import Findings
from medweave.model.guideline import Observation
from medweave.model.logic import Answered
from medweave.model.question import DangerSign, Patient
from medweave.understanding.danger.find import find_danger


def signs_in_text(text: str, findings: Findings) -> tuple[DangerSign, ...]:
    """The danger signs that the text of a case tells, at whatever age."""
    patient = Patient(age_days=findings.age_days, weight_kg=findings.weight_kg, sex=findings.sex)
    return find_danger(text, language_of(text), patient)


def signs_of_other_ages(state: Evaluated) -> tuple[Danger, ...]:
    """Danger signs that are there in a child for whose age the guideline has no such question.

    It has no rule for them either, so they must not be lost: an unconscious newborn is in danger
    whatever the form asks.
    """
    age = state.findings.age_days
    if age is None:
        return ()
    return tuple(
        Danger(
            each.id,
            "present",
            f"{each.label}: a danger sign, though this guideline does not ask for it at the age of "
            f"{age_in_words(age)}.",
            (each.source,),
        )
        for each in state.graph.observations.values()
        if each.danger_sign and each.ages.has(age) is False and _is_there(state, each)
    )


def signs_left_open(graph: Graph, understood: Iterable[UnderstoodFinding]) -> tuple[Danger, ...]:
    """Danger signs of the guideline that a text names and leaves open: they are asked about."""
    return tuple(
        Danger(
            each.observation,
            "ask",
            f"The text leaves it open: {graph.observations[each.observation].question}",
            (graph.observations[each.observation].source,),
        )
        for each in understood
        if each.value is None and graph.observations[each.observation].danger_sign
    )


def _is_there(state: Evaluated, sign: Observation) -> bool:
    """Whether a sign was answered in the way that the rules look for."""
    known = state.known.get(sign.id)
    if known is None or known.source != "given" or not known.answers:
        return False
    leaves = (state.graph.data[leaf] for leaf in state.graph.leaves.get(sign.id, ()))
    looked_for = {leaf.answer for leaf in leaves if isinstance(leaf, Answered)}
    return bool(known.answers & looked_for)
