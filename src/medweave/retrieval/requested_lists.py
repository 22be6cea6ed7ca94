"""Lists that a question wants and names no property for, and what drugs are wanted for.

"What is recorded for my wife's acne?" wants drugs for acne; "Which diseases cause chest pain?"
wants diseases by a finding; in "drugs for migraine if I have an ulcer" the ulcer is no purpose.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import pairwise

from medweave.language.data import language_with_rules, shipped_yaml
from medweave.model.question import FINDINGS, SUBSTANCES, Intent, Mention, Patient, Question

_REVERSED = ("avoid", "side_effect_of", "shown_by")
_OF_ONE_DRUG = frozenset({"contraindication", "interaction", "indication", "side_effect"})
_OF_A_CLASS = frozenset({"avoid", "contraindication", "interaction", "diet"})
_CLASSIFIES = ("class", "kind")
_JOINS = ("and", "&", "+", "/", "plus", "和", "与", "跟", "同", "加")
_SURE = 0.5
"""An intent less sure than this gives way to a list that is wanted in words."""


@cache
def _patterns(language: str, kind: str) -> tuple[re.Pattern[str], ...]:
    rules = shipped_yaml("retrieval", "requested_lists.yaml")[language_with_rules(language)]
    return tuple(re.compile(pattern) for pattern in rules[kind])


def _says(question: Question, kind: str) -> bool:
    text = question.text.lower()
    return any(pattern.search(text) for pattern in _patterns(question.language, kind))


def with_requested_lists(question: Question) -> Question:
    """The question with the list that it wants among its intents."""
    question = _together(question)
    return replace(question, intents=_intents(question))


def _intents(question: Question) -> tuple[Intent, ...]:
    for kind in _REVERSED:
        if _says(question, kind) and not question.of_concept("drug"):
            return (Intent(kind),)
    if question.form.kind == "yes_no" and question.form.relation in _CLASSIFIES:
        return tuple(i for i in question.intents if i.label not in _OF_ONE_DRUG)
    if _wants_members(question):
        return (Intent("drug"),)
    if not question.intents and question.mentions:
        tests_alone = all(m.concept == "test" for m in question.mentions)
        asked = tests_alone and _says(question, "meaning")
        return (Intent("description"),) if asked else ()  # "what does a high CRP mean?"
    intents = question.intents
    if any(i.label == "drug" for i in intents) and not _says(question, "avoid"):
        intents = tuple(i for i in intents if i.label != "avoid")
    sure = tuple(intent for intent in intents if intent.score >= _SURE)
    return (*sure, Intent("drug")) if _wants_drugs(question, sure) else intents


def _wants_drugs(question: Question, sure: tuple[Intent, ...]) -> bool:
    """Whether drugs for a condition are asked for in loose words ("what is there for acne")."""
    answered = {"drug", "treatment", "diagnosis"}
    about_one = any(m.concept in SUBSTANCES and m.role == "asked" for m in question.mentions)
    return (
        not about_one
        and answered.isdisjoint(intent.label for intent in sure)
        and bool(question.of_concept(*FINDINGS))
        and question.form.kind in ("plain", "what_else")
        and _says(question, "drug")
    )


def _wants_members(question: Question) -> bool:
    """Whether it is asked which of a class somebody may have: "which antibiotics are safe".

    Which they may not have was looked for before. A class in place of a member ("an antibiotic with
    warfarin") asks the same.
    """
    labels = {intent.label for intent in question.intents if intent.sure}
    wanted = requested_class(question)
    if wanted is None or (labels and not labels & _OF_A_CLASS):
        return False
    text, supposed = question.text.lower(), {intent.label for intent in question.intents}
    somebody = question.patient != Patient() or any(m is not wanted for m in question.mentions)
    plain = question.form.kind == "plain" or question.form.relation == "interaction"
    if plain and somebody and labels <= _OF_A_CLASS and supposed & _OF_A_CLASS:
        return True  # nobody eats a class of drugs
    before = text[: wanted.start]
    return any(p.search(before) for p in _patterns(question.language, "which_before"))


def _together(question: Question) -> Question:
    """ "Warfarin and ibuprofen?" asks about both: neither is said to be taken."""
    found = list(question.mentions)
    for at, (before, mention) in enumerate(pairwise(question.mentions), 1):
        between = question.text[before.end : mention.start].strip().lower()
        if (
            mention.role == "taken"
            and mention.status == "unknown"
            and found[at - 1].role == "asked"
            and between in _JOINS
        ):
            found[at] = replace(mention, role="asked")
    if found == list(question.mentions):
        return question
    asked = {m.entity for m in found if m.role == "asked"}
    drugs = tuple(drug for drug in question.patient.drugs if drug not in asked)
    return replace(question, mentions=tuple(found), patient=replace(question.patient, drugs=drugs))


def purposes(question: Question) -> tuple[Mention, ...]:
    """What drugs are said to be wanted for; nothing where no word says so."""
    text = question.text.lower()
    named = [m for m in question.of_concept(*FINDINGS) if m.status != "absent"]
    found: list[Mention] = []
    for mention in named:
        before, after = text[: mention.start], text[mention.end :]
        joined = bool(found) and text[found[-1].end : mention.start] in (" and ", ", ", "和", "、")
        if (
            joined
            or any(p.search(before) for p in _patterns(question.language, "for_before"))
            or any(p.search(after) for p in _patterns(question.language, "for_after"))
        ):
            found.append(mention)
    return tuple(found)


def requested_class(question: Question) -> Mention | None:
    """The class of drugs of which a list is wanted ("which painkiller"), if any."""
    if any(m.role == "asked" and m.concept == "drug" for m in question.mentions):
        return None
    return next(
        (
            m
            for m in question.of_concept(*SUBSTANCES)
            if m.concept == "drug_class"
            and m.role == "asked"
            and m.link.how != "stem"
            and m not in question.form.left_out
        ),
        None,
    )
