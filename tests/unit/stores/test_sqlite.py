"""What only a file can do: be missing, foreign, newer, full, locked, or cut off in mid-write."""

import multiprocessing
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import cast

import pytest

from medweave.errors import NotFoundError, StoreBusyError, StoreError, StoreVersionError
from medweave.model.document import Extraction
from medweave.model.statement import SupportedStatement
from medweave.stores.sqlite import opening as adapter
from medweave.stores.sqlite.schema import APPLICATION_ID, SCHEMA_VERSION, check, make
from medweave.stores.sqlite.store import SqliteStore
from medweave.testing.worlds import (
    COLD,
    COUGH,
    SYMPTOM,
    contents,
    document,
    names,
    recomputed_hash,
    says,
)


def some(number: int, text: str = "a cough") -> Extraction:
    spokes = [f"mw.condition:{number}x{n}" for n in range(5)]
    claims = [says(COLD, SYMPTOM, COUGH), *(says(COLD, SYMPTOM, spoke) for spoke in spokes)]
    return document(f"d{number}", *claims, text=text, mentions=names(COLD, "cold"))


def made(path: Path, documents: int = 3) -> Path:
    with closing(SqliteStore.open(path, create=True)) as store:
        store.put(some(n) for n in range(documents))
    return path


def reading(path: Path) -> SqliteStore:
    return SqliteStore.open(path, create=False, read_only=True)


class TestOpening:
    def test_a_base_is_made_where_there_is_none(self, tmp_path: Path) -> None:
        path = tmp_path / "new.db"
        SqliteStore.open(path, create=True).close()
        assert path.exists()

    def test_opening_again_changes_nothing(self, tmp_path: Path) -> None:
        path = made(tmp_path / "kb.db")
        with closing(SqliteStore.open(path, create=True)) as store:
            before, version = contents(store), store.version()
        for again in (SqliteStore.open(path, create=False), reading(path)):
            with closing(again):
                assert (contents(again), again.version()) == (before, version)

    @pytest.mark.parametrize("name", ["感冒 #1?.db", "a%20b.db", "q'uote.db", "no suffix"])
    def test_any_file_name_will_do(self, tmp_path: Path, name: str) -> None:
        made(tmp_path / name)
        assert [p.name for p in tmp_path.iterdir()] == [name]
        with closing(reading(tmp_path / name)) as store:
            assert store.counts().documents == 3

    def test_an_empty_file_becomes_a_base(self, tmp_path: Path) -> None:
        (tmp_path / "kb.db").touch()
        assert made(tmp_path / "kb.db").stat().st_size > 0

    def test_a_reader_cannot_write(self, tmp_path: Path) -> None:
        path = made(tmp_path / "kb.db")
        with closing(reading(path)) as store:
            with pytest.raises(StoreError):
                store.put([some(9)])
            assert store.counts().documents == 3

    def test_many_may_make_the_same_base_at_once(self, tmp_path: Path) -> None:
        path = tmp_path / "kb.db"
        tasks = [Thread(target=made, args=(path,)) for _ in range(4)]
        for task in tasks:
            task.start()
        for task in tasks:
            task.join()
        with closing(reading(path)) as store:
            assert store.counts().documents == 3
            assert store.version().hash == recomputed_hash(store)


