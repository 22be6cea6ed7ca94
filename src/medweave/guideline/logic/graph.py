"""A guideline compiled into one flat graph of nodes, each shared by all rules it stands in.

Nodes come before those that rest on them, so evaluating is one pass. Negations are pushed down to
the leaves. Every classification has two rules: the strict one, and the standing one, in which
another classification that speaks against it counts only where that one stands itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from medweave.errors import GuidelineError
from medweave.guideline.logic.values import Names, classification_names, observation_names
from medweave.language.arithmetic import names_in
from medweave.model import guideline as model
from medweave.model import logic

CONSTANT, ANSWER, COMPARE, AGED, NOT, AND, OR, IF, SCORE, OWN, SOFT = range(11)
"""What a node is. `IF`: guard, part and the value where the guard is false. `OWN`: the rule of a
classification, which somebody's refusal or agreement overrules. `SOFT`: unknown counts as false."""
FALSE, UNKNOWN, TRUE = 0, 1, 2
AGE, SEX, WEIGHT = "age", "person's sex", "person's weight"
"""What is said of the person, beside the observations."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The nodes of a classification: its rule, strictly and as standing, and its age band."""

    strict: int
    standing: int
    ages: int


@dataclass(slots=True)
class Graph:
    """The nodes by number, and where everything of the guideline is among them."""

    guideline: model.Guideline
    kinds: list[int] = field(default_factory=list)
    kids: list[tuple[int, ...]] = field(default_factory=list)
    data: list[object] = field(default_factory=list)
    """What belongs to a node: the leaf's expression, scores and count, a value."""
    parents: list[list[int]] = field(default_factory=list)
    observations: Mapping[str, model.Observation] = field(default_factory=dict)
    classifications: Mapping[str, model.Classification] = field(default_factory=dict)
    observation_names: Names = field(default_factory=lambda: Names((), ""))
    classification_names: Names = field(default_factory=lambda: Names((), ""))
    rules: dict[str, Rule] = field(default_factory=dict)
    yields: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By classification, those that it does not hold beside."""
    steps: dict[tuple[str, str], int] = field(default_factory=dict)
    """By classification and treatment step, the node of the step's own condition."""
    asked_if: dict[str, int] = field(default_factory=dict)
    """By observation, the node of the form's skip logic."""
    leaves: dict[str, list[int]] = field(default_factory=dict)
    """By observation (or "age"), the nodes that read it."""
    computed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Observations whose value is computed from others, in an order in which it can be."""
    touches: dict[str, list[str]] = field(default_factory=dict)
    """By observation (or "age", "sex", "weight"), what is computed from it."""
    defaults: tuple[str, ...] = ()
    """Observations that have an answer where nobody gave one."""
    danger_signs: tuple[model.Observation, ...] = ()
    """Those that are asked for, and that some rule rests on."""
    provided: set[str] = field(default_factory=set)
    """Observations whose own answer "cannot be had" some rule reads, and so goes on from."""

    def measured_for(self, name: str) -> frozenset[str]:
        """The numbers that a sign is worked out from by a rule: breaths, for fast breathing."""
        if not isinstance(self.observations[name].derived, model.RuleValue):
            return frozenset()
        waiting = [kid for leaf in self.leaves.get(name, ()) for kid in self.kids[leaf]]
        found: set[str] = set()
        while waiting:
            node = waiting.pop()
            waiting += self.kids[node]
            each = self.data[node]
            if isinstance(each, logic.Compared) and each.observation in self.observations:
                found.add(each.observation)
        return frozenset(found)

    def labels(self, names: Iterable[str]) -> list[str]:
        """What observations are called; what is said of the person, by its own name."""
        known = self.observations
        return [known[name].label if name in known else name for name in names]


def yields_to(guideline: model.Guideline) -> dict[str, tuple[str, ...]]:
    """By classification, those it does not hold beside.

    They are what the guideline names; else the severer ones of its condition, and among equally
    severe ones the more urgent.
    """
    tables: dict[str, list[model.Classification]] = {}
    for each in guideline.classifications:
        tables.setdefault(each.condition, []).append(each)
    return {
        each.id: each.yields_to
        if each.yields_to is not None
        else tuple(other.id for other in tables[each.condition] if _rank(other) < _rank(each))
        for each in guideline.classifications
    }


def _rank(classification: model.Classification) -> tuple[int, int]:
    return model.SEVERITIES.index(classification.severity), -classification.urgency


def compile_guideline(guideline: model.Guideline) -> Graph:
    """The graph of a guideline; made once, and used for every child.

    Raises `GuidelineError` where a rule names what is not there, or rules go in circles.
    """
    graph = Graph(
        guideline,
        observations={o.id: o for o in guideline.observations},
        classifications={c.id: c for c in guideline.classifications},
        observation_names=observation_names(guideline),
        classification_names=classification_names(guideline),
        yields=yields_to(guideline),
        defaults=tuple(o.id for o in guideline.observations if o.default),
    )
    _order_computed(graph)
    compiler = _Compiler(graph)
    try:
        compiler.run()
    except RecursionError as error:
        raise GuidelineError(
            "its rules are nested too deeply",
            where=guideline.name,
            remedy="name parts of them as groups",
        ) from error
    graph.danger_signs = tuple(
        each
        for each in guideline.observations
        if each.danger_sign and each.derived is None and graph.leaves.get(each.id)
    )
    return graph


def _order_computed(graph: Graph) -> None:
    """Numbers computed from others, each after those it is computed from."""
    open_: list[str] = []

    def visit(name: str) -> None:
        derived = graph.observations[name].derived
        if name in graph.computed or derived is None:
            return
        if isinstance(derived, model.RuleValue | model.ChosenValue):
            return
        _refuse_circle(open_, name, "observations")
        open_.append(name)
        inputs = _inputs(graph, name)
        for other in inputs:
            if other in graph.observations:
                visit(other)
            graph.touches.setdefault(other, []).append(name)
        open_.pop()
        graph.computed[name] = inputs

    for observation in graph.guideline.observations:
        visit(observation.id)


def _inputs(graph: Graph, name: str) -> tuple[str, ...]:
    """What a number is computed from."""
    match graph.observations[name].derived:
        case model.AgeValue():
            return (AGE,)
        case model.PersonValue(what):
            return (SEX if what == "sex" else WEIGHT,)
        case model.SameValue(other):
            found: tuple[str, ...] = (other,)
        case model.FormulaValue(formula):
            found = names_in(formula)
        case model.TableValue(male, female, x, y):
            for table in (male, female):
                if table not in graph.guideline.tables:
                    _missing("reference table", table, name)
            sexes = (
                o.id for o in graph.guideline.observations if o.derived == model.PersonValue("sex")
            )
            found = (SEX, *sexes, x, y)
        case _:
            found = ()
    for other in found:
        if other not in graph.observations and other not in (AGE, SEX, WEIGHT):
            _missing("observation", other, name)
    return found


def _missing(what: str, name: str, where: str) -> None:
    raise GuidelineError(
        f"there is no {what} '{name}'", where=where, remedy="define it, or mend the name"
    )


def _refuse_circle(open_: list[str], name: str, what: str) -> None:
    if name in open_:
        circle = " → ".join([*open_[open_.index(name) :], name])
        raise GuidelineError(
            f"these {what} go in a circle: {circle}",
            where=name,
            remedy="take one of them out of the other",
        )


@dataclass(frozen=True, slots=True)
class _Way:
    """How an expression is compiled where it stands."""

    standing: bool = False
    negated: bool = False
    rising: bool = True
    """Whether the whole rises with the node, as compiled."""
    neutral: bool = False
    """What a part whose guard is false counts as, before any negation: true in AND only."""

    def within(self, *, neutral: bool) -> _Way:
        """A part of AND, or of OR."""
        return _Way(self.standing, self.negated, self.rising, neutral)

    def turned(self) -> _Way:
        """Under a negation."""
        return _Way(self.standing, not self.negated, self.rising)

    def guard(self, *, otherwise: bool) -> _Way:
        """The guard of a part that is `otherwise` where the guard is false."""
        return _Way(self.standing, negated=False, rising=self.rising is not otherwise)


STRICT, STANDING = _Way(), _Way(standing=True)


class _Compiler:
    """Compiles expressions into a graph; equal nodes are one."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[object, int] = {}
        self._open: list[str] = []
        self._kept: list[logic.Expression] = []
        self._false = self._node(CONSTANT, (), FALSE)
        self._true = self._node(CONSTANT, (), TRUE)

    def run(self) -> None:
        graph = self._graph
        for name in graph.guideline.groups:
            self._compile(logic.GroupReference(name), STRICT)
        for each in graph.guideline.classifications:
            graph.rules[each.id] = Rule(
                self._own(each.id, standing=False),
                self._own(each.id, standing=True),
                self._ages(each.ages),
            )
            for step in each.treatments:
                rule = logic.AllOf((step.when or logic.Constant(True), _aged(step.ages)))
                graph.steps[each.id, step.id] = self._compile(rule, STANDING)
        for observation in graph.guideline.observations:
            if isinstance(observation.derived, model.RuleValue | model.ChosenValue):
                for answer in model.answers_of(observation):
                    self._compile(logic.Answered(observation.id, answer.id), STRICT)
            if observation.asked_if is not None:
                graph.asked_if[observation.id] = self._compile(observation.asked_if, STRICT)

    def _node(self, kind: int, kids: tuple[int, ...], data: object = None) -> int:
        key = (kind, kids, data)
        found = self._known.get(key)
        if found is not None:
            return found
        graph, number = self._graph, len(self._graph.kinds)
        graph.kinds.append(kind)
        graph.kids.append(kids)
        graph.data.append(data)
        graph.parents.append([])
        for kid in dict.fromkeys(kids):
            graph.parents[kid].append(number)
        self._known[key] = number
        return number

    @contextmanager
    def _inside(self, name: str) -> Iterator[None]:
        _refuse_circle(self._open, name, "rules")
        self._open.append(name)
        try:
            yield
        finally:
            self._open.pop()

    def _compile(self, expression: logic.Expression, way: _Way) -> int:
        """Expressions are told apart by what they are in memory: they are kept while it runs, and
        their contents would be hashed over and over."""
        key = (id(expression), way)
        if key not in self._known:
            self._kept.append(expression)
            self._known[key] = self._compiled(expression, way)
        return self._known[key]

    def _compiled(self, expression: logic.Expression, way: _Way) -> int:  # noqa: PLR0911 - one a kind
        match expression:
            case logic.Constant(value):
                return self._true if value is not way.negated else self._false
            case logic.Answered():
                return self._signed(self._answered(expression), way)
            case logic.Compared():
                return self._signed(self._leaf(COMPARE, expression.observation, expression), way)
            case logic.Aged(from_days, to_days):
                return self._signed(self._ages(model.AgeBand(from_days, to_days)), way)
            case logic.Classified(name):
                return self._classified(name, way)
            case logic.GroupReference(name):
                return self._group(name, way)
            case logic.Negation(part):
                return self._compile(part, way.turned())
            case logic.AllOf(parts):
                return self._joined(parts, way, conjunction=True)
            case logic.AnyOf(parts):
                return self._joined(parts, way, conjunction=False)
            case logic.Guarded(guard, part, True):
                return self._compile(logic.AnyOf((logic.Negation(guard), part)), way)
            case logic.Guarded(guard, part):
                return self._guarded(guard, part, way)
            case logic.AtLeast():
                return self._scored(expression, way)

    def _signed(self, node: int, way: _Way) -> int:
        return self._not(node) if way.negated else node

    def _not(self, node: int) -> int:
        if self._graph.kinds[node] == CONSTANT:
            return self._false if node == self._true else self._true
        if self._graph.kinds[node] == NOT:
            return self._graph.kids[node][0]
        return self._node(NOT, (node,))

    def _joined(self, parts: tuple[logic.Expression, ...], way: _Way, *, conjunction: bool) -> int:
        """AND or OR; under a negation the other of the two, of negated parts (De Morgan)."""
        inner = way.within(neutral=conjunction)
        nodes = [self._compile(part, inner) for part in parts]
        return self._join(nodes, conjunction=conjunction is not way.negated)

    def _join(self, nodes: list[int], *, conjunction: bool) -> int:
        kind = AND if conjunction else OR
        nothing, all_ = (self._true, self._false) if conjunction else (self._false, self._true)
        flat: dict[int, None] = {}
        for node in nodes:
            if self._graph.kinds[node] == kind:
                flat.update(dict.fromkeys(self._graph.kids[node]))
            else:
                flat[node] = None
        flat.pop(nothing, None)
        if all_ in flat:
            return all_
        if not flat:
            return nothing
        return next(iter(flat)) if len(flat) == 1 else self._node(kind, tuple(flat))

    def _guarded(self, guard: logic.Expression, part: logic.Expression, way: _Way) -> int:
        applies_not = way.neutral is not way.negated
        gate = self._compile(guard, way.guard(otherwise=applies_not))
        inner = self._compile(part, way)
        otherwise = self._true if applies_not else self._false
        if gate == self._true:
            return inner
        return otherwise if gate == self._false else self._node(IF, (gate, inner, otherwise))

    def _scored(self, expression: logic.AtLeast, way: _Way) -> int:
        scores = expression.scores or (1.0,) * len(expression.parts)
        if len(scores) != len(expression.parts):
            raise GuidelineError(
                f"{len(expression.parts)} parts have {len(scores)} scores",
                where=" → ".join(self._open),
                remedy="give each part its score",
            )
        if not expression.parts:
            return self._compile(logic.Constant(expression.count <= 0), way)
        rising = way.rising is not way.negated
        inner = _Way(way.standing, negated=False, rising=rising)
        kids = tuple(self._compile(part, inner) for part in expression.parts)
        return self._signed(self._node(SCORE, kids, (expression.count, tuple(scores))), way)

    def _group(self, name: str, way: _Way) -> int:
        if name not in self._graph.guideline.groups:
            _missing("group", name, " → ".join(self._open) or name)
        with self._inside(f"group {name}"):
            return self._compile(self._graph.guideline.groups[name], way)

    def _ages(self, band: model.AgeBand) -> int:
        if band.from_days is None and band.to_days is None:
            return self._true
        return self._leaf(AGED, AGE, band)

    def _leaf(self, kind: int, observation: str, data: object, kids: tuple[int, ...] = ()) -> int:
        if observation != AGE and observation not in self._graph.observations:
            _missing("observation", observation, " → ".join(self._open))
        before = len(self._graph.kinds)
        node = self._node(kind, kids, data)
        if node == before:
            self._graph.leaves.setdefault(observation, []).append(node)
        return node

    def _answered(self, leaf: logic.Answered) -> int:
        observation = self._graph.observations.get(leaf.observation)
        if observation is None:
            _missing("observation", leaf.observation, " → ".join(self._open))
            raise AssertionError
        known = {answer.id for answer in observation.answers} or {"yes", "no"}
        closed = observation.kind in ("boolean", "choice", "choices") or observation.answers
        if closed and leaf.answer not in known:
            _missing(f"answer of '{leaf.observation}'", leaf.answer, " → ".join(self._open))
        if any(a.id == leaf.answer and a.means == "unavailable" for a in observation.answers):
            self._graph.provided.add(leaf.observation)
        if not isinstance(observation.derived, model.RuleValue | model.ChosenValue):
            return self._leaf(ANSWER, leaf.observation, leaf)
        key = ("computed", leaf.observation, leaf.answer)
        if key not in self._known:
            rule = _rule_of(observation, leaf.answer)
            with self._inside(leaf.observation):
                self._known[key] = self._compile(rule, STRICT)
        return self._leaf(ANSWER, leaf.observation, leaf, (self._known[key],))

    def _own(self, name: str, *, standing: bool) -> int:
        """The rule of a classification, with its age band."""
        each = self._graph.classifications.get(name)
        if each is None:
            _missing("classification", name, " → ".join(self._open))
            raise AssertionError
        key = ("own", name, standing)
        if key in self._known:
            return self._known[key]
        with self._inside(name):
            ages = self._ages(each.ages)
            rule = self._compile(each.rule, STANDING if standing else STRICT)
        joined = self._join([ages, rule], conjunction=True)
        node = self._node(OWN, (joined, ages), name)
        self._known[key] = node
        return node

    def _classified(self, name: str, way: _Way) -> int:
        """Another classification holds. What speaks against a rule counts only where it stands."""
        soft = way.standing and way.rising is way.negated
        own = self._own(name, standing=soft)
        others = [self._own(each, standing=False) for each in self._graph.yields[name]]
        if soft:
            others = [self._node(SOFT, (each,)) for each in others]
        held = self._join([own, *(self._not(each) for each in others)], conjunction=True)
        return self._signed(self._node(SOFT, (held,)) if soft else held, way)


def _aged(band: model.AgeBand) -> logic.Expression:
    return logic.Aged(band.from_days, band.to_days)


def _rule_of(observation: model.Observation, answer: str) -> logic.Expression:
    """When an observation that is computed by rules has an answer."""
    match observation.derived:
        case model.RuleValue(rule):
            meaning = next((o.means for o in observation.answers if o.id == answer), None)
            is_true = meaning == "true" if meaning else answer == "yes"
            return rule if is_true else logic.Negation(rule)
        case model.ChosenValue(rules):
            ways: list[logic.Expression] = []
            before: list[logic.Expression] = []
            for chosen, rule in rules:
                if chosen == answer:
                    ways.append(logic.AllOf((*before, rule)))
                before.append(logic.Negation(rule))
            if observation.default == answer:
                ways.append(logic.AllOf(tuple(before)))
            return logic.AnyOf(tuple(ways))
        case _:
            return logic.Constant(False)
