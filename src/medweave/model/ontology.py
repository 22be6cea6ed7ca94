"""An ontology: which types of things and which relations between them there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from medweave.model.identifiers import digest, normalise_name
from medweave.model.json_form import json_of
from medweave.model.reached import reached

CHARACTERISTICS = ("symmetric", "asymmetric", "transitive", "irreflexive")
"""What may be said of a relation as such, by the names that OWL has for it."""


def term(label: str) -> str:
    """A label as triples and labelled documents write it.

    >>> term("Risk factor")
    'risk_factor'
    """
    return normalise_name(label.replace("_", " ")).replace(" ", "_")


@dataclass(frozen=True, slots=True)
class OntologyClass:
    """A type of things. References are labels."""

    label: str
    id: str = ""
    """Its IRI, where it has one."""
    definition: str = ""
    examples: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    priority: int = 0
    """Of two types that a thing was read with equally often, the one of higher priority is its."""
    parents: tuple[str, ...] = ()
    disjoint: tuple[str, ...] = ()

    @property
    def term(self) -> str:
        """Its label as triples write it."""
        return term(self.label)

    @property
    def parent(self) -> str:
        """The first of its parents; '' where it has none."""
        return next(iter(self.parents), "")

    def to_json(self) -> dict[str, Any]:
        """The form of formats: one parent under `parent`, several under `parents` too."""
        several = " parents" if len(self.parents) > 1 else ""
        form = "id label definition examples synonyms priority parent? disjoint"
        return json_of(self, form + several)


@dataclass(frozen=True, slots=True)
class OntologyPredicate:
    """A relation between things. References are labels; no domain or range: any type."""

    label: str
    id: str = ""
    definition: str = ""
    examples: tuple[str, ...] = ()
    domain: tuple[str, ...] = ()
    """The subject is of one of these types."""
    range: tuple[str, ...] = ()
    """The object is of one of these types."""
    parents: tuple[str, ...] = ()
    inverse: str = ""
    disjoint: tuple[str, ...] = ()
    characteristics: tuple[str, ...] = ()
    """Some of `CHARACTERISTICS`, in their order."""

    @property
    def term(self) -> str:
        """Its label as triples write it."""
        return term(self.label)

    @property
    def parent(self) -> str:
        """The first of its parents; '' where it has none."""
        return next(iter(self.parents), "")

    def to_json(self) -> dict[str, Any]:
        """The form of formats: one parent under `parent`, several under `parents` too."""
        several = " parents" if len(self.parents) > 1 else ""
        form = "id label definition examples domain range parent? inverse? disjoint characteristics"
        return json_of(self, form + several)


@dataclass(frozen=True)
class Ontology:
    """Types and relations, each by its label.

    >>> eye = OntologyClass("Eye part")
    >>> macula = OntologyClass("Macula", parents=("Eye part",))
    >>> ontology = Ontology("eyes", "1", (eye, macula), ())
    >>> ontology.is_a("macula", "eye_part"), ontology.is_a("eye_part", "macula")
    (True, False)
    """

    id: str
    version: str
    classes: tuple[OntologyClass, ...]
    predicates: tuple[OntologyPredicate, ...]

    @property
    def entries(self) -> tuple[OntologyClass | OntologyPredicate, ...]:
        """Types, then relations."""
        return (*self.classes, *self.predicates)

    @cached_property
    def class_by_term(self) -> Mapping[str, OntologyClass]:
        """The types by their terms."""
        return {entry.term: entry for entry in self.classes}

    @cached_property
    def predicate_by_term(self) -> Mapping[str, OntologyPredicate]:
        """The relations by their terms."""
        return {entry.term: entry for entry in self.predicates}

    def digest(self) -> str:
        """A short name for all that it says, for one that has no version of its own."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        return digest([entry.to_json() for entry in self.entries], 4)

    def is_a(self, type_: str, other: str) -> bool:
        """Whether a type is another or a kind of it; both as terms."""
        return other in self.kinds_above(type_)

    def kinds_above(self, type_: str) -> frozenset[str]:
        """A type and all that it is a kind of, as terms."""
        return frozenset(_above(type_, self.class_by_term))

    def implied(self, predicate: str) -> frozenset[str]:
        """A relation and all that it implies, as terms."""
        return frozenset(_above(predicate, self.predicate_by_term))

    def to_json(self) -> dict[str, Any]:
        """What `ontology show --json` prints."""
        return json_of(self, "id version classes predicates")


def _above(
    start: str, entries: Mapping[str, OntologyClass] | Mapping[str, OntologyPredicate]
) -> Iterator[str]:
    """From a term upwards, each once."""

    def parents(name: str) -> list[str]:
        found = entries.get(name)
        return [term(parent) for parent in found.parents] if found else []

    return reached([start], parents)


def in_order(characteristics: Iterable[str]) -> tuple[str, ...]:
    """Characteristics in the order of `CHARACTERISTICS`."""
    found = set(characteristics)
    return tuple(name for name in CHARACTERISTICS if name in found)
