"""What a dose depends on: of a medicine that is cut by weak kidneys, "with care" is no answer to
whether its dose is right. No dose is held, and none is judged; who can judge it is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from medweave.answering.draft import Draft
from medweave.language.data import shipped_yaml
from medweave.model.inferred import DrugReview, Inferred
from medweave.model.material import Material
from medweave.model.question import Question
from medweave.vocabulary.knowledge import Knowledge

_KIDNEY = "mw.condition:kidney_disease"
_KIDNEYS = "kidneys"
_DOSE = "dose"
_MOST = 4
"""So many medicines are told of."""


def say_what_the_dose_depends_on(
    draft: Draft, question: Question, material: Material, inferred: Inferred
) -> bool:
    """Says of medicines whose dose is asked or told, or that are asked about for somebody with weak
    kidneys, what it depends on; whether there is any."""
    of_dose = _DOSE in question.labels or (question.asks and _tells_dose(question))
    weak = _has_weak_kidneys(inferred, draft.wording.knowledge)
    asked = {focus.entity for focus in material.question_drugs}
    told = [
        (review.drug.entity, on)
        for review in inferred.reviews
        if (on := _depends_on(review))
        and (
            (of_dose and (review.drug.entity in asked or review.taken))
            or (weak and _KIDNEYS in on and review.drug.entity in asked)
        )
    ][:_MOST]
    wording = draft.wording
    for on in dict.fromkeys(on for _, on in told):
        drugs = [wording.name(drug) for drug, own in told if own == on]
        parts = [wording.say(f"dose_depends.{part}") for part in on]
        add = draft.add_direct if of_dose else draft.add_missing
        add("dose_on", drugs=wording.join(drugs), on=wording.join(parts))
    return bool(told)


def _tells_dose(question: Question) -> bool:
    return any(value.quantity == _DOSE for value in question.values)


def _has_weak_kidneys(inferred: Inferred, knowledge: Knowledge) -> bool:
    if inferred.facts.kidney_filtration is not None:
        return True
    kinds = {_KIDNEY, *knowledge.lexicon.narrower([_KIDNEY])}
    return not kinds.isdisjoint(inferred.facts.entities("condition"))


def _depends_on(review: DrugReview) -> tuple[str, ...]:
    table = _table()
    return next((tuple(table[e]) for e in review.drug.entities if e in table), ())


@cache
def _table() -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = shipped_yaml("answering", "dose_depends.yaml")["medicines"]
    return found
