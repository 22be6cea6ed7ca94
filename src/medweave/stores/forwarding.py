"""The eight methods of a store, each done by another store: what a store around another changes
is then all that it has to say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from medweave.model.answer import BaseVersion
from medweave.model.document import Document, Extraction
from medweave.model.entity import NameMention
from medweave.model.statement import Literal, SupportedStatement
from medweave.ports import GraphStore


class ForwardingStore:
    """A store that is as another one is, and nothing besides.

    >>> sorted(name for name in vars(ForwardingStore) if not name.startswith("_"))
    ['close', 'documents', 'match', 'names', 'neighbours', 'put', 'remove', 'version']
    """

    def __init__(self, store: GraphStore) -> None:
        self.store = store
        """The other one."""

    def put(self, extractions: Iterable[Extraction]) -> None:
        self.store.put(extractions)

    def remove(self, documents: Iterable[str]) -> int:
        return self.store.remove(documents)

    def match(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | Literal | None = None,
        *,
        limit: int | None = None,
    ) -> list[SupportedStatement]:
        return self.store.match(subject, predicate, object, limit=limit)

    def neighbours(
        self, entities: Iterable[str], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[SupportedStatement]:
        return self.store.neighbours(entities, predicates, cap=cap)

    def documents(
        self, identifiers: Iterable[str] | None = None, *, source: str | None = None
    ) -> list[Document]:
        return self.store.documents(identifiers, source=source)

    def names(self, entities: Iterable[str] | None = None) -> Iterator[tuple[NameMention, str]]:
        return self.store.names(entities)

    def version(self) -> BaseVersion:
        return self.store.version()

    def close(self) -> None:
        self.store.close()
