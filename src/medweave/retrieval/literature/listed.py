"""What papers say of causes and effects, asked for in a verb: "what aggravates AMD?".

The verb names the predicates; whether the thing that is named stands before it or behind it says
which end is asked for: "what does smoking cause?", "what causes blindness?". Where no verb tells,
the intent does; where neither does, all that papers say of the thing is told, and that it was not
understood what is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from medweave.language.folding import lower
from medweave.model.material import OVERVIEW, OWN, Focus, Looked
from medweave.model.question import Mention, Question
from medweave.model.statement import SupportedStatement
from medweave.retrieval.literature.verbs import VerbQuestion, read_verb, verb_rules
from medweave.retrieval.lookup import Property, look_up
from medweave.vocabulary.knowledge import Knowledge

_OF_SOMEBODY = ("may_take", "pair")
"""What is asked of the medicines of somebody, which no paper tells."""
_LONGEST = 200
"""Longer texts are stories: none asks for a relation by its verb."""
_OF_PAPERS = ("leads_to", "affects", "aggravates", "improves", "shows", "indicates", "studied_for",
              "protects_from")  # fmt: skip
"""Predicates that only what papers say is recorded by: a base without them is asked otherwise."""
OF_PAPERS = (*_OF_PAPERS, "used_for", "used_to_prevent")
"""All that what papers say is recorded by."""
_MOST_LISTS = 6
"""So many lists are an overview of a thing."""


@dataclass(frozen=True, slots=True)
class _SoughtEnd:
    """One end of statements that a question asks for."""

    focus: Focus
    predicate: str
    from_object: bool
    concepts: tuple[str, ...] = ()
    named: str = ""
    """What the names at the other end must fit."""


def may_ask_papers(question: Question) -> bool:
    """Whether a question is short and plain enough to ask for a relation by its verb, and does not
    surely ask whether somebody may have a medicine."""
    plain = len(question.text) <= _LONGEST and question.form.kind in ("plain", "yes_no")
    return plain and not question.asked.surely(*_OF_SOMEBODY)


def from_literature(
    question: Question, knowledge: Knowledge, *, answered: bool
) -> tuple[Looked, ...]:
    """The statements of papers that a question asks for; none where none is recorded.

    A question that is `answered` otherwise gets only what is recorded by predicates that nothing
    but papers use.
    """
    if not may_ask_papers(question) or question.form.kind != "plain":
        return ()
    read = read_verb(question)
    found = _looked_up(_sought_ends(read), knowledge)
    if not found and read.verb is not None and read.verb.any and not read.is_yes_no:
        found = _looked_up(_in_its_direction(read, OF_PAPERS), knowledge)
    if answered and not read.asks_age:
        return found if any(item.predicate in _OF_PAPERS for item in found) else ()
    return found or _by_intent(question, read, knowledge) or _overview(question, read, knowledge)


def _looked_up(
    asked: Iterable[_SoughtEnd], knowledge: Knowledge, label: str = OWN
) -> tuple[Looked, ...]:
    return tuple(
        Looked(label, one.focus, one.predicate, one.from_object, tuple(found))
        for one in dict.fromkeys(asked)
        if (found := list(_found(one, knowledge)))
    )


def _sought_ends(read: VerbQuestion) -> Iterator[_SoughtEnd]:
    """What is asked of each thing that stands on one side of the verb."""
    age, verb = verb_rules()["age"], read.verb
    if read.asks_age:
        about = [m for m in read.mentions if not re.search(age["named"], lower(m.text))]
        for mention in about:
            focus, named = Focus(mention.entities), age["named"]
            yield from (_SoughtEnd(focus, one, True, named=named) for one in age["object"])
            yield from (_SoughtEnd(focus, one, False, named=named) for one in age["subject"])
        return
    if verb is None or read.is_yes_no:
        return
    yield from _in_its_direction(read, verb.predicates)


def _in_its_direction(read: VerbQuestion, predicates: tuple[str, ...]) -> Iterator[_SoughtEnd]:
    """What is recorded by these predicates in the direction of the verb, of each thing."""
    for mention in read.mentions:
        for from_object in _directions(read, mention):
            for predicate in predicates:
                yield _SoughtEnd(Focus(mention.entities), predicate, from_object, read.sorts)


def _directions(read: VerbQuestion, mention: Mention) -> tuple[bool, ...]:
    """Whether a thing is asked of as an object; where the verb tells no direction, as both."""
    first = read.is_object(mention)
    return (first, not first) if read.verb and read.verb.either else (first,)


def _by_intent(question: Question, read: VerbQuestion, knowledge: Knowledge) -> tuple[Looked, ...]:
    """What papers say of what the intents ask for, where nothing else is recorded of it."""
    rules = verb_rules()["intents"]
    asked = (
        _SoughtEnd(Focus(mention.entities), predicate, side == "object", read.sorts)
        for intent in question.intents
        for side, predicates in rules.get(intent.label, {}).items()
        for mention in read.mentions
        for predicate in predicates
    )
    return _looked_up(asked, knowledge)


def _overview(question: Question, read: VerbQuestion, knowledge: Knowledge) -> tuple[Looked, ...]:
    """The longest lists of what papers say of the one thing that a question names."""
    unclear = question.labels <= {"description"}
    if len(read.mentions) != 1 or not unclear or not question.asks or read.is_yes_no:
        return ()
    focus = Focus(read.mentions[0].entities)
    asked = [
        _SoughtEnd(focus, predicate, side) for predicate in OF_PAPERS for side in (False, True)
    ]
    lists = _looked_up(asked, knowledge, OVERVIEW)
    if not any(item.predicate in _OF_PAPERS for item in lists):
        return ()
    return tuple(islice(sorted(lists, key=lambda item: -len(item.statements)), _MOST_LISTS))


def _found(asked: _SoughtEnd, knowledge: Knowledge) -> Iterator[SupportedStatement]:
    entities = [same for entity in asked.focus.entities for same in knowledge.same(entity)]
    what = Property(asked.predicate, from_object=asked.from_object)
    statements = look_up(dict.fromkeys(entities), what, knowledge)
    ends = [s.statement.subject if asked.from_object else s.statement.object_entity
            for s in statements]  # fmt: skip
    others = knowledge.entities.all(end for end in ends if end)
    for supported, end in zip(statements, ends, strict=True):
        other = others.get(end) if end else None
        if other is None:
            continue
        fits = not asked.concepts or other.concept in asked.concepts
        if fits and (not asked.named or re.search(asked.named, lower(other.name("en")))):
            yield supported


def beside_papers(
    question: Question, looked: list[Looked], papers: tuple[Looked, ...]
) -> list[Looked]:
    """What else was found beside what papers say: nothing twice, nothing that is missing, and where
    a verb tells what is asked for nothing that is only guessed to be.

    Beside an overview it is told what is missing: that was asked for.
    """
    said = {(item.predicate, item.from_object) for item in papers}
    overview = any(item.intent == OVERVIEW for item in papers)
    others = [item for item in looked if (item.predicate, item.from_object) not in said]
    if overview:
        return others
    return [item for item in others if item.statements and item.intent in question.worded]
