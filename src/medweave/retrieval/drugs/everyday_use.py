"""What a base says of the everyday use of a medicine: with food, when, missed, driven with.

Sources say it in their texts on how a medicine is taken and what it is, and by side effects that
bear on it; of a class, for each member of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.model.material import BESIDE_A_HABIT, BESIDE_A_STATE, Focus, Looked
from medweave.model.question import BY_HABIT, EVERYDAY, SUBSTANCES, Question
from medweave.model.statement import SupportedStatement
from medweave.retrieval.advice.texts import aspect_of
from medweave.retrieval.lookup import kinds_above, only_member, stated_classes
from medweave.vocabulary.knowledge import Knowledge

_TEXTS = ("use_advice", "described_as", "practical_advice")
_FEW = 3
"""So many sentences on how a medicine is taken are told whole."""
_ON_OCCASION = ("restart", "run_out", "missed_dose", "vomited", "doubled", "refused", "storage",
                "travel", "procedure", "shared", "vaccination")  # fmt: skip
"""What is told of a medicine to who asks for it, and not to who asks how it is taken."""
_ON_A_DAY = ("food", "time_of_day", "posture", "monitoring", "lasting")
OF_TAKING = ("food", "time_of_day", "fasting", "course", "missed_dose", "vomited", "doubled",
             "posture", "refused")  # fmt: skip
"""What is asked of taking a medicine: what holds of taking it at all belongs to each of these."""


def everyday_use(question: Question, knowledge: Knowledge) -> tuple[Looked, ...]:
    """What is said of the part of its use that is asked about, for each medicine that is named, and
    of what somebody drinks beside it."""
    named = question.of_concept(*SUBSTANCES)
    drugs = {m.entity: Focus(m.entities) for m in named if m.entity not in BY_HABIT}
    asked = (question.aside,) if question.aside in EVERYDAY else ()
    others = [rule["of"] for kind in asked if "of" in (rule := _rules()[kind])]
    of_others = [Focus(m.entities) for m in question.mentions if m.concept in others]
    found = [
        looked
        for kind in asked
        for focus in of_others or drugs.values()
        for looked in _of_drug(kind, focus, question.language, knowledge)
    ]
    told = {s.statement.id for looked in found for s in looked.statements}
    beside = (
        *_beside_habits(question, drugs, knowledge),
        *_beside_states(question, knowledge),
    )
    return (*found, *(x for x in beside if told.isdisjoint(s.statement.id for s in x.statements)))


def _beside_habits(
    question: Question, drugs: dict[str, Focus], knowledge: Knowledge
) -> Iterator[Looked]:
    """What is said of a drink beside each medicine that is named, or was told before to be taken:
    what it does, and for how long it is left out."""
    habits = [m for m in question.of_concept(*SUBSTANCES) if m.entity in BY_HABIT]
    before = [m for m in question.earlier if m.role == "taken" and m.entity not in BY_HABIT]
    wanted = (
        (habit, focus)
        for habit in dict.fromkeys(m.entity.partition(":")[2] for m in habits)
        for focus in {**{m.entity: Focus(m.entities) for m in before}, **drugs}.values()
    )
    for habit, focus in wanted:
        for found in _of_drug(habit, focus, question.language, knowledge):
            yield replace(found, intent=BESIDE_A_HABIT)


def _beside_states(question: Question, knowledge: Knowledge) -> Iterator[Looked]:
    """What sources say of a pregnancy or of breastfeeding in the texts on a medicine that somebody
    asks to take then: what speaks against it is in no list where nothing does."""
    patient = question.patient
    states = {"pregnancy": patient.pregnant, "breastfeeding": patient.breastfeeding}
    asked = [m for m in question.of_concept(*SUBSTANCES) if m.role == "asked"]
    if "contraindication" not in question.labels:
        return
    for state, drug in product((name for name, holds in states.items() if holds), asked):
        for found in _of_drug(state, Focus(drug.entities), question.language, knowledge):
            yield replace(found, intent=BESIDE_A_STATE)


def of_every_day(found: list[SupportedStatement]) -> list[SupportedStatement]:
    """Of many sentences on how a medicine is taken those that are of any day: not what is done
    after a missed dose."""
    if len(found) <= _FEW:
        return found
    return [s for s in found if not _is_on_occasion(s)] or found


def _is_on_occasion(supported: SupportedStatement) -> bool:
    text = supported.statement.text.lower()
    return any(_told()[kind].search(text) for kind in _ON_OCCASION)


def in_the_language(looked: list[Looked], language: str, knowledge: Knowledge) -> list[Looked]:
    """What was looked up; where how a medicine is taken is told in another language alone, or not
    at all, what is said of its classes in the language of the question, if anything is."""

    def spoken(item: Looked) -> Looked:
        spoken_of = any(s.statement.language == language for s in item.statements)
        if item.predicate != _TEXTS[0] or spoken_of:
            return item
        said = _said(_classes([*item.focus.entities], knowledge), knowledge)
        wider = [s for s in said if s.statement.predicate == _TEXTS[0]]
        fitting = of_every_day([s for s in wider if s.statement.language == language])
        return replace(item, statements=tuple(fitting)) if fitting else item

    return [spoken(item) for item in looked]


def _of_drug(kind: str, focus: Focus, language: str, knowledge: Knowledge) -> list[Looked]:
    own = [name for entity in focus.entities for name in knowledge.same(entity)]
    everywhere = list(dict.fromkeys((*own, *_classes(own, knowledge))))
    rules = _rules()
    found: list[Looked] = []
    said = _said(everywhere, knowledge, rules[kind].get("texts", _TEXTS))
    for spoken, one in product(
        ([s for s in said if s.statement.language == language], said),
        (kind, *rules[kind].get("near", ())),
    ):
        in_another_language = spoken is said
        if fitting := _telling(one, spoken, beside=one != kind or in_another_language):
            found = [_looked(focus, fitting[0].statement.predicate, fitting)]
            if kind in OF_TAKING and (
                always := _of_no_part([*own, *only_member(tuple(own), knowledge)], spoken)
            ):
                found.append(_looked(focus, _TEXTS[0], always))
            break
    if actions := rules[kind].get("actions"):
        acting = _of_others_on(own, re.compile(actions), language, knowledge)
        found += [_looked(focus, "interacts_with", acting)] if acting else []
    found += [
        _looked(focus, predicate, some)
        for predicate, ends in (
            ("has_side_effect", rules[kind].get("effects", ())),
            ("interacts_with", rules[kind].get("interacts", ())),
        )
        if (some := _with_ends(everywhere, predicate, ends, knowledge))
    ]
    return found


def _of_others_on(
    own: list[str], acting: re.Pattern[str], language: str, knowledge: Knowledge
) -> list[SupportedStatement]:
    """The interactions of a medicine of which a source says that it is this one that works less,
    and not the other."""
    match, name = knowledge.store.match, knowledge.entities.get
    found: dict[str, SupportedStatement] = {}
    for one in own:
        for supported in (*match(one, "interacts_with"), *match(None, "interacts_with", one)):
            told = dict(supported.statement.qualifiers)
            action = str(told.get(f"action_{language}") or told.get("action") or "").lower()
            works_less = acting.search(action) if supported.affirmed else None
            ends = {supported.statement.subject, supported.statement.object_entity} - {one}
            other = next((name(end).name(language).lower() for end in ends if end), "")
            if works_less and not (other and other in action[: works_less.start()]):
                found.setdefault(other, supported)
    return [found[other] for other in sorted(found)]


def _looked(focus: Focus, predicate: str, statements: list[SupportedStatement]) -> Looked:
    return Looked("dose", focus, predicate, from_object=False, statements=tuple(statements))


def _classes(drugs: list[str], knowledge: Knowledge) -> list[str]:
    """The classes of a medicine, of which what is said holds of it; of a class of which the base
    says nothing itself, its only member."""
    wider = tuple(dict.fromkeys((*drugs, *stated_classes(drugs, knowledge))))
    return [*kinds_above(wider, knowledge), *wider, *only_member(tuple(drugs), knowledge)]


def _said(
    names: list[str], knowledge: Knowledge, texts: Sequence[str] = _TEXTS
) -> list[SupportedStatement]:
    """The sentences on these: of how it is taken, then of what it is."""
    match = knowledge.store.match
    knowledge.store.expect([(name, text, None) for name in names for text in texts])
    return [s for predicate in texts for name in names for s in match(name, predicate)]


def _telling(
    kind: str, said: list[SupportedStatement], *, beside: bool
) -> list[SupportedStatement]:
    """The sentences that speak of a kind of use: where any is of how it is taken, these alone, and
    no others for what is only near to it; then the advice that is marked with it,
    one where others told it."""
    told = _told()[kind]
    marks = _rules()[kind].get("aspects", (kind,))
    advice = [s for s in said if s.statement.predicate == _TEXTS[2]]
    marked = [s for s in advice if aspect_of(s) in marks]
    plain = (s for s in said if s.statement.predicate != _TEXTS[2])
    fitting = [s for s in plain if told.search(s.statement.text.lower())]
    if kind in _ON_A_DAY:  # what is done in the evening after a missed dose is of no evening
        fitting = [s for s in fitting if not _is_on_occasion(s)] or fitting
    if "texts" in _rules()[kind]:
        first = marked[0].statement.subject if marked else ""  # of it, and not of its classes too
        own = [s for s in marked if s.statement.subject == first]
        return sorted(own, key=lambda s: marks.index(aspect_of(s))) or fitting
    of_taking = [s for s in fitting if s.statement.predicate == _TEXTS[0]]
    own = of_taking if beside else of_taking or fitting
    return [*own, *marked[: 1 if own else None]]


def _of_no_part(names: list[str], said: list[SupportedStatement]) -> list[SupportedStatement]:
    """The sentences on taking a medicine itself that are of no part of its use: who must not, by
    what a dose goes, what to do until then. Who asks for one part is told these too."""
    parts = [told for kind, told in _told().items() if "texts" not in _rules()[kind]]
    return [
        s
        for s in said
        if s.statement.predicate == _TEXTS[0]
        and s.statement.subject in names
        and not any(told.search(s.statement.text.lower()) for told in parts)
    ]


def _with_ends(
    names: list[str], predicate: str, ends: tuple[str, ...], knowledge: Knowledge
) -> list[SupportedStatement]:
    wanted = {end if ":" in end else f"mw.condition:{end}" for end in ends}
    return [
        supported
        for name in (names if wanted else ())
        for supported in knowledge.store.match(name, predicate)
        if supported.affirmed and supported.statement.object_entity in wanted
    ]


@cache
def _rules() -> dict[str, dict[str, Any]]:
    rules: dict[str, dict[str, Any]] = shipped_yaml("retrieval", "drugs", "everyday_use.yaml")
    return rules


@cache
def _told() -> dict[str, re.Pattern[str]]:
    """By what words a sentence speaks of each part of the use."""
    return {kind: re.compile(rule["told"]) for kind, rule in _rules().items()}
