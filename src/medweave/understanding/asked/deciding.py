"""What follows where it was learned what a question asks: its intents, and the aspect of a medicine
that it is about.

Rules know what they were written for; of questions of other hands they read a third rightly, and
what was learned two thirds (decision 500). So what was learned decides where it is sure.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import cast

from medweave.model.question import (
    BY_HABIT,
    EFFECT_OF_DRUG,
    FINDINGS,
    SUBSTANCES,
    SURELY_ASKED,
    UNNAMED,
    Aside,
    Asked,
    Intent,
    Mention,
    Question,
)
from medweave.understanding.asked.reading import answered
from medweave.understanding.everyday import OF_ANY, OF_ONE
from medweave.understanding.intents.asking_part import is_vaccine, names_medicine
from medweave.understanding.intents.find import ASKED_OF

DECIDES = 0.6
"""From this certainty on it decides, whatever rules read."""
DECIDES_ALONE = 0.8
"""From this certainty on nothing that rules read stands against it: of other hands' questions it is
right in .97 (decision 520)."""
SUPPOSED = 0.37
"""From this certainty on it decides where rules are sure of nothing."""
SURE_OF_RULES = 0.8
"""From this chance on an intent that rules and the model of intents found is sure."""
SURE_TO_ASK = 0.9
"""From this certainty on a text asks though no word of it does."""
PAIR, REPORT = "pair", "report"
_TWO = 2
_IN_STEPS = ("how_works", "weakened")
"""What questions over a graph ask in steps, too: "which proteins does it bind"."""
_OF_STEPS = 0.8
_DIAGNOSIS, _TEST, _SYMPTOM = "diagnosis", "test", "symptom"
_OF_FINDINGS = (_DIAGNOSIS, _TEST)
"""What is asked of what somebody has: of a test it is asked what it means."""
_OF_MEDICINES = ("indication", "contraindication", "dose")
"""What is asked of a medicine that is named."""
_OF_A_MEDICINE_ITSELF = ("contraindications", "interactions")
"""Labels of what is recorded of a medicine, and of nobody."""
_ENDING = "ending"
_WHICH_ILLNESS, _CONTRAINDICATION = "which_disease_causes", "contraindication"
_TOLD = ("missed_dose", "doubled", "vomited", "run_out", "shared")
"""What is told and not asked: "I took it twice"."""
_AS_EFFECTS = {"dependence": "mw.condition:drug_dependence"}
"""Aspects of a medicine that others have recorded as an effect."""
_WITHOUT_A_NAME = (*OF_ANY, "doubled", "restart", "run_out")
"""Aspects of a medicine that is not named, too."""


def what_decides(asked: Asked, mentions: Sequence[Mention], *, asks: bool) -> Asked:
    """What was learned, where that can be asked at all: of something that is named; and where a
    text only tells, nothing but what is told of a medicine ("I took it twice")."""
    medicines = bool(_medicines(mentions))
    told = asked.label in _TOLD or (asked.surely(EFFECT_OF_DRUG) and medicines)
    named = any(m.concept in ASKED_OF for m in mentions)
    of_something = named or answered().aspects.get(asked.label) in _WITHOUT_A_NAME
    asks = asks or (asked.certainty >= SURE_TO_ASK and asked.label != REPORT)
    fits = (asks or told) and of_something and asked.certainty >= SUPPOSED
    return asked if fits else Asked()


def as_worded(
    asked: Asked, mentions: Sequence[Mention], worded: Callable[[], Collection[str]]
) -> Asked:
    """What was learned; where illnesses are asked for of a medicine, in words of what speaks
    against it, its contraindications: "which illnesses rule out propranolol?"."""
    of_illnesses = asked.label == _WHICH_ILLNESS and bool(_medicines(mentions))
    if of_illnesses and _CONTRAINDICATION in worded():
        return replace(asked, label=_OF_A_MEDICINE_ITSELF[0])
    return asked


def as_learned(
    intents: tuple[Intent, ...], asked: Asked, mentions: Sequence[Mention]
) -> tuple[Intent, ...]:
    """The intents, where it was learned what is asked. Those that rules are sure of stay, where one
    of them is that, or is answered alike."""
    label = answered().intents.get(asked.label)
    if label is None or not decides(asked, intents) or not _is_there(label, asked, mentions):
        return intents
    if asked.label in _OF_A_MEDICINE_ITSELF and _is_treatment(intents) and findings_named(mentions):
        return intents
    alike = {label}.union(*(some for some in answered().alike if label in some))
    if any(intent.sure and intent.label in alike for intent in intents):
        surely = asked.certainty >= DECIDES_ALONE
        return tuple(
            _at_least(intent, Intent(label, asked.certainty))
            for intent in intents
            if intent.sure or not surely
        )
    return (Intent(label, asked.certainty), *_beside_prevention(label, asked, intents, mentions))


def _beside_prevention(
    label: str, asked: Asked, intents: tuple[Intent, ...], mentions: Sequence[Mention]
) -> Iterator[Intent]:
    """The treatment that rules supposed, beside the prevention of an illness that somebody has:
    "how can I lower my blood pressure without pills?" may well ask for that."""
    has_it = any(m.concept == "disease" and m.status == "present" for m in mentions)
    if label == "prevention" and has_it and asked.certainty < DECIDES_ALONE:
        yield from (intent for intent in intents if intent.label == "treatment")


def _is_treatment(intents: Sequence[Intent]) -> bool:
    """Whether words surely ask for a treatment: "how is a headache treated in whoever takes
    warfarin" asks nothing of warfarin."""
    sure = [i for i in intents if i.sure and i.score >= SURE_OF_RULES]
    return any(intent.label == "treatment" for intent in sure)


