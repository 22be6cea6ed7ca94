"""What could hold of the person to be treated: said, supposed, or said earlier.

A fact counts unless it is denied, or clearly somebody else's. What is only supposed ("if I have an
ulcer", "a patient on warfarin") counts as what is said does. What was once so is asked about where
it must be current.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.model.facts import Fact, Facts, TakenHow
from medweave.model.question import (
    FINDINGS,
    IMPLIED,
    NOT_NOW,
    PREGNANCY,
    SUBSTANCES,
    Mention,
    Patient,
    Question,
)
from medweave.vocabulary.lexicon import shipped_lexicon


def facts_of(question: Question) -> Facts:
    """What a question, and the conversation before it, say or suppose of the person."""
    mentions = (*question.earlier, *question.mentions)
    held = [
        fact
        for mention in mentions
        for fact in (
            _condition(mention, question),
            _substance(mention, question),
            _habit(mention, question),
            _possible_pregnancy(mention, question),
        )
        if fact is not None
    ]
    if may_conceive(question.patient, mentions):
        held.append(Fact("condition", (CHILDBEARING,), "supposed"))
    denied = {e for m in mentions if _denied(m) for e in m.entities}
    told = {e: m.text for m in mentions if m.status == "present" for e in m.entities}
    held += (
        _taken_for(held, told, denied, question.patient)
        + _taken_after(held)
        + _reckoned_with(held, denied, question)
    )
    stated = {e for fact in held for e in fact.entities}
    return Facts(
        question.patient,
        tuple(dict.fromkeys(held)),
        frozenset(denied - stated),
        question.earlier_fields,
        _kidney_filtration(question),
        tuple(dict.fromkeys(m.entity for m in question.mentions if _is_of_another(m))),
    )


def _kidney_filtration(question: Question) -> float | None:
    """How much the person's kidneys filter: a value that stands for a finding of theirs."""
    findings = {m.start for m in question.mentions if m.link.how == "value"}
    own = [value for value in question.values if value.start in findings]
    measured = (v for v in own or question.earlier_values if v.quantity == "glomerular filtration")
    return min((value.value for value in measured if not value.bound), default=None)


def _is_of_another(mention: Mention) -> bool:
    if mention.experiencer != "other" or mention.status == "absent":
        return False
    states = mention.concept in FINDINGS or mention.entity == PREGNANCY
    return states or mention.role in ("taken", "allergy")


def _condition(mention: Mention, question: Question) -> Fact | None:
    if mention.concept not in FINDINGS or mention.status == "absent":
        return None
    only_asked = mention.entity in question.effects and mention.status != "present"
    if mention.experiencer == "other" or only_asked or mention.entity in _effects(question):
        return None
    if _is_suspected(mention):
        return None  # it is asked about: see `guesses_of`
    past = mention.temporality == "historical"
    return Fact(
        "condition",
        mention.entities,
        _how(mention, question),
        severe=mention.entity in question.patient.severe,
        past=past,
        words=_words(mention),
    )


def suspected_conditions(question: Question) -> tuple[Mention, ...]:
    """What the text itself leaves open if the person has it: it is feared, suspected, or asked."""
    effects = question.effects | _effects(question)
    return tuple(
        mention
        for mention in question.of_concept(*FINDINGS)
        if _is_suspected(mention)
        and mention.experiencer == "patient"
        and mention.entity not in effects
    )


def _is_suspected(mention: Mention) -> bool:
    return mention.suspected and mention.status == "unknown"


def _substance(mention: Mention, question: Question) -> Fact | None:
    if mention.concept not in SUBSTANCES or mention.experiencer == "other":
        return None
    if mention.role == "allergy" or mention.entity in question.patient.allergies:
        how = _how(mention, question)
        severe = mention.entity in question.patient.severe or _had_anaphylaxis(question)
        return Fact("allergy", mention.entities, how, severe=severe)
    if mention.role == "past":
        may_act = mention.temporality != "historical"
        return Fact("past_drug", mention.entities, past=may_act)
    denied = mention.status == "absent" or mention.role == "denied"
    if denied or mention in question.form.compared:
        return None
    taken = mention.role == "taken" or mention.entity in question.patient.drugs
    if not taken and mention not in question.form.left_out:
        return None
    how = _how(mention, question) if taken else "supposed"  # "besides aspirin": it may be taken
    return Fact("drug", mention.entities, how, words=_words(mention))


