"""What can be wrong with an ontology by itself, each with who is to blame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from medweave.errors import OntologyError
from medweave.model.json_form import json_of
from medweave.model.ontology import Ontology, OntologyClass, OntologyPredicate, term

Entry = OntologyClass | OntologyPredicate


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that makes an ontology unusable."""

    what: str
    culprits: tuple[str, ...]
    """Labels."""
    where: str = ""

    def to_json(self) -> dict[str, Any]:
        """The form of `ontology check --json`."""
        return json_of(self, "what where culprits")


def check_ontology(ontology: Ontology, where: str = "") -> tuple[Problem, ...]:
    """All that is wrong with it; nothing where it can be used.

    >>> disease = OntologyClass("Disease", disjoint=("Sign",))
    >>> both = OntologyClass("Finding", parents=("Disease", "Sign"))
    >>> ontology = Ontology("o", "1", (disease, OntologyClass("Sign"), both), ())
    >>> [problem.what for problem in check_ontology(ontology)]
    ['nothing can be a Finding: Disease and Sign exclude each other']
    """
    found = [
        *_twice(ontology.classes),
        *_twice(ontology.predicates),
        *_dangling(ontology),
        *_circles(ontology.classes),
        *_circles(ontology.predicates),
        *_impossible_classes(ontology),
        *_impossible_predicates(ontology),
    ]
    return tuple(Problem(problem.what, problem.culprits, where) for problem in found)


def checked(ontology: Ontology, where: str) -> Ontology:
    """The ontology itself; `OntologyError` names the first problem of one that cannot be used."""
    problems = check_ontology(ontology, where)
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise OntologyError(
            problems[0].what + more, where=where, remedy="see `medweave ontology check`"
        )
    return ontology


def _twice(entries: Sequence[Entry]) -> Iterator[Problem]:
    counted = Counter(entry.term for entry in entries)
    for name, times in counted.items():
        if times > 1:
            labels = tuple(entry.label for entry in entries if entry.term == name)
            yield Problem(f"{times} entries are called '{name}'", labels)


def _dangling(ontology: Ontology) -> Iterator[Problem]:
    """References to what is not there. The name of an inverse need not be a relation itself."""
    for each in ontology.classes:
        yield from _unknown(each, (*each.parents, *each.disjoint), ontology.class_by_term)
    for relation in ontology.predicates:
        types, relations = ontology.class_by_term, ontology.predicate_by_term
        yield from _unknown(relation, (*relation.domain, *relation.range), types)
        yield from _unknown(relation, (*relation.parents, *relation.disjoint), relations)


def _unknown(entry: Entry, labels: Iterable[str], known: Iterable[str]) -> Iterator[Problem]:
    for label in dict.fromkeys(labels):
        if term(label) not in known:
            yield Problem(f"{entry.label} names '{label}', which is not there", (entry.label,))


def _circles(entries: Sequence[Entry]) -> Iterator[Problem]:
    parents = {entry.term: [term(parent) for parent in entry.parents] for entry in entries}
    labels = {entry.term: entry.label for entry in entries}
    reported: set[str] = set()
    for start in parents:
        circle = _way_back(start, parents)
        if circle and not reported.intersection(circle):
            reported.update(circle)
            named = tuple(labels[name] for name in circle)
            yield Problem(f"a circle of kinds: {' → '.join((*named, named[0]))}", named)


def _way_back(start: str, parents: dict[str, list[str]]) -> list[str]:
    """The way from an entry over its parents back to it, [] where there is none."""
    ways = [[start]]
    seen: set[str] = set()
    while ways:
        way = ways.pop()
        for parent in parents.get(way[-1], ()):
            if parent == start:
                return way
            if parent not in seen and parent in parents:
                seen.add(parent)
                ways.append([*way, parent])
    return []


def _impossible_classes(ontology: Ontology) -> Iterator[Problem]:
    apart = _disjoint_pairs(ontology.classes)
    labels = {entry.term: entry.label for entry in ontology.classes}
    for entry in ontology.classes:
        above = ontology.kinds_above(entry.term)
        for first, second in sorted(apart):
            if first in above and second in above and (first in labels and second in labels):
                names = (labels[first], labels[second])
                what = (
                    f"nothing can be a {entry.label}: {names[0]} and {names[1]} exclude each other"
                )
                yield Problem(what, tuple(dict.fromkeys((entry.label, *names))))
                break


def _impossible_predicates(ontology: Ontology) -> Iterator[Problem]:
    apart = _disjoint_pairs(ontology.predicates)
    for entry in ontology.predicates:
        implied = ontology.implied(entry.term)
        clash = next((p for p in sorted(apart) if p[0] in implied and p[1] in implied), None)
        if clash:
            yield Problem(
                f"nothing can stand in '{entry.label}': it implies what excludes itself",
                (entry.label, *clash),
            )
        if {"symmetric", "asymmetric"} <= set(entry.characteristics):
            yield Problem(f"'{entry.label}' is symmetric and asymmetric", (entry.label,))


def _disjoint_pairs(entries: Sequence[Entry]) -> set[tuple[str, str]]:
    return {
        (first, second) if first < second else (second, first)
        for entry in entries
        for first, second in ((entry.term, term(label)) for label in entry.disjoint)
    }
