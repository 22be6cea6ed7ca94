"""Danger in a case: what its text tells, and signs that the guideline asks for at another age."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TypeVar

from medweave.guideline.logic.evaluation import Evaluated
from medweave.guideline.logic.explanations import age_in_words
from medweave.guideline.logic.graph import TRUE, Graph
from medweave.guideline.wording import Words
from medweave.language.segmentation import language_of
from medweave.model.answer import Danger
from medweave.model.assessment import UnderstoodFinding
from medweave.model.findings import Findings
from medweave.model.guideline import ANY_AGE, Observation
from medweave.model.logic import Answered
from medweave.model.question import DangerSign, Patient
from medweave.understanding.danger.find import find_danger

_REASONS = {
    "other_age": "{sign}: a danger sign, though this guideline does not ask for it at the age of "
    "{age}.",
    "no_age": "{sign}: a danger sign at any age.",
}
_Sign = TypeVar("_Sign", bound=DangerSign | Danger)
GUIDELINE_SIGNS = "danger_signs_of_the_guideline"
"""The sign by which the danger signs of a guideline are to be asked for, all together."""


def signs_in_text(text: str, findings: Findings) -> tuple[DangerSign, ...]:
    """The danger signs that the text of a case tells, at whatever age."""
    age = findings.age_days
    patient = Patient(
        age_days=age, age_max_days=age, weight_kg=findings.weight_kg, sex=findings.sex
    )
    return find_danger(text, language_of(text), patient)


def signs_of_other_ages(state: Evaluated) -> tuple[Danger, ...]:
    """Danger signs that are there in a child for whose age the guideline has no such question, or
    whose age nobody told.

    There is no rule for them that could hold either, so they must not be lost: an unconscious
    newborn is in danger whatever the form asks.
    """
    age = state.findings.age_days
    form = "no_age" if age is None else "other_age"
    aged = "" if age is None else age_in_words(age)
    return tuple(
        Danger(each.id, "present", _REASONS[form].format(sign=each.label, age=aged), (each.source,))
        for each in state.graph.observations.values()
        if each.danger_sign and _is_there(state, each)
        if age is None or each.ages.has(age) is False
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


def signs_unasked(state: Evaluated) -> tuple[str, ...]:
    """The danger signs that nobody said anything of. Without an age, those of every age."""
    age = state.findings.age_days
    return tuple(
        each.id
        for each in state.graph.danger_signs
        if each.id not in state.known
        and each.ages.has(age) is not False
        and (age is not None or each.ages == ANY_AGE)
        and state.shown(each.id) == TRUE
    )


def signs_to_ask(graph: Graph, unasked: Sequence[str], language: str) -> tuple[Danger, ...]:
    """That danger signs of the guideline are to be asked for, in words; nothing where none is."""
    if not unasked:
        return ()
    words = Words(graph, language)
    text = words.say("signs", signs=words.observations(unasked, limit=len(unasked)))
    return (Danger(GUIDELINE_SIGNS, "ask", text, (graph.guideline.name,)),)


def still_open(signs: Sequence[_Sign], state: Evaluated) -> tuple[_Sign, ...]:
    """Signs of a text without those to be asked about that the guideline's own answers settle."""
    to_ask = [sign for sign in signs if sign.status == "ask"]
    settled: set[str] = set()
    for name in state.known if to_ask else ():
        observation = state.graph.observations[name]
        if observation.danger_sign and state.known[name].source == "given":
            settled |= {name, *signs_named(observation.label)}
    return tuple(sign for sign in signs if sign.status == "present" or sign.sign not in settled)


@cache
def signs_named(label: str) -> frozenset[str]:
    """The signs of the danger table that the label of an observation names."""
    found = find_danger(label, language_of(label), Patient())
    return frozenset(sign.sign for sign in found)


def _is_there(state: Evaluated, sign: Observation) -> bool:
    """Whether a sign was answered in the way that the rules look for."""
    known = state.known.get(sign.id)
    if known is None or known.source != "given" or not known.answers:
        return False
    leaves = (state.graph.data[leaf] for leaf in state.graph.leaves.get(sign.id, ()))
    looked_for = {leaf.answer for leaf in leaves if isinstance(leaf, Answered)}
    return bool(known.answers & looked_for)