_ANAPHYLAXIS = "mw.condition:anaphylaxis"


def _had_anaphylaxis(question: Question) -> bool:
    """Whether it is told of the person, wherever in the text: "it was anaphylaxis"."""
    return any(
        _ANAPHYLAXIS in mention.entities
        and mention.status != "absent"
        and mention.experiencer != "other"
        for mention in question.mentions
    )


_HABITS = {"mw.condition:alcohol_abuse": "mw.substance:alcohol"}
"""Conditions that say what somebody takes."""


def _habit(mention: Mention, question: Question) -> Fact | None:
    """What somebody takes by habit: a heavy drinker takes alcohol."""
    taken = _HABITS.get(mention.entity)
    if taken is None or mention.temporality == "historical":
        return None
    if _condition(mention, question) is None:
        return None
    return Fact("drug", (taken,), _how(mention, question))


@dataclass(frozen=True, slots=True)
class _OneUse:
    """Medicines that have hardly any other use, and who takes them."""

    taken: frozenset[str]
    has: str
    unless: frozenset[str]
    sex: str | None

    def is_of(self, known: Collection[str], patient: Patient) -> bool:
        """Whether it can be supposed of somebody of whom something is known."""
        can_be = self.sex is None or patient.sex in (None, self.sex)
        return can_be and self.has not in known and self.unless.isdisjoint(known)


def _taken_for(
    held: Sequence[Fact], told: Mapping[str, str], denied: Collection[str], patient: Patient
) -> list[Fact]:
    """What somebody has who is told to take a medicine of one use: a reliever is for asthma.

    Not where two are only asked about together: "propranolol with salbutamol?" tells of nobody.
    `told` is what somebody is said to have or take, with the words for it.
    """
    taken = {e for fact in held if fact.kind == "drug" for e in fact.entities}.intersection(told)
    known = {e for fact in held if fact.kind == "condition" for e in fact.entities}.union(denied)
    return [
        Fact("condition", (use.has,), "supposed", words=told[min(by)])
        for use in _uses()
        if (by := taken.intersection(use.taken)) and use.is_of(known, patient)
    ]


@cache
def _uses() -> tuple[_OneUse, ...]:
    lexicon = shipped_lexicon()
    return tuple(
        _OneUse(
            taken=lexicon.narrower(use["taken"]).union(use["taken"], use.get("as_such", ())),
            has=use["has"],
            unless=frozenset(use["unless"]),
            sex=use.get("of"),
        )
        for use in _rules()["medicines"]
    )


def _reckoned_with(held: Sequence[Fact], denied: Collection[str], question: Question) -> list[Fact]:
    """What comes of several states at once, or of one as it is told: who vomits and has diarrhea,
    or keeps nothing down, dries out."""
    now = {e for f in held if f.kind == "condition" and not f.past for e in f.entities}
    means = {
        all_of["means"]
        for all_of in _rules()["together"]
        if now.issuperset(all_of["has"]) and _is_told(all_of.get("said", {}), question)
    }
    return [
        Fact("condition", (state,), "supposed", reckoned=True)
        for state in sorted(means - now.union(denied))
    ]


def _is_told(said: Mapping[str, str], question: Question) -> bool:
    """Whether a text says what is asked for; true where no words are."""
    pattern = said.get(question.language)
    return not said or bool(pattern and re.search(pattern, question.text.lower()))


@cache
def _rules() -> dict[str, Any]:
    held: dict[str, Any] = shipped_yaml("inference", "safety", "taken_for.yaml")
    return held


