"""What a text says of the person to be treated, put together from all that was read of it.

None always means "not said".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from medweave.language.data import any_of, rules_in
from medweave.language.passage import Passage
from medweave.language.people import people_of
from medweave.language.prefilter import Expression
from medweave.model.question import FINDINGS, PREGNANCY, SUBSTANCES, Mention, Patient
from medweave.understanding.pregnancy import Pregnancy, read_pregnancy
from medweave.understanding.reactions import is_severe
from medweave.understanding.rule_files import PATIENT_RULES


def read_patient(
    passage: Passage,
    mentions: Sequence[Mention] = (),
    alternatives: Sequence[Mention] = (),
    *,
    weight_kg: float | None = None,
) -> Patient:
    """The person who is to be treated.

    `alternatives` are drugs that only stand beside the one they are compared with: "amoxicillin
    and doxycycline, which is safer?" does not say that doxycycline is taken.

    >>> from medweave.language.passage import passage_of
    >>> found = read_patient(passage_of("I'm 20 weeks pregnant, 31 years old"))
    >>> found.pregnant, found.pregnancy_weeks, found.sex, found.age_days
    (True, 20, 'female', 11322)
    """
    people = people_of(passage)
    pregnancy = _as_named(read_pregnancy(passage), mentions)
    certainly_female = pregnancy.pregnant or pregnancy.breastfeeding
    own = [m for m in mentions if m.experiencer == "patient"]
    findings = [m for m in own if m.concept in FINDINGS]
    present = [m for m in findings if m.status == "present"]
    medicines = [m.start for m in mentions if m.concept in SUBSTANCES]
    age, age_max = people.age_days
    allergies = _entities(m for m in own if m.role == "allergy")
    none = _rule("no_allergies", passage.language).finditer(passage.plain)
    none_told = any(people.is_patients(match.start()) for match in none)
    return Patient(
        age_days=age,
        age_max_days=age_max,
        sex="female" if certainly_female else people.sex,
        pregnant=pregnancy.pregnant,
        pregnancy_weeks=pregnancy.weeks,
        pregnancy_weeks_max=pregnancy.weeks_max,
        breastfeeding=pregnancy.breastfeeding,
        weight_kg=weight_kg,
        allergies=allergies,
        no_allergies=none_told and not allergies,
        drugs=_entities(m for m in own if m.role == "taken" and m not in alternatives),
        conditions=_entities(present),
        severe=_entities(
            m for m in own if m.status != "absent" and _is_severe(passage, m, medicines)
        ),
        absent=_entities(m for m in findings if m.status == "absent"),
    )


def _as_named(pregnancy: Pregnancy, mentions: Sequence[Mention]) -> Pregnancy:
    """What is said of a pregnancy, as its name is read where weeks do not tell it: "no chance of
    being pregnant" denies it, and what is doubted is neither there nor not."""
    named = [m for m in mentions if PREGNANCY in m.entities and m.experiencer == "patient"]
    if pregnancy.pregnant is None or pregnancy.weeks is not None or not named:
        return pregnancy
    if any(m.doubted for m in named) and not any(m.status == "present" for m in named):
        return replace(pregnancy, pregnant=None)
    denied = all(m.status == "absent" for m in named)
    return replace(pregnancy, pregnant=False) if denied else pregnancy


_BEFORE = 80
"""Characters before a finding, and behind it, that may say how bad it is."""


def _is_severe(passage: Passage, mention: Mention, medicines: Sequence[int]) -> bool:
    """Whether a finding, or how somebody reacts to an allergen, is said to be severe."""
    if mention.concept not in FINDINGS and mention.role != "allergy":
        return False
    span = (mention.start, mention.end)
    if mention.role == "allergy" and is_severe(passage, span, medicines):
        return True
    kind = "severe_allergy" if mention.role == "allergy" else "severe"
    before = passage.plain[max(0, mention.start - _BEFORE) : mention.start]
    after = passage.plain[mention.end : mention.end + _BEFORE]
    sides = ((f"{kind}_before", before), (f"{kind}_after", after))
    return any(_rule(rule, passage.language).search(text) for rule, text in sides)


def _entities(mentions: Iterable[Mention]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entity for m in mentions for entity in m.entities))


@cache
def _rule(name: str, language: str) -> Expression:
    return Expression(any_of(rules_in(language, *PATIENT_RULES)[name]))
