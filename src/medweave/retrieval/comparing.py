"""What is looked up where things are compared: the same properties of each."""

from __future__ import annotations

from collections.abc import Iterator

from medweave.model.material import Focus, Looked
from medweave.model.question import Form, Question
from medweave.retrieval.lookup import (
    PROPERTIES,
    Property,
    documented_kinds,
    kinds_above,
    look_up,
    members,
)
from medweave.vocabulary.knowledge import Knowledge

COMPARISON = "comparison"
"""The intent of what is looked up here."""
_OF_DRUGS = PROPERTIES["indication"]
_OF_DISEASES = (Property("described_as"), Property("has_symptom"))
_ON_REQUEST = ("cause", "test", "complication")
"""Properties that two diseases are compared by where they are asked for."""


def compare(question: Question, knowledge: Knowledge) -> tuple[Looked, ...]:
    """The properties of everything compared; of classes of drugs, those of their members.

    One thing after the other, each with all properties, found or not.
    """
    form = question.form
    if form.kind != "comparison":
        return ()
    if form.compares_drugs:
        drugs = [focus for mention in form.compared for focus in members(mention, knowledge)]
        return tuple(_looked(tuple(dict.fromkeys(drugs)), _OF_DRUGS, knowledge))
    asked = [i.label for i in question.intents if i.label in _ON_REQUEST]
    further = [what for label in asked for what in PROPERTIES[label] if _listed(what, knowledge)]
    foci = tuple(_described(Focus(mention.entities), knowledge) for mention in form.compared)
    return tuple(_looked(foci, (*_OF_DISEASES, *further), knowledge))


def _described(focus: Focus, knowledge: Knowledge) -> Focus:
    """A disease; of one that the base says nothing of itself, its only kind, or else what it is a
    kind of: of bronchitis the acute one, of a stomach ulcer the peptic ulcer."""
    if any(look_up(focus.entities, what, knowledge) for what in _OF_DISEASES):
        return focus
    kinds = documented_kinds(focus.entities, knowledge)
    if len(kinds) == 1:
        return kinds[0]
    wider = (Focus(knowledge.same(above)) for above in kinds_above(focus.entities, knowledge))
    described = (w for w in wider if any(look_up(w.entities, p, knowledge) for p in _OF_DISEASES))
    return next(described, focus)


def intents_covered(form: Form) -> frozenset[str]:
    """The intents that a comparison answers itself."""
    if form.kind != "comparison":
        return frozenset()
    return form.answered_intents | (frozenset() if form.compares_drugs else frozenset(_ON_REQUEST))


def _listed(what: Property, knowledge: Knowledge) -> bool:
    return not knowledge.vocabulary.predicate(what.predicate).takes_text


def _looked(
    foci: tuple[Focus, ...], properties: tuple[Property, ...], knowledge: Knowledge
) -> Iterator[Looked]:
    for focus in foci:
        for what in properties:
            found = tuple(look_up(focus.entities, what, knowledge))
            yield Looked(COMPARISON, focus, what.predicate, what.from_object, found)
