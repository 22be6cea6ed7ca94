"""What drugs are wanted for, and of which class.

In "drugs for migraine if I have an ulcer" the ulcer is no purpose.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from operator import attrgetter

from medweave.language.data import rule_in_any
from medweave.model.question import ALLERGY, FINDINGS, SUBSTANCES, UNNAMED, Mention, Question
from medweave.retrieval.drugs.list_wording import list_words, says, stands

_REACTIONS = (ALLERGY, "mw.condition:anaphylaxis")
"""What somebody is said to have of a medicine that they do not bear."""
_BEHIND = 80
"""A drug begins so many characters before what it is taken for, at most."""


def purposes(question: Question) -> tuple[Mention, ...]:
    """What drugs are said to be wanted for; nothing where no word says so."""
    found: list[Mention] = []
    beside: list[Mention] = []  # they stand before one, joined to it
    findings = question.of_concept(*FINDINGS)
    for mention in findings:
        if mention.status == "absent":
            continue
        before = (found or beside)[-1:]
        joined = any(_adjoin(question, last, mention) for last in before)
        if not found and len(findings) > 1 and _is_person(question, mention):
            continue
        if _is_what_a_drug_is_taken_for(question, mention):
            continue
        if is_condition(question, mention):
            continue
        if stands(question, mention, "for"):
            found += [*(beside if joined and not found else ()), mention]
        elif found and joined:
            found.append(mention)
        elif not found:
            beside = [*(beside if joined else ()), mention]
    return tuple(found)


def is_condition(question: Question, mention: Mention) -> bool:
    """Whether a condition is one for somebody with which a medicine is wanted, and none that it is
    wanted for: "which sleeping tablets are safe in asthma", "what treats gout if I have asthma".

    Where no words right beside it say either, what was learned of such questions does."""
    if mention.status == "absent" or stands(question, mention, "condition"):
        return mention.status != "absent"
    return mention.beside and not stands(question, mention, "for")


def is_held_back(question: Question) -> bool:
    """Whether drugs are wanted for a complaint that may be an emergency, and for nothing else: "bad
    chest pain, which painkiller?"."""
    calling = [words for sign in question.to_rule_out for words in sign.words]
    told = [m for m in question.of_concept("symptom") if m.status != "absent"]
    open_ = [m for m in told if any(m.text in words or words in m.text for words in calling)]
    lists = not question.labels.isdisjoint(("drug", "treatment"))
    return lists and bool(open_) and set(purposes(question)) <= set(open_)


def _is_what_a_drug_is_taken_for(question: Question, mention: Mention) -> bool:
    """Whether it stands right behind a drug that is taken: "takes methotrexate for arthritis"."""
    first, behind = (
        bisect_left(question.mentions, place, key=attrgetter("start"))
        for place in (mention.start - _BEHIND, mention.start)
    )
    taken = (
        m
        for m in question.mentions[first:behind]
        if m.concept in SUBSTANCES and m.role == "taken" and m.end < mention.start
    )
    between = (question.text[m.end : mention.start].lower() for m in taken)
    return any(_says_for(question.language).fullmatch(words) for words in between)


@cache
def _says_for(language: str) -> re.Pattern[str]:
    return re.compile("|".join(list_words(language)["taken_for"]))


def _adjoin(question: Question, before: Mention, mention: Mention) -> bool:
    """A disease and a complaint of it are said without a word between, in Chinese: 感冒鼻塞."""
    between = question.text[before.end : mention.start].lower()
    of_it = not between and {before.concept, mention.concept} == set(FINDINGS)
    return of_it or rule_in_any("adjoins", "retrieval", "cues.yaml").fullmatch(between) is not None


def _is_person(question: Question, mention: Mention) -> bool:
    """Whether somebody is named by what they have: "an asthmatic"."""
    return mention.status != "absent" and bool(
        re.search("|".join(list_words(question.language)["told_itself"]), mention.text.lower())
    )


def wanted_for(question: Question, named: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """Of conditions that are named, those that something is wanted for: not what somebody is said
    to have beside them; all, where it cannot be told."""
    named = tuple(m for m in named if m.experiencer == "patient") or named
    named = tuple(m for m in named if m.link.how not in UNNAMED) or named
    named = tuple(m for m in named if not _is_what_a_drug_is_taken_for(question, m)) or named
    if question.patient.allergies:
        named = tuple(m for m in named if m.entity not in _REACTIONS)
    named = tuple(m for m in named if m.temporality != "historical") or named
    named = tuple(m for m in named if stands(question, m, "now")) or named
    only_tells = not question.asks and not says(question, "drug")
    told = (
        [m for m in named if _is_person(question, m)]
        if only_tells
        else _stated_conditions(question, named)
    )
    told += [m for m in named if m not in told and is_condition(question, m)]
    apart = tuple(m for m in named if m not in told)
    if any(m.concept == "disease" for m in apart):  # who has a disease has its symptoms with it
        return tuple(m for m in apart if m.status != "present") or apart
    return tuple(m for m in apart if m.status != "present") or named


def _stated_conditions(question: Question, named: tuple[Mention, ...]) -> list[Mention]:
    """The conditions that words say somebody has: "gout and asthma" with gout, asthma too."""
    told: list[Mention] = []
    for mention in named:
        joined = bool(told) and _adjoin(question, told[-1], mention)
        if joined or stands(question, mention, "told") or _is_person(question, mention):
            told.append(mention)
    return told or [mention for mention in named if mention.temporality == "historical"]


def suspects(question: Question) -> tuple[Mention, ...]:
    """Drugs of which it is asked which brings a finding on: "which of his tablets makes him cough:
    ramipril or amlodipine?"."""
    drugs = question.of_concept("drug")
    several = len({m.entity for m in drugs}) > 1
    findings = question.of_concept(*FINDINGS)
    return drugs if several and findings and says(question, "suspects") else ()


def bringing_on(question: Question) -> tuple[Mention, ...]:
    """What a member of a class, or a drug for something, is wanted not to bring on: "an
    antihistamine without drowsiness", "something for hay fever that does not make me sleepy"."""
    findings = question.of_concept(*FINDINGS)
    unwanted = tuple(m for m in findings if stands(question, m, "bringing_on"))
    for_another = (m for m in findings if m not in unwanted and stands(question, m, "for"))
    of_drugs = requested_class(question) is not None or (unwanted and any(for_another))
    named = any(m.role != "past" for m in question.of_concept("drug"))
    return unwanted if of_drugs and not named else ()


def requested_class(question: Question) -> Mention | None:
    """The class of drugs of which a list is wanted ("which painkiller"), if any.

    Beside a drug that is asked about it is one that a member is to be chosen from for somebody:
    "I took ciprofloxacin. Which antibiotic can I take?"
    """
    classes = [
        m
        for m in question.of_concept("drug_class")
        if m.role == "asked"
        and m.status != "absent"
        and m.link.how != "stem"
        and m not in question.form.left_out
    ]
    chosen_from = [m for m in classes if stands(question, m, "which")]
    drugs = [m for m in question.of_concept("drug") if m.status != "absent"]
    if any(m.role == "asked" for m in drugs):
        told = any(m.status == "present" for m in question.of_concept(*FINDINGS, "population"))
        lists = question.form.kind in ("plain", "what_else")
        return chosen_from[-1] if chosen_from and told and lists else None
    return next(reversed(chosen_from or classes[:1]), None)  # "which antibiotics are penicillins"
