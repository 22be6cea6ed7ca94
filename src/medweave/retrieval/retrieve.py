"""Everything a base holds that bears on a question."""

from __future__ import annotations

from medweave.language.segmentation import index_terms, stop_names
from medweave.model.material import Focus, Looked, Material
from medweave.model.question import Mention, Question
from medweave.ports import SupportsTextSearch
from medweave.retrieval.lookup import PROPERTIES, look_up
from medweave.vocabulary.knowledge import Knowledge

_OF_SUBSTANCES = frozenset({"indication", "contraindication", "interaction", "side_effect"})
_SUBSTANCES = ("drug", "drug_class")
_LISTS = ("drug", "treatment")
"""Intents that ask for a list of drugs: those the person cannot take are not what is asked for."""
_CLOSEST = 3


def retrieve(question: Question, knowledge: Knowledge) -> Material:
    """Look up what the intents ask for, and the drugs at issue."""
    labels = [intent.label for intent in question.intents]
    drugs = asked_drugs(question, knowledge)
    looked = [
        Looked(label, focus, what.predicate, what.from_object, tuple(found))
        for label in labels
        for focus in _foci(label, question, drugs)
        for what in PROPERTIES.get(label, ())
        for found in [look_up(focus.entities, what, knowledge)]
    ]
    closest = () if question.mentions else _closest(question, knowledge)
    return Material(tuple(looked), drugs, closest)


def asked_drugs(question: Question, knowledge: Knowledge) -> tuple[Focus, ...]:
    """The drugs a question asks about, without those the person takes or is allergic to.

    A class of which the base says nothing itself is opened into the members the base knows.
    """
    aside = {*question.patient.drugs, *question.patient.allergies}
    mentions = question.of_concept(*_SUBSTANCES)
    lists = any(intent.label in _LISTS for intent in question.intents)
    if lists and all(m.entity in aside for m in mentions):
        return ()
    asked = (
        [m for m in mentions if m.entity not in aside]
        or [m for m in mentions if m.entity not in question.patient.drugs]
        or list(mentions)
    )
    foci: list[Focus] = []
    for mention in asked:
        if lists and mention.concept == "drug_class":
            continue  # "antibiotics for X" asks for a list of drugs, not about each antibiotic
        for focus in _members(mention, knowledge):
            if not any(set(focus.entities) & set(other.entities) for other in foci):
                foci.append(focus)
    return tuple(foci)


def _members(mention: Mention, knowledge: Knowledge) -> list[Focus]:
    own = Focus(mention.entities)
    if mention.concept != "drug_class":
        return [own]
    members = {
        supported.statement.subject
        for entity in mention.entities
        for supported in knowledge.store.match(None, "in_class", entity)
        if supported.affirmed
        and knowledge.entities.get(supported.statement.subject).concept == "drug"
    }
    members |= knowledge.holds(
        term.id
        for term in knowledge.lexicon.terms.values()
        if term.concept == "drug" and set(term.classes) & set(mention.entities)
    )
    return [Focus(knowledge.same(member)) for member in sorted(members)] or [own]


def _foci(label: str, question: Question, drugs: tuple[Focus, ...]) -> list[Focus]:
    """What an intent is about: diseases before symptoms; nothing that is denied."""
    if label in _OF_SUBSTANCES:
        return list(drugs)
    if label == "description":
        chosen = question.mentions
    else:
        chosen = question.of_concept("disease") or question.of_concept("symptom")
    named = [m for m in chosen if m.status != "absent" and m.concept != "population"]
    return [Focus(m.entities) for m in {m.entity: m for m in named}.values()]


def _closest(question: Question, knowledge: Knowledge) -> tuple[str, ...]:
    if not isinstance(knowledge.store, SupportsTextSearch):
        return ()
    words = [word for word in index_terms(question.text) if word not in stop_names()]
    hits = knowledge.store.search_text(" ".join(words), limit=_CLOSEST)
    titles = {d.id: d.title for d in knowledge.store.documents([hit.document for hit in hits])}
    return tuple(dict.fromkeys(titles[hit.document] for hit in hits))
