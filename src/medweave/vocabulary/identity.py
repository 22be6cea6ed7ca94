"""When identifiers say that two things are one, and when they say that they are two."""

from __future__ import annotations

from medweave.model.entity import Entity
from medweave.model.identifiers import LOCAL_PREFIX, is_curie

CLASSIFYING = frozenset({"ICD9", "ICD9CM", "ICD10", "ICD10CM", "ICD11", "ATC"})
"""Prefixes of classifications. Their codes are shared by different things: many diseases are
J18.9, and a drug has one ATC code for each use. They neither join nor part."""


def identifiers_of(entity: Entity) -> frozenset[str]:
    """The identifiers that stand for this very thing: its own and its cross-references.

    >>> sorted(identifiers_of(Entity("mw.x:a", "drug", xrefs=("DRUGBANK:DB1", "ATC:N02"))))
    ['DRUGBANK:DB1']
    """
    return frozenset(
        identifier
        for identifier in (entity.id, *entity.xrefs)
        if is_curie(identifier)
        and not _local(identifier)
        and _prefix(identifier) not in CLASSIFYING
    )


def contradict(one: Entity, other: Entity) -> bool:
    """Whether a vocabulary has two different identifiers for them, and so holds them for two.

    >>> a, b = Entity("DOID:1", "disease"), Entity("DOID:2", "disease")
    >>> contradict(a, b), contradict(a, Entity("MESH:D1", "disease"))
    (True, False)
    """
    first, second = _by_prefix(one), _by_prefix(other)
    shared = first.keys() & second.keys()
    return any(not first[prefix] & second[prefix] for prefix in shared)


def _by_prefix(entity: Entity) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for identifier in identifiers_of(entity):
        found.setdefault(_prefix(identifier), set()).add(identifier)
    return found


def _prefix(identifier: str) -> str:
    return identifier.partition(":")[0].upper()


def _local(identifier: str) -> bool:
    return identifier.startswith(f"{LOCAL_PREFIX}.")
