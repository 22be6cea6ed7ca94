"""All that follows from triples by rules, each with the triples it follows from.

Semi-naive: a triple is matched once, when it is added, with those that were added before it
(Abiteboul, Hull and Vianu, Foundations of Databases, 1995, chapter 13).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from medweave.ontology.terms import OWL, RDF, RDFS
from medweave.reasoning.rules import SAME, TYPE, Rule, Triple, owl_rl, variables

_LITERAL = '"'


@dataclass(frozen=True, slots=True)
class Derivation:
    """By which rule and of which triples something follows, the first time that it does."""

    rule: str
    premises: tuple[Triple, ...]


@dataclass(frozen=True)
class Closure:
    """What follows, and what excludes each other."""

    inferred: dict[Triple, Derivation]
    """In the order in which it was found."""
    clashes: tuple[Derivation, ...]

    def grounds(self, premises: Iterable[Triple]) -> tuple[Triple, ...]:
        """The triples that were given, from which these follow; in the order they are needed."""
        found: dict[Triple, None] = {}
        seen: set[Triple] = set()
        waiting = list(premises)[::-1]
        while waiting:
            triple = waiting.pop()
            if triple in seen:
                continue
            seen.add(triple)
            if triple in self.inferred:
                waiting += self.inferred[triple].premises[::-1]
            else:
                found[triple] = None
        return tuple(found)


def closure(triples: Iterable[Triple]) -> Closure:
    """What follows from triples by OWL 2 RL.

    >>> from medweave.ontology.terms import RDFS
    >>> axiom, fact = ("urn:p", RDFS + "subPropertyOf", "urn:q"), ("urn:a", "urn:p", "urn:b")
    >>> list(closure([axiom, fact]).inferred)
    [('urn:a', 'urn:q', 'urn:b')]
    """
    given = dict.fromkeys(triples)
    return _Reasoner((*owl_rl(), *rules_of_lists(given))).run(given)


@dataclass(frozen=True, slots=True)
class _Plan:
    """A rule, begun with one triple of its body; the others in the order they are looked for."""

    rule: Rule
    first: Triple
    others: tuple[Triple, ...]


@dataclass
class _Facts:
    """Triples by their parts."""

    by_subject: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    by_predicate: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    by_object: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def add(self, triple: Triple) -> None:
        subject, predicate, object_ = triple
        self.by_subject.setdefault(subject, {}).setdefault(predicate, []).append(object_)
        self.by_predicate.setdefault(predicate, {}).setdefault(object_, []).append(subject)
        self.by_object.setdefault(object_, []).append((subject, predicate))

    def like(self, s: str, p: str, o: str) -> Iterable[Triple]:
        """Those with these parts; '' stands for any."""
        if s:
            of_subject = self.by_subject.get(s, {})
            if p:
                return ((s, p, each) for each in of_subject.get(p, ()) if not o or each == o)
            found = ((s, k, each) for k, objects in of_subject.items() for each in objects)
            return (triple for triple in found if not o or triple[2] == o)
        if p:
            of_predicate = self.by_predicate.get(p, {})
            if o:
                return ((each, p, o) for each in of_predicate.get(o, ()))
            return ((each, p, k) for k, subjects in of_predicate.items() for each in subjects)
        if o:
            return ((subject, k, o) for subject, k in self.by_object.get(o, ()))
        return (
            (k, q, e) for k, held in self.by_subject.items() for q, es in held.items() for e in es
        )


class _Reasoner:
    def __init__(self, rules: Sequence[Rule]) -> None:
        self._facts = _Facts()
        self._inferred: dict[Triple, Derivation] = {}
        self._clashes: dict[frozenset[Triple], Derivation] = {}
        self._plans: dict[tuple[str, str], list[_Plan]] = {}
        for each in rules:
            for place, first in enumerate(each.body):
                rest = [*each.body[:place], *each.body[place + 1 :]]
                self._plans.setdefault(_trigger(first), []).append(
                    _Plan(each, first, _ordered(rest, set(variables(first))))
                )

    def run(self, given: dict[Triple, None]) -> Closure:
        waiting = deque(given)
        while waiting:
            triple = waiting.popleft()
            self._facts.add(triple)
            for plan in self._plans_for(triple):
                bound = _bound(plan.first, triple, {})
                if bound is None:
                    continue
                for premises, values in self._joined(plan.others, bound, (triple,)):
                    made = self._concluded(plan.rule, values, premises)
                    if made and made not in given and made not in self._inferred:
                        self._inferred[made] = Derivation(
                            plan.rule.name, (*plan.rule.because, *premises)
                        )
                        waiting.append(made)
        return Closure(self._inferred, tuple(self._clashes.values()))

    def _plans_for(self, triple: Triple) -> Iterator[_Plan]:
        _, predicate, object_ = triple
        for trigger in ((predicate, object_), (predicate, ""), ("", "")):
            yield from self._plans.get(trigger, ())

    def _joined(
        self, others: Sequence[Triple], bound: dict[str, str], premises: tuple[Triple, ...]
    ) -> Iterator[tuple[tuple[Triple, ...], dict[str, str]]]:
        if not others:
            yield premises, bound
            return
        pattern, rest = others[0], others[1:]
        parts = (bound.get(t, "") if t[0] == "?" else t for t in pattern)
        for triple in self._facts.like(*parts):
            more = _bound(pattern, triple, bound)
            if more is not None:
                yield from self._joined(rest, more, (*premises, triple))

    def _concluded(
        self, of: Rule, values: dict[str, str], premises: tuple[Triple, ...]
    ) -> Triple | None:
        """What a rule concludes; a contradiction is noted."""
        if of.head is None:
            self._clash(of, premises)
            return None
        subject, predicate, object_ = (values[t] if t[0] == "?" else t for t in of.head)
        if predicate == SAME and subject[0] == object_[0] == _LITERAL and subject != object_:
            self._clash(of, premises)  # two values that are one
        trivial = predicate in _REFLEXIVE and subject == object_
        if trivial or subject[0] == _LITERAL or predicate.startswith("_:"):
            return None
        return subject, predicate, object_

    def _clash(self, of: Rule, premises: tuple[Triple, ...]) -> None:
        found = Derivation(of.name, (*of.because, *premises))
        self._clashes.setdefault(frozenset(found.premises), found)


def _reflexive() -> frozenset[str]:
    """Relations in which everything stands to itself: nothing that needs to be told."""
    both = [each for each in owl_rl() if each.name in ("scm-eqc2", "scm-eqp2")]
    heads = [each.head[1] for each in both if each.head]
    return frozenset((SAME, *heads, *(each.body[0][1] for each in both)))


_REFLEXIVE = _reflexive()


def _trigger(pattern: Triple) -> tuple[str, str]:
    """By which parts of a triple a rule is found that may begin with it."""
    _, predicate, object_ = pattern
    if predicate[0] == "?":
        return "", ""
    exact = predicate == TYPE and object_[0] != "?"
    return predicate, object_ if exact else ""


def _ordered(patterns: list[Triple], known: set[str]) -> tuple[Triple, ...]:
    """Patterns in an order in which each has as much as can be of what is known already."""
    found: list[Triple] = []
    left = list(patterns)
    while left:
        best = max(left, key=lambda p: (_known(p[1], known), sum(_known(t, known) for t in p)))
        left.remove(best)
        found.append(best)
        known = known | set(variables(best))
    return tuple(found)


def _known(term: str, known: set[str]) -> bool:
    return term[0] != "?" or term in known


def _bound(pattern: Triple, triple: Triple, bound: dict[str, str]) -> dict[str, str] | None:
    """The values with those that a pattern gives a triple's terms; None where it does not fit."""
    more = dict(bound)
    for term, value in zip(pattern, triple, strict=True):
        if term[0] != "?":
            if term != value:
                return None
        elif more.setdefault(term, value) != value:
            return None
    return more


