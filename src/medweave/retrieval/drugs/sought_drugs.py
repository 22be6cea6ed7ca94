"""Whether somebody wants to know what there is for them, in whatever words.

Whoever tells what they take or have beside an illness, and names nothing else that they want to
know of it, wants what there is for it: "because of my asthma I don't know what I may use for
hypertension". With a class of drugs they want one of it. What is asked in words that nobody foresaw
is answered by what it tells.
"""

from __future__ import annotations

from medweave.model.question import (
    ALLERGY,
    BY_HABIT,
    FINDINGS,
    SUBSTANCES,
    UNNAMED,
    Mention,
    Patient,
    Question,
)
from medweave.retrieval.drugs.list_wording import says
from medweave.retrieval.drugs.purposes import purposes, requested_class
from medweave.retrieval.lookup import listed_members
from medweave.vocabulary.knowledge import Knowledge

_OF_MEDICINES = frozenset(
    {"drug", "treatment", "indication", "interaction", "contraindication", "avoid", "description"}
)
"""What is supposed to be asked for where a person is told of, and a list of drugs answers it."""
_PROPERTIES = frozenset(
    {"diagnosis", "symptom", "cause", "prevention", "outlook", "urgent_care", "diet"}
    | {"complication", "test", "dose", "side_effect"}
)
"""What is asked of an illness or a drug apart from which drugs there are."""
_SURELY = 0.8
"""From this chance on a property is asked for that no word of the question names."""
_REGIMEN = 4
"""More drugs than these are all that somebody takes."""
GUESSED = 0.5
"""Below this chance an intent that no word of the question names is a guess."""


def seeks_treatment(question: Question, knowledge: Knowledge) -> bool:
    """Whether a list of what there is for an illness answers a question best.

    A drug that is asked about, a class that one is wanted of, and a property that is named have
    answers of their own.
    """
    if question.form.kind != "plain" or _names_property(question) or _names_drug(question):
        return False
    if tells_regimen(question) or _was_given(question):
        return False
    illnesses = [m for m in _illnesses(question) if _has_drugs(m, knowledge)]
    if not illnesses:
        return False
    if has_context(question):
        return not _surely_asks(question) or _for_something(question, illnesses)
    several = len({m.entity for m in _illnesses(question)}) > 1
    return several and _for_something(question, illnesses)


def tells_regimen(question: Question) -> bool:
    """Whether a text that asks nothing lists all that somebody takes, as a letter does: they are
    treated already, and a list of what there is was not asked for."""
    taken = {m.entity for m in question.of_concept("drug") if m.role == "taken"}
    return not question.asks and len(taken) > _REGIMEN


def seeks_member(question: Question, knowledge: Knowledge) -> bool:
    """Whether it is asked which of a class somebody may have, of whom anything is told."""
    wanted = requested_class(question)
    if wanted is None or question.form.kind != "plain" or _names_property(question):
        return False
    if not any(listed_members(wanted, knowledge)):
        return False
    told = any(m is not wanted and m.entity not in BY_HABIT for m in question.mentions)
    return told or question.patient != Patient()


def weighs_drugs(question: Question) -> bool:
    """Whether drugs are named to be weighed for somebody of whom something is told, in words that
    ask for nothing else: "it was gastritis, no ulcer. Naproxen?", "propranolol for migraine
    prevention, alright?".

    What no word names, and only looks like what others asked, is none of that, unless surely.
    """
    may_be_had = says(question, "safe")
    purpose = {"prevention"} if may_be_had else set()  # what it is for
    loose = {"description", "contraindication", "test", "cause"} | purpose
    properties = (question.worded - purpose) & _PROPERTIES
    if not _to_be_weighed(question) or question.form.kind != "plain" or properties:
        return False
    told = _illnesses(question) or question.patient != Patient()
    told = told or (may_be_had and "prevention" in question.worded)
    asked = {m.entity for m in question.of_concept("drug") if m.role == "asked"}
    of_any = (
        question.asks and len(asked) == 1 and says(question, "drug")
    )  # "naproxen, or what else is there?"
    surely = {
        intent.label
        for intent in question.intents
        if intent.label in question.worded
        or (intent.score >= _SURELY and not may_be_had)
        or (intent.score >= GUESSED and intent.label == "interaction")
    }
    return bool(told) and surely <= loose and not of_any


def _to_be_weighed(question: Question) -> bool:
    """Whether a drug is asked about, or of one that is taken, whether it may go on being taken."""
    named = [m for m in question.of_concept("drug") if m.entity not in BY_HABIT]
    named = [m for m in named if m.status != "absent"]
    if any(m.role == "asked" for m in named):
        return True
    alone = {m.role for m in question.of_concept(*SUBSTANCES)} == {"taken"}
    may_go_on = question.asks and not says(question, "sought")
    return bool(named) and alone and (may_go_on or _was_given(question))


def _was_given(question: Question) -> bool:
    """Whether a text only tells that somebody was given a drug, with what they have: whether that
    was right is what it asks. "I have sleep apnoea and was given zolpidem."."""
    drugs = [m for m in question.of_concept("drug") if m.role == "taken"]
    return len(drugs) == 1 and not question.asks and says(question, "given")


def names_drug_beside_complaint(question: Question) -> bool:
    """Whether a drug is named that nobody takes yet, beside complaints, and it was only supposed
    that a diagnosis is asked for: "I get wheezy. The doctor says bisoprolol. Thoughts?"."""
    only_supposed = question.labels == {"diagnosis"}
    return only_supposed and "diagnosis" not in question.worded and _names_drug(question)


def _names_property(question: Question) -> bool:
    """Whether anything but drugs is asked for."""
    likely = {intent.label for intent in question.intents if intent.score >= _SURELY}
    named = bool((likely - _OF_MEDICINES) or question.worded & _PROPERTIES)
    return named or question.of_concept("test") != ()


def _names_drug(question: Question) -> bool:
    """Whether a drug or a class is asked about."""
    about = [m for m in question.of_concept(*SUBSTANCES) if m.entity not in BY_HABIT]
    return any(m.role == "asked" and m.status != "absent" for m in about)


def _illnesses(question: Question) -> tuple[Mention, ...]:
    """What the person has now, by name."""
    return tuple(
        m
        for m in question.of_concept(*FINDINGS)
        if m.status != "absent"
        and m.experiencer == "patient"
        and m.temporality == "recent"
        and m.link.how not in UNNAMED
        and m.entity != ALLERGY
    )


def _has_drugs(illness: Mention, knowledge: Knowledge) -> bool:
    match = knowledge.store.match
    return any(match(None, "used_for", entity, limit=1) for entity in illness.entities)


def has_context(question: Question) -> bool:
    """Whether something is told that bears on medicines, whatever the illness."""
    patient = question.patient
    return bool(patient.drugs or patient.allergies or patient.pregnant or patient.breastfeeding)


def _surely_asks(question: Question) -> bool:
    return question.asks and bool(question.sure_labels)


def _for_something(question: Question, illnesses: list[Mention]) -> bool:
    """Whether something is wanted for an illness, or drugs are spoken of and no pair of them."""
    wanted = purposes(question)
    of_a_pair = "interaction" in question.worded
    return any(m in wanted for m in illnesses) or (says(question, "drug") and not of_a_pair)
