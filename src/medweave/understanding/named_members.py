"""A word for a class of drugs that stands for a member the text names.

"The blood thinner warfarin" is warfarin, and "his blood thinner" is the one he is said to take.
Read as classes, every member would be asked about, and nobody takes these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from medweave.language.data import rule_in
from medweave.language.passage import Passage
from medweave.model.question import Mention
from medweave.understanding.rule_files import PATIENT_RULES
from medweave.vocabulary.lexicon import Lexicon

_BEFORE = 12
"""Characters before a class that may say whose it is."""


def without_classes_of_members(
    passage: Passage, mentions: Sequence[Mention], lexicon: Lexicon
) -> tuple[Mention, ...]:
    """The mentions without the classes that only say again what a named drug is.

    A class of which no member stands beside it, or is taken before it, is kept; of two that make
    one name, the narrower: 头孢类抗生素, "ACE inhibitor blood pressure tablets".
    """
    drugs = [m for m in mentions if m.concept == "drug"]
    classes = [m for m in mentions if m.concept == "drug_class"]
    again = [
        m
        for m in classes
        if _is_narrowed(passage, m, classes, lexicon) or _is_repeated(passage, m, drugs, lexicon)
    ]
    return tuple(
        replace(m, role="asked") if _is_of_what_is_asked(passage, m, drugs, lexicon) else m
        for m in mentions
        if m not in again
    )


def _is_of_what_is_asked(
    passage: Passage, named: Mention, drugs: Iterable[Mention], lexicon: Lexicon
) -> bool:
    """Whether a class that somebody is told to take is offered, and several of it are chosen from:
    "the doctor wants me on a statin. Atorvastatin or rosuvastatin?"."""
    if named.concept != "drug_class" or named.role != "taken":
        return False
    members = lexicon.narrower(named.entities)
    asked = {d.entity for d in drugs if d.role == "asked" and not members.isdisjoint(d.entities)}
    first = passage.sentence_at(named.start)[0]
    offered = rule_in(passage.language, "offered_before", *PATIENT_RULES)
    return len(asked) > 1 and offered.search(passage.plain[first : named.start]) is not None


def _is_narrowed(
    passage: Passage, named: Mention, classes: Iterable[Mention], lexicon: Lexicon
) -> bool:
    """Whether a class within this one stands right before it, as one name with it."""
    beside = [m for m in classes if m.end <= named.start and m.entity != named.entity]
    beside = [m for m in beside if not passage.plain[m.end : named.start].strip()]
    return any(not lexicon.narrower(named.entities).isdisjoint(m.entities) for m in beside)


def _is_repeated(
    passage: Passage, named: Mention, drugs: Iterable[Mention], lexicon: Lexicon
) -> bool:
    members = lexicon.narrower(named.entities)
    of_it = [drug for drug in drugs if not members.isdisjoint(drug.entities)]
    return any(_stands_beside(passage, named, drug) for drug in of_it) or (
        _is_somebodys(passage, named)
        and any(drug.role == "taken" and drug.end <= named.start for drug in of_it)
    )


def _stands_beside(passage: Passage, named: Mention, drug: Mention) -> bool:
    if named.end <= drug.start:
        rule, between = "class_then_drug", passage.plain[named.end : drug.start]
    else:
        rule, between = "drug_then_class", passage.plain[drug.end : named.start]
    return _pattern(rule, passage.language).fullmatch(between) is not None


def _is_somebodys(passage: Passage, named: Mention) -> bool:
    before = passage.plain[max(0, named.start - _BEFORE) : named.start]
    return _pattern("somebodys", passage.language).search(before) is not None


def _pattern(rule: str, language: str) -> re.Pattern[str]:
    return rule_in(language, rule, "understanding", "rules", "named_members.yaml")
