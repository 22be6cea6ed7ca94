"""Every index of vectors keeps every promise of `VectorIndex`."""

from pathlib import Path

import pytest

from medweave.model.vectors import VectorSearch
from medweave.ports import GraphStore
from medweave.stores.memory import MemoryStore
from medweave.stores.sqlite.store import SqliteStore
from medweave.testing.vector_conformance import VectorConformance


class TestTheSixMethodsAlone(VectorConformance):
    """An index with six methods: all else is derived."""

    def open_store(self, tmp_path: Path) -> GraphStore:
        return MemoryStore()


class TestSqliteVectors(VectorConformance):
    search = VectorSearch()

    @pytest.fixture(autouse=True)
    def _libraries(self) -> None:
        pytest.importorskip("numpy")

    def open_store(self, tmp_path: Path) -> GraphStore:
        return SqliteStore.open(tmp_path / "base.db", create=True, search=self.search)

    def reopen(self, store: GraphStore, tmp_path: Path) -> GraphStore:
        store.close()
        return SqliteStore.open(tmp_path / "base.db", create=False, search=self.search)


class TestSqliteVectorsBySmallNumbers(TestSqliteVectors):
    """By the scalar quantiser of faiss, from the first vector on."""

    search = VectorSearch("sq8", above=0)

    @pytest.fixture(autouse=True)
    def _libraries(self) -> None:
        pytest.importorskip("faiss")


class TestSqliteVectorsByNeighbours(TestSqliteVectorsBySmallNumbers):
    """By the graph of near neighbours of faiss, from the first vector on."""

    search = VectorSearch("hnsw", above=0)
