"""What follows by rules: the same as by an independent closure, and with its grounds."""

from __future__ import annotations

import random

import pytest

from medweave.ontology.loading import ontology_in
from medweave.ontology.terms import OWL, RDF, RDFS
from medweave.reasoning.closure import closure
from medweave.reasoning.rules import TYPE, Triple
from medweave.reasoning.translation import axioms_of

A, B, C, D = (f"urn:x:{name}" for name in "abcd")
P, Q, R = (f"urn:p:{name}" for name in "pqr")
ONE, TWO, THREE = (f"urn:c:{name}" for name in ("one", "two", "three"))


def _listed(name: str, *members: str) -> list[Triple]:
    cells = [f"_:{name}{place}" for place in range(len(members))]
    rest = [*cells[1:], RDF + "nil"]
    firsts = [(c, RDF + "first", member) for c, member in zip(cells, members, strict=True)]
    return [*firsts, *((c, RDF + "rest", r) for c, r in zip(cells, rest, strict=True))]


FOLLOWS: dict[str, tuple[list[Triple], Triple]] = {
    "kinds": ([(A, TYPE, ONE), (ONE, RDFS + "subClassOf", TWO)], (A, TYPE, TWO)),
    "domain": ([(A, P, B), (P, RDFS + "domain", ONE)], (A, TYPE, ONE)),
    "range": ([(A, P, B), (P, RDFS + "range", ONE)], (B, TYPE, ONE)),
    "inverse": ([(A, P, B), (P, OWL + "inverseOf", Q)], (B, Q, A)),
    "transitive": ([(A, P, B), (B, P, C), (P, TYPE, OWL + "TransitiveProperty")], (A, P, C)),
    "implied": ([(A, P, B), (P, RDFS + "subPropertyOf", Q)], (A, Q, B)),
    "symmetric": ([(A, P, B), (P, TYPE, OWL + "SymmetricProperty")], (B, P, A)),
    "same": ([(A, P, B), (A, OWL + "sameAs", C)], (C, P, B)),
    "functional": (
        [(A, P, B), (A, P, C), (P, TYPE, OWL + "FunctionalProperty"), (B, Q, D)],
        (C, Q, D),
    ),
    "chain": (
        [(A, P, B), (B, Q, C), (R, OWL + "propertyChainAxiom", "_:l0"), *_listed("l", P, Q)],
        (A, R, C),
    ),
    "one of several": (
        [(A, TYPE, ONE), (THREE, OWL + "unionOf", "_:l0"), *_listed("l", ONE, TWO)],
        (A, TYPE, THREE),
    ),
    "both": (
        [(A, TYPE, ONE), (A, TYPE, TWO), (THREE, OWL + "intersectionOf", "_:l0"),
         *_listed("l", ONE, TWO)],
        (A, TYPE, THREE),
    ),
    "some": (
        [(A, P, B), (B, TYPE, ONE), (TWO, OWL + "onProperty", P),
         (TWO, OWL + "someValuesFrom", ONE)],
        (A, TYPE, TWO),
    ),
}  # fmt: skip

CLASHES: dict[str, list[Triple]] = {
    "types": [(A, TYPE, ONE), (A, TYPE, TWO), (ONE, OWL + "disjointWith", TWO)],
    "itself": [(A, P, A), (P, TYPE, OWL + "IrreflexiveProperty")],
    "both ways": [(A, P, B), (B, P, A), (P, TYPE, OWL + "AsymmetricProperty")],
    "relations": [(A, P, B), (A, Q, B), (P, OWL + "propertyDisjointWith", Q)],
    "one and another": [(A, OWL + "sameAs", B), (A, OWL + "differentFrom", B)],
    "any of three": [
        (A, TYPE, ONE), (A, TYPE, THREE), ("_:d", TYPE, OWL + "AllDisjointClasses"),
        ("_:d", OWL + "members", "_:l0"), *_listed("l", ONE, TWO, THREE),
    ],
    "none of the types of a subject": [
        (A, P, B), (P, RDFS + "domain", "_:u"), ("_:u", OWL + "unionOf", "_:l0"),
        *_listed("l", ONE, TWO), (A, TYPE, THREE),
        (THREE, OWL + "disjointWith", ONE), (TWO, OWL + "disjointWith", THREE),
    ],
}  # fmt: skip


@pytest.mark.parametrize("case", FOLLOWS)
def test_what_follows_and_from_what(case: str) -> None:
    given, expected = FOLLOWS[case]
    found = closure(given)
    assert expected in found.inferred
    assert not found.clashes
    grounds = found.grounds([expected])
    assert set(grounds) <= set(given)
    assert (
        expected
        in closure(
            [*grounds, *(t for t in given if t[1] in (RDF + "first", RDF + "rest"))]
        ).inferred
    )


@pytest.mark.parametrize("case", FOLLOWS)
def test_nothing_follows_without_one_of_its_grounds(case: str) -> None:
    given, expected = FOLLOWS[case]
    for ground in closure(given).grounds([expected]):
        assert expected not in closure(t for t in given if t != ground).inferred


@pytest.mark.parametrize("case", CLASHES)
def test_a_contradiction_is_found_and_names_its_premises(case: str) -> None:
    found = closure(CLASHES[case])
    assert found.clashes
    assert all(set(found.grounds(each.premises)) <= set(CLASHES[case]) for each in found.clashes)
    assert not closure(CLASHES[case][1:]).clashes


@pytest.mark.parametrize("case", [*FOLLOWS, "causalamd"])
def test_an_independent_closure_infers_the_same(case: str) -> None:
    axioms = FOLLOWS[case][0] if case in FOLLOWS else axioms_of(ontology_in())
    given = [*axioms, *_random_world()]
    ours = {each for each in (*given, *closure(given).inferred) if _told(each)}
    assert ours == {each for each in _by_owlrl(given) if _told(each)}


def _random_world() -> list[Triple]:
    chance = random.Random(3)
    things = [f"urn:x:{number}" for number in range(12)]
    relations = [P, Q, R, "urn:medweave:causalamd#cause", "urn:medweave:causalamd#treat"]
    facts = [
        (chance.choice(things), chance.choice(relations), chance.choice(things)) for _ in range(30)
    ]
    return [*facts, *((thing, TYPE, chance.choice([ONE, TWO])) for thing in things)]


def _told(triple: Triple) -> bool:
    """Neither what is true of everything, nor of nodes without a name."""
    named = not any(part.startswith(("_:", '"')) for part in triple)
    of_things = triple[0].startswith("urn:")
    trivial = triple[0] == triple[2] or triple[2] in (OWL + "Thing", RDFS + "Resource")
    mirrored = triple[1] == OWL + "disjointWith"  # which the profile leaves as it was written
    return named and of_things and not trivial and not mirrored


def _by_owlrl(given: list[Triple]) -> set[Triple]:
    import owlrl
    import rdflib

    graph = rdflib.Graph()
    for subject, predicate, object_ in given:
        if not object_.startswith('"'):
            graph.add((_node(subject), _node(predicate), _node(object_)))
    closed = rdflib.Graph()
    for triple in graph:
        closed.add(triple)
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(closed)
    return {
        (_named(subject), _named(predicate), _named(object_))
        for subject, predicate, object_ in closed
    }


def _named(node: object) -> str:
    import rdflib

    return str(node) if isinstance(node, rdflib.URIRef) else f"_:{node}"


def _node(text: str):
    import rdflib

    return rdflib.BNode(text[2:]) if text.startswith("_:") else rdflib.URIRef(text)
