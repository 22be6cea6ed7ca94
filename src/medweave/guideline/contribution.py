"""Questions to a base that describe a child: what a guideline says of it, beside the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from medweave.answering.draft import Draft
from medweave.guideline.case_reader import CaseReader
from medweave.guideline.danger import GUIDELINE_SIGNS, signs_to_ask, signs_unasked
from medweave.guideline.lead import (
    also_to_ask,
    is_complaint,
    is_led,
    is_the_writers,
    next_of_examination,
    way_on,
)
from medweave.guideline.loading import guideline_in
from medweave.guideline.logic.graph import Graph, compile_guideline
from medweave.guideline.search import (
    Nearness,
    answer_case,
)
from medweave.guideline.statements import (
    extraction_of,
    guideline_from,
    guidelines_in,
    part_id,
)
from medweave.guideline.wording import Words
from medweave.language.cues import read_mention
from medweave.language.passage import passage_of
from medweave.model.answer import Danger, Sentence
from medweave.model.assessment import NextQuestion
from medweave.model.document import Document
from medweave.model.entity import Entity
from medweave.model.findings import Findings
from medweave.model.guideline import Guideline
from medweave.model.guideline_answer import GuidelineAnswer
from medweave.model.question import Question
from medweave.model.statement import Evidence, SupportedStatement
from medweave.ports import StoreView
from medweave.understanding.case.person import names_a_child
from medweave.understanding.case.understood import ReportedCase
from medweave.vocabulary.entities import Entities

_ASKS = ("diagnosis", "treatment", "urgent_care", "drug", "dose", "test")
"""What is asked of a child that is described: what it is, and what to do."""
_NAMED_ALONE = "description"
"""What is taken to be asked where a thing is only named."""
_ENDS = ("?", "？")
_ENOUGH = 2
"""So many observations that are spoken of, one of them known, describe a child."""
_NAMED = 5
"""So many questions of the examination are named ahead."""


@dataclass(frozen=True, slots=True)
class Supports:
    """What the sentences about classifications rest on: statements, with names and documents."""

    statements: dict[str, SupportedStatement]
    """By classification."""
    entities: dict[str, Entity]
    documents: dict[str, Document]


def is_of_a_child(
    question: Question, reported: ReportedCase, *, named: bool, complaint: bool = False
) -> bool:
    """Whether a text describes a child and asks what it has or what to do.

    `named`: somebody asked for a guideline, so that one finding is enough; and so it is where it is
    a `complaint` that the guideline begins with. A question about children in general ("what are
    the signs of measles in children?") describes none.
    """
    mentioned = [each for each in reported.findings if not each.implied]
    enough = any(each.value is not None for each in mentioned) and len(mentioned) >= _ENOUGH
    if not (reported.findings if named else enough or complaint):
        return False
    intents = [intent.label for intent in question.intents if intent.sure]
    if (
        intents == [_NAMED_ALONE]
        and len(mentioned) >= _ENOUGH
        and not question.text.rstrip().endswith(_ENDS)
    ):
        intents = []  # two findings in sentences that ask nothing are told, not looked up
    if intents and not set(intents) & set(_ASKS):
        return False
    if reported.age_days is not None or reported.weight_kg is not None:
        return True
    text = question.text
    passage = passage_of(text, "", [(each.start, each.end) for each in mentioned])
    read = (read_mention(passage, each.start, each.end) for each in mentioned)
    if not any(each.status != "unknown" or each.doubted for each in read):
        return False
    return named or names_a_child(text)


def _say(
    draft: Draft, question: Question, opened: OpenGuideline, assessment: GuidelineAnswer
) -> None:
    """What the guideline says comes first, each sentence with its rule's statement."""
    words = Words(opened.reader.graph, question.language)
    if not assessment.claims:
        draft.assessment = assessment
        return
    supports = opened.supports()
    cited = [claim for claim in assessment.claims if claim.classification in supports.statements]
    used = [supports.statements[claim.classification] for claim in cited]
    sentences = [
        Sentence(claim.text, (found.statement.id,), "guideline")
        for claim, found in zip(cited, used, strict=True)
    ]
    if cited and not assessment.way_on:
        draft.missing[:] = _missing(draft, assessment, words)
    if cited:
        draft.unmet = max(draft.unmet, 0 if draft.sentences else 1)
    draft.sentences[:0] = sentences
    draft.statements = {found.statement.id: found for found in used} | draft.statements
    ends = {end for found in used for end in found.statement.entities}
    draft.entities |= {end: supports.entities[end] for end in ends}
    documents = {evidence.document for found in used for evidence in found.evidence}
    draft.documents |= {each: supports.documents[each] for each in documents}
    draft.assessment = replace(assessment, claims=tuple(cited))


def _lead(draft: Draft, question: Question, ahead: Sequence[NextQuestion], words: Words) -> None:
    """The examination takes the place of the diseases that share a finding."""
    draft.sentences[:] = [each for each in draft.sentences if each.intent != "diagnosis"]
    draft.weighing = None
    draft.candidates.clear()
    draft.unmet = max(draft.unmet, 1)
    asks_dose = "dose" in question.labels
    draft.missing[:] = [words.say("no_dose")] if asks_dose else []
    if further := [each.observation for each in ahead[1:]]:
        named = words.observations(further, limit=len(further))
        draft.missing.append(words.say("help_to_know", observations=named))


def _led(
    assessment: GuidelineAnswer, ahead: Sequence[NextQuestion], command: str, words: Words
) -> GuidelineAnswer:
    """Danger signs are asked for above all: the next question is the one after them."""
    next_ = words.question(ahead[0]) if ahead else None
    led = replace(assessment.assessment, next_question=next_)
    return replace(assessment, assessment=led, way_on=command)


def _signs_to_ask(question: Question, graph: Graph, unasked: Sequence[str]) -> tuple[Danger, ...]:
    """The danger signs of the guideline that the text says nothing of: they are asked first."""
    named = also_to_ask(question, graph, unasked)
    if len(named) == len(unasked):
        return signs_to_ask(graph, named, question.language)
    words = Words(graph, question.language)
    text = words.say("signs_too", signs=words.observations(named, limit=len(named)))
    return (Danger(GUIDELINE_SIGNS, "ask", text, (graph.guideline.name,)),) if named else ()


def _missing(draft: Draft, assessment: GuidelineAnswer, words: Words) -> tuple[str, ...]:
    """What would settle it. Why the base alone had no answer matters no longer."""
    waits = {each.id: each.missing for each in assessment.assessment.classifications}
    waiting = [name for claim in assessment.claims for name in waits[claim.classification]]
    before = draft.missing if draft.sentences else ()
    if not waiting:
        return tuple(before)
    return (words.say("settle", missing=words.observations(dict.fromkeys(waiting))), *before)


def supports_of(guideline: Guideline, source: str) -> Supports:
    """What sentences rest on where the guideline is not in the base: it, as it would be there."""
    extraction = extraction_of(guideline, source)
    by_statement: dict[str, list[Evidence]] = {}
    for evidence in extraction.evidence:
        by_statement.setdefault(evidence.statement, []).append(evidence)
    found = {
        (each.subject, each.object): each
        for each in extraction.statements
        if each.predicate == "has_classification"
    }
    statements = {}
    for classification in guideline.classifications:
        ends = _ends(guideline, classification.condition, classification.id)
        statement = found[ends]
        statements[classification.id] = SupportedStatement(
            statement, tuple(by_statement[statement.id])
        )
    language = guideline.language
    entities = {
        mention.entity: Entity(mention.entity, mention.concept, {language: (mention.name,)})
        for mention in extraction.mentions
        if mention.preferred
    }
    return Supports(statements, entities, {extraction.document.id: extraction.document})


def _ends(guideline: Guideline, condition: str, classification: str) -> tuple[str, str]:
    """The statement that says a classification belongs to its condition."""
    return (
        part_id(guideline.name, "condition", condition),
        part_id(guideline.name, "classification", classification),
    )


def supports_in(store: StoreView, entities: Entities, guideline: Guideline) -> Supports:
    """What sentences rest on where the guideline is in the base."""
    statements = {}
    for each in guideline.classifications:
        condition, classification = _ends(guideline, each.condition, each.id)
        for found in store.match(condition, "has_classification", classification, limit=1):
            statements[each.id] = found
    ends = {end for found in statements.values() for end in found.statement.entities}
    documents = {item.document for found in statements.values() for item in found.evidence}
    return Supports(
        statements,
        entities.all(sorted(ends)),
        {document.id: document for document in store.documents(documents)},
    )


@dataclass(frozen=True, slots=True)
class OpenGuideline:
    """A guideline that is ready for questions."""

    reader: CaseReader
    supports: Callable[[], Supports]
    """Asked for once a guideline has something to say."""
    name: str
    """By which it is asked for: `sample`, a file, or `id@version`."""


def open_in_base(
    store: StoreView, entities: Entities, named: str = ""
) -> tuple[OpenGuideline, ...]:
    """The guidelines of a base, or the one of a name (`NotFoundError` where it has none)."""
    found = []
    for name in [named] if named else guidelines_in(store):
        guideline = guideline_from(store, name)
        supports = supports_in(store, entities, guideline)  # now: the base may change
        reader = CaseReader(compile_guideline(guideline))
        found.append(OpenGuideline(reader, partial(_same, supports), name))
    return tuple(found)


def open_beside(name: str) -> OpenGuideline:
    """A guideline that is not in the base: the sample, or a file."""
    guideline = guideline_in(name)
    return OpenGuideline(
        CaseReader(compile_guideline(guideline)),
        cache(partial(supports_of, guideline, name)),
        name,
    )


def _same(supports: Supports) -> Supports:
    return supports


def contribute(
    draft: Draft,
    question: Question,
    guidelines: Sequence[OpenGuideline],
    *,
    named: bool,
    beside: bool,
    nearness: Nearness | None = None,
) -> None:
    """Say what a guideline says of the child, where the question describes one.

    Of several guidelines, the one that the text says most of. One that stands `beside` the base is
    heard only where something stands.
    """
    read = [(each, each.reader.read(question.text)) for each in guidelines]
    fitting = [(each, case) for each, case in read if _fits(question, each, case, named=named)]
    if not fitting:
        return
    best, case = max(fitting, key=lambda pair: sum(f.value is not None for f in pair[1].findings))
    graph = best.reader.graph
    state, _ = best.reader.evaluate(Findings(text=question.text))
    unasked = signs_unasked(state)
    assessment = replace(
        answer_case(question.text, best.reader, nearness=nearness, unasked=unasked),
        to_parent=is_the_writers(question.text),
    )
    if not assessment.stands and is_led(question, case, graph):
        words, ahead = Words(graph, question.language), next_of_examination(state, _NAMED)
        assessment = _led(assessment, ahead, way_on(question.text, case, best.name), words)
        _lead(draft, question, ahead, words)
    if assessment.stands or assessment.way_on or not beside:
        draft.signs += _signs_to_ask(question, graph, unasked)
        _say(draft, question, best, assessment)


def _fits(
    question: Question, opened: OpenGuideline, reported: ReportedCase, *, named: bool
) -> bool:
    graph = opened.reader.graph
    complaint = is_complaint(reported, graph) and is_led(question, reported, graph)
    return is_of_a_child(question, reported, named=named, complaint=complaint)