def _taken_after(held: Sequence[Fact]) -> list[Fact]:
    """What somebody takes for what was done to them, where they tell of no medicine: a transplant
    is kept by immunosuppressants."""
    if any(fact.kind == "drug" for fact in held):
        return []
    has = {e for fact in held if fact.kind == "condition" for e in fact.entities}
    return [
        Fact("drug", (use["takes"],), "supposed")
        for use in _rules()["conditions"]
        if has.intersection(use["has"])
    ]


def _possible_pregnancy(mention: Mention, question: Question) -> Fact | None:
    """Who may be pregnant is held to be until it is known; a woman who tries for a child may be."""
    patient = question.patient
    if mention.experiencer == "other" or patient.pregnant is not None:
        return None
    if mention.doubted and PREGNANCY in mention.entities:
        return Fact("condition", (PREGNANCY,), "supposed")
    tries = _PLANNED in mention.entities and _condition(mention, question) is not None
    if not tries or mention.temporality == "historical" or patient.sex == "male":
        return None
    return Fact("condition", (PREGNANCY,), "supposed", words=mention.text)


CHILDBEARING = "mw.condition:childbearing_potential"
_FERTILE_DAYS = (4383, 18627)
"""From 12 to 50 years."""
_PLANNED = "mw.condition:planning_pregnancy"
_CANNOT_CONCEIVE = frozenset({"menopause", "hysterectomy", "female sterilization"})


def may_conceive(patient: Patient, mentions: Sequence[Mention]) -> bool:
    """Whether it must be reckoned with that somebody becomes pregnant: a woman or girl from 12 to
    50, who is not pregnant and of whom nothing is told that rules it out."""
    low, high = _FERTILE_DAYS
    age = patient.age_days
    of_age = age is not None and low <= age and (patient.age_max_days or age) <= high
    ruled_out = any(m.name in _CANNOT_CONCEIVE and m.status != "absent" for m in mentions)
    return patient.sex == "female" and of_age and not patient.pregnant and not ruled_out


_CLASSIFIES = ("class", "kind")
"""Claims that say what a drug is: nobody takes the one with the other."""


def together_with(lineage: set[str], question: Question) -> tuple[Fact, ...]:
    """The other drugs that a question asks about in one breath: they may be taken together.

    `lineage` is what a drug is and contains: it is not taken with its own class, nor, where one is
    chosen, with another candidate.
    """
    form = question.form
    if form.relation in _CLASSIFIES:
        return ()
    apart = question.candidates if not lineage.isdisjoint(question.candidates) else frozenset()
    return tuple(
        Fact("drug", mention.entities, "supposed")
        for mention in question.of_concept(*SUBSTANCES)
        if mention.experiencer == "patient"
        and mention.entity not in apart
        and mention.entity not in question.patient.allergies
        and mention.role not in ("allergy", *NOT_NOW)
        and mention.status != "absent"
        and mention not in (*form.compared, *form.left_out)
        and not lineage.intersection(mention.entities)
    )


def _denied(mention: Mention) -> bool:
    """Denied for now and before: "the ulcer is gone" does not say that there was none."""
    return (
        mention.status == "absent"
        and mention.experiencer == "patient"
        and mention.temporality == "recent"
    )


def _words(mention: Mention) -> str:
    """The words that tell what they do not name."""
    return mention.text if mention.link.how == IMPLIED else ""


def _how(mention: Mention, question: Question) -> TakenHow:
    if mention.role == "taken" and mention.status == "hypothetical":
        return "supposed"  # in an earlier turn as well: it was only suggested
    if mention in question.earlier and not question.of_letter:
        return "earlier"
    if mention.link.how == IMPLIED:
        return "supposed"
    substance = mention.concept in SUBSTANCES
    stated = mention.status == "present" or mention.temporality == "historical"
    return "said" if stated or (substance and mention.status != "hypothetical") else "supposed"


def _effects(question: Question) -> set[str]:
    """What a question asks whether a drug causes: nobody is said to have it.

    Only where nothing is said of anybody; otherwise what is named is held against the drug.
    """
    form = question.form
    if form.kind != "yes_no" or question.patient != Patient():
        return set()
    ends = {"cause": form.second, "side_effect": form.first}.get(form.relation, ())
    return {entity for mention in ends for entity in mention.entities}
