"""Rules over triples: what they are made of, and those of OWL 2 RL."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from medweave.language.data import read_yaml, shipped
from medweave.ontology.terms import OWL, RDF, RDFS

Triple = tuple[str, str, str]
"""Subject, predicate, object: IRIs as they are, `_:` and a name, literals as N-Triples has them."""
TYPE = RDF + "type"
SAME = OWL + "sameAs"
_PREFIXES = {"owl": OWL, "rdf": RDF, "rdfs": RDFS}
_COUNT = '"{}"^^<http://www.w3.org/2001/XMLSchema#nonNegativeInteger>'


@dataclass(frozen=True, slots=True)
class Rule:
    """Where all triples of `body` stand, `head` stands, too; without a head they exclude each
    other. What begins with `?` stands for any term."""

    name: str
    body: tuple[Triple, ...]
    head: Triple | None
    because: tuple[Triple, ...] = ()
    """What the rule itself was made of, where it was made for one list of an ontology."""


def rule(name: str, text: str, because: tuple[Triple, ...] = ()) -> Rule:
    """A rule as the file of rules writes it.

    >>> rule("eq-sym", "?x owl:sameAs ?y -> ?y owl:sameAs ?x").head
    ('?y', 'http://www.w3.org/2002/07/owl#sameAs', '?x')
    """
    body, _, head = text.partition(" -> ")
    triples = tuple(_triple(part) for part in body.split(" . "))
    return Rule(name, triples, None if head == "false" else _triple(head), because)


@cache
def owl_rl() -> tuple[Rule, ...]:
    """The rules of OWL 2 RL that need no list."""
    place = shipped("reasoning", "owl_rl.yaml")
    texts: dict[str, str] = read_yaml(place.read_text("utf-8"), where=place.name)["rules"]
    return tuple(rule(name, text) for name, text in texts.items())


def _triple(text: str) -> Triple:
    subject, predicate, object_ = (_term(part) for part in text.split())
    return subject, predicate, object_


def _term(text: str) -> str:
    if text.startswith(("?", "<")):
        return text.strip("<>")
    if text == "a":
        return TYPE
    if text.isdigit():
        return _COUNT.format(text)
    prefix, _, name = text.partition(":")
    return _PREFIXES[prefix] + name


def variables(triple: Triple) -> Iterator[str]:
    """What of a triple of a rule stands for any term."""
    return (term for term in triple if term.startswith("?"))


def line_of(triple: Triple) -> str:
    """A triple in N-Triples, with the end of its line."""
    parts = (part if part.startswith(('"', "_:")) else f"<{part}>" for part in triple)
    return " ".join(parts) + " .\n"