class TestRefusing:
    def refused(self, path: Path, kind: type[StoreError] = StoreError) -> StoreError:
        before = path.read_bytes() if path.is_file() else None
        errors = []
        for read_only in (True, False):
            with pytest.raises(kind) as caught:
                SqliteStore.open(path, create=not read_only, read_only=read_only)
            errors.append(caught.value)
        assert before is None or path.read_bytes() == before
        assert all(error.where == str(path) and error.remedy for error in errors)
        return errors[-1]

    def test_a_folder(self, tmp_path: Path) -> None:
        assert "folder" in self.refused(tmp_path).what

    @pytest.mark.parametrize("size", [2, 50, 511, 512, 4096, 20_000])
    def test_random_bytes(self, tmp_path: Path, size: int) -> None:
        path = tmp_path / "kb.db"
        path.write_bytes(random.Random(size).randbytes(size))
        assert "not a medweave base" in self.refused(path).what

    def test_a_foreign_sqlite_file(self, tmp_path: Path) -> None:
        path = tmp_path / "other.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE statement (mine TEXT)")
            connection.commit()
        assert "not a medweave base" in self.refused(path).what

    def test_a_newer_schema_version(self, tmp_path: Path) -> None:
        path = made(tmp_path / "kb.db")
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        assert self.refused(path, StoreVersionError).remedy == "upgrade medweave"

    def test_a_base_cut_short(self, tmp_path: Path) -> None:
        path = made(tmp_path / "kb.db", 50)
        path.write_bytes(path.read_bytes()[:20_000])
        with pytest.raises(StoreError), closing(reading(path)) as store:
            contents(store)

    def test_a_path_that_cannot_be(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        for path in (tmp_path / "none" / "kb.db", tmp_path / "file" / "kb.db"):
            with pytest.raises(StoreError):
                SqliteStore.open(path, create=True)

    def test_a_name_too_long(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError):
            SqliteStore.open(tmp_path / ("x" * 5000), create=True)

    @pytest.mark.parametrize("read_only", [True, False])
    def test_a_missing_base_is_not_made_by_asking(self, tmp_path: Path, read_only: bool) -> None:
        path = tmp_path / "none.db"
        with pytest.raises(NotFoundError):
            SqliteStore.open(path, create=False, read_only=read_only)
        assert not path.exists()


def as_another_user(task: Callable[[], None]) -> int:
    """The exit code of a process that runs `task` without the rights of root."""

    def run() -> None:
        if os.getuid() == 0:
            os.setuid(65534)
        task()

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    process.join()
    return process.exitcode or 0


class TestAFolderOneMayNotWriteTo:
    @pytest.fixture
    def sealed(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory() as name:
            path = made(Path(name) / "kb.db")
            path.chmod(0o444)
            Path(name).chmod(0o555)
            yield path
            Path(name).chmod(0o755)

    def test_its_base_can_be_read(self, sealed: Path) -> None:
        def task() -> None:
            with closing(reading(sealed)) as store:
                assert store.counts().documents == 3

        assert as_another_user(task) == 0

    def test_its_base_cannot_be_written(self, sealed: Path) -> None:
        def task() -> None:
            with pytest.raises(StoreError), closing(SqliteStore.open(sealed, create=True)) as store:
                store.put([some(9)])

        assert as_another_user(task) == 0

    def test_no_base_can_be_made_in_it(self, sealed: Path) -> None:
        def task() -> None:
            with pytest.raises(StoreError):
                SqliteStore.open(sealed.with_name("new.db"), create=True)

        assert as_another_user(task) == 0


def test_activities_that_no_evidence_names_are_not_kept(tmp_path: Path) -> None:
    premise = document("premise")
    links = document("links", says(COLD, SYMPTOM, COUGH, premises=(premise.document.id,)))
    with closing(SqliteStore.open(tmp_path / "kb.db", create=True)) as store:

        def kept() -> int:
            return int(store._all("SELECT COUNT(*) FROM activity")[0][0])

        store.put([premise])
        assert kept() == 0
        store.put([links])
        assert kept() == 1
        store.remove([premise.document.id])
        assert (store.counts().documents, kept()) == (1, 0)
        store.put([some(1), some(2)])
        store.remove([some(1).document.id])
        assert kept() == 1
        store.put([document("d2")])
        assert kept() == 0


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    path = made(tmp_path / "kb.db")
    with closing(SqliteStore.open(path, create=False)) as store:
        before, version = contents(store), store.version()
        pages = store._all("PRAGMA page_count")[0][0]
        store._all(f"PRAGMA max_page_count = {pages + 5}")
        with pytest.raises(StoreError, match="disk is full"):
            store.put(some(n, text="word " * 2000) for n in range(100, 200))
        assert (contents(store), store.version()) == (before, version)
        store._all("PRAGMA max_page_count = 1000000")
        store.put([some(100)])
        assert store.version().hash == recomputed_hash(store)


class TestTogether:
    def test_a_second_writer_is_told_and_nothing_is_lost(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(adapter, "BUSY_SECONDS", 0.05)
        path = made(tmp_path / "kb.db")
        with (
            closing(SqliteStore.open(path, create=False)) as one,
            closing(SqliteStore.open(path, create=False)) as other,
        ):
            with one.transaction():
                one.put([some(10)])
                with pytest.raises(StoreBusyError):
                    other.put([some(11)])
                with pytest.raises(StoreBusyError):
                    other.set_note("a", "b")
                assert other.counts().documents == 3
            other.put([some(11)])
            assert one.counts().documents == other.counts().documents == 5
            assert one.version() == other.version()
            assert one.version().hash == recomputed_hash(other)

    def test_a_writer_waits_for_one_that_is_soon_done(self, tmp_path: Path) -> None:
        path = made(tmp_path / "kb.db")
        writers = [Thread(target=self.write, args=(path, n)) for n in (100, 200, 300)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        with closing(reading(path)) as store:
            assert store.counts().documents == 3 + 3 * 20
            assert store.version().hash == recomputed_hash(store)

    def write(self, path: Path, start: int) -> None:
        with closing(SqliteStore.open(path, create=False)) as store:
            for n in range(start, start + 20):
                store.put([some(n)])

    def test_threads_read_beside_a_writer(self, tmp_path: Path) -> None:
        """Each reader sees statements that have evidence, and what is committed stays."""
        path = made(tmp_path / "kb.db")
        done: list[bool] = []
        troubles: list[list[SupportedStatement]] = []
        rounds: list[int] = []

        def read() -> None:
            with closing(reading(path)) as store:
                while not done:
                    found = store.match()
                    if not found or not all(item.evidence for item in found):
                        troubles.append(found)
                    rounds.append(len(store.neighbours([COUGH], [SYMPTOM])[0].evidence))
                    store.search_text("cough")

        readers = [Thread(target=read) for _ in range(3)]
        for reader in readers:
            reader.start()
        with closing(SqliteStore.open(path, create=False)) as store:
            for n in range(60):
                store.put([some(n % 7, text=f"cough {n}")])
                store.remove([some(6).document.id])
        done.append(True)
        for reader in readers:
            reader.join()
        assert not troubles
        assert len(rounds) >= 3
        assert min(rounds) >= 3

    def test_a_snapshot_reads_one_revision(self, tmp_path: Path) -> None:
        path = made(tmp_path / "kb.db")
        with closing(reading(path)) as store, closing(SqliteStore.open(path, create=True)) as other:
            with store.snapshot(), store.snapshot():
                before, version = contents(store), store.version()
                other.remove([some(0).document.id])
                assert (contents(store), store.version()) == (before, version)
            assert store.version() == other.version() != version
            with pytest.raises(KeyError), store.snapshot():
                raise KeyError("on purpose")
            other.put([some(0)])
            assert store.version() == other.version()

    def test_processes_read_beside_a_writer(self, tmp_path: Path) -> None:
        path = made(tmp_path / "kb.db")
        readers = [
            subprocess.Popen([sys.executable, "-c", READER, str(path)], stdout=subprocess.PIPE)
            for _ in range(2)
        ]
        for reader in readers:
            assert reader.stdout is not None
            assert reader.stdout.readline() == b"reading\n"
        with closing(SqliteStore.open(path, create=False)) as store:
            for n in range(3, 43):
                store.put([some(n)])
            store.set_note("done", "yes")
        for reader in readers:
            output, _ = reader.communicate(timeout=30)
            assert reader.returncode == 0, output


READER = """
import sys
from pathlib import Path
from medweave.stores.sqlite.store import SqliteStore

store = SqliteStore.open(Path(sys.argv[1]), create=False, read_only=True)
print("reading", flush=True)
seen = 0
while store.note("done") is None:
    documents = store.counts().documents
    assert documents >= seen, (documents, seen)
    assert all(found.evidence for found in store.match())
    seen = documents
assert store.counts().documents == 43
"""

WRITER = """
import sys
from pathlib import Path
from medweave.stores.sqlite.store import SqliteStore
from medweave.testing.worlds import COLD, COUGH, SYMPTOM, document, says

store = SqliteStore.open(Path(sys.argv[1]), create=False)
number = 0
while True:
    number += 1
    text = "word " * 500 + str(number)
    claims = [says(COLD, SYMPTOM, f"mw.x:{n}", quote=text) for n in range(number % 7)]
    with store.transaction():
        store.put(document(f"d{n}", *claims, text=text) for n in range(20))
        store.set_note("written", str(number))
    print(number, flush=True)
"""


@pytest.mark.parametrize("seed", range(6))
def test_kill_in_mid_write_leaves_what_was_committed_last(tmp_path: Path, seed: int) -> None:
    path = made(tmp_path / "kb.db")
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE)
    assert writer.stdout is not None
    assert writer.stdout.readline() == b"1\n"
    time.sleep(random.Random(seed).uniform(0, 0.25))
    writer.send_signal(signal.SIGKILL)
    rest, _ = writer.communicate()
    announced = int((rest.split() or [b"1"])[-1])
    with closing(SqliteStore.open(path, create=False)) as store:
        written = store.note("written")
        assert written is not None
        assert int(written) in (announced, announced + 1)
        ends = {found.text("text").split()[-1] for found in store.documents()}
        assert ends <= {"cough", written}
        assert store.version().hash == recomputed_hash(store)
        assert store._all("PRAGMA integrity_check") == [("ok",)]
        store.put([some(1)])


class TestTheSchema:
    @pytest.fixture
    def connection(self, tmp_path: Path) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(tmp_path / "kb.db", isolation_level=None)) as connection:
            yield connection

    def test_it_is_made_once(self, connection: sqlite3.Connection) -> None:
        assert not check(connection, "kb.db")
        for _ in range(2):
            make(connection)
            assert check(connection, "kb.db")
        assert connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID

    @pytest.mark.parametrize("moment", [1, 2, 3])
    def test_a_base_made_during_the_check_is_not_taken_for_foreign(
        self, connection: sqlite3.Connection, moment: int
    ) -> None:
        class Interrupted:
            """Another process makes the base after this many questions of the check."""

            asked = 0

            def execute(self, query: str) -> sqlite3.Cursor:
                rows = connection.execute(query).fetchall()
                self.asked += 1
                if self.asked == moment:
                    make(connection)
                if len(rows) == 1:
                    return connection.execute("SELECT ?", rows[0])
                return connection.execute(query)

        assert check(cast(sqlite3.Connection, Interrupted()), "kb.db") in (True, False)

    def test_a_base_that_sqlite_has_looked_after_is_still_ours(self, tmp_path: Path) -> None:
        path = made(tmp_path / "kb.db")
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("ANALYZE")
            connection.execute("VACUUM")
        with closing(reading(path)) as store:
            assert store.counts().documents == 3


ENDLESS = "WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more)"
PLANTED = {
    "a view": f"CREATE VIEW more AS {ENDLESS} SELECT * FROM more",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON document BEGIN DELETE FROM evidence; END",
    "a table": "CREATE TABLE mine (a)",
    "an index by a function": "CREATE INDEX mine ON name (upper(name))",
    "no index": "DROP INDEX name_key",
    "another column": "ALTER TABLE name ADD COLUMN more TEXT",
    **{
        f"a view in place of {table}": f"ALTER TABLE {table} RENAME TO hidden;"
        f"CREATE VIEW {table} AS {ENDLESS} SELECT hidden.* FROM hidden, more"
        for table in ("name", "statement", "document", "note", "meta", "word", "vector")
    },
    "a view in place of SQLite's own": "PRAGMA writable_schema = ON;"
    "UPDATE sqlite_master SET type = 'view', rootpage = 0, sql = 'CREATE VIEW sqlite_sequence AS "
    f"{ENDLESS} SELECT n AS name, n AS seq FROM more' WHERE name = 'sqlite_sequence'",
    "a view in place of statistics": "ANALYZE; PRAGMA writable_schema = ON;"
    "UPDATE sqlite_master SET type = 'view', rootpage = 0, sql = 'CREATE VIEW sqlite_stat1 AS "
    f"{ENDLESS} SELECT n AS tbl, n AS idx, n AS stat FROM more' WHERE name = 'sqlite_stat1'",
    "a view in the text index": "PRAGMA writable_schema = ON;"
    "UPDATE sqlite_master SET type = 'view', rootpage = 0, sql = 'CREATE VIEW passage_data AS "
    f"{ENDLESS} SELECT n AS id, n AS block FROM more' WHERE name = 'passage_data'",
}


class TestABaseMadeByStrangers:
    @pytest.mark.parametrize("what", PLANTED)
    def test_what_medweave_did_not_make_is_refused(self, tmp_path: Path, what: str) -> None:
        path = made(tmp_path / "kb.db")
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(PLANTED[what])
        for read_only in (True, False):
            with pytest.raises(
                StoreError, match=r"this base has|not a medweave base|the base fail"
            ):
                SqliteStore.open(path, create=False, read_only=read_only)

    def test_one_that_only_claims_to_be_a_base_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "kb.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(
                f"CREATE TABLE a (b); PRAGMA application_id = {APPLICATION_ID};"
                f"PRAGMA user_version = {SCHEMA_VERSION}"
            )
        with pytest.raises(StoreError, match=r"not all its parts|not medweave's"):
            reading(path)

    def test_what_a_schema_says_is_not_trusted(self, tmp_path: Path) -> None:
        with closing(reading(made(tmp_path / "kb.db"))) as store:
            assert store._all("PRAGMA trusted_schema") == [(0,)]
