"""What a base says of the everyday use of a medicine: with food, when, missed, driven with.

Sources say it in their texts on how a medicine is taken and what it is, and by side effects that
bear on it; of a class, for each member of it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.model.material import Focus, Looked
from medweave.model.question import BY_HABIT, EVERYDAY, SUBSTANCES, Question
from medweave.model.statement import Literal, SupportedStatement
from medweave.retrieval.lookup import class_members, kinds_above
from medweave.vocabulary.knowledge import Knowledge

_TEXTS = ("use_advice", "described_as")
_OF_TAKING = ("food", "time_of_day", "fasting")
"""Asked about these, all that is said of how it is taken may answer."""
_ANYTHING = re.compile("")


def everyday_use(question: Question, knowledge: Knowledge) -> tuple[Looked, ...]:
    """What is said of the part of its use that is asked about, for each medicine that is named."""
    if question.aside not in EVERYDAY:
        return ()
    named = question.of_concept(*SUBSTANCES)
    drugs = {m.entity: Focus(m.entities) for m in named if m.entity not in BY_HABIT}
    return tuple(
        found for focus in drugs.values() for found in _of_drug(question.aside, focus, knowledge)
    )


def _of_drug(kind: str, focus: Focus, knowledge: Knowledge) -> list[Looked]:
    own = [name for entity in focus.entities for name in knowledge.same(entity)]
    everywhere = list(dict.fromkeys((*own, *_classes(own, knowledge))))
    rules = _rules()
    found: list[Looked] = []
    for one in (kind, *rules[kind].get("near", ())):
        told = re.compile(rules[one]["told"])
        if texts := _texts(everywhere, knowledge, told):
            found = [_looked(focus, *texts)]
            break
    if not found and kind in _OF_TAKING and (said := _texts(own, knowledge, _ANYTHING)):
        found = [_looked(focus, *said)] if said[0] == _TEXTS[0] else []
    found += [
        _looked(focus, predicate, some)
        for predicate, ends in (
            ("has_side_effect", rules[kind].get("effects", ())),
            ("interacts_with", rules[kind].get("interacts", ())),
        )
        if (some := _with_ends(everywhere, predicate, ends, knowledge))
    ]
    return found


def _looked(focus: Focus, predicate: str, statements: list[SupportedStatement]) -> Looked:
    return Looked("dose", focus, predicate, from_object=False, statements=tuple(statements))


def _classes(drugs: list[str], knowledge: Knowledge) -> list[str]:
    """The classes of a medicine, of which what is said holds of it; of a class of which the base
    says nothing itself, its only member: iron tablets are ferrous sulfate."""
    match = knowledge.store.match
    stated = [s.statement.object_entity for one in drugs for s in match(one, "in_class")]
    wider = tuple(dict.fromkeys((*drugs, *(one for one in stated if one))))
    single = [focus.entities for focus in class_members(tuple(drugs), knowledge)]
    return [*kinds_above(wider, knowledge), *wider, *(single[0] if len(single) == 1 else ())]


def _texts(
    names: list[str], knowledge: Knowledge, told: re.Pattern[str]
) -> tuple[str, list[SupportedStatement]] | None:
    """The sentences on these that speak of something: of how it is taken, or else of what it is."""
    knowledge.store.expect([(name, text, None) for name in names for text in _TEXTS])
    for predicate in _TEXTS:
        some = [
            supported
            for name in names
            for supported in knowledge.store.match(name, predicate)
            if isinstance(supported.statement.object, Literal)
            and told.search(str(supported.statement.object.value).lower())
        ]
        if some:
            return predicate, some
    return None


def _with_ends(
    names: list[str], predicate: str, ends: tuple[str, ...], knowledge: Knowledge
) -> list[SupportedStatement]:
    """The statements on these, of a predicate, that lead to one of these ends."""
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
