"""The question put as it is meant, before its lists are sought: what is asked about and what is
taken, what is wanted in place of what, what is only supposed of somebody.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product

from medweave.language.data import rule_in_any
from medweave.model.question import (
    ALLERGY,
    BY_HABIT,
    FINDINGS,
    OF_THE_PERSON,
    SUBSTANCES,
    Form,
    Intent,
    Mention,
    Patient,
    Question,
)
from medweave.retrieval.drugs.list_wording import says, stands
from medweave.retrieval.drugs.purposes import is_condition, purposes, requested_class
from medweave.retrieval.drugs.sought_drugs import GUESSED
from medweave.retrieval.lookup import class_in_everyday_words, everyday_classes
from medweave.vocabulary.knowledge import Knowledge

OF_A_CLASS = frozenset({"avoid", "contraindication", "interaction", "diet"})
"""What is asked of a class that is not said to be taken: of each of its members."""
_CLASS_TAKEN = ("drug_class", "taken")
_CLASSIFIES = ("class", "kind")


def asks_of_a_class(question: Question) -> bool:
    """Whether what is asked, and all that surely is, may be asked of a class as of a medicine."""
    return question.sure_labels <= OF_A_CLASS and not OF_A_CLASS.isdisjoint(question.labels)


def as_joint_question(question: Question) -> Question:
    """ "Warfarin and ibuprofen?" asks about both, and "what interacts with warfarin?" about it:
    neither is said to be taken."""
    found = list(question.mentions)
    substances = question.of_concept(*SUBSTANCES)
    alone = len(substances) == 1 and not question.of_concept(*FINDINGS)
    alone = alone and "interaction" in question.labels
    for at, mention in enumerate(found):
        before = found[at - 1] if at else None
        joined = before is not None and before.role == "asked" and _joins(question, before, mention)
        compared = mention in question.form.compared
        alone_here = alone and mention.status == "unknown"
        if mention.role == "taken" and not compared and (joined or alone_here):
            found[at] = replace(mention, role="asked")
    if found == list(question.mentions):
        return question
    asked = {m.entity for m in found if m.role == "asked"}
    drugs = tuple(drug for drug in question.patient.drugs if drug not in asked)
    return replace(question, mentions=tuple(found), patient=replace(question.patient, drugs=drugs))


def _joins(question: Question, before: Mention, mention: Mention) -> bool:
    between = question.text[before.end : mention.start].strip().lower()
    return rule_in_any("joins", "retrieval", "cues.yaml").fullmatch(between) is not None


def in_place_of_a_drug(question: Question, knowledge: Knowledge) -> Question:
    """The question where something is wanted in place of a drug, and it is not said for what: one
    of those that people take for the same, whatever else is told: "what can replace ibuprofen in
    heart failure"."""
    out = question.form.left_out
    drugs = [m for m in out if m.concept == "drug"]
    if question.form.kind != "what_else" or len(out) != 1 or not drugs:
        return question
    [drug] = drugs
    wanted_class = question.of_concept("drug_class")
    wanted = purposes(question) or wanted_class
    uses = partial(knowledge.store.match, drug.entity, "used_for", limit=1)
    named = question.of_concept(*FINDINGS)
    told = bool(named) or question.patient != Patient()
    of_use = any(uses(entity) for m in named for entity in m.entities)
    if of_use and not wanted_class:
        return replace(question, intents=(Intent("drug"),))
    found = None if wanted or not told else class_in_everyday_words(drug, knowledge)
    if found is None:
        return question
    asked = replace(
        drug, entity=found, concept="drug_class", alternatives=(), role="asked", status="unknown"
    )
    others = tuple(m for m in question.mentions if m is not drug and m.entity != drug.entity)
    held = tuple(one for one in question.patient.drugs if one not in drug.entities)
    return replace(
        question,
        mentions=(asked, *others),
        patient=replace(question.patient, drugs=held),
        intents=(Intent("drug"),),
    )


def of_a_lack(question: Question) -> Question:
    """The question which lack of a vitamin or the like shows a finding: vitamins themselves are no
    answer to it."""
    mentions = tuple(
        replace(m, status="unknown", role="") if m.concept in FINDINGS else m
        for m in question.mentions
        if m.concept not in SUBSTANCES
    )
    return replace(question, mentions=mentions, intents=(Intent("shown_by"),), form=Form())


def supposing(question: Question) -> Question:
    """The question where what a medicine is wanted beside is supposed of somebody: "which sleeping
    tablets are safe in asthma" wants nothing for asthma."""
    if any(m.role == "asked" for m in question.of_concept("drug")):
        return question
    findings = question.of_concept(*FINDINGS)
    beside = [m for m in findings if m.status == "unknown" and is_condition(question, m)]
    mentions = tuple(
        replace(m, status="hypothetical") if m in beside else m for m in question.mentions
    )
    return replace(question, mentions=mentions) if beside else question


