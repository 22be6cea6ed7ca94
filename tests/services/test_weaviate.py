"""Weaviate keeps every promise of `VectorIndex`, beside a base in a file."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from medweave.ports import GraphStore
from medweave.stores.address import StoreAddress
from medweave.stores.sqlite.store import SqliteStore
from medweave.testing.vector_conformance import VectorConformance
from tests.services.service_stores import new_base

URL = os.environ.get("MEDWEAVE_TEST_WEAVIATE")
if not URL:
    pytest.skip("MEDWEAVE_TEST_WEAVIATE names no server", allow_module_level=True)

from medweave.stores.weaviate_beside import beside  # noqa: E402 - where there is a server

ADDRESS = StoreAddress.of(URL)


class TestWeaviateVectors(VectorConformance):
    def open_store(self, tmp_path: Path) -> GraphStore:
        self._last = new_base(ADDRESS)
        return self._open(tmp_path)

    def reopen(self, store: GraphStore, tmp_path: Path) -> GraphStore:
        store.close()
        return self._open(tmp_path)

    def _open(self, tmp_path: Path) -> GraphStore:
        store = SqliteStore.open(tmp_path / "base.db", create=True)
        return beside(store, self._last, read_only=False)
