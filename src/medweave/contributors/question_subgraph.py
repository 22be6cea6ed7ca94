"""What a base has around a question, also where it is not read as a graph word by word.

Read loosely, a question says which relations lead to what it seeks; what fits them is kept, and the
rest of what lies around is pruned. It answers nothing: it is what a model is given to read, and
what is left of the graph for whoever looks into an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from medweave.model.graph_question import GraphQuestion
from medweave.model.question import Question
from medweave.model.statement import SupportedStatement
from medweave.model.steps import Subgraph
from medweave.retrieval.graph.pruning import Cosines, Found
from medweave.retrieval.graph.steps import run_graph_question
from medweave.retrieval.graph.subgraph import Asked, subgraph_of
from medweave.understanding.graph_question import read_graph_question
from medweave.understanding.graph_question_items import items_of
from medweave.understanding.graph_question_rules import graph_rules
from medweave.vocabulary.knowledge import Knowledge

_MOST_FITTING = 1000
"""Statements that fit a question read loosely: of more, it is not known which are meant."""


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
    if not fitting:
        wanted |= set(_possible(question, knowledge))
    asked = Asked(question.text, core, wanted, cosines, unrelated)
    return subgraph_of(asked, fitting, knowledge)


def _possible(question: Question, knowledge: Knowledge) -> Iterator[str]:
    """The relations that a question names, or that its nouns can be in with what is named."""
    named = {
        c for m in question.mentions for c in (m.concept, *(a.concept for a in m.alternatives))
    }
    items = items_of(question.text, question.mentions, graph_rules(), loosely=True) or []
    for item in items:
        yield from item.predicates
        if item.kind == "noun" and not item.predicates:
            for each in knowledge.vocabulary.predicates.values():
                ends = (set(each.domain), set(each.range))
                for one, other in (ends, ends[::-1]):
                    if one & set(item.concepts) and other & named:
                        yield each.name
