"""All that a base holds, as every format of exchange writes and reads it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from medweave.errors import SourceError
from medweave.model.contributions import contributions_from
from medweave.model.document import Document, Extraction
from medweave.model.entity import NameMention
from medweave.model.statement import Activity, Evidence, SupportedStatement
from medweave.ports import StoreView

NOTES = ("domain", "vocabulary")
"""Under which a base remembers what it is about, and the words that were added."""


@dataclass(frozen=True, slots=True)
class Contents:
    """A base at one revision; equal contents make bases of equal hash."""

    documents: tuple[Document, ...]
    """By source and name."""
    build_keys: Mapping[str, str]
    """Document id to build key, where one is known."""
    activities: tuple[Activity, ...]
    names: Mapping[str, tuple[tuple[NameMention, tuple[str, ...]], ...]]
    """By thing: each different mention, with the ids of the documents that make it."""
    statements: tuple[SupportedStatement, ...]
    """By id."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """What the base remembers of itself: its domain, and words that its owner added."""

    @property
    def things(self) -> tuple[str, ...]:
        """Every thing that is named, or stands at an end of a statement, in order."""
        found = set(self.names)
        for supported in self.statements:
            found.update(supported.statement.entities)
        return tuple(sorted(found))

    def counts(self) -> dict[str, int]:
        """How much it holds of what."""
        return {
            "documents": len(self.documents),
            "names": sum(len(named) for named in self.names.values()),
            "statements": len(self.statements),
            "evidence": sum(len(each.evidence) for each in self.statements),
            "cited": sum(
                len(i.cites) + len(i.premises) for s in self.statements for i in s.evidence
            ),
        }


def contents_of(store: StoreView) -> Contents:
    """Everything of a base, read at one revision."""
    with store.snapshot():
        documents = tuple(store.documents())
        keys = {
            document: key
            for source in sorted({document.source for document in documents})
            for document, key in store.build_keys(source).items()
            if key
        }
        return Contents(
            documents,
            dict(sorted(keys.items())),
            tuple(store.activities()),
            _grouped(store.names()),
            tuple(sorted(store.match(), key=lambda supported: supported.statement.id)),
            {name: note for name in NOTES if (note := store.note(name))},
        )


def _grouped(
    named: Iterable[tuple[NameMention, str]],
) -> dict[str, tuple[tuple[NameMention, tuple[str, ...]], ...]]:
    documents: dict[NameMention, set[str]] = defaultdict(set)
    for mention, document in named:
        documents[mention].add(document)
    of_things: dict[str, list[tuple[NameMention, tuple[str, ...]]]] = defaultdict(list)
    for mention in sorted(documents, key=_mention_order):
        of_things[mention.entity].append((mention, tuple(sorted(documents[mention]))))
    return {thing: tuple(of_things[thing]) for thing in sorted(of_things)}


def _mention_order(mention: NameMention) -> tuple[str, bool, str, str, str, str]:
    preferred = not mention.preferred
    return (
        mention.entity,
        preferred,
        mention.language,
        mention.name,
        mention.concept,
        mention.xref,
    )


def extractions_of(contents: Contents) -> Iterator[Extraction]:
    """The contents, document by document, as a store takes them."""
    yield from contributions_from(
        contents.documents,
        contents.build_keys,
        (each.statement for each in contents.statements),
        (item for each in contents.statements for item in each.evidence),
        names=(
            (mention, identifier)
            for named in contents.names.values()
            for mention, documents in named
            for identifier in documents
        ),
        activities=contents.activities,
    )


def check_whole(contents: Contents, where: str) -> None:
    """See that evidence belongs to its statement and to a document, and names to documents.

    Raises `SourceError` where a part is missing.
    """
    documents = {document.id for document in contents.documents}
    for supported in contents.statements:
        if not supported.evidence:
            raise _missing("the evidence", supported.statement.id, where)
        for item in supported.evidence:
            _check_evidence(item, supported.statement.id, documents, where)
    for named in contents.names.values():
        for mention, of in named:
            if lost := next((each for each in of if each not in documents), ""):
                raise _missing(f"the document {lost}", f"the name '{mention.name}'", where)


def check_counts(contents: Contents, counts: Mapping[str, Any] | None, where: str) -> None:
    """See that nothing was lost or added since `counts` were written; None: they are lost.

    Raises `SourceError`.
    """
    held = contents.counts().items()
    if counts is None or any(count != counts.get(name, count) for name, count in held):
        raise SourceError(
            "it holds less, or more, than was written", where=where, remedy="export it again"
        )


def _check_evidence(item: Evidence, of: str, documents: set[str], where: str) -> None:
    shares = all(0 <= share <= 1 for share in (item.strength, item.confidence))
    if item.document not in documents:
        raise _missing(f"the document {item.document}", of, where)
    if item.statement != of or abs(item.polarity) != 1 or not shares:
        raise SourceError(
            f"evidence of {of} belongs to another statement, or its numbers are out of bounds",
            where=where,
            remedy="leave the rows as they were exported",
        )


def _missing(what: str, of: str, where: str) -> SourceError:
    remedy = "export it again; a part of it is missing"
    return SourceError(f"{what} of {of} is missing", where=where, remedy=remedy)
