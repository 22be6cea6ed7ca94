"""A diagnosis feeds the next step: which tests are recorded for the diseases that fit.

So does a question that goes from the symptoms of a disease to its treatment: a doctor tests between
them. What was not asked for is told among the steps alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from medweave.contributors.contributor import QuestionState
from medweave.model.inferred import Inferred
from medweave.model.material import Focus, Looked
from medweave.retrieval.lookup import PROPERTIES, look_up

_TEST = "test"
_BEFORE, _AFTER = ("symptom",), ("treatment", "drug")
_FEW = 3
"""Of so many diseases that fit, the best ones, tests are looked up."""


def with_tests(asked: QuestionState) -> tuple[tuple[Looked, ...], Inferred]:
    """The tests of the diseases that fit, and what was inferred: with these where tests were asked
    for and the findings themselves have none."""
    inferred = asked.inferred
    found = tuple(_tests(asked, _focused(asked)))
    own = [item for item in inferred.looked if item.intent == _TEST]
    if not own or any(item.statements for item in own) or not found:
        return found, inferred
    others = tuple(item for item in inferred.looked if item.intent != _TEST)
    return found, replace(inferred, looked=(*others, *found))


def _focused(asked: QuestionState) -> list[Focus]:
    """The diseases of which tests are looked up: those that fit; or that which is asked about from
    its symptoms to its treatment, between which tests stand."""
    if asked.inferred.differential is not None:
        ranked = asked.inferred.differential.ranked[: min(_FEW, asked.candidates)]
        return [Focus(asked.knowledge.same(each.entity)) for each in ranked]
    by_intent = {
        intent: {item.focus for item in asked.inferred.looked if item.intent == intent}
        for intent in (*_BEFORE, *_AFTER)
    }
    shown = [focus for intent in _BEFORE for focus in by_intent[intent]]
    treated = {focus for intent in _AFTER for focus in by_intent[intent]}
    has_own = any(item.intent == _TEST for item in asked.inferred.looked)
    return [] if has_own else [focus for focus in shown if focus in treated]


def _tests(asked: QuestionState, diseases: list[Focus]) -> Iterator[Looked]:
    property_, *_ = PROPERTIES[_TEST]
    for focus in diseases:
        if found := look_up(focus.entities, property_, asked.knowledge):
            yield Looked(_TEST, focus, property_.predicate, property_.from_object, tuple(found))
