"""What a model helps to find: sub-questions, triples, and things that a question has to do with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from medweave.errors import QuestionError
from medweave.generation.asking import Asker
from medweave.generation.context import Context
from medweave.generation.prompts import decompose_prompt, supplement_prompt, triples_prompt
from medweave.generation.words import plain_words
from medweave.model.answer import Answer
from medweave.model.statement import SupportedStatement
from medweave.model.triple_query import Triple, is_unknown
from medweave.retrieval.card import things_called
from medweave.retrieval.graph.triple_queries import answer_triples

MOST_SUB_QUESTIONS = 3
_LONGEST = 300
_MOST_TRIPLES = 8
_MOST_STATEMENTS = 50
"""Of one triple, or of one thing that a model adds."""
_MOST_ADDED = 10
_TIMEOUT = 3.0
"""Seconds that a triple may take."""


def sub_questions(question: str, asker: Asker) -> tuple[str, ...]:
    """A question taken apart by a model: 1 to 3; the question alone where that fails, or where it
    is simple.

    >>> from medweave.model.generated import MODEL_USE
    >>> sub_questions("What is gout?", Asker({}, MODEL_USE))
    ('What is gout?',)
    """
    reply = asker.fill("decompose", decompose_prompt(question))
    if reply is None:
        return (question,)
    found = [plain_words(each)[:_LONGEST] for each in reply["answer"]]
    return tuple(dict.fromkeys(filter(None, found)))[:MOST_SUB_QUESTIONS] or (question,)


def find_more(
    parts: tuple[str, ...], answer_part: Callable[[str], Answer], context: Context, asker: Asker
) -> None:
    """Take in what rules find for each sub-question; where they find nothing, a model says what to
    look for in the graph."""
    whole = len(parts) == 1
    for part in parts:
        if whole:
            found = bool(context.statements)
        else:
            try:
                answered = answer_part(part)
            except QuestionError:
                continue
            if answered.question.in_danger:
                continue  # nobody but the person tells of danger
            context.take_answer(answered)
            found = bool(answered.statements)
        if not found:
            context.take(_by_triples(part, context, asker))


def _by_triples(question: str, context: Context, asker: Asker) -> list[SupportedStatement]:
    relations = sorted(context.knowledge.store.tally().predicates)
    if not relations:
        return []
    reply = asker.fill("triples", triples_prompt(question, relations))
    found: list[SupportedStatement] = []
    for written in (reply["answer"] if reply else [])[:_MOST_TRIPLES]:
        if len(written) != len(Triple._fields) or not any(map(is_unknown, written)):
            asker.fell_back("triples", "a triple does not have three parts, of which one is asked")
            continue
        try:
            made = answer_triples(
                [Triple(*written)], context.knowledge, limit=_MOST_STATEMENTS, timeout=_TIMEOUT
            )
        except QuestionError as error:
            asker.fell_back("triples", plain_words(str(error)))
            continue
        found += made.statements.values()
    return found


def add_things(question: str, answer: Answer, context: Context, asker: Asker) -> None:
    """Take in what the base has between things that a model adds and those of the question."""
    reply = asker.fill("supplement", supplement_prompt(question))
    asked = {same for m in answer.question.mentions for same in _same([m.entity], context)}
    for written in (reply["answer"] if reply else [])[:_MOST_ADDED]:
        name = plain_words(written)[:_LONGEST]
        things = things_called(name, context.knowledge) if name else []
        added = set(things[:1]) - asked
        for thing in added or ({name} if name and not things else ()):
            context.added.setdefault(thing, name)
        context.take(islice(_between(_same(added, context), asked, context), _MOST_STATEMENTS))


def _same(things: Iterable[str], context: Context) -> set[str]:
    return {same for thing in things for same in (thing, *context.knowledge.same(thing))}


def _between(some: set[str], others: set[str], context: Context) -> Iterator[SupportedStatement]:
    for firsts, seconds in ((some, others), (others, some)):
        for thing in sorted(firsts):
            for each in context.knowledge.store.match(thing):
                if each.statement.object_entity in seconds:
                    yield each
