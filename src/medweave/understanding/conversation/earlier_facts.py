"""What was told of one person before still counts; what corrects it takes its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

from medweave.language.data import rule_in_any
from medweave.model.question import FINDINGS, NOT_NOW, SUBSTANCES, Mention, Patient, Question
from medweave.model.value import Value
from medweave.understanding.conversation.wording import says
from medweave.understanding.rule_files import CONVERSATION_RULES

_OF_ENTITIES = ("allergies", "drugs", "conditions", "severe", "absent")
_ASIDE = (*_OF_ENTITIES, "no_allergies")
"""What a mention tells, and no field of a person by itself."""
_PERSONAL = tuple(field.name for field in fields(Patient) if field.name not in _ASIDE)
_MEASURED = "value"
"""How a finding is linked that a value stands for."""


def with_earlier(
    question: Question, earlier: Sequence[Question], *, turn: Question | None = None
) -> Question:
    """A question with what the turns before it, oldest first, tell of the same person.

    Of two things that cannot both hold the later one does. `turn` is what was said now, where the
    question is one that was asked before.
    """
    if not earlier:
        return question
    held = _held((*earlier, question))
    own = {mention.entity for mention in question.mentions if tells(mention)}
    nothing = says("takes_nothing", turn or question)
    carried = tuple(
        mention
        for entity, mention in held.items()
        if entity not in own and not (nothing and mention.role == "taken")
    )
    patient = _patient(question, earlier, carried)
    before = {name for name in _PERSONAL
              if getattr(question.patient, name) != getattr(patient, name)}  # fmt: skip
    described = {one.entity: one for turn in (*earlier, question) for one in turn.described}
    return replace(
        question,
        earlier=carried,
        described=tuple(described.values()),
        patient=patient,
        earlier_fields=frozenset(before),
        earlier_values=_values_of(carried, earlier),
    )


def as_of_now(
    question: Question,
    turn: Question,
    earlier: Sequence[Question],
    *,
    same_person: bool,
    spoken_of: str = "",
) -> Question:
    """A question whose words are partly those of an earlier one: what these tell holds only as far
    as it still does after the turns that are of this person, and `turn`, which is said now, if not
    by name: what is `spoken_of` in it stands in its words as well.

    Of another person they tell nothing but what something is wanted for.
    """
    held = _held((*earlier, turn))
    named = {mention.entity for mention in turn.mentions}
    named |= {mention.entity for mention in question.mentions if mention.text == spoken_of}

    def holds(mention: Mention) -> bool:
        if not tells(mention) or mention.entity in named or mention.entity in held:
            return True
        return mention.concept == "symptom" and not same_person

    mentions = tuple(mention for mention in question.mentions if holds(mention))
    kept = {entity for mention in mentions for entity in mention.entities}
    said: dict[str, Any] = {name: getattr(turn.patient, name) for name in _PERSONAL}
    for name in _OF_ENTITIES:
        said[name] = tuple(each for each in getattr(question.patient, name) if each in kept)
    described = question.described if same_person else turn.described
    patient = replace(question.patient, **said)
    return replace(question, mentions=mentions, patient=patient, described=described)


def without_withdrawn(question: Question, later: Sequence[Question]) -> Question:
    """A question that is asked again, without what was taken back since it was asked first."""
    held = _held((question, *later))
    gone = {m.entity for m in question.mentions if tells(m) and m.entity not in held}
    gone |= {m.entity for turn in later for m in turn.mentions if m.status == "absent"}
    patient = question.patient
    for turn in later:
        stated = {name: getattr(turn.patient, name) for name in _PERSONAL}
        patient = replace(patient, **{k: value for k, value in stated.items() if value is not None})
    patient = replace(
        patient,
        allergies=tuple(each for each in patient.allergies if each not in gone),
        drugs=tuple(each for each in patient.drugs if each not in gone),
        conditions=tuple(each for each in patient.conditions if each not in gone),
    )
    mentions = tuple(mention for mention in question.mentions if mention.entity not in gone)
    return replace(question, mentions=mentions, patient=patient)


def corrects(turn: Question) -> bool:
    """Whether a turn begins by taking back something that was said before it."""
    return says("corrects", turn)


def _held(turns: Sequence[Question]) -> dict[str, Mention]:
    """What holds of the person after these turns: what is said later takes the place of it."""
    held: dict[str, Mention] = {}
    latest: dict[str, tuple[Mention, ...]] = {}
    measured: dict[str, str] = {}
    for turn in turns:
        instead = _named_instead(turn, held)
        facts = (*(mention for mention in turn.mentions if tells(mention)), *instead)
        if corrects(turn):
            ends = _ends_something(turn)  # "I stopped it" is no other medicine in its place
            facts = facts or (() if ends else _in_place_of(latest, turn))
            for kind in {_kind(mention) for mention in facts} if not ends else ():
                for mention in latest.get(kind, ()):
                    held.pop(mention.entity, None)
        if corrects(turn) and turn.patient.no_allergies:
            held = {
                entity: mention for entity, mention in held.items() if mention.role != "allergy"
            }
        values = {value.quantity for value in turn.values}
        ended = [mention for mention in turn.mentions if _is_over(mention)]
        over = {entity for entity, m in held.items() if any(_is_of(m, each) for each in ended)}
        over |= {entity for entity, quantity in measured.items() if quantity in values}
        held = {entity: mention for entity, mention in held.items() if entity not in over}
        held |= {mention.entity: mention for mention in facts}
        measured |= _measured(turn)
        for kind in {_kind(mention) for mention in facts}:
            latest[kind] = tuple(mention for mention in facts if _kind(mention) == kind)
    return held


def _measured(turn: Question) -> dict[str, str]:
    """The findings for which values stand, each with what was measured."""
    by_place = {value.start: value.quantity for value in turn.values}
    found = (m for m in turn.mentions if m.link.how == _MEASURED and m.start in by_place)
    return {mention.entity: by_place[mention.start] for mention in found}


def _values_of(carried: Sequence[Mention], earlier: Sequence[Question]) -> tuple[Value, ...]:
    """The values for which carried findings stand."""
    places = {mention.start for mention in carried if mention.link.how == _MEASURED}
    return tuple(
        value
        for turn in earlier
        if any(mention in carried for mention in turn.mentions)
        for value in turn.values
        if value.start in places
    )


def _in_place_of(latest: dict[str, tuple[Mention, ...]], turn: Question) -> tuple[Mention, ...]:
    """The substances of a turn that corrects, as what was told of others before it."""
    roles = {m.role for facts in latest.values() for m in facts if m.concept in SUBSTANCES}
    if len(roles) != 1:
        return ()
    role = roles.pop()
    substances = turn.of_concept(*SUBSTANCES)
    return tuple(replace(m, role=role) for m in substances if m.status != "absent")


def _named_instead(turn: Question, held: dict[str, Mention]) -> tuple[Mention, ...]:
    """What a turn names in the place of what it denies and was told before, as that was told: "it
    isn't warfarin, it's aspirin"."""
    return tuple(
        replace(named, role=held[denied.entity].role)
        for denied, named in pairwise(turn.of_concept(*SUBSTANCES))
        if denied.status == "absent" and denied.entity in held
        if named.status != "absent" and not tells(named)
        if rule_in_any("named_instead", *CONVERSATION_RULES).fullmatch(
            turn.text[denied.end : named.start].lower().replace("’", "'")
        )
    )


