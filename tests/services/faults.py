"""What can go wrong with a server, as tests: see `service_stores`."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from medweave.app import copy_between, sample_files
from medweave.errors import NotFoundError, StoreBusyError, StoreError, StoreUnreachableError
from medweave.knowledge_base import KnowledgeBase
from medweave.model.edge import statement_number, thing_number
from medweave.stores.address import StoreAddress
from medweave.stores.derived import view_of
from medweave.stores.memory import MemoryStore
from medweave.stores.sqlite.store import SqliteStore
from medweave.stores.versioned.rows import Rows, first_stamp
from medweave.stores.versioned.store import VersionedStore
from medweave.testing.worlds import (
    COLD,
    COUGH,
    FLU,
    SYMPTOM,
    cold_and_flu,
    contents,
    document,
    says,
)
from scripts.services.proxy import Proxy, proxy_to
from scripts.services.questions import ask_all, questions_about
from scripts.services.strangers import stranger_beside
from tests.services.service_stores import new_base, open_at


def _filled(address: StoreAddress) -> StoreAddress:
    """A base with something in it."""
    made = new_base(address)
    store = open_at(made, create=True)
    store.put(cold_and_flu())
    store.close()
    return made


_COPIED = 250
"""Documents of a copy, of which a step takes a hundred."""


class Faults:
    address: StoreAddress
    by_scheme = ""
    """A scheme by which no other address is asked for than the one that is given."""

    @pytest.fixture
    def base(self) -> StoreAddress:
        return _filled(self.address)

    @pytest.fixture
    def proxy(self) -> Iterator[Proxy]:
        with proxy_to(self.address.host, self.address.port or 0) as made:
            yield made

    def _through(self, proxy: Proxy, base: StoreAddress, seconds: float = 2) -> StoreAddress:
        hosts = f"127.0.0.1:{proxy.port}"
        return replace(base, hosts=hosts, timeout=seconds, scheme=self.by_scheme or base.scheme)

    # who is there

    def test_reading_a_base_that_is_not_there_makes_none(self) -> None:
        missing = new_base(self.address)
        for _ in range(2):
            with pytest.raises(NotFoundError):
                open_at(missing)

    def test_opening_a_base_to_write_makes_nothing_yet(self) -> None:
        missing = new_base(self.address)
        open_at(missing, create=True).close()
        with pytest.raises(NotFoundError):
            open_at(missing)

    def test_bases_in_one_database_do_not_see_each_other(self, base: StoreAddress) -> None:
        other = _filled(self.address)
        one, two = open_at(base), open_at(other)
        before = contents(view_of(two))
        assert one.remove([found.id for found in one.documents()]) == 2
        assert one.match() == []
        assert contents(view_of(two)) == before
        one.close()
        two.close()

    def test_data_of_others_stay_as_they_are(self, tmp_path: Path) -> None:
        """While a base is written, emptied, and replaced by another."""
        made, file = new_base(self.address), str(tmp_path / "other.db")
        stranger = stranger_beside(made)
        stranger.put()
        before = stranger.seen()
        assert before
        store = open_at(made, create=True)
        store.put(cold_and_flu())
        store.remove(["cold"])
        store.close()
        other = SqliteStore.open(Path(file), create=True)
        other.put([document("more", says(COLD, SYMPTOM, COUGH))])
        other.close()
        copy_between(file, _url(made), force=True)
        assert stranger.seen() == before

    # the way to the server

    def test_a_server_that_is_not_there(self, base: StoreAddress, proxy: Proxy) -> None:
        proxy.close()
        started = time.monotonic()
        with pytest.raises(StoreUnreachableError) as caught:
            open_at(self._through(proxy, base))
        assert time.monotonic() - started < 5
        assert caught.value.remedy

    def test_a_read_takes_one_turn(self, base: StoreAddress, proxy: Proxy) -> None:
        """The least of some, as a driver may ask in between whether its server is there."""
        store = open_at(self._through(proxy, base, 10))
        store.match(FLU)
        rows: Rows = store._rows  # type: ignore[attr-defined]
        took = []
        for _ in range(5):
            before = proxy.turns
            assert list(rows.find("statement", {"n": [1]}, first_stamp(2), ("n",))) == []
            took.append(proxy.turns - before)
        assert min(took) == 1
        store.close()

    def test_a_connection_that_drops_is_not_noticed(self, base: StoreAddress, proxy: Proxy) -> None:
        store = open_at(self._through(proxy, base, 10))
        assert len(store.match(FLU)) == 2
        proxy.cut()
        assert len(store.match(FLU)) == 2
        proxy.cut()
        store.put([document("more", says(COLD, SYMPTOM, COUGH))])
        assert len(store.documents()) == 3
        store.close()

    def test_a_server_that_hangs(self, base: StoreAddress, proxy: Proxy) -> None:
        store = open_at(self._through(proxy, base))
        proxy.hang()
        started = time.monotonic()
        with pytest.raises(StoreUnreachableError):
            store.match(FLU)
        assert time.monotonic() - started < 6
        proxy.close()
        store.close()

    @pytest.mark.parametrize("pieces", [3, 6, 9, 12, 15])
    def test_a_server_killed_while_something_is_written(
        self, base: StoreAddress, proxy: Proxy, pieces: int
    ) -> None:
        """Others see what was there before, and doing it again leaves nothing lost or doubled."""
        new = [document(f"d{n}", says(COLD, SYMPTOM, f"mw.x:{n}")) for n in range(9)]
        changed = document("cold", says(COLD, SYMPTOM, "mw.x:0"))
        reader, writer = view_of(open_at(base)), open_at(self._through(proxy, base))
        before, version = contents(reader), reader.version()
        proxy.after = pieces
        started = time.monotonic()
        with pytest.raises(StoreError):
            writer.put([*new, changed])
            writer.remove([found.id for found in writer.documents()])
            pytest.fail("it was never killed")
        assert time.monotonic() - started < 6
        writer.close()
        if reader.version() == version:
            assert contents(reader) == before
        again, right = open_at(base), view_of(MemoryStore())
        for store in (again, right):
            store.remove([found.id for found in store.documents()])
            store.put([*cold_and_flu(), *new, changed])
        assert contents(view_of(again)) == contents(right)
        assert again.version().hash == right.version().hash
        reader.close()
        again.close()

    def test_only_one_writes(self, base: StoreAddress) -> None:
        one, two = view_of(open_at(base)), open_at(base)
        with one.writing():
            with pytest.raises(StoreBusyError):
                two.put([document("b")])
            one.put([document("a")])
            assert len(two.documents()) == 3
        two.put([document("b")])
        assert len(one.documents()) == 4
        one.close()
        two.close()

    # upkeep

    def test_a_base_is_checked_and_copied_into_a_file(
        self, base: StoreAddress, tmp_path: Path
    ) -> None:
        store = open_at(base)
        assert isinstance(store, VersionedStore)
        store.set_note("key", "text")
        assert store.check() == []
        store.backup(tmp_path / "copy.db")
        copy = SqliteStore.open(tmp_path / "copy.db", create=False)
        assert contents(view_of(copy)) == contents(view_of(store))
        assert copy.note("key") == "text"
        assert copy.check() == []
        copy.close()
        with pytest.raises(StoreError):
            store.backup(tmp_path / "copy.db")
        [lost, *_] = store.match(COLD)
        rows = store._rows
        rows.end("statement", [statement_number(lost.statement.id)], first_stamp(2))
        rows.end("evidence", [thing_number(store.match(FLU)[0].evidence[0].id)], first_stamp(2))
        assert {problem.what for problem in store.check()} == {
            "hash that is not that of the evidence",
            "counts that are not those of what is there",
            "pieces of evidence without their statement",
            "statements without evidence",
        }
        store.close()

    def test_a_copy_that_is_cut_off_goes_on(
        self, proxy: Proxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """From what is there, to the same hash; until then nobody can open it."""
        monkeypatch.setenv("MEDWEAVE_STORE_TIMEOUT", "30")
        source, target = str(tmp_path / "source.db"), new_base(self.address)
        store = SqliteStore.open(Path(source), create=True)
        store.put(document(f"d{n}", says(COLD, SYMPTOM, f"mw.x:{n}")) for n in range(_COPIED))
        right = store.version().hash
        store.close()

        def cut(done: int, total: int, what: str) -> None:
            if 0 < done < total:
                proxy.close()

        with pytest.raises(StoreError):
            copy_between(source, _url(self._through(proxy, target)), progress=cut)
        with pytest.raises(StoreError, match="unfinished copy"), KnowledgeBase.open(_url(target)):
            pass
        copied = copy_between(source, _url(target))
        assert 0 < copied.already_there < _COPIED
        assert (copied.counts.documents, copied.target.hash) == (_COPIED, right)
        again = open_at(target)
        assert isinstance(again, VersionedStore)
        assert again.check() == []
        again.close()

    # questions

    def test_questions_are_answered_as_from_a_file(self, tmp_path: Path) -> None:
        files = [file for file in sample_files() if file.name.endswith(".en.json")]
        asked = questions_about(files, 1)
        assert len(asked) >= 7
        here = ask_all(str(tmp_path / "base.db"), files, asked)
        there = ask_all(_url(new_base(self.address)), files, asked)
        assert there.hash == here.hash
        assert there.answers == here.answers


def _url(address: StoreAddress) -> str:
    """User and password stand in the environment."""
    return f"{address.scheme}://{address.hosts}/{address.path}?base={address.base}"
