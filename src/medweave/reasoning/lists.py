"""The rules of OWL 2 RL over lists, made for each list that an ontology has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations

from medweave.ontology.terms import OWL, RDF, RDFS
from medweave.reasoning.rules import SAME, TYPE, Rule, Triple

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
