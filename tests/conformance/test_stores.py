"""Every store keeps every promise of `medweave.ports`."""

from pathlib import Path

from medweave.ports import GraphStore
from medweave.stores.memory import MemoryStore
from medweave.stores.sqlite.store import SqliteStore
from medweave.testing.smallest_store import SmallestStore
from medweave.testing.store_conformance import StoreConformance


class TestMemoryStore(StoreConformance):
    def open_store(self, tmp_path: Path) -> GraphStore:
        return MemoryStore()


class TestTheEightMethodsAlone(StoreConformance):
    """A store that can nothing else: all else is derived."""

    def open_store(self, tmp_path: Path) -> GraphStore:
        return SmallestStore()


class TestSqliteStore(StoreConformance):
    def open_store(self, tmp_path: Path) -> GraphStore:
        return SqliteStore.open(tmp_path / "base.db", create=True)

    def reopen(self, store: GraphStore, tmp_path: Path) -> GraphStore:
        store.close()
        return SqliteStore.open(tmp_path / "base.db", create=False)

    def open_beside(self, store: GraphStore, tmp_path: Path) -> GraphStore:
        return SqliteStore.open(tmp_path / "base.db", create=False)
