"""Queries of triples: `<subject, relation, ?>` with any part unknown, and what comes of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from medweave.errors import QuestionError
from medweave.model import statement as model
from medweave.model.answer import ALL_HEARD, Heard
from medweave.model.document import Document
from medweave.model.entity import Entity
from medweave.model.support_json import SupportForm, literal_form, named_form

Direction = Literal["declared", "inverse"]
MOST_TRIPLES = 8
"""In one query: each may be read in two directions."""
_REMEDY = """write ["?", "has_symptom", "cough"], or several of these in a list"""


class Triple(NamedTuple):
    """A pattern: each part a name or an identifier, `?`, or a variable such as `?x`."""

    subject: str
    relation: str
    object: str


def is_unknown(part: str) -> bool:
    """Whether a part is asked for.

    >>> is_unknown("?"), is_unknown("?x"), is_unknown("cough")
    (True, True, False)
    """
    return part.startswith("?")


def read_triples(text: str) -> tuple[Triple, ...]:
    """A query as it is written: one triple, or a list of triples, in JSON. `QuestionError`.

    An empty list asks nothing: the base cannot answer what led to it.

    >>> read_triples('["?", "has_symptom", "cough"]')
    (Triple(subject='?', relation='has_symptom', object='cough'),)
    >>> read_triples("[]")
    ()
    """
    try:
        written = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise QuestionError(f"this is no JSON ({error})", remedy=_REMEDY) from error
    if not isinstance(written, list):
        raise QuestionError("a query is a list", remedy=_REMEDY)
    several = not written or any(isinstance(each, list) for each in written)
    return tuple(_triple(each) for each in (written if several else [written]))


def _triple(written: Any) -> Triple:
    if not isinstance(written, list) or len(written) != len(Triple._fields):
        raise QuestionError("a triple has three parts", remedy=_REMEDY)
    if not all(isinstance(part, str) and part.strip() for part in written):
        raise QuestionError("each part of a triple is a text", remedy=_REMEDY)
    return Triple(*(part.strip() for part in written))


@dataclass(frozen=True, slots=True)
class Match:
    """A statement that fits one of the triples."""

    triple: int
    """Which, from 0."""
    statement: str
    direction: Direction
    """`inverse`: the triple is read from its object's side."""


@dataclass(frozen=True, slots=True)
class PredicateValue:
    """What an unknown relation stands for."""

    predicate: str


Value = Entity | model.Literal | PredicateValue


@dataclass(frozen=True, slots=True)
class TripleResult:
    """All that fits a query, the best supported first."""

    query: tuple[Triple, ...]
    bindings: Mapping[str, Sequence[Value]]
    """What each unknown stands for. All parts written `?` are under `?`."""
    matches: Sequence[Match]
    statements: Mapping[str, model.SupportedStatement]
    """Those that match, by their ids."""
    entities: Mapping[str, Entity]
    documents: Mapping[str, Document]
    beliefs: Mapping[str, float]
    total: int = 0
    """In how many ways the unknowns can be filled so that all triples hold."""
    truncated: bool = False
    unknown: tuple[str, ...] = ()
    """Ends that nothing in the base bears."""
    seconds: float = 0.0
    heard: Heard = ALL_HEARD

    def to_json(self) -> dict[str, Any]:
        """As `medweave query` prints it."""
        form = SupportForm(self.statements, self.entities, self.documents, self.beliefs, "en")
        return {
            "query": [list(triple) for triple in self.query],
            "bindings": {
                name: [_value(value) for value in values] for name, values in self.bindings.items()
            },
            "matches": [
                {
                    "triple": match.triple,
                    "statement": form.key(match.statement),
                    "direction": match.direction,
                }
                for match in self.matches
            ],
            **form.to_json(),
            "total": self.total,
            "truncated": self.truncated,
            "unknown": list(self.unknown),
            "seconds": round(self.seconds, 4),
            **self.heard.to_json(),
        }


def _value(value: Value) -> dict[str, Any]:
    if isinstance(value, PredicateValue):
        return {"predicate": value.predicate}
    return literal_form(value) if isinstance(value, model.Literal) else named_form(value, "en")
