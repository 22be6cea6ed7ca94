"""How something is asked, where it was learned what is asked: what is compared though no word that
rules know compares it, and whether an illness is catching.
"""

from __future__ import annotations

from collections.abc import Sequence

from medweave.model.question import FINDINGS, NOT_NOW, SUBSTANCES, Asked, Form, Mention
from medweave.understanding.asked.deciding import DECIDES_ALONE, findings_named
from medweave.understanding.asked.reading import answered
from medweave.understanding.comparisons import COMPARED_DISEASES, COMPARED_DRUGS
from medweave.understanding.question_form import ANY_RELATION, contagion_of

_AT_LEAST = 2
_NOT_COMPARED = (*NOT_NOW, "allergy")
_CONTAGIOUS, _DIAGNOSIS, _CONNECTION = "contagious", "diagnosis", "connection"
_SAME = "same"
"""The relation of what may be one thing: who asks what a complaint is asks nothing of that."""


def form_as_asked(form: Form, asked: Asked, mentions: Sequence[Mention], language: str) -> Form:
    """The form, as it follows from what is surely asked."""
    if asked.certainty < DECIDES_ALONE:
        return form
    if asked.label == _CONTAGIOUS:
        illnesses = tuple(m for m in findings_named(mentions) if m.concept == "disease")
        return contagion_of(illnesses[:1], language) if illnesses else form
    if asked.label == _CONNECTION:
        return _connection(mentions) or form
    if form.kind == "comparison":
        return form
    if asked.label not in answered().chosen:
        other = (form.relation == _SAME and asked.label == _DIAGNOSIS) or form.unnamed
        return Form() if other and _is_of_one(asked.label) else form
    return form if form.relation == _SAME else _comparison(mentions) or form


def _connection(mentions: Sequence[Mention]) -> Form | None:
    """Whether the conditions that are named have to do with the one named last; None of one."""
    named = {m.entity: m for m in findings_named(mentions) if m.status != "absent"}
    if len(named) < _AT_LEAST:
        return None
    *others, last = named.values()
    return Form("yes_no", relation=ANY_RELATION, first=tuple(others), second=(last,))


def _is_of_one(label: str) -> bool:
    """Whether a label asks for something of one thing, and describes no two beside each other."""
    intent = answered().intents.get(label)
    return intent is not None and intent != "description"


def _comparison(mentions: Sequence[Mention]) -> Form | None:
    """Of the medicines that somebody may take, or else of the conditions; None of one alone."""
    kinds = ((SUBSTANCES, COMPARED_DRUGS), (FINDINGS, COMPARED_DISEASES))
    for concepts, labels in kinds:
        there = [m for m in mentions if m.concept in concepts and m.status != "absent"]
        held = [m for m in there if m.role not in _NOT_COMPARED]
        chosen = [m for m in held if m.role != "taken"]
        if len(chosen) == 1 and chosen[0].concept == "drug_class":
            return None  # "on warfarin, needs a painkiller, which one?" asks for one of these
        for some in (chosen, held):
            compared = tuple({m.entity: m for m in some}.values())
            if len(compared) >= _AT_LEAST:
                return Form("comparison", compared=compared, answered_intents=labels)
    return None
