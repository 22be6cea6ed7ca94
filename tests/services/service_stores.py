"""Bases on a server for one test: each has a name of its own."""

import os
import uuid
from dataclasses import replace
from pathlib import Path

import pytest

from medweave.model.vectors import EXACT
from medweave.ports import GraphStore
from medweave.stores.address import StoreAddress
from medweave.stores.registry import address_of, opener_of
from medweave.testing.store_conformance import StoreConformance
from medweave.testing.vector_conformance import VectorConformance


def service(name: str) -> StoreAddress:
    """The address of a server that a variable names, or all tests of a file are skipped."""
    variable = f"MEDWEAVE_TEST_{name.upper()}"
    url = os.environ.get(variable)
    if not url:
        pytest.skip(f"{variable} names no server", allow_module_level=True)
    return address_of(url)


def new_base(address: StoreAddress) -> StoreAddress:
    """A base that is not there yet, beside all others."""
    return replace(address, base=f"t{uuid.uuid4().hex[:20]}")


def open_at(address: StoreAddress, *, create: bool = False) -> GraphStore:
    """The store that keeps a base."""
    opened = opener_of(address)
    return opened(address, create=create, read_only=False, search=EXACT)


class _OnServer:
    address: StoreAddress

    def open_store(self, tmp_path: Path) -> GraphStore:
        self._last = new_base(self.address)
        return open_at(self._last, create=True)

    def reopen(self, store: GraphStore, tmp_path: Path) -> GraphStore:
        store.close()
        return open_at(self._last)

    def open_beside(self, store: GraphStore, tmp_path: Path) -> GraphStore:
        return open_at(self._last, create=True)


class ServiceConformance(_OnServer, StoreConformance):
    """`StoreConformance` on a server."""


class ServiceVectorConformance(_OnServer, VectorConformance):
    """`VectorConformance` on a server."""
