"""Names that deserve a look: things that may be one, and names that may be several things.

Nothing is merged here. What the base takes together and what it keeps apart follows from
identifiers and families (`Knowledge.alike`); this says where that might be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from medweave.language.folding import name_key, singular
from medweave.model.answer import ALL_HEARD, Heard
from medweave.model.entity import NameMention
from medweave.model.json_form import json_of
from medweave.vocabulary.knowledge import Knowledge

EXAMPLES = 20
"""So many examples of each kind are kept, those that most documents mention."""
_SMALL_WORDS = frozenset({"of", "the", "a", "an", "and", "in", "with", "to", "for", "due"})
_SPELLINGS = (("ae", "e"), ("oe", "e"), ("our", "or"), ("ph", "f"), ("isation", "ization"))
_WORDS = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Finding:
    """A name, what bears it, and how many documents say so."""

    names: tuple[str, ...]
    entities: tuple[str, ...]
    concepts: tuple[str, ...]
    documents: int

    def to_json(self) -> dict[str, Any]:
        """The finding as one JSON object."""
        return json_of(self, "names entities concepts documents")


@dataclass
class Kind:
    """All findings of one kind: how many, and the most mentioned of them."""

    count: int = 0
    examples: list[Finding] = field(default_factory=list)

    def add(self, finding: Finding) -> None:
        """Count a finding, and keep it if it is among the most mentioned."""
        self.count += 1
        self.examples.append(finding)
        if len(self.examples) > 2 * EXAMPLES:
            self.settle()

    def settle(self) -> None:
        """Keep the most mentioned."""
        self.examples.sort(key=lambda found: (-found.documents, found.names))
        del self.examples[EXAMPLES:]

    def to_json(self) -> dict[str, Any]:
        """The kind as one JSON object."""
        return {"count": self.count, "examples": [found.to_json() for found in self.examples]}


@dataclass
class Duplicates:
    """What a look at all names of a base finds."""

    taken_together: Kind = field(default_factory=Kind)
    """One name and family, several identifiers that do not contradict each other: one thing."""
    kept_apart: Kind = field(default_factory=Kind)
    """One name and family, but different identifiers in one vocabulary, or a name that is only
    another name of one of them."""
    several_concepts: Kind = field(default_factory=Kind)
    """One thing that sources hold for several kinds of thing."""
    several_families: Kind = field(default_factory=Kind)
    """One name for things of different families, which are never taken together."""
    spelled_alike: Kind = field(default_factory=Kind)
    """Different names, of one family, that may only be spelled or ordered differently."""
    heard: Heard = ALL_HEARD

    def to_json(self) -> dict[str, Any]:
        """The report as one JSON object."""
        return {name: getattr(self, name).to_json() for name in _KINDS} | self.heard.to_json()


_KINDS = tuple(name for name in Duplicates.__dataclass_fields__ if name != "heard")


@dataclass(frozen=True, slots=True)
class _Borne:
    """A key, everything that bears a name of it, and how often."""

    key: str
    mentions: tuple[NameMention, ...]
    documents: int


def duplicates(knowledge: Knowledge) -> Duplicates:
    """Look at all names of a base; memory grows with the number of names, not of statements."""
    found = Duplicates()
    signatures: dict[tuple[str, str], list[tuple[str, str, int]]] = {}
    for borne in _borne(knowledge):
        _look(borne, knowledge, found)
        for family in {knowledge.vocabulary.family(m.concept) for m in borne.mentions}:
            signature = _signature(borne.key)
            if signature:
                entity = borne.mentions[0].entity
                signatures.setdefault((family, signature), []).append(
                    (borne.mentions[0].name, entity, borne.documents)
                )
    for (family, _), names in signatures.items():
        entities = tuple(dict.fromkeys(entity for _, entity, _ in names))
        if len(names) > 1 and len(entities) > 1:
            together = sum(documents for _, _, documents in names)
            shown = tuple(name for name, _, _ in names)
            found.spelled_alike.add(Finding(shown, entities, (family,), together))
    for name in _KINDS:
        getattr(found, name).settle()
    return found


def _borne(knowledge: Knowledge) -> Iterator[_Borne]:
    counts = knowledge.store.all_names()
    for key, group in groupby(counts, key=lambda count: name_key(count.mention.name)):
        some = list(group)
        yield _Borne(key, tuple(c.mention for c in some), sum(c.documents for c in some))


def _look(borne: _Borne, knowledge: Knowledge, found: Duplicates) -> None:
    by_family: dict[str, dict[str, None]] = {}
    concepts: dict[str, set[str]] = {}
    for mention in borne.mentions:
        family = knowledge.vocabulary.family(mention.concept)
        by_family.setdefault(family, {})[mention.entity] = None
        concepts.setdefault(mention.entity, set()).add(mention.concept)
    for entity, some in concepts.items():
        if len(some) > 1:
            found.several_concepts.add(_finding(borne, [entity], some))
    if len(by_family) > 1:
        everything = [entity for entities in by_family.values() for entity in entities]
        found.several_families.add(_finding(borne, everything, set().union(*concepts.values())))
    for entities in by_family.values():
        if len(entities) > 1:
            alike = knowledge.alike(entities)
            together = all(set(entities) <= set(same) for same in alike.values())
            kind = found.taken_together if together else found.kept_apart
            kind.add(_finding(borne, entities, set().union(*(concepts[e] for e in entities))))


def _finding(borne: _Borne, entities: Iterable[str], concepts: set[str]) -> Finding:
    wanted = set(entities)
    names = dict.fromkeys(m.name for m in borne.mentions if m.entity in wanted)
    return Finding(tuple(names), tuple(sorted(wanted)), tuple(sorted(concepts)), borne.documents)


def _signature(key: str) -> str:
    """What is left of an English name without order, small words and ways of spelling.

    >>> _signature("cancer of the breast") == _signature("breast cancers")
    True
    >>> _signature("anaemia") == _signature("anemia")
    True
    """
    if not key.isascii():
        return ""
    words = sorted({singular(word) for word in _WORDS.findall(key)} - _SMALL_WORDS)
    text = " ".join(words)
    for british, american in _SPELLINGS:
        text = text.replace(british, american)
    return text
