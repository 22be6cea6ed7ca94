"""A base of version 2 learns the words of its names."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from medweave.errors import StoreVersionError
from medweave.stores.sqlite.store import SqliteStore
from medweave.testing.worlds import cold_and_flu, contents
from tests.unit.stores.older import take_back


def version_2(path: Path) -> dict[str, object]:
    """Make a base as version 2 had it; what it held."""
    with closing(SqliteStore.open(path, create=True)) as store:
        store.put(cold_and_flu())
        held = contents(store)
    with closing(sqlite3.connect(path)) as connection:
        take_back(connection, 2)
    return held


def test_its_names_are_found_by_their_words(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    held = version_2(path)
    with closing(SqliteStore.open(path, create=False)) as store:
        assert contents(store) == held
        assert store.check() == []
        store.remove([cold_and_flu()[0].document.id])
        assert store.check() == []


def test_reading_alone_never_changes_it(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    version_2(path)
    with pytest.raises(StoreVersionError, match="schema version 2"):
        SqliteStore.open(path, create=False, read_only=True)
