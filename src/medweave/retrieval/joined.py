"""What was found for each of several questions of one text, as found for the whole of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from medweave.model.material import Focus, Material
from medweave.model.question import Question

_OF_DRUGS = ("contraindication", "interaction")


def joined_material(parts: Sequence[tuple[Question, Material]]) -> Material:
    """All that was found, once, in the order in which it was asked for."""
    weighed = [_weighed(part, each) for part, each in parts]
    found = [each for _, each in parts]
    looked = {
        (item.intent, item.focus, item.predicate, item.from_object, item.of_class): item
        for each in reversed(found)
        for item in reversed(each.looked)
    }
    drugs = {focus.entity: focus for some in weighed for focus in some}
    return Material(
        tuple(reversed(looked.values())),
        tuple(drugs.values()),
        claimed=tuple(claimed for each in found for claimed in each.claimed),
        compared=tuple(item for each in found for item in each.compared),
        held_back=any(each.held_back for each in found),
        kinds={about: kinds for each in found for about, kinds in each.kinds.items()},
    )


def _weighed(part: Question, found: Material) -> tuple[Focus, ...]:
    """The drugs that a question asks about: of one whose class is asked, none of that class."""
    if part.form.relation != "class":
        return found.question_drugs
    own = {entity for mention in part.form.first for entity in mention.entities}
    return tuple(focus for focus in found.question_drugs if own.intersection(focus.entities))


def with_bound(whole: Question, parts: Sequence[tuple[Question, Material]]) -> Question:
    """The whole text, with which drugs it asks whether they may be taken: not those of which only
    another thing is asked."""
    bound = {
        (intent.label, focus.entity)
        for part, material in parts
        for intent in part.intents
        if intent.label in _OF_DRUGS
        for focus in material.question_drugs
    }
    return replace(whole, bound=tuple(sorted(bound)))
