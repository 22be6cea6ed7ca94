"""Answering a question that was read as a graph, in steps: each seeks one thing for the next.

What lies deepest is sought first: for "drugs for the diseases that cause wheezing" the diseases,
and then the drugs. Each step is a query of triples, with what earlier steps found as given.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product

from medweave.errors import QuestionError
from medweave.model.entity import Entity
from medweave.model.found_graph import FoundGraph, FoundStep
from medweave.model.graph_question import GraphQuestion, Option, Relation, Side
from medweave.model.statement import SupportedStatement
from medweave.model.steps import MOST_STEPS, Result
from medweave.model.triple_query import Triple, TripleResult
from medweave.retrieval.graph.subgraph import SubgraphQuery, subgraph_of
from medweave.retrieval.graph.triple_queries import answer_triples
from medweave.retrieval.lookup import is_kind_of, kinds_below, wider_diseases
from medweave.vocabulary.knowledge import Knowledge

_VARIABLES = ("?x", "?y", "?z")
_MOST_QUERIES = 12
"""Of one step, where words may mean several relations."""
_MOST_THINGS = 5000
_FED = 20
"""So many things that a step found are at the core of the next one's sub-graph."""
_SECONDS = 10.0
_OR, _AND = " | ", " & "


def run_graph_question(question: GraphQuestion, knowledge: Knowledge) -> FoundGraph | None:
    """What a base says to a question; None where it has too many steps, or they take too long."""
    if question.lacking:
        return FoundGraph(question, lacking=question.lacking, result=_nothing(question))
    if sum(node.sought for node in question.nodes) > MOST_STEPS:
        return None
    run = _Run(question, knowledge)
    if lacking := run.lacking():
        return FoundGraph(question, lacking=lacking, result=_nothing(question))
    try:
        return run.found()
    except QuestionError:
        return None


def pruned(step: FoundStep, text: str, knowledge: Knowledge) -> FoundStep:
    """A step with the sub-graph around it, pruned."""
    wanted = {predicate for relation in step.relations for predicate in relation.predicates}
    around = subgraph_of(SubgraphQuery(text, step.core, wanted), step.statements, knowledge)
    return replace(step, around=around)


def _nothing(question: GraphQuestion) -> Result:
    if question.form == "list":
        return Result("entities", ())
    return Result(question.form, None)


_ANY_END: list[str | None] = [None]
"""Whatever stands there."""


