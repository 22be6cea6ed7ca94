"""What a thing is, read off everything its documents and the lexicon call it.

Names and concepts are computed here, when they are read. Nothing of it is stored, so nothing of it
can be out of date.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from medweave.model.entity import Entity
from medweave.model.identifiers import normalise_name
from medweave.ports import MentionCount, StoreView
from medweave.vocabulary.lexicon import Lexicon
from medweave.vocabulary.vocabulary import Vocabulary

KEPT = 50_000
"""So many resolved things are kept in memory."""


@dataclass
class Entities:
    """The things of a base by identifier, resolved once each."""

    store: StoreView
    vocabulary: Vocabulary
    lexicon: Lexicon
    _known: dict[str, Entity] = field(default_factory=dict)

    def get(self, identifier: str) -> Entity:
        """The thing with this identifier; one nobody ever named is called by its identifier."""
        known = self._known.get(identifier)
        return self.all([identifier])[identifier] if known is None else known

    def all(self, identifiers: Iterable[str]) -> dict[str, Entity]:
        """The things with these identifiers."""
        wanted = list(dict.fromkeys(identifiers))
        if len(self._known) > KEPT:  # whoever asks for long must not hold a whole base
            self._known.clear()
        known = {identifier: self._known.get(identifier) for identifier in wanted}
        read = self._read([identifier for identifier, one in known.items() if one is None])
        self._known.update(read)  # another thread may forget all of it at any time
        return {identifier: one or read[identifier] for identifier, one in known.items()}

    def names_as_pattern(self, identifiers: Iterable[str]) -> str:
        """A regular expression for any name of some things, whole words of letters; "" for none."""
        names = [name for one in identifiers for name in self.get(one).all_names()]
        return "|".join(rf"\b{re.escape(n)}\b" if n.isascii() else re.escape(n) for n in names)

    def _read(self, missing: list[str]) -> dict[str, Entity]:
        if not missing:
            return {}
        mentions: dict[str, list[MentionCount]] = {identifier: [] for identifier in missing}
        for count in self.store.mentions(missing):
            mentions[count.mention.entity].append(count)
        return {
            identifier: resolve(identifier, mentions[identifier], self.vocabulary, self.lexicon)
            for identifier in missing
        }


def resolve(
    identifier: str, mentions: Iterable[MentionCount], vocabulary: Vocabulary, lexicon: Lexicon
) -> Entity:
    """One thing out of all its typed mentions.

    Its concept is the most frequent one, ties going to the concept of higher priority. The
    lexicon's names come first, then a language's names by how many documents use them.
    """
    mentions = list(mentions)
    term = lexicon.terms.get(identifier)
    concepts = Counter[str]()
    names: dict[str, Counter[str]] = {}
    for count in mentions:
        concepts[count.mention.concept] += count.documents
        weight = count.documents * (1000 if count.mention.preferred else 1)
        names.setdefault(count.mention.language, Counter())[count.mention.name] += weight
    if not concepts and term:
        concepts[term.concept] = 1
    ranked = ranked_concepts(concepts, vocabulary)
    xrefs = {count.mention.xref for count in mentions if count.mention.xref}
    return Entity(
        id=identifier,
        concept=ranked[0] if ranked else "thing",
        names=_names(names, dict(term.names) if term else {}),
        concepts=tuple(ranked),
        xrefs=tuple(sorted(xrefs | set(term.xrefs if term else ()))),
    )


def ranked_concepts(votes: Mapping[str, int], vocabulary: Vocabulary) -> list[str]:
    """Concepts by how many documents mention a thing as them; ties by priority, then by name."""
    return sorted(votes, key=lambda name: (-votes[name], -_priority(name, vocabulary), name))


def _priority(concept: str, vocabulary: Vocabulary) -> int:
    found = vocabulary.concepts.get(concept)
    return found.priority if found else 0


def _names(
    counted: dict[str, Counter[str]], known: dict[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """All names of each language, the same name in two spellings once."""
    result: dict[str, tuple[str, ...]] = {}
    for language in sorted({*counted, *known}):
        count = counted.get(language, Counter())
        spelled = sorted(count, key=lambda name: (-count[name], name))
        names: dict[str, str] = {}
        for name in (*known.get(language, ()), *spelled):
            names.setdefault(normalise_name(name), name)
        result[language] = tuple(names.values())
    return result
