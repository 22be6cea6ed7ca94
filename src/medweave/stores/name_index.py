"""The names of a base in memory: found by their keys, beginnings, words and misspellings."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property

from medweave.language.folding import name_key
from medweave.language.slips import Spelling, name_words
from medweave.language.stems import name_stems
from medweave.model.edge import thing_number
from medweave.model.entity import NameMention
from medweave.ports import MentionCount, SharedName


class NameIndex:
    """All names of one revision. See `SupportsNames` and `SupportsWords` for what is promised."""

    def __init__(self, rows: Iterable[tuple[NameMention, str]]) -> None:
        """`rows` are what `GraphStore.names` gives."""
        documents: defaultdict[NameMention, set[str]] = defaultdict(set)
        for mention, document in rows:
            documents[mention].add(document)
        self._documents = {mention: documents[mention] for mention in sorted(documents, key=_order)}

    @cached_property
    def _of_entity(self) -> dict[str, list[NameMention]]:
        found: defaultdict[str, list[NameMention]] = defaultdict(list)
        for mention in self._documents:
            found[mention.entity].append(mention)
        return dict(found)

    @cached_property
    def _of_key(self) -> dict[str, list[NameMention]]:
        found: defaultdict[str, list[NameMention]] = defaultdict(list)
        for mention in self._documents:
            found[name_key(mention.name)].append(mention)
        return {key: found[key] for key in sorted(found)}

    @cached_property
    def _keys(self) -> list[str]:
        return list(self._of_key)

    @cached_property
    def _spelling(self) -> Spelling:
        return Spelling(word for key in self._keys for word in name_words(key))

    @cached_property
    def _stems(self) -> dict[NameMention, frozenset[str]]:
        return {mention: name_stems(mention.name) for mention in self._documents}

    @property
    def entities(self) -> Iterable[str]:
        """All things that are named."""
        return self._of_entity

    def mentions(self, entities: Iterable[str] | None = None) -> list[MentionCount]:
        chosen = self._of_entity if entities is None else sorted(set(entities))
        return self._counted(m for entity in chosen for m in self._of_entity.get(entity, ()))

    def named(self, keys: Iterable[str]) -> list[MentionCount]:
        found = (m for key in set(keys) for m in self._of_key.get(key, ()))
        return self._counted(sorted(found, key=_order))

    def all_names(self) -> Iterator[MentionCount]:
        yield from self._counted(m for mentions in self._of_key.values() for m in mentions)

    def by_cross_reference(self, identifiers: Iterable[str]) -> dict[str, list[str]]:
        xrefs = set(identifiers) - {""}
        found: dict[str, set[str]] = {}
        for mention in self._documents:
            if mention.xref in xrefs:
                found.setdefault(mention.xref, set()).add(mention.entity)
        return {identifier: sorted(found[identifier]) for identifier in sorted(found)}

    def concept_votes(self) -> Iterator[tuple[str, dict[str, int]]]:
        for entity, mentions in self._of_entity.items():
            votes: Counter[str] = Counter()
            for mention in mentions:
                votes[mention.concept] += len(self._documents[mention])
            yield entity, dict(votes)

    def count_mentioned_as(self, concept: str) -> int:
        return len({m.entity for m in self._documents if m.concept == concept})

    def naming_documents(self, entity: str, limit: int) -> list[tuple[NameMention, str]]:
        return [
            (mention, document)
            for mention in self._of_entity.get(entity, ())
            for document in sorted(self._documents[mention])[:limit]
        ]

    def begun(self, beginnings: Iterable[str]) -> set[str]:
        return {text for text in beginnings if self._begins(text)}

    def _begins(self, text: str) -> bool:
        place = bisect_left(self._keys, text)
        return place < len(self._keys) and self._keys[place].startswith(text)

    def sharing_words(
        self, words: Iterable[str], concepts: Iterable[str], limit: int
    ) -> list[SharedName]:
        query_stems, among = set(words), set(concepts)
        found = [
            SharedName(thing_number(mention.entity), stems & query_stems, len(stems))
            for mention, stems in self._stems.items()
            if mention.concept in among and stems & query_stems
        ]
        return sorted(found, key=lambda name: (-name.share, name.thing))[:limit]

    def count_by_word(self, words: Iterable[str], concepts: Iterable[str]) -> dict[str, int]:
        query_stems, among = set(words), set(concepts)
        having = {
            (mention.entity, word)
            for mention, stems in self._stems.items()
            if mention.concept in among
            for word in stems & query_stems
        }
        return dict(Counter(word for _, word in having))

    def words_like(self, words: Iterable[str], slips: int) -> dict[str, frozenset[str]]:
        found = {word: self._spelling.like(word, slips) for word in words}
        return {word: like for word, like in found.items() if like}

    def _counted(self, mentions: Iterable[NameMention]) -> list[MentionCount]:
        return [MentionCount(mention, len(self._documents[mention])) for mention in mentions]


def _order(mention: NameMention) -> tuple[str, str, str, str, bool, str]:
    return (
        mention.entity,
        mention.language,
        mention.name,
        mention.concept,
        not mention.preferred,
        mention.xref,
    )
