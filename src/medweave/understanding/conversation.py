"""A conversation has one patient until another is named: what was said of them before still counts.

A correction takes the place of what it corrects; a question about somebody else begins anew.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields, replace

from medweave.language.passage import passage_of
from medweave.language.people import people_of
from medweave.model.question import FINDINGS, SUBSTANCES, Mention, Patient, Question
from medweave.understanding.follow_up import (
    as_told,
    begins_anew,
    corrects,
    takes_nothing,
    turns_to_oneself,
)

_ASIDE = ("allergies", "drugs", "conditions", "severe", "absent", "no_allergies")
"""What a mention tells, and no field of a person by itself."""
_GIVES = re.compile(r"\b(?:i|we) (?:\w+ )?give\b|(?:我|我们)(?:可以|能|该|应该)?给")
"""Who gives something is not who is to be treated."""
_SOMEBODY_ELSE = ("another patient", "next patient", "new patient", "different patient",
                  "另一个病人", "另一位病人", "下一个病人", "下一位病人", "另外一个人")  # fmt: skip


def with_earlier(question: Question, earlier: Sequence[Question]) -> Question:
    """A question with what the questions before it, oldest first, say of the same person."""
    same = _of_one_person(question, earlier)
    if not same:
        return question
    held = _held((*same, question))
    now = {mention.entity for mention in question.mentions if _tells(mention)}
    nothing = takes_nothing(question)
    carried = tuple(
        mention
        for entity, mention in held.items()
        if entity not in now and not (nothing and mention.role == "taken")
    )
    patient = _patient(question, same, carried)
    before = {f.name for f in fields(Patient) if f.name not in _ASIDE
              and getattr(question.patient, f.name) != getattr(patient, f.name)}  # fmt: skip
    return replace(question, earlier=carried, patient=patient, told_before=frozenset(before))


def _held(turns: Sequence[Question]) -> dict[str, Mention]:
    """What holds of the person after these turns: what is said later takes the place of it."""
    held: dict[str, Mention] = {}
    last: tuple[Mention, ...] = ()
    for turn in turns:
        reported = tuple(mention for mention in turn.mentions if _tells(mention))
        if corrects(turn):
            reported = reported or _in_place_of(last, turn)
            kinds = {_kind(mention) for mention in reported}
            for mention in last if kinds and not _ends_something(turn) else ():
                if _kind(mention) in kinds:
                    held.pop(mention.entity, None)
        for mention in turn.mentions:
            if _is_over(mention):
                held.pop(mention.entity, None)
        held |= {mention.entity: mention for mention in reported}
        last = reported or last
    return held


def _in_place_of(last: tuple[Mention, ...], turn: Question) -> tuple[Mention, ...]:
    """The substances of a turn that corrects, as what the turn before said of others."""
    roles = {mention.role for mention in last if mention.concept in SUBSTANCES}
    return tuple(
        replace(mention, role=role)
        for mention in turn.of_concept(*SUBSTANCES)
        for role in roles
        if mention.status != "absent"
    )


def _ends_something(turn: Question) -> bool:
    return any(_is_over(mention) for mention in turn.mentions)


def _is_over(mention: Mention) -> bool:
    """Whether a mention says that something holds no longer, or never did."""
    if mention.experiencer == "other":
        return False
    denied = mention.concept in SUBSTANCES and mention.status == "absent"
    return denied or mention.role == "past" or mention.temporality == "historical"


def _kind(mention: Mention) -> str:
    """What is told: a finding, a drug that is taken, an allergy."""
    return mention.role or "finding"


def _tells(mention: Mention) -> bool:
    """Whether a mention tells something of the person, rather than asking about a thing."""
    if mention.experiencer == "other":
        return False
    if mention.concept in SUBSTANCES:
        return mention.role in ("taken", "allergy") and mention.status != "absent"
    return mention.concept in FINDINGS and (
        mention.status in ("present", "absent") or mention.temporality == "historical"
    )


def _patient(question: Question, same: Sequence[Question], carried: tuple[Mention, ...]) -> Patient:
    """The person as told now, and where nothing is told now, as told before."""
    patient = question.patient
    for turn in reversed(same):
        before = turn.patient
        patient = replace(
            patient,
            **{
                field.name: getattr(before, field.name)
                for field in fields(Patient)
                if field.name not in _ASIDE and getattr(patient, field.name) is None
            },
        )
        if _is_closer(before, patient):  # "the baby", of whom it was said before: 8 months old
            patient = replace(patient, age_days=before.age_days, age_max_days=before.age_max_days)
    allergies = [e for m in carried if m.role == "allergy" for e in m.entities]
    drugs = [e for m in carried if m.role == "taken" for e in m.entities]
    return replace(
        patient,
        allergies=tuple(dict.fromkeys((*patient.allergies, *allergies))),
        drugs=tuple(dict.fromkeys((*patient.drugs, *drugs))),
        no_allergies=patient.no_allergies or any(turn.patient.no_allergies for turn in same),
    )


def _is_closer(one: Patient, other: Patient) -> bool:
    """Whether the age of one is told more closely than that of the other."""
    spans = [
        (patient.age_max_days or patient.age_days) - patient.age_days
        for patient in (one, other)
        if patient.age_days is not None and patient.age_max_days is not None
    ]
    return len(spans) == len((one, other)) and spans[0] < spans[1]


def _of_one_person(question: Question, earlier: Sequence[Question]) -> list[Question]:
    """The last of the earlier questions, as far back as they are about the same person."""
    same: list[Question] = []
    to_oneself = _turns_to_oneself(question)
    who = _ONESELF if to_oneself else _who(question)
    known, corrected = question.patient, corrects(question)
    if _names_somebody_else(question) or begins_anew(question):
        return []
    for turn in reversed(earlier):
        before = _who(turn)
        if to_oneself and _is_of_another(turn):
            continue  # what was told of oneself before it still counts
        if who and before and not who & before:
            break
        if not corrected and _contradict(known, turn.patient):
            break
        same.insert(0, turn)
        corrected |= corrects(turn)
        who = who or before
        if _names_somebody_else(turn) or begins_anew(turn):
            break
    return same


_ONESELF = frozenset({"writer"})


def _turns_to_oneself(question: Question) -> bool:
    """Whether somebody asks for themselves now, and names nobody else."""
    told = as_told(question)
    if not turns_to_oneself(question) or _GIVES.search(told):
        return False
    return all(p.role == "writer" for p in people_of(passage_of(told, question.language)).all)


def _is_of_another(turn: Question) -> bool:
    """Whether a turn speaks of others alone: of a relative, or of "she"."""
    people = people_of(passage_of(as_told(turn), turn.language))
    return bool(people.all) and not any(p.role == "writer" for p in people.all)


def _names_somebody_else(question: Question) -> bool:
    text = question.text.lower()
    return any(words in text for words in _SOMEBODY_ELSE)


def _who(question: Question) -> frozenset[str]:
    """Who is to be treated, where the text names somebody; a pronoun names nobody."""
    people = people_of(passage_of(question.text, question.language))
    named = [person for person in people.all if person.role != "pronoun"]
    pronouns = len(named) < len(people.all) or _GIVES.search(question.text.lower())
    if not named or (pronouns and all(person.role == "writer" for person in named)):
        return frozenset()  # "can I give her ibuprofen?" is about whom the talk was of
    return people.patients


def _contradict(one: Patient, other: Patient) -> bool:
    """Whether two descriptions cannot be of one person."""
    if one.sex and other.sex and one.sex != other.sex:
        return True
    ages = (one.age_days, one.age_max_days, other.age_days, other.age_max_days)
    if None in (one.age_days, other.age_days):
        return False
    low, high, before_low, before_high = (age or 0 for age in ages)
    return high < before_low or before_high < low