@dataclass
class _Run:
    question: GraphQuestion
    knowledge: Knowledge
    steps: list[FoundStep] = field(default_factory=list)
    given: dict[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ends: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """By named node: the things that it stands for."""

    def lacking(self) -> tuple[str, ...]:
        """The relations none of whose meanings the base has."""
        words = self.knowledge.vocabulary
        return tuple(
            dict.fromkeys(
                words.predicate(relation.predicates[0]).words(self.question.language)
                for relation in self.question.relations
                if not any(self.knowledge.holds_relation(p) for p in relation.predicates)
            )
        )

    def found(self) -> FoundGraph:
        """Seek from the deepest to what is asked for, then tell the answer."""
        question = self.question
        root = question.target
        if root < 0:
            sought = [at for at, node in enumerate(question.nodes) if node.sought]
            root = sought[0] if sought else -1
        if root >= 0 and question.options:
            options = [e for option in question.options for e in option.entities]
            self.given[_VARIABLES[0]] = tuple(options)
        if root >= 0:
            self._seek(root, None, 0)
        else:
            self._hold()
        denied = self._denied() if question.form == "yes_no" else ()
        result = self._result(denied)
        turned = self._turned()
        return FoundGraph(question, tuple(self.steps), result, (), self.kinds, denied, turned)

    # Steps

    def _seek(self, node: int, through: Relation | None, depth: int) -> None:
        """Find what a node may be, what hangs on it first; put it where the next step finds it."""
        own = [r for r in self.question.relations if r is not through and node in _nodes(r)]
        names = {node: _VARIABLES[depth]}
        if through is None and own and all(relation.denied for relation in own):
            self._add(self._denied_of(node, own))
            return
        for relation in own:
            for other in _nodes(relation):
                if other != node and self.question.nodes[other].sought:
                    child = _VARIABLES[len(self.steps) + 1 if depth == 0 else depth + 1]
                    names[other] = child
                    if self._narrows(other, relation):
                        self._seek(other, relation, _VARIABLES.index(child))
        made = self._results_or_of_kinds([r for r in own if not r.denied], names)
        things = {e.id: e for result in made for e in _bound(result, names[node])}
        matched = _statements(made)
        queries = [triple for result in made for triple in result.query]
        for relation in own:
            if relation.denied and things:
                against = self._against(relation, names, node, tuple(things))
                out = {e.id for result in against for e in _bound(result, names[node])}
                things = {key: each for key, each in things.items() if key not in out}
                queries += [triple for result in against for triple in result.query]
        symmetric = [r for r in own if self._is_symmetric(r)]  # nothing interacts with itself
        named = {
            e for r in own if r.denied or r in symmetric for n in _nodes(r) for e in self._ends(n)
        }
        things = {
            key: e for key, e in things.items() if key not in named and self._is_of_kind(e, node)
        }
        if node != self.question.target or not self.question.options:
            matched = _about(matched, things) if any(r.denied for r in own) else matched
        self.given[names[node]] = tuple(things)
        self._add(FoundStep(node, tuple(own), tuple(queries), tuple(things.values()), matched))

    def _is_symmetric(self, relation: Relation) -> bool:
        """Whether a relation holds both ways round, whatever its words may mean besides."""
        return self.knowledge.vocabulary.predicate(relation.predicates[0]).symmetric

    def _denied_of(self, node: int, own: Sequence[Relation]) -> FoundStep:
        """Of what sources deny what is claimed of nothing else: what they are silent on is no
        list."""
        held = [supported for relation in own for supported in self._source_denials(relation)]
        named = {e for r in own for n in _nodes(r) if n != node for e in self._ends(n)}
        ends = (e for s in held for e in s.statement.entities if e not in named)
        found = {e.id: e for e in map(self.knowledge.entities.get, ends)}
        things = {key: e for key, e in found.items() if self._is_of_kind(e, node)}
        matched = {s.statement.id: s for s in held if things.keys() & set(s.statement.entities)}
        return FoundStep(node, tuple(own), (), tuple(things.values()), matched)

    def _source_denials(self, relation: Relation) -> Iterator[SupportedStatement]:
        """What sources deny, and none affirms, of what a relation names at one of its ends or at
        both."""
        match = self.knowledge.store.match
        for predicate in relation.predicates:
            ways = [(relation.subjects, relation.objects)]
            if self.knowledge.vocabulary.predicate(predicate).symmetric:
                ways.append((relation.objects, relation.subjects))
            for subjects, objects in ways:
                firsts, seconds = (
                    [*(e for n in side.nodes for e in self._ends(n))] or _ANY_END
                    for side in (subjects, objects)
                )
                for first, second in product(firsts, seconds):
                    found = match(first, predicate, second) if first or second else ()
                    yield from (s for s in found if s.denied and not s.affirmed)

    def _narrows(self, node: int, through: Relation) -> bool:
        """Whether anything else is said of what is sought: else every thing will do."""
        return any(r is not through and node in _nodes(r) for r in self.question.relations)

    def _hold(self) -> None:
        """Whether all that is named stands in the relations that are claimed."""
        relations = self.question.relations
        made = self._results_or_of_kinds([r for r in relations if not r.denied], {})
        against = [self._results([r], {}) for r in relations if r.denied]
        holds = any(result.total for result in made)
        if not holds and len(relations) == 1 and self._widened_to_harm(relations[0]):
            made = self._results([r for r in relations if not r.denied], {})
            holds = any(result.total for result in made)
        holds = holds and not any(result.total for some in against for result in some)
        queries = [triple for result in made for triple in result.query]
        self._add(FoundStep(-1, relations, tuple(queries), (), _statements(made), holds=holds))

    def _add(self, step: FoundStep) -> None:
        """Put a step behind the others, with what it is about: what is named or was found."""
        named = (e for r in step.relations for other in _nodes(r) for e in self._ends(other))
        fed = (each.id for before in self.steps for each in before.things[:_FED])
        core = tuple(dict.fromkeys([*named, *fed]))
        queries = tuple(dict.fromkeys(step.queries))
        holds = step.holds or bool(step.things)
        self.steps.append(replace(step, queries=queries, core=core, holds=holds))

    # Queries

    def _results_or_of_kinds(
        self, relations: Sequence[Relation], names: Mapping[int, str]
    ) -> list[TripleResult]:
        """The queries for some relations; where nothing fits, for the kinds of what is named and
        has nothing recorded of itself."""
        made = self._results(relations, names)
        if any(result.total for result in made):
            return made
        widened = [self._widened(n, r) for r in relations for n in _nodes(r)]
        return self._results(relations, names) if any(widened) else made

    def _widened(self, node: int, relation: Relation) -> bool:
        """Put the kinds of a named node in its place, where only they have what is asked; what only
        newborns have stands for no whole."""
        named = self.question.nodes[node]
        if named.sought or any(self._recorded(e, relation) for e in self._ends(node)):
            return False
        kinds = [
            kind
            for kind in kinds_below(named.entities, self.knowledge)
            if not any(self._is_of_an_age(e) for e in kind.entities)
            and any(self._recorded(e, relation) for e in kind.entities)
        ]
        if kinds:
            called = (self.knowledge.entities.get(kind.entity).name() for kind in kinds)
            self.kinds[named.name] = tuple(called)
            self.ends[node] = tuple(e for kind in kinds for e in kind.entities)
        return bool(kinds)

    def _is_of_an_age(self, entity: str) -> bool:
        """Whether it is what the young have of something wider: jaundice of a newborn."""
        term = self.knowledge.lexicon.terms.get(entity)
        return term is not None and term.age_max_days is not None

    def _widened_to_harm(self, relation: Relation) -> bool:
        """Put what a named disease is a kind of beside it, where harm in it is claimed: what is
        contraindicated in a peptic ulcer is so in one of the stomach."""
        predicate = self.knowledge.vocabulary.predicate
        harms = all(predicate(p).valence < 0 or p == "has_side_effect" for p in relation.predicates)
        wider = False
        for node in relation.objects.nodes if harms and not relation.denied else ():
            above = wider_diseases(self._ends(node), self.knowledge)
            if above and not self.question.nodes[node].sought:
                self.ends[node] = (*self._ends(node), *sorted(above))
                wider = True
        return wider

    def _results(
        self, relations: Sequence[Relation], names: Mapping[int, str]
    ) -> list[TripleResult]:
        """The queries for some relations, one for each way in which their words can be meant."""
        if not relations:
            return []
        ways = (
            [
                p
                for p in (*relation.predicates, *relation.otherwise)
                if self.knowledge.holds_relation(p)
            ]
            for relation in relations
        )
        found = []
        for predicates in islice(product(*ways), _MOST_QUERIES):
            triples = [
                triple
                for relation, predicate in zip(relations, predicates, strict=True)
                for triple in self._triples(relation, predicate, names)
            ]
            found.append(self._answered(triples))
        return found

    def _against(
        self, relation: Relation, names: Mapping[int, str], node: int, things: tuple[str, ...]
    ) -> list[TripleResult]:
        """What some things are recorded with that is denied of them, each name for itself."""
        self.given[names[node]] = things
        if relation.jointly:
            return self._results([relation], names)
        sides = [
            (Side((s,)), Side((o,)))
            for s in relation.subjects.nodes
            for o in relation.objects.nodes
        ]
        return [
            result
            for subjects, objects in sides
            for result in self._results([Relation(subjects, relation.predicates, objects)], names)
        ]

    def _answered(self, triples: Sequence[Triple]) -> TripleResult:
        return answer_triples(
            triples,
            self.knowledge,
            limit=_MOST_THINGS,
            timeout=_SECONDS,
            given=self.given,
            as_declared=True,
        )

    def _triples(
        self, relation: Relation, predicate: str, names: Mapping[int, str]
    ) -> Iterator[Triple]:
        """A triple for each pair of what stands on the two sides."""
        subjects, objects = (
            [self._written(some, names) for some in self._some(side)]
            for side in (relation.subjects, relation.objects)
        )
        for subject, object_ in product(subjects, objects):
            ends = (object_, subject) if predicate in relation.otherwise else (subject, object_)
            yield Triple(ends[0], predicate, ends[1])

    def _some(self, side: Side) -> list[tuple[int, ...]]:
        return [side.nodes] if side.any else [(node,) for node in side.nodes]

    def _written(self, nodes: tuple[int, ...], names: Mapping[int, str]) -> str:
        """How an end is written in a triple; what is named is given beside it."""
        if nodes[0] in names:
            return names[nodes[0]]
        if self.question.nodes[nodes[0]].sought:
            return "?"
        text = _OR.join(self.question.nodes[node].name for node in nodes)
        self.given[text] = tuple(e for node in nodes for e in self._ends(node))
        return text

    def _ends(self, node: int) -> tuple[str, ...]:
        """What a named node stands for, under all its identifiers."""
        if node not in self.ends:
            entities = self.question.nodes[node].entities
            same = (one for e in entities for one in self.knowledge.same(e))
            self.ends[node] = tuple(dict.fromkeys(same))
        return self.ends[node]

    def _recorded(self, entity: str, relation: Relation) -> bool:
        match = self.knowledge.store.match
        return any(
            match(entity, predicate, limit=1) or match(None, predicate, entity, limit=1)
            for predicate in relation.predicates
        )

    def _is_of_kind(self, thing: Entity, node: int) -> bool:
        """Whether a thing is of the kind that is sought, or of its family."""
        family = self.knowledge.vocabulary.family
        within, concepts = self.question.nodes[node].within, self.question.nodes[node].concepts
        if within and not is_kind_of(thing, within, self.knowledge):
            return False
        return not concepts or family(thing.concept) in {family(concept) for concept in concepts}

    # The answer

    def _denied(self) -> tuple[SupportedStatement, ...]:
        """What sources deny, where a yes/no question claims it of what it names."""
        if len(self.question.relations) != 1 or self.steps[-1].holds:
            return ()
        [relation] = self.question.relations
        if any(self.question.nodes[node].sought for node in _nodes(relation)):
            return ()
        return tuple(self._source_denials(relation))

    def _turned(self) -> dict[str, SupportedStatement]:
        """What is recorded the other way round than a claim has it that says which comes first."""
        if len(self.question.relations) != 1 or self.steps[-1].holds:
            return {}
        [relation] = self.question.relations
        if self.question.form != "yes_no" or not relation.directed:
            return {}
        return _statements(self._results([replace(relation.reversed, denied=False)], {}))

    def _result(self, denied: tuple[SupportedStatement, ...]) -> Result:
        question, last = self.question, self.steps[-1]
        if question.form == "list":
            return Result("entities", last.things)
        if question.form == "choice" and question.labelled:
            return Result("choice", self._chosen(last.things))
        if question.form == "choice":
            return Result("entities", self._holding(last.things))
        if last.holds:
            truth: bool | None = not question.denied
        elif denied or all(self._is_complete(relation) for relation in question.relations):
            truth = question.denied
        else:
            truth = None
        if question.options:
            return Result("choice", _label_of(truth, question))
        return Result("yes_no", truth)

    def _chosen(self, things: Sequence[Entity]) -> str | None:
        """The option that is found, or the one that is not where that is asked; the best of several
        by what supports it."""
        order = {same: at for at, e in enumerate(things) for same in self.knowledge.same(e.id)}
        places = {
            option.label: min((order[e] for e in option.entities if e in order), default=None)
            for option in self.question.options
            if option.entities
        }
        if self.question.denied:
            missing = [label for label, place in places.items() if place is None]
            return missing[0] if len(missing) == 1 else None
        found = {label: place for label, place in places.items() if place is not None}
        if found:
            return min(found, key=lambda label: found[label])
        unknown = [option for option in self.question.options if not option.entities]
        none_holds = len(unknown) == 1 and unknown[0].none  # what nobody knows may hold
        return unknown[0].label if none_holds else None

    def _holding(self, things: Sequence[Entity]) -> tuple[Entity, ...]:
        """Of what is offered without labels all that is found, or that is not where that is
        asked; what nobody knows is neither."""
        found = {same for e in things for same in self.knowledge.same(e.id)}
        holding = (
            self._meant(option, found)
            for option in self.question.options
            if option.entities and found.isdisjoint(option.entities) == self.question.denied
        )
        return tuple(map(self.knowledge.entities.get, dict.fromkeys(holding)))

    def _meant(self, option: Option, found: set[str]) -> str:
        """What an option means: what is called just so, and is among what was found if any is."""

        def unlike(entity: str) -> tuple[bool, bool]:
            called = self.knowledge.entities.get(entity).all_names()
            return (
                not found.isdisjoint(option.entities)
            ) and entity not in found, option.text.lower() not in map(str.lower, called)

        return min(option.entities, key=unlike)

    def _is_complete(self, relation: Relation) -> bool:
        """Whether a database lists what a named end of a relation is related to, so that what is
        not in the list is not so. What speaks against a drug is never taken as complete."""
        predicates = [self.knowledge.vocabulary.predicate(p) for p in relation.predicates]
        named = [node for node in _nodes(relation) if not self.question.nodes[node].sought]
        if any(predicate.valence < 0 for predicate in predicates):
            return False
        if not named:
            return True
        return any(
            item.evidence_class == "database"
            for node in named
            for entity in self._ends(node)
            for predicate in predicates
            for ends in ((entity, None), (None, entity))
            for found in self.knowledge.store.match(ends[0], predicate.name, ends[1], limit=1)
            for item in found.evidence
        )


def _nodes(relation: Relation) -> tuple[int, ...]:
    return (*relation.subjects.nodes, *relation.objects.nodes)


def _bound(result: TripleResult, variable: str) -> Iterator[Entity]:
    return (value for value in result.bindings.get(variable, ()) if isinstance(value, Entity))


def _statements(results: Sequence[TripleResult]) -> dict[str, SupportedStatement]:
    return {key: each for result in results for key, each in result.statements.items()}


def _about(
    statements: Mapping[str, SupportedStatement], things: Collection[str]
) -> dict[str, SupportedStatement]:
    """The statements of what was not ruled out."""
    return {
        key: each for key, each in statements.items() if set(each.statement.entities) & set(things)
    }


def _label_of(truth: bool | None, question: GraphQuestion) -> str | None:
    wanted = {True: ("yes", "true"), False: ("no", "false"), None: ()}[truth]
    return next((o.label for o in question.options if o.text.lower() in wanted), None)
