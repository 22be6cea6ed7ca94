"""An answer in the form of all others that says what a strategy found, and nothing that ours did.

What keeps a person safe is ours whatever finds the rest: danger and stops come first, and what may
not be said of this person is not said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from medweave.answering.wording import Wording
from medweave.generation.asking import Asker
from medweave.generation.context import Context, in_words
from medweave.generation.gate import Gate, Verify
from medweave.generation.strategies.strategy import Search
from medweave.model.answer import RETRIEVED, Answer, Sentence
from medweave.model.document import Document
from medweave.model.entity import Entity
from medweave.model.generated import MODEL_USE
from medweave.model.statement import SupportedStatement
from medweave.model.steps import Result, Step, Subgraph

_STOP = "stop"


def answer_of(
    name: str,
    found: Sequence[SupportedStatement],
    by_rules: Answer,
    search: Search,
    verify: Verify,
) -> Answer:
    """The answer by rule with what a strategy found in place of what ours did; where help comes
    first, as it is."""
    question = by_rules.question
    if question.in_crisis or question.helps_first or by_rules.others:
        return replace(by_rules, strategy=name)
    safety = [s for s in by_rules.sentences if s.intent == _STOP]
    kept = {key: by_rules.statements[key] for s in _safety_of(by_rules, safety) for key in s}
    context = Context(search.knowledge, question.language)
    context.take_answer(replace(by_rules, statements=kept))
    gate = Gate(verify, context, by_rules, Asker({}, MODEL_USE))
    said = [
        (sentence, each)
        for each, sentence in zip(found, _sentences(found, search), strict=True)
        if each.statement.object_entity and gate.is_allowed(sentence.text, each)
    ]
    unsaid = [each for each in found if not each.statement.object_entity]
    shown = [*(each for _, each in said), *unsaid]  # what another was told is read, and not said
    context.take(shown)
    sentences = (*safety, *(sentence for sentence, _ in said))
    text = " ".join(sentence.text for sentence, _ in said)
    keys = tuple(each.statement.id for each in shown)
    return replace(
        by_rules,
        strategy=name,
        status="partial" if shown else "abstained",
        result=Result("entities", tuple(_others(shown, search))),
        steps=(Step(question.text, name, (), keys, text, Subgraph(tuple(shown))),),
        sentences=sentences,
        candidates=(),
        drugs=(),
        weighing=None,
        comparison=(),
        conflicts=(),
        missing=(),
        direct=(),
        paths=(),
        cases=(),
        passages=(),
        statements=dict(context.statements),
        beliefs=dict(context.beliefs),
        entities=_named_by(by_rules, context),
        documents=_cited_by(context),
        assessment=None,
        parts=(),
    )


def _named_by(by_rules: Answer, context: Context) -> dict[str, Entity]:
    """The things that are named by the question, by what was found, and by what keeps a person
    safe; none that only ours had found."""
    question = by_rules.question
    named = {entity for mention in question.mentions for entity in mention.entities}
    named |= {end for held in context.statements.values() for end in held.statement.entities}
    for stop in by_rules.stops:
        named |= {stop.entity.id, *stop.others}
    named |= {each.entity for each in by_rules.taken}
    for each in by_rules.find_out:
        named |= {each.about, *each.drugs}
    named |= set(question.patient.drugs) | set(question.patient.conditions)
    return {name: entity for name, entity in context.entities.items() if name in named}


def _cited_by(context: Context) -> dict[str, Document]:
    cited = {item.document for each in context.statements.values() for item in each.evidence}
    return {name: each for name, each in context.documents.items() if name in cited}


def _safety_of(answer: Answer, safety: Sequence[Sentence]) -> Iterator[Sequence[str]]:
    """The statements that stops, and questions to the person, rest on."""
    yield from (sentence.statements for sentence in safety)
    yield from (stop.statements for stop in answer.stops)
    yield from (each.statements for each in answer.find_out)


def _sentences(found: Sequence[SupportedStatement], search: Search) -> Iterator[Sentence]:
    """Statements as sentences."""
    wording = Wording(search.question.language, search.knowledge)
    ends = {end for each in found for end in each.statement.entities}
    named = search.knowledge.entities.all(ends)
    for each in found:
        clause = in_words(each, wording, named).rstrip(".。")
        end = "。" if search.question.language == "zh" else "."
        yield Sentence(clause[:1].upper() + clause[1:] + end, (each.statement.id,), RETRIEVED)


def _others(found: Sequence[SupportedStatement], search: Search) -> list[Entity]:
    """What the statements name besides what the question names, best first."""
    named = search.things()
    ends = dict.fromkeys(e for each in found for e in each.statement.entities if e not in named)
    return list(search.knowledge.entities.all(ends).values())
