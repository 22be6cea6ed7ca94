"""What was looked up of a thing, put in the order of a walk from it (method `ranking`)."""

from __future__ import annotations

from dataclasses import replace

from medweave.inference.walk import Graph, walk
from medweave.model.edge import thing_number
from medweave.model.material import Looked
from medweave.model.ranking import Ranking
from medweave.model.statement import SupportedStatement
from medweave.vocabulary.knowledge import Knowledge


def ranked(looked: Looked, knowledge: Knowledge, ranking: Ranking) -> Looked:
    """The same statements, those first at whose other end the walk from the thing scores highest.

    Nothing further away is added: a symptom that is near a disease is not a symptom of it. Texts
    stay as they are. The walk goes over all that speaks for something, and over this predicate,
    unless that speaks against something.
    """
    vocabulary = knowledge.vocabulary
    predicate = vocabulary.predicate(looked.predicate)
    if predicate.takes_text or predicate.valence < 0 or not looked.statements:
        return looked
    ends = {s.statement.id: _other_end(looked, s) for s in looked.statements}
    walked = dict.fromkeys((*vocabulary.of_valence(1), predicate.name))
    things = looked.focus.entities
    seeds = {thing_number(entity): 1 / len(things) for entity in things}
    found = walk(Graph(knowledge.store, tuple(walked)), seeds, ranking).scores
    scores = {end: found.get(thing_number(end), 0.0) for end in ends.values()}
    statements = sorted(looked.statements, key=lambda s: -scores[ends[s.statement.id]])
    return replace(looked, statements=tuple(statements), scores=scores)


def _other_end(looked: Looked, supported: SupportedStatement) -> str:
    statement = supported.statement
    return statement.subject if looked.from_object else str(statement.object)
