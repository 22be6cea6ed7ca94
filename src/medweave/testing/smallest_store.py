"""The smallest store there can be: the eight methods of `GraphStore`, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from medweave.model.answer import BaseVersion
from medweave.model.document import Document, Extraction
from medweave.model.entity import NameMention
from medweave.model.statement import Literal, SupportedStatement
from medweave.stores.memory import MemoryStore


class SmallestStore:
    """The store in memory without what it does besides.

    >>> sorted(name for name in vars(SmallestStore) if not name.startswith("_"))
    ['close', 'documents', 'match', 'names', 'neighbours', 'put', 'remove', 'version']
    """

    def __init__(self) -> None:
        self._inner = MemoryStore()

    def put(self, extractions: Iterable[Extraction]) -> None:
        """See `GraphStore.put`."""
        self._inner.put(extractions)

    def remove(self, documents: Iterable[str]) -> int:
        """See `GraphStore.remove`."""
        return self._inner.remove(documents)

    def match(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | Literal | None = None,
        *,
        limit: int | None = None,
    ) -> list[SupportedStatement]:
        """See `GraphStore.match`."""
        return self._inner.match(subject, predicate, object, limit=limit)

    def neighbours(
        self, entities: Iterable[str], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[SupportedStatement]:
        """See `GraphStore.neighbours`."""
        return self._inner.neighbours(entities, predicates, cap=cap)

    def documents(
        self, identifiers: Iterable[str] | None = None, *, source: str | None = None
    ) -> list[Document]:
        """See `GraphStore.documents`."""
        return self._inner.documents(identifiers, source=source)

    def names(self, entities: Iterable[str] | None = None) -> Iterator[tuple[NameMention, str]]:
        """See `GraphStore.names`."""
        return self._inner.names(entities)

    def version(self) -> BaseVersion:
        """See `GraphStore.version`."""
        return self._inner.version()

    def close(self) -> None:
        """See `GraphStore.close`."""
