"""The answer to a question in one value, and the steps that led to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from medweave.answering.draft import Draft
from medweave.answering.graph_steps import GraphWords
from medweave.language.data import rule_in_any
from medweave.model.answer import Answer
from medweave.model.drug_list import ListedDrug
from medweave.model.entity import Entity
from medweave.model.found_graph import FoundGraph
from medweave.model.material import Claimed, Looked, Material
from medweave.model.question import Question
from medweave.model.steps import (
    MOST_STEPS,
    Removed,
    Result,
    Step,
    Subgraph,
    joint_step,
    joint_subgraph,
)
from medweave.model.triple_query import Triple

_LEAVE = frozenset({"contraindication", "interaction", "avoid"})
"""Intents by which it is asked whether something may be taken."""
_YES_OR_NO = ("answering", "yes_or_no.yaml")
_DIAGNOSIS = "diagnosis"
_ORDER = (
    _DIAGNOSIS, "description", "symptom", "cause", "test", "treatment", "drug", "complication",
)  # fmt: skip


def with_steps(
    answer: Answer,
    draft: Draft,
    material: Material,
    graph: FoundGraph | None,
    fed: Sequence[Looked] = (),
) -> Answer:
    """The answer with its value and its steps; `graph` is the question as a graph, if it is one,
    and `fed` what a diagnosis led to."""
    result = _result(answer, draft, material, graph)
    if graph is not None and graph.takes_over and not _helps_first(answer.question):
        steps = _graph_steps(answer, graph)
    else:
        steps = _steps(answer, draft, material, fed)
    return replace(answer, result=result, steps=steps)


def with_subgraph(answer: Answer, around: Subgraph) -> Answer:
    """The answer with what lies around a question that is answered in one step."""
    [step] = answer.steps
    return replace(answer, steps=(replace(step, subgraph=joint_subgraph((step.subgraph, around))),))


def _helps_first(question: Question) -> bool:
    return question.in_crisis or question.helps_first


# The value


def _result(answer: Answer, draft: Draft, material: Material, graph: FoundGraph | None) -> Result:
    question = answer.question
    if _helps_first(question):
        return Result()
    stopped = {stop.entity.id for stop in answer.stops if stop.status == "applies" and stop.hard}
    if graph is not None:
        harms = _asks_of_harm(graph, draft)
        if harms and graph.question.form != "yes_no":
            stopped = set()  # what stops some of them is what is asked
        weighed = bool(material.question_drugs) and not harms
        return _safe(graph.result, stopped, draft, about_drugs=weighed)
    if material.claimed:
        value = _claimed_value(material.claimed)
        return _safe(Result("yes_no", value), stopped, draft, about_drugs=True)
    if _asks_leave(question, material):
        against = rule_in_any("against", *_YES_OR_NO).search(question.text.lower())
        leave = Result("yes_no", bool(against) if stopped else None)
        return Result() if _asks_which(question) else leave  # which of several may be taken
    if not answer.sentences and question.sure_labels:
        return Result("entities", ())
    found = _once(_sought(draft, material))
    listed = tuple(entity for entity in found if entity.id not in stopped)
    return Result("entities", listed) if listed else Result()


def _sought(draft: Draft, material: Material) -> Iterator[Entity]:
    """The diseases that fit, where these were asked for; else what was looked up, and of drugs
    those that are not stopped."""
    if any(sentence.intent == _DIAGNOSIS for sentence in draft.sentences):
        yield from (c.entity for c in draft.candidates if c.status != "excluded")
        return
    stopped = {drug.entity.id for drug in _drugs(draft, {"stopped"})}
    yield from (entity for entity in _listed(material, draft) if entity.id not in stopped)
    yield from (drug.entity for drug in _drugs(draft, {"not_stopped", "with_care", "no_data"}))


def _drugs(draft: Draft, standings: set[str]) -> Iterator[ListedDrug]:
    """The drugs of all lists, in these groups."""
    for drugs in draft.drugs:
        for group in drugs.groups:
            if group.standing in standings:
                yield from group.drugs


def _safe(result: Result, stopped: set[str], draft: Draft, *, about_drugs: bool) -> Result:
    """No yes to a drug that is stopped for the person, and none of these in a list."""
    if result.kind == "yes_no" and result.value is True and stopped and about_drugs:
        return Result("yes_no", None)
    if result.kind == "entities" and isinstance(result.value, tuple):
        same = draft.wording.knowledge.same
        out = {one for entity in stopped for one in same(entity)} | {
            one for drug in _drugs(draft, {"stopped"}) for one in same(drug.entity.id)
        }
        return Result("entities", tuple(e for e in result.value if e.id not in out))
    return result


def _claimed_value(claimed: Sequence[Claimed]) -> bool | None:
    """Yes where all claims are affirmed, no where one is only denied; else it is not said."""
    values = []
    for each in claimed:
        affirmed = any(found.affirmed for found in each.found)
        denied = any(found.denied for found in each.found)
        values.append(None if affirmed == denied else affirmed)
    if any(value is False for value in values):
        return False
    return True if all(values) else None


def _asks_leave(question: Question, material: Material) -> bool:
    """Whether it is asked if something may be taken."""
    labels = question.labels
    asked = material.question_drugs or question.form.weighs_drugs
    return bool(
        asked
        and labels & _LEAVE
        and rule_in_any("asked", *_YES_OR_NO).search(question.text.lower())
    )


def _asks_which(question: Question) -> bool:
    return rule_in_any("which", *_YES_OR_NO).search(question.text.lower()) is not None


def _asks_of_harm(graph: FoundGraph, draft: Draft) -> bool:
    """Whether what speaks against a drug is what is claimed: a stop then affirms it."""
    predicate = draft.wording.knowledge.vocabulary.predicate
    claimed = [r for r in graph.question.relations if not r.denied]
    of_harm = [all(predicate(p).valence < 0 for p in r.predicates) for r in claimed]
    if graph.question.form == "list":
        return any(of_harm)
    return bool(of_harm) and all(of_harm) and not graph.question.denied


def _listed(material: Material, draft: Draft) -> Iterator[Entity]:
    """The things at the other ends of what was looked up, as far as it is said."""
    said = {key for sentence in draft.sentences for key in sentence.statements}
    for looked in material.looked:
        for supported in looked.statements:
            statement = supported.statement
            end = statement.subject if looked.from_object else statement.object_entity
            if end and supported.affirmed and (statement.id in said or _is_in_answer(looked, said)):
                yield draft.wording.knowledge.entities.get(end)


def _is_in_answer(looked: Looked, said: set[str]) -> bool:
    """Whether any of a list is said: a long one is cut where it is read, and whole in a value."""
    return any(supported.statement.id in said for supported in looked.statements)


def _once(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    return tuple({entity.id: entity for entity in entities}.values())


# The steps


def _graph_steps(answer: Answer, graph: FoundGraph) -> tuple[Step, ...]:
    words = GraphWords(graph.question)
    said = [sentence for sentence in answer.sentences if sentence.intent == graph.question.form]
    steps = []
    for at, step in enumerate(graph.steps):
        last = at == len(graph.steps) - 1
        text = said[at].text if at < len(said) and not last else " ".join(s.text for s in said[at:])
        alone = len(graph.steps) == 1
        steps.append(
            Step(
                answer.question.text if alone else words.question(step),
                graph.question.form if last else "list",
                step.queries,
                tuple(key for key in step.statements if key in answer.statements),
                text or answer.text or " ".join(answer.direct),
                step.around,
            )
        )
    if steps:
        return tuple(steps)
    whole = Step(answer.question.text, graph.question.form, answer=" ".join(answer.direct))
    return (whole,)


def _steps(
    answer: Answer, draft: Draft, material: Material, fed: Sequence[Looked]
) -> tuple[Step, ...]:
    """One step for what was asked; of several things that were asked, one for each, in the order
    in which a doctor asks: what it is, what shows it, what tests find, what is done."""
    groups: dict[str, list[Looked]] = {}
    for looked in (*material.looked, *fed):
        if any(supported.statement.id in answer.statements for supported in looked.statements):
            groups.setdefault(looked.intent, []).append(looked)
    diagnosed = [s for s in answer.sentences if s.intent == _DIAGNOSIS]
    if len(groups) + bool(diagnosed) <= 1 or _helps_first(answer.question):
        return (_whole(answer, draft, material),)
    steps = [_of_group(intent, items, answer, draft) for intent, items in groups.items()]
    if diagnosed:
        keys = tuple(dict.fromkeys(key for s in diagnosed for key in s.statements))
        said = " ".join(s.text for s in diagnosed)
        about = draft.wording.say("steps.diagnosis")
        rests = tuple(answer.statements[key] for key in keys)
        steps.append(Step(about, _DIAGNOSIS, (), keys, said, Subgraph(rests)))
    steps.sort(key=lambda step: _ORDER.index(step.type) if step.type in _ORDER else len(_ORDER))
    if len(steps) > MOST_STEPS:
        steps = [*steps[: MOST_STEPS - 1], joint_step(steps[MOST_STEPS - 1 :])]
    return tuple(steps)


def _whole(answer: Answer, draft: Draft, material: Material) -> Step:
    intents = answer.question.intents
    kind = answer.question.form.kind
    label = intents[0].label if intents else kind if kind != "plain" else ""
    cited = tuple(dict.fromkeys(key for s in answer.sentences for key in s.statements))
    looked = [item for item in material.looked if item.statements]
    queries = tuple(dict.fromkeys(q for item in looked for q in _queries(item, draft)))
    text = answer.text or " ".join(answer.direct or answer.missing)
    around = _looked_up(cited, looked, answer)
    return Step(answer.question.text, label, queries, cited, text, around)


def _looked_up(cited: Sequence[str], looked: Sequence[Looked], answer: Answer) -> Subgraph:
    """What is said and all that was looked up for it, without what the question leaves out."""
    found = {key: answer.statements[key] for key in cited}
    found |= {s.statement.id: s for item in looked for s in item.statements}
    left_out = {s.statement.id for item in looked for s in item.left_out} - found.keys()
    removed = tuple(Removed(key, "relation", "named to be left out") for key in sorted(left_out))
    return Subgraph(tuple(found.values()), removed)


def _of_group(intent: str, items: Sequence[Looked], answer: Answer, draft: Draft) -> Step:
    """One sub-question; what is not among the sentences is said here alone."""
    wording = draft.wording
    called = dict.fromkeys(
        wording.property_words(i.predicate, from_object=i.from_object) for i in items
    )
    subjects = list(dict.fromkeys(wording.name(item.focus.entity) for item in items))
    about = wording.say(
        "steps.property", subject=wording.join(subjects), property=wording.join(list(called))
    )
    every = [supported for item in items for supported in item.statements]
    keys = dict.fromkeys(s.statement.id for s in every if s.statement.id in answer.statements)
    said = [s.text for s in answer.sentences if s.intent == intent and keys.keys() & s.statements]
    queries = tuple(dict.fromkeys(q for item in items for q in _queries(item, draft)))
    text = " ".join(said or (_in_words(item, draft) for item in items))
    around = Subgraph(tuple(answer.statements[key] for key in keys))
    return Step(about, intent, queries, tuple(keys), text, around)


def _in_words(looked: Looked, draft: Draft) -> str:
    """What was looked up as a list."""
    names = [
        draft.wording.name(each.statement.subject)
        if looked.from_object
        else draft.wording.object_name(each.statement)
        for each in looked.statements
        if each.affirmed
    ]
    return draft.wording.recorded_list(
        looked.predicate,
        names,
        subject=draft.wording.name(looked.focus.entity),
        from_object=looked.from_object,
    )


def _queries(looked: Looked, draft: Draft) -> Iterator[Triple]:
    """What was looked up, as triples."""
    ends = [looked.focus, *looked.together]
    for focus in ends:
        name = draft.wording.name(focus.entity)
        if looked.from_object:
            yield Triple("?x" if len(ends) > 1 else "?", looked.predicate, name)
        else:
            yield Triple(name, looked.predicate, "?")