_SUB = RDFS + "subClassOf"
_PAIRS = {
    OWL + "AllDisjointClasses": OWL + "disjointWith",
    OWL + "AllDisjointProperties": OWL + "propertyDisjointWith",
    OWL + "AllDifferent": OWL + "differentFrom",
}
"""Of which any two members stand in this relation."""
_MEMBERS = (OWL + "members", OWL + "distinctMembers")


def rules_of_lists(triples: Iterable[Triple]) -> Iterator[Rule]:
    """The rules that the lists of these triples make; each rests on the triple that has the list.

    >>> axiom = ("urn:both", OWL + "unionOf", "_:l")
    >>> cells = [("_:l", RDF + "first", "urn:one"), ("_:l", RDF + "rest", RDF + "nil")]
    >>> [rule.name for rule in rules_of_lists([axiom, *cells])]
    ['cls-uni', 'scm-uni', 'uni-none']
    """
    triples = list(triples)
    first = {s: o for s, p, o in triples if p == RDF + "first"}
    rest = {s: o for s, p, o in triples if p == RDF + "rest"}
    kinds = {s: _PAIRS[o] for s, p, o in triples if p == TYPE and o in _PAIRS}
    for triple in triples:
        subject, predicate, cell = triple
        make = _MAKERS.get(predicate)
        if make and cell in first:
            yield from make(triple, _listed(cell, first, rest))
        elif predicate in _MEMBERS and subject in kinds:
            for one, other in combinations(_listed(cell, first, rest), 2):
                yield Rule("pairs", (triple,), (one, kinds[subject], other))


