"""A base of version 3 is read as it is; once it is written to, misspelt words are found."""

import sqlite3
from contextlib import closing
from pathlib import Path

from medweave import KnowledgeBase
from medweave.stores.sqlite.store import SqliteStore
from medweave.testing.worlds import cold_and_flu, contents, document, names
from tests.unit.stores.older import take_back


def version_3(path: Path) -> dict[str, object]:
    """Make a base as version 3 had it; what it held."""
    with closing(SqliteStore.open(path, create=True)) as store:
        store.put([*cold_and_flu(), document("last", mentions=names("mw.x:1", "marsh fever"))])
        held = contents(store)
    with closing(sqlite3.connect(path)) as connection:
        take_back(connection, 3)
    return held


def test_its_names_are_found_by_words_like_theirs(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    held = version_3(path)
    with closing(SqliteStore.open(path, create=False)) as store:
        assert contents(store) == held
        assert store.words_like(["mrash"], slips=1) == {"mrash": frozenset({"marsh"})}
        assert store.check() == []
        store.remove([cold_and_flu()[0].document.id])
        assert store.check() == []


def test_it_is_read_before_and_never_changed_by_that(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    version_3(path)
    before = path.read_bytes()
    with closing(SqliteStore.open(path, create=False, read_only=True)) as store:
        assert store.words_like(["mrash"], slips=1) is None
        assert store.named(["marsh fever"])
        [problem, *_] = store.check()
        assert problem.derived
    assert path.read_bytes() == before


def test_nothing_is_taken_for_misspelt_before(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    version_3(path)
    text = "I have marsh feaver and diarhea"
    with KnowledgeBase.open(str(path), read_only=True) as base:
        assert base.understand(text).mentions == ()
    KnowledgeBase.open(str(path)).close()
    with KnowledgeBase.open(str(path), read_only=True) as base:
        found = [mention.text for mention in base.understand(text).mentions]
    assert found == ["marsh feaver", "diarhea"]
