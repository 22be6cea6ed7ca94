"""What a model helps to find: sub-questions, triples, and things that a question has to do with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from medweave.errors import QuestionError
from medweave.generation.asking import Asker
from medweave.generation.context import Context
from medweave.generation.prompts import (
    decompose_prompt,
    prune_prompt,
    supplement_prompt,
    triples_prompt,
)
from medweave.generation.words import plain_words
from medweave.model.answer import Answer
from medweave.model.statement import SupportedStatement
from medweave.model.steps import Step, Subgraph, joint_step
from medweave.model.triple_query import Triple, is_unknown
from medweave.retrieval.card import things_called
from medweave.retrieval.graph.pruning import Found
from medweave.retrieval.graph.triple_queries import answer_triples

MOST_SUB_QUESTIONS = 3
_LONGEST = 300
_MOST_TRIPLES = 8
_MOST_STATEMENTS = 50
"""Of one triple, or of one thing that a model adds."""
_MOST_ADDED = 10
_TIMEOUT = 3.0
"""Seconds that a triple may take."""
_FED = 5
"""So many things that a part led to are looked at with the next one."""
_WORTH_A_CALL = 60
"""Statements from which on a model is asked which of their relations are unrelated."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How rules read a sub-question."""

    answer: Callable[[str, Sequence[str]], Answer]
    """The answer to a part, behind others, with what is known of the person."""
    around: Callable[[str, Sequence[str], Callable[[Found], Collection[str]]], Subgraph | None]
    """What lies around a part and some things, without the relations that are ruled out."""


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


@dataclass(frozen=True, slots=True)
class Part:
    """A sub-question: what was found of it, as a step, and which things that led to."""

    step: Step
    led_to: tuple[str, ...] = ()


def find_more(
    parts: tuple[str, ...], by_rules: Answer, reading: Reading, context: Context, asker: Asker
) -> tuple[Step, ...]:
    """Take in what rules find for each sub-question, behind those before it; where they find
    nothing, what a model says to look for in the graph, or else what lies around it. What a part
    leads to is at the core of the next. Gives the steps, one for each."""
    finder = _Finder(reading, context, asker)
    if len(parts) == 1:
        found = finder.looked_for(parts[0], by_rules, ())
        return by_rules.steps if by_rules.statements else (found.step,)
    made: list[Part] = []
    for at, part in enumerate(parts):
        try:
            answered = reading.answer(part, parts[:at])
        except QuestionError:
            answered = None
        if answered and answered.question.in_danger:
            made.append(Part(_step(part, None)))  # nobody but the person tells of danger
            continue
        if answered:
            context.take_answer(answered)
        fed = [thing for before in made for thing in before.led_to]
        made.append(finder.looked_for(part, answered, fed))
    return tuple(each.step for each in made)


@dataclass(frozen=True, slots=True)
class _Finder:
    """Finds what there is of one part after the other."""

    reading: Reading
    context: Context
    asker: Asker

    def looked_for(self, part: str, answered: Answer | None, fed: Sequence[str]) -> Part:
        """A part with what rules found of it, or else a model."""
        if answered is not None and answered.statements:
            value = answered.result.value
            led_to = value if isinstance(value, tuple) else ()
            return Part(_step(part, answered), tuple(each.id for each in led_to[:_FED]))
        step = _step(part, answered)
        names = [each.name() for each in self.context.knowledge.entities.all(fed).values()]
        queries, statements = self._by_triples(part, names)
        if statements:
            self.context.take(statements)
            keys = tuple(each.statement.id for each in statements)
            around = Subgraph(tuple(statements))
            return Part(replace(step, queries=queries, statements=keys, subgraph=around))
        around = self._around(part, fed) or step.subgraph
        self.context.take_around(around.statements)
        return Part(replace(step, subgraph=around))

    def _around(self, part: str, fed: Sequence[str]) -> Subgraph | None:
        """What lies around a part and what it was led to, without what a model finds unrelated."""

        def unrelated(found: Found) -> Sequence[str]:
            relations = sorted({each.statement.predicate for each in found.values()})
            if len(found) < _WORTH_A_CALL or len(relations) == 1:
                return ()
            reply = self.asker.fill("prune", prune_prompt(part, relations))
            out = set(reply["answer"]) if reply else set()
            return () if out.issuperset(relations) else sorted(out.intersection(relations))

        return self.reading.around(part, fed, unrelated)

    def _by_triples(
        self, question: str, led_to: Sequence[str]
    ) -> tuple[tuple[Triple, ...], list[SupportedStatement]]:
        """The triples that a model asks for, and what fits them; `led_to` is what
        earlier parts found."""
        relations = sorted(self.context.knowledge.store.tally().predicates)
        if not relations:
            return (), []
        reply = self.asker.fill("triples", triples_prompt(question, relations, led_to))
        asked: list[Triple] = []
        found: dict[str, SupportedStatement] = {}
        for written in (reply["answer"] if reply else [])[:_MOST_TRIPLES]:
            if len(written) != len(Triple._fields) or not any(map(is_unknown, written)):
                self.asker.fell_back(
                    "triples", "a triple does not have three parts, of which one is asked"
                )
                continue
            try:
                made = answer_triples(
                    [Triple(*written)],
                    self.context.knowledge,
                    limit=_MOST_STATEMENTS,
                    timeout=_TIMEOUT,
                )
            except QuestionError as error:
                self.asker.fell_back("triples", plain_words(str(error)))
                continue
            asked += made.query
            found |= made.statements
        return tuple(dict.fromkeys(asked)), list(found.values())


def _step(part: str, answered: Answer | None) -> Step:
    """A part as a step: what rules asked of the base for it, and what they found."""
    if answered is None or not answered.steps:
        return Step(part, "", by="model")
    return replace(
        joint_step(answered.steps), question=part, type=answered.steps[-1].type, by="model"
    )


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
