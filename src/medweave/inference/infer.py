"""From what was retrieved to what follows: ranked diseases, and stops for every drug at issue."""

from __future__ import annotations

from dataclasses import replace

from medweave.inference.differential import differential
from medweave.inference.drugs_from_symptoms import drugs_from_symptoms
from medweave.inference.ranked_properties import ranked
from medweave.inference.stops import Circumstance, concerned, review
from medweave.model.configuration import CONFIGURATION, Configuration
from medweave.model.inferred import DrugReview, Inferred
from medweave.model.material import Focus, Looked, Material
from medweave.model.question import Question
from medweave.vocabulary.knowledge import Knowledge

_FINDINGS = ("symptom", "disease")


def infer(
    question: Question,
    material: Material,
    knowledge: Knowledge,
    configuration: Configuration = CONFIGURATION,
) -> Inferred:
    """Rank what is to be ranked; hold every drug in sight against the person."""
    labels = {intent.label for intent in question.intents}
    found = None
    if "diagnosis" in labels:
        present, absent = (findings(question, status) for status in ("present", "absent"))
        ranking = configuration.ranking if configuration.method("diagnosis") == "ranking" else None
        found = differential(present, absent, knowledge, ranking)
    looked = _in_order(question, material.looked, knowledge, configuration)
    together = material.asked_drugs if "interaction" in labels else ()
    drugs = _drugs_in_sight(material.asked_drugs, looked, knowledge)
    spoken_of = concerned(drugs, question.patient, knowledge)
    reviews = [
        review(drug, _circumstance(question, together, drug), knowledge)
        if drug.entity in spoken_of
        else DrugReview(drug, (), has_data=False)
        for drug in drugs
    ]
    return Inferred(found, tuple(reviews), looked)


def _in_order(
    question: Question,
    looked: tuple[Looked, ...],
    knowledge: Knowledge,
    configuration: Configuration,
) -> tuple[Looked, ...]:
    """What was looked up, ranked where that is the method; then drugs by way of diseases."""
    ranking = configuration.ranking
    from_symptoms = all(m.status == "absent" for m in question.of_concept("disease"))

    def is_ranked(intent: str) -> bool:
        return configuration.method(intent, from_symptoms=from_symptoms) == "ranking"

    found = [
        ranked(item, knowledge, ranking) if is_ranked(item.intent) else item for item in looked
    ]
    asked = any(intent.label == "drug" for intent in question.intents)
    if asked and from_symptoms and is_ranked("drug") and ranking.follows_question:
        absent = findings(question, "absent")
        led_to = differential(_symptoms(question), absent, knowledge, ranking)
        found += drugs_from_symptoms(led_to, knowledge)
    return tuple(found)


def _symptoms(question: Question) -> tuple[tuple[str, ...], ...]:
    """The symptoms that something is wanted for, reported or only named ("drugs for a cough")."""
    return tuple(
        dict.fromkeys(
            mention.entities
            for mention in question.of_concept("symptom")
            if mention.status in ("present", "unknown")
            and mention.experiencer == "patient"
            and mention.temporality == "recent"
            and not mention.doubted
        )
    )


def findings(question: Question, status: str) -> tuple[tuple[str, ...], ...]:
    """Each finding of this status by all entities it may be."""
    return tuple(
        dict.fromkeys(
            mention.entities
            for mention in question.of_concept(*_FINDINGS)
            if mention.status == status and mention.experiencer == "patient"
        )
    )


def _entities(question: Question, status: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(e for some in findings(question, status) for e in some))


def _named(question: Question) -> tuple[str, ...]:
    """Conditions a question about a drug names without saying whose ("in people with an ulcer").

    They are what is asked about, so the drug is held against them too.
    """
    asks_about_drugs = {intent.label for intent in question.intents} & {
        "contraindication",
        "interaction",
    }
    return _entities(question, "unknown") if asks_about_drugs else ()


def _drugs_in_sight(
    asked: tuple[Focus, ...], looked: tuple[Looked, ...], knowledge: Knowledge
) -> list[Focus]:
    """Drugs asked about, and drugs that an answer would list; each once, by whatever identifier."""
    foci = list(asked)
    known = {entity for focus in foci for entity in focus.entities}
    listed = [
        drug
        for item in looked
        if item.from_object and item.predicate in ("used_for", "used_to_prevent")
        for drug in _listed(item)
    ]
    for drug, same in knowledge.alike(listed).items():
        if drug not in known:
            foci.append(Focus(same))
            known |= set(same)
    return foci


def _listed(looked: Looked) -> list[str]:
    return [supported.statement.subject for supported in looked.statements if supported.affirmed]


def _circumstance(question: Question, together: tuple[Focus, ...], drug: Focus) -> Circumstance:
    purposes = frozenset(_entities(question, "present")) | frozenset(
        entity for mention in question.of_concept(*_FINDINGS) for entity in mention.entities
    )
    others = tuple(
        entity for other in together if other.entity != drug.entity for entity in other.entities
    )
    patient = replace(
        question.patient,
        conditions=tuple(dict.fromkeys((*question.patient.conditions, *_named(question)))),
        drugs=tuple(e for e in (*question.patient.drugs, *others) if e not in drug.entities),
    )
    return Circumstance(patient, purposes)