def _listed(cell: str, first: Mapping[str, str], rest: Mapping[str, str]) -> list[str]:
    """The members of a list; one that runs in a circle ends where it began."""
    found: list[str] = []
    seen: set[str] = set()
    while cell in first and cell not in seen:
        seen.add(cell)
        found.append(first[cell])
        cell = rest.get(cell, "")
    return found


def _union(axiom: Triple, members: list[str]) -> Iterator[Rule]:
    for member in members:
        yield Rule("cls-uni", (("?x", TYPE, member),), ("?x", TYPE, axiom[0]), (axiom,))
        yield Rule("scm-uni", (axiom,), (member, _SUB, axiom[0]))
    none: list[Triple] = [("?x", TYPE, axiom[0])]
    for i, member in enumerate(members):
        none += [("?x", TYPE, f"?d{i}"), (f"?d{i}", OWL + "disjointWith", member)]
    yield Rule("uni-none", tuple(none), None, (axiom,))


def _intersection(axiom: Triple, members: list[str]) -> Iterator[Rule]:
    body = tuple(("?x", TYPE, member) for member in members)
    yield Rule("cls-int1", body, ("?x", TYPE, axiom[0]), (axiom,))
    for member in members:
        yield Rule("cls-int2", (("?x", TYPE, axiom[0]),), ("?x", TYPE, member), (axiom,))
        yield Rule("scm-int", (axiom,), (axiom[0], _SUB, member))


def _one_of(axiom: Triple, members: list[str]) -> Iterator[Rule]:
    for member in members:
        yield Rule("cls-oo", (axiom,), (member, TYPE, axiom[0]))


def _chain(axiom: Triple, members: list[str]) -> Iterator[Rule]:
    steps = tuple((f"?u{i}", member, f"?u{i + 1}") for i, member in enumerate(members))
    yield Rule("prp-spo2", steps, ("?u0", axiom[0], f"?u{len(members)}"), (axiom,))


def _key(axiom: Triple, members: list[str]) -> Iterator[Rule]:
    body: list[Triple] = [("?x", TYPE, axiom[0]), ("?y", TYPE, axiom[0])]
    for i, member in enumerate(members):
        body += [("?x", member, f"?z{i}"), ("?y", member, f"?z{i}")]
    yield Rule("prp-key", tuple(body), ("?x", SAME, "?y"), (axiom,))


_MAKERS: Mapping[str, Callable[[Triple, list[str]], Iterator[Rule]]] = {
    OWL + "unionOf": _union,
    OWL + "intersectionOf": _intersection,
    OWL + "oneOf": _one_of,
    OWL + "propertyChainAxiom": _chain,
    OWL + "hasKey": _key,
}