def with_medicines(question: Question, knowledge: Knowledge) -> Question:
    """The question where several drugs that are named beside a disease, none of them for it, and of
    which nothing is asked, are what the person takes: "gout, 74, on furosemide and ramipril"."""
    asked = (m for m in question.of_concept(*SUBSTANCES) if m.role == "asked")
    asked = (m for m in asked if not stands(question, m, "prescribed"))
    drugs = tuple(m for m in asked if m.concept == "drug" or m.start > 0)  # first, it is wanted
    diseases = [e for m in question.of_concept("disease") for e in m.entities if e != ALLERGY]
    several = len(question.of_concept(*SUBSTANCES)) > 1
    telling = not question.asks and question.form.kind == "plain"
    if not (telling and drugs and diseases and several and is_described(question)):
        return question
    match = knowledge.store.match
    pairs = product({drug.entity for drug in drugs}, {*diseases})
    if any(match(drug, "used_for", disease, limit=1) for drug, disease in pairs):
        return question
    places = {(drug.start, drug.entity) for drug in drugs}
    mentions = tuple(
        replace(m, role="taken") if (m.start, m.entity) in places else m for m in question.mentions
    )
    taken = dict.fromkeys((*question.patient.drugs, *(e for d in drugs for e in d.entities)))
    patient = replace(question.patient, drugs=tuple(taken))
    return replace(question, mentions=mentions, patient=patient)


def of_one_class(question: Question) -> Question:
    """The question where two of one class are wanted at once: whoever asks takes one of it, or of
    what it means in everyday words."""
    wanted = requested_class(question)
    if wanted is None or not says(question, "twice"):
        return question
    kinds = everyday_classes(wanted) or (wanted.entity,)
    patient = replace(question.patient, drugs=(*question.patient.drugs, *kinds))
    taken = tuple(
        replace(wanted, entity=kind, role="taken", status="hypothetical", alternatives=())
        for kind in kinds
    )
    mentions = (*question.mentions, *taken)
    return replace(question, mentions=mentions, patient=patient, intents=(Intent("drug"),))


def of_what_is_in_hand(question: Question) -> Question:
    """The question where it is asked whether somebody may have the class that they take, and no
    other medicine is named: "is my antibiotic safe in pregnancy" asks of each antibiotic."""
    medicines = [m for m in question.of_concept(*SUBSTANCES) if m.entity not in BY_HABIT]
    surely = surely_asks(question) or says(question, "safe")
    about_it = surely or not question.of_concept(*FINDINGS)
    plain = question.form.kind == "plain" and asks_of_a_class(question)
    if not (plain and about_it and [(m.concept, m.role) for m in medicines] == [_CLASS_TAKEN]):
        return question
    [own] = medicines
    wanted = replace(own, role="asked")
    patient = question.patient
    drugs = tuple(drug for drug in patient.drugs if drug not in own.entities)
    mentions = tuple(wanted if m is own else m for m in question.mentions)
    of_it = replace(question, mentions=mentions, patient=replace(patient, drugs=drugs))
    return of_it if has_somebody(of_it, wanted) else question


def without_claim_of_person(question: Question) -> Question:
    """The question where what somebody takes or does not bear is claimed to be of no class: "any
    antibiotics with a penicillin allergy?". That a drug is of it may be asked."""
    claimed = (*question.form.first, *question.form.second)
    first = question.form.first
    asked = bool(first) and all(m.concept == "drug" and m.role == "asked" for m in first)
    of_person = not asked and any(m.role in OF_THE_PERSON for m in claimed)
    classifies = question.form.relation in _CLASSIFIES
    return replace(question, form=Form()) if classifies and of_person else question


def denying(question: Question, unwanted: tuple[Mention, ...]) -> Question:
    """The question where nobody has what a drug is wanted not to bring on."""
    mentions = tuple(replace(m, status="absent") if m in unwanted else m for m in question.mentions)
    return replace(question, mentions=mentions)


def surely_asks(question: Question) -> bool:
    """Whether anything is asked for in words that leave little choice."""
    return any(intent.score >= GUESSED for intent in question.intents)


def is_described(question: Question) -> bool:
    """Whether more is told of the person than a condition."""
    about = replace(question.patient, conditions=(), absent=(), severe=(), no_allergies=False)
    return about != Patient() or bool(question.of_concept("population", *SUBSTANCES))


def has_somebody(question: Question, wanted: Mention) -> bool:
    """Whether anything is told beside the class that is wanted."""
    return question.patient != Patient() or any(m is not wanted for m in question.mentions)