def _ends_something(turn: Question) -> bool:
    return any(_is_over(mention) for mention in turn.mentions)


def _is_over(mention: Mention) -> bool:
    """Whether a mention says that something holds no longer, or never did."""
    if mention.experiencer == "other":
        return False
    denied = mention.concept in (*SUBSTANCES, *FINDINGS) and mention.status == "absent"
    return denied or mention.role in NOT_NOW or mention.temporality == "historical"


def _is_of(fact: Mention, ended: Mention) -> bool:
    """Whether a fact is what is over, or is called by more words: "a stomach ulcer"."""
    return fact.entity == ended.entity or (
        fact.concept == ended.concept
        and bool(ended.text)
        and _words(ended.text) <= _words(fact.text)
    )


def _words(text: str) -> set[str]:
    return set(text.lower().split())


def _kind(mention: Mention) -> str:
    """What is told: a finding, a drug that is taken, an allergy."""
    return mention.role or "finding"


def tells(mention: Mention) -> bool:
    """Whether a mention tells something of the person, rather than asking about a thing."""
    if mention.experiencer == "other":
        return False
    if mention.concept in SUBSTANCES:
        return mention.role in ("taken", "allergy") and mention.status != "absent"
    return mention.concept in FINDINGS and (
        mention.status in ("present", "absent") or mention.temporality == "historical"
    )


def _patient(
    question: Question, earlier: Sequence[Question], carried: Sequence[Mention]
) -> Patient:
    """The person as told now, and where nothing is told now, as told before."""
    patient = question.patient
    for turn in reversed(earlier):
        before = turn.patient
        unsaid = {n: getattr(before, n) for n in _PERSONAL if getattr(patient, n) is None}
        patient = replace(patient, **unsaid)
        if _is_closer(before, patient):  # "the baby", of whom it was said before: 8 months old
            patient = replace(patient, age_days=before.age_days, age_max_days=before.age_max_days)
    if patient.pregnant is False:  # she was, and has given birth
        patient = replace(patient, pregnancy_weeks=None, pregnancy_weeks_max=None)
    entities = {entity for mention in carried for entity in mention.entities}
    severe = (each for turn in earlier for each in turn.patient.severe if each in entities)
    allergies = [e for m in carried if m.role == "allergy" for e in m.entities]
    drugs = [e for m in carried if m.role == "taken" for e in m.entities]
    return replace(
        patient,
        allergies=tuple(dict.fromkeys((*patient.allergies, *allergies))),
        drugs=tuple(dict.fromkeys((*patient.drugs, *drugs))),
        severe=tuple(dict.fromkeys((*patient.severe, *severe))),
        no_allergies=patient.no_allergies or any(turn.patient.no_allergies for turn in earlier),
    )


def _is_closer(one: Patient, other: Patient) -> bool:
    """Whether the age of one is told more closely than that of the other."""
    spans = [
        (patient.age_max_days or patient.age_days) - patient.age_days
        for patient in (one, other)
        if patient.age_days is not None and patient.age_max_days is not None
    ]
    return len(spans) == len((one, other)) and spans[0] < spans[1]
