"""What a base has around a question, also where it is not read as a graph word by word.

Read loosely, a question says which relations lead to what it seeks; what fits them is kept, and the
rest of what lies around is pruned. It answers nothing: it is what a model is given to read, and
what is left of the graph for whoever looks into an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace

from medweave.contributors.possible_chains import (
    chains,
    items_of_question,
    kinds_sought,
    named_concepts,
)
from medweave.model.graph_question import GraphQuestion
from medweave.model.question import Question
from medweave.model.statement import SupportedStatement
from medweave.model.steps import Subgraph
from medweave.retrieval.graph.pruning import Cosines, Found
from medweave.retrieval.graph.steps import run_graph_question
from medweave.retrieval.graph.subgraph import SubgraphQuery, subgraph_of
from medweave.understanding.graph_question import read_graph_question
from medweave.vocabulary.knowledge import Knowledge

_MOST_FITTING = 1000
"""Statements that fit a question read loosely: of more, it is not known which are meant."""
_MOST_BESIDE = 300
"""Statements of one thing and direction in the relations that may be meant."""


def loose_reading(question: Question, knowledge: Knowledge) -> GraphQuestion | None:
    """A question as a graph, whatever words of it are not known."""
    return read_graph_question(question, knowledge, loosely=True)


def subgraph_of_question(
    question: Question,
    read: GraphQuestion | None,
    knowledge: Knowledge,
    *,
    cosines: Cosines | None = None,
    fed: Collection[str] = (),
    unrelated: Callable[[Found], Collection[str]] | None = None,
) -> Subgraph | None:
    """The pruned statements around what a question names; None where it names nothing.

    `fed` is what earlier questions led to. `cosines` tell relations that are far from the question,
    `unrelated` those that a model rules out.
    """
    named = {*(e for mention in question.mentions for e in mention.entities), *fed}
    core = tuple(sorted({same for one in named for same in knowledge.same(one)}))
    if not core:
        return None
    found = run_graph_question(read, knowledge) if read else None
    fitting: dict[str, SupportedStatement] = found.statements if found else {}
    wanted = {p for relation in read.relations for p in relation.predicates} if read else set()
    if len(fitting) > _MOST_FITTING:
        fitting = {}
    asked = SubgraphQuery(question.text, core, wanted, cosines, unrelated)
    if fitting and read and not any(relation.weak for relation in read.relations):
        return subgraph_of(asked, fitting, knowledge)
    possible = dict.fromkeys(_possible(question, knowledge))
    chained = chains(question, core, knowledge) if not fitting else {}
    likely = {
        *_named_relations(question, knowledge),
        *(s.statement.predicate for s in chained.values()),
    }
    beside = {**_all_of(core, possible, knowledge), **chained}
    any_will_do = not (likely or kinds_sought(question, knowledge))
    wanted |= {*likely, *(() if any_will_do else possible)}
    asked = replace(asked, wanted=wanted, likely=likely, sure=False)
    return subgraph_of(asked, fitting, knowledge, beside=beside)


def _named_relations(question: Question, knowledge: Knowledge) -> Iterator[str]:
    """The relations that words of a question name, and that what it names can be in."""
    named = named_concepts(question)
    for item in items_of_question(question):
        for name in item.predicates if item.kind == "relation" else ():
            predicate = knowledge.vocabulary.predicate(name)
            if named & {*predicate.domain, *predicate.range}:
                yield name


def _all_of(
    core: Collection[str], predicates: Iterable[str], knowledge: Knowledge
) -> dict[str, SupportedStatement]:
    """All statements of what is named in the relations that may be asked for, also those of a hub:
    where nobody knows which of them is meant, none is left out before they are compared."""
    some = knowledge.store.neighbours(sorted(core), list(predicates), cap=_MOST_BESIDE)
    return {each.statement.id: each for each in some if each.affirmed}


def _possible(question: Question, knowledge: Knowledge) -> Iterator[str]:
    """The relations that a question names, or that its nouns can be in with what is named; all that
    this can be in, where there are neither."""
    named, nouns = named_concepts(question), kinds_sought(question, knowledge)
    said = [*_named_relations(question, knowledge)]
    yield from said
    for each in knowledge.vocabulary.predicates.values():
        ends = (set(each.domain), set(each.range))
        for one, other in (ends, ends[::-1]):
            if other & named and (one & nouns if nouns or said else not each.takes_text):
                yield each.name