def _at_least(ruled: Intent, learned: Intent) -> Intent:
    """What rules found, as surely as it was learned to be asked."""
    same = ruled.label == learned.label
    return replace(ruled, score=max(ruled.score, learned.score)) if same else ruled


def _is_there(label: str, asked: Asked, mentions: Sequence[Mention]) -> bool:
    """Whether what it is asked of is named; what a medicine meets, or brings on, may stand in words
    that were not read, or in another text."""
    medicines = {m.entity for m in _medicines(mentions)}
    if label in _OF_FINDINGS:
        present = [m for m in findings_named(mentions) if m.status != "absent"]
        return asked.certainty >= DECIDES and bool(present)
    if label in _OF_MEDICINES:
        return bool(medicines)
    if label == "diet":
        return medicines <= set(BY_HABIT)
    if asked.label == PAIR:
        return len(medicines) >= _TWO
    if asked.label == EFFECT_OF_DRUG and medicines:
        return bool(findings_named(mentions)) or asked.certainty >= SURE_TO_ASK
    return asked.label != EFFECT_OF_DRUG


def by_rules_and_learned(
    intents: tuple[Intent, ...], asked: Asked, mentions: Sequence[Mention]
) -> tuple[tuple[Intent, ...], Asked]:
    """The intents, and what was learned; nothing, where rules are sure of an intent that somebody
    added."""
    known = answered().intents.values()
    if any(intent.sure and intent.label not in known for intent in intents):
        return intents, Asked()
    return _with_what_tests_wait_for(as_learned(intents, asked, mentions), mentions), asked


def _with_what_tests_wait_for(
    intents: tuple[Intent, ...], mentions: Sequence[Mention]
) -> tuple[Intent, ...]:
    """The intents; who asks for the tests of a complaint asks first what it may be."""
    concepts = {m.concept for m in mentions if m.concept in ASKED_OF}
    if [intent.label for intent in intents] != [_TEST] or concepts != {_SYMPTOM}:
        return intents
    return (Intent(_DIAGNOSIS, intents[0].score), *intents)


def decides(asked: Asked, intents: Sequence[Intent]) -> bool:
    """Whether what was learned decides against what rules found."""
    unsure = all(intent.score < SURE_OF_RULES for intent in intents)
    return asked.certainty >= (SUPPOSED if unsure else DECIDES)


def ask_different_things(questions: Sequence[Question]) -> bool:
    """Whether questions of one text likely ask for things that are answered apart from each other:
    "what brings it on, and how do I dodge it". What a complaint only ends with is none of them:
    "what now? rest, paracetamol?"."""
    kinds = [_answered_as(question.asked) for question in questions]
    likely = all(
        question.asked.certainty >= SUPPOSED and question.asked.label != REPORT
        for question in questions
    )
    return likely and len(set(kinds)) == len(kinds) > 1


def _answered_as(asked: Asked) -> frozenset[str]:
    """What answers a label, with all that is answered alike."""
    table = answered()
    one = table.intents.get(asked.label) or table.aspects.get(asked.label) or asked.label
    return next((some for some in table.alike if one in some), frozenset({one}))


def aspect_of(asked: Asked, mentions: Sequence[Mention]) -> Aside:
    """The aspect that was learned to be asked about; "" where nothing is named that has it, or one
    medicine of several would be asked about."""
    aspect = cast(Aside, answered().aspects.get(asked.label, ""))
    if asked.label in _IN_STEPS and asked.certainty < _OF_STEPS:
        return ""
    named = {m.entity: m for m in mentions if names_medicine(m)}
    if all(map(is_vaccine, named.values())):
        bare = aspect in _WITHOUT_A_NAME and not named and asked.certainty >= SURELY_ASKED
        return aspect if bare else ""
    if len(named) > 1 and aspect in OF_ONE:
        return ""
    if aspect == _ENDING and len(named) > 1 and asked.certainty < DECIDES_ALONE:
        return ""  # "can I take A if I stop B" asks of A
    roles = {mention.role for mention in named.values()}
    return "" if aspect == _ENDING and {"past", "asked"} <= roles else aspect


def is_of_a_list(aspect: Aside, mentions: Sequence[Mention]) -> bool:
    """Whether an aspect of one medicine is asked of a list, as an effect: "which sleeping tablets
    are not habit forming?"."""
    of_one = any(m.concept == "drug" for m in mentions)
    return not of_one and _AS_EFFECTS.get(aspect) in {m.entity for m in mentions}


def findings_named(mentions: Sequence[Mention]) -> list[Mention]:
    """The findings that a text names, and does not only measure or imply."""
    return [m for m in mentions if m.concept in FINDINGS and m.link.how not in UNNAMED]


def _medicines(mentions: Sequence[Mention]) -> list[Mention]:
    return [m for m in mentions if m.concept in SUBSTANCES]
