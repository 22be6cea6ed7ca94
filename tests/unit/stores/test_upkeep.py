"""A base is looked after: what is wrong is found, copies are whole, and nothing is lost."""

import multiprocessing
import os
import resource
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from medweave.errors import MedweaveError, StoreBusyError, StoreError
from medweave.model.edge import thing_number
from medweave.model.entity import NameMention
from medweave.ports import DERIVED, Problem
from medweave.stores.sqlite import opening
from medweave.stores.sqlite.store import SqliteStore
from medweave.stores.sqlite.writer_lock import only_writer
from medweave.testing.worlds import (
    COLD,
    COUGH,
    FEVER,
    FLU,
    SYMPTOM,
    cold_and_flu,
    contents,
    denies,
    document,
    recomputed_hash,
    says,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "kb.db"
    cold, flu = cold_and_flu()
    links = says(FLU, SYMPTOM, COUGH, premises=(cold.document.id, cold.statements[0].id))
    thing = NameMention("mw.condition:only", "Stomach Ulcers", "en", "disease", xref="MONDO:1")
    last = document("last", links, denies(COLD, SYMPTOM, COUGH, strength=0.5), mentions=[thing])
    with closing(SqliteStore.open(path, create=True)) as store:
        store.put([cold, flu, document("gone", says(FEVER, SYMPTOM, COUGH)), last])
        store.remove([document("gone").document.id])
    return path


def broken(path: Path, *scripts: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for script in scripts:
            assert connection.execute(script).rowcount, script
        connection.commit()


def checked(path: Path) -> list[Problem]:
    with closing(SqliteStore.open(path, create=False, read_only=True)) as store:
        return store.check()


def test_a_whole_base_has_no_problems(path: Path, tmp_path: Path) -> None:
    assert checked(path) == []
    SqliteStore.open(tmp_path / "empty.db", create=True).close()
    assert checked(tmp_path / "empty.db") == []


def test_progress_is_told_up_to_the_end(path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    with closing(SqliteStore.open(path, create=False)) as store:
        store.check(progress=lambda *parts: told.append(parts))
    assert {"the file", "evidence", "documents", "names"} <= {what for _, _, what in told}
    assert all(done <= total for done, total, _ in told)


A_STATEMENT = "(SELECT MIN(n) FROM statement)"
A_THING = "(SELECT subject FROM statement LIMIT 1)"
FACTS = [
    ("DELETE FROM statement WHERE n = " + A_STATEMENT, "evidence without statement"),
    ("DELETE FROM document WHERE name = 'cold'", "evidence without document"),
    ("DELETE FROM document WHERE name = 'cold'", "mentions without document"),
    ("DELETE FROM manner", "evidence without manner"),
    ("DELETE FROM activity", "evidence without activity"),
    ("DELETE FROM word WHERE text = 'facts'", "evidence without field"),
    ("DELETE FROM word WHERE text = 'has_symptom'", "statements without predicate"),
    ("DELETE FROM evidence WHERE statement = " + A_STATEMENT, "statements without evidence"),
    ("DELETE FROM entity WHERE n = " + A_THING, "statements without subject"),
    ("DELETE FROM entity WHERE id = 'mw.condition:cough'", "statements without object"),
    ("DELETE FROM entity WHERE id = 'mw.condition:only'", "names without thing"),
    ("DELETE FROM name WHERE name = 'flu'", "mentions without name"),
    ("DELETE FROM evidence WHERE n = 1", "hash that is not the sum"),
    ("UPDATE evidence SET quote = 'other' WHERE n = 1", "hash that is not the sum"),
    (
        "UPDATE entity SET id = 'mw.condition:other' WHERE n = " + A_THING,
        "things with a wrong number",
    ),
    (
        "UPDATE entity SET id = 'mw.condition:other' WHERE n = " + A_THING,
        "statements with a wrong number",
    ),
    ("UPDATE name SET language = 'zh' WHERE name = 'flu'", "names with a wrong number"),
    ("UPDATE statement SET object = 5 WHERE literal IS NOT NULL", "values with a wrong number"),
    ("UPDATE statement SET qualifiers = '{'", "statements that cannot be read"),
    (
        "UPDATE document SET fields = x'00' WHERE name = 'flu'",
        "documents that are not as they were",
    ),
    (
        "UPDATE document SET title = 'other' WHERE name = 'flu'",
        "documents that are not as they were",
    ),
]
OTHERS = [
    ("UPDATE meta SET value = '99' WHERE key = 'statements'", "counters", "counters out of step"),
    ("DELETE FROM meta WHERE key = 'entities'", "counters", "counters out of step"),
    ("UPDATE name SET key = 'stomach ulcers' WHERE key = 'stomach ulcer'", "names", "wrong key"),
    ("DELETE FROM name_word WHERE word = 'ulcer'", "names", "not found by their words"),
    ("UPDATE name_word SET words = 9 WHERE word = 'ulcer'", "names", "not found by their words"),
    ("INSERT INTO name_word VALUES ('x', 9, 1)", "names", "words of names that are gone"),
    ("DELETE FROM spelling WHERE word = 'ulcer'", "names", "wrongly counted"),
    ("UPDATE spelling SET names = 9 WHERE word = 'ulcer'", "names", "wrongly counted"),
    ("UPDATE spelling SET back = 'x' WHERE word = 'ulcer'", "names", "wrongly counted"),
    ("INSERT INTO spelling VALUES ('gone', 'enog', 1)", "names", "wrongly counted"),
    ("UPDATE statement SET strength = 0.7", "strengths", "wrong strength"),
    ("UPDATE statement SET denied = 1 - denied", "strengths", "wrong strength"),
    ("UPDATE manner SET strength = 0.7", "strengths", "manners of evidence"),
    ("DELETE FROM premise", "premises", "wrong premises"),
    ("INSERT INTO premise VALUES ('do:x', 999)", "premises", "premises of no evidence"),
    ("INSERT INTO premise VALUES ('do:x', 1)", "premises", "premises of no evidence"),
    (
        f"INSERT INTO entity VALUES ({thing_number('x')}, 'x')",
        "things",
        "things that nothing names",
    ),
    (
        "DELETE FROM mention WHERE name = (SELECT n FROM name WHERE name = 'Stomach Ulcers')",
        "things",
        "names that no document uses",
    ),
    ("DELETE FROM passage WHERE rowid = 1", "text", "not in the text index"),
    ("INSERT INTO passage (rowid, text) VALUES (99, 'x')", "text", "texts in the index of no"),
    ("DELETE FROM passage_data WHERE id > 10", "text", "text index"),
    ("UPDATE passage_docsize SET sz = x'7f'", "text", "out of step with its texts"),
]


@pytest.mark.parametrize(("script", "what"), FACTS)
def test_what_is_wrong_with_the_facts_is_found_and_kept_as_it_is(
    path: Path, script: str, what: str
) -> None:
    broken(path, script)
    found = [problem for problem in checked(path) if what in problem.what]
    assert found, checked(path)
    assert not found[0].derived
    assert "backup" in found[0].remedy
    with closing(SqliteStore.open(path, create=False)) as store:
        left = [problem for problem in store.compact().left if what in problem.what]
    assert left == found


@pytest.mark.parametrize(("script", "part", "what"), OTHERS)
def test_what_is_derived_from_the_facts_is_mended(
    path: Path, script: str, part: str, what: str
) -> None:
    with closing(SqliteStore.open(path, create=False)) as store:
        before, hits = contents(store), store.search_text("cough 感冒")
        revision = store.version().revision
    broken(path, script)
    found = [problem for problem in checked(path) if what in problem.what]
    assert found, checked(path)
    assert {problem.part for problem in checked(path)} <= set(DERIVED)
    assert part in {problem.part for problem in found}
    with closing(SqliteStore.open(path, create=False)) as store:
        done = store.compact()
        assert (done.left, store.check()) == ((), [])
        assert {problem.part for problem in done.mended} >= {part}
        assert store.version().revision == revision + 1
        if "mention" not in script:
            assert contents(store) == before
        assert store.search_text("cough 感冒") == hits
        assert store.named(["stomach ulcer"]) or "mention" in script
        assert store.version().hash == recomputed_hash(store)
        store.remove([cold_and_flu()[0].document.id])
        assert len(store.match(FLU, SYMPTOM, COUGH)) == 0
        assert store.check() == []


def test_a_strength_that_was_mended_is_told_as_a_change(path: Path) -> None:
    broken(path, "UPDATE statement SET strength = 0.7 WHERE n = " + A_STATEMENT)
    with closing(SqliteStore.open(path, create=False)) as store:
        since = store.version().revision
        store.compact()
        changed = store._all("SELECT " + A_STATEMENT)
        assert store.changes(since) == frozenset(changed[0])


@pytest.mark.parametrize("place", [0.3, 0.5, 0.7, 0.9])
def test_a_damaged_file_is_told_not_fallen_over(path: Path, place: float) -> None:
    data = bytearray(path.read_bytes())
    start = int(len(data) * place) // 4096 * 4096
    data[start : start + 4096] = b"\xa5" * 4096
    path.write_bytes(bytes(data))
    try:
        found = checked(path)
    except StoreError:
        return
    assert "file" in {problem.part for problem in found}


def test_many_problems_are_counted_and_a_few_shown(path: Path) -> None:
    with closing(SqliteStore.open(path, create=False)) as store:
        store.put([document("many", *(says(COLD, SYMPTOM, f"x:{n}") for n in range(50)))])
    broken(path, "UPDATE statement SET strength = 0.7 WHERE literal IS NULL")
    [problem] = checked(path)
    assert problem.count >= 50
    assert len(problem.examples) == 3
    assert str(problem).startswith(f"{problem.count} statements with a wrong strength (such as ")


# Copies


def test_a_copy_is_the_base(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with closing(SqliteStore.open(path, create=False, read_only=True)) as store:
        version = store.backup(copy)
        with closing(SqliteStore.open(copy, create=False)) as copied:
            assert contents(copied) == contents(store)
            assert copied.version() == store.version() == version
            assert copied.check() == []
    assert {found.name for found in tmp_path.glob("copy*")} == {"copy.db"}


def test_a_copy_is_of_one_revision_while_others_write(tmp_path: Path) -> None:
    path, copy = tmp_path / "kb.db", tmp_path / "copy.db"
    with (
        closing(SqliteStore.open(path, create=True)) as store,
        closing(SqliteStore.open(path, create=False)) as other,
    ):
        store.put(
            document(f"d{n}", says(COLD, SYMPTOM, f"x:{n}"), text="x " * 5000) for n in range(800)
        )
        before = store.version()
        written: list[int] = []

        def write(done: int, total: int, what: str) -> None:
            if what == "pages":
                other.put([document(f"new{len(written)}", says(FLU, SYMPTOM, f"y:{len(written)}"))])
                written.append(done)

        assert store.backup(copy, progress=write) == before
        assert len(written) >= 2
        with closing(SqliteStore.open(copy, create=False)) as copied:
            assert copied.version() == before
            assert copied.check() == []
        assert store.counts().documents == 800 + len(written)


def test_what_is_there_is_replaced_only_when_told_to(path: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.db"
    there.write_text("mine")
    there.with_name("there.db-wal").write_text("stale")
    with closing(SqliteStore.open(path, create=False)) as store:
        with pytest.raises(StoreError, match="--force"):
            store.backup(there)
        assert there.read_text() == "mine"
        store.backup(there, replace=True)
        with closing(SqliteStore.open(there, create=False)) as copied:
            assert contents(copied) == contents(store)


def test_where_no_copy_can_be(path: Path, tmp_path: Path) -> None:
    with closing(SqliteStore.open(path, create=False)) as store:
        for destination in (path, tmp_path, tmp_path / "none" / "copy.db"):
            with pytest.raises(StoreError) as caught:
                store.backup(destination, replace=True)
            assert caught.value.remedy
        assert store.check() == []
    assert [found.name for found in tmp_path.iterdir()] == ["kb.db"]


def test_a_copy_of_a_base_with_a_wrong_hash_is_refused(path: Path, tmp_path: Path) -> None:
    broken(path, "UPDATE evidence SET quote = 'other' WHERE n = 1")
    with (
        closing(SqliteStore.open(path, create=False)) as store,
        pytest.raises(StoreError, match="medweave check"),
    ):
        store.backup(tmp_path / "copy.db")
    assert [found.name for found in tmp_path.iterdir()] == ["kb.db"]


# Compacting


def test_compacting_gives_back_room_and_changes_nothing_else(tmp_path: Path) -> None:
    many = [
        document(f"d{n}", says(COLD, SYMPTOM, f"x:{n}"), text=f"w{n} " * 500) for n in range(300)
    ]
    with closing(SqliteStore.open(tmp_path / "kb.db", create=True)) as store:
        store.put(many)
        store.remove([made.document.id for made in many[20:]])
        before, version = contents(store), store.version()
        done = store.compact()
        assert done.after < done.before / 2
        assert (done.mended, done.left) == ((), ())
        assert (contents(store), store.version()) == (before, version)
        assert store.check() == []
    assert (tmp_path / "kb.db").stat().st_size == done.after


def test_compacting_beside_another_writer_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.05)
    with (
        closing(SqliteStore.open(path, create=False)) as store,
        closing(SqliteStore.open(path, create=False)) as other,
    ):
        with other.transaction():
            other.put([document("new", says(COLD, SYMPTOM, FEVER))])
            with pytest.raises(StoreBusyError) as caught:
                store.compact()
            assert "when it is done" in caught.value.remedy
        assert store.compact().left == ()
        assert store.check() == []


# A full disk


def test_nothing_is_kept_of_what_was_undone_by_itself(path: Path) -> None:
    """SQLite ends a transaction by itself after some errors, also inside a part of one."""
    with closing(SqliteStore.open(path, create=False)) as store:
        before, version = contents(store), store.version()
        with pytest.raises(StoreError, match="undone"), store.transaction():
            store.put([document("new", says(COLD, SYMPTOM, FEVER))])
            store._connection.execute("ROLLBACK")
            with pytest.raises(StoreError, match="undone"):
                store.put([document("newer", says(COLD, SYMPTOM, FEVER))])
        assert (contents(store), store.version()) == (before, version)
        store.put([document("new", says(COLD, SYMPTOM, FEVER))])
        assert store.check() == []


def in_a_child(
    task: Callable[[], None], *, file_size: int = 2**40, another_user: bool = False
) -> int:
    """The exit code of a process in which no file may grow beyond a size, or with few rights."""

    def run() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
        if another_user and os.getuid() == 0:
            os.setuid(65534)
        task()

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    process.join()
    return process.exitcode if process.exitcode is not None else -1


@pytest.mark.parametrize("work", ["put", "remove", "compact", "backup"])
def test_a_disk_with_no_room_left_loses_nothing(tmp_path: Path, work: str) -> None:
    path = tmp_path / "kb.db"
    many = [
        document(f"d{n}", says(COLD, SYMPTOM, f"x:{n}"), text=f"w{n} " * 90) for n in range(300)
    ]
    with closing(SqliteStore.open(path, create=True)) as store:
        store.put(many)
        before, version = contents(store), store.version()
    other = [
        document(f"o{n}", says(COLD, SYMPTOM, f"y:{n}"), text=f"v{n} " * 90) for n in range(300)
    ]

    def task() -> None:
        with closing(SqliteStore.open(path, create=False)) as store:
            with pytest.raises(StoreError, match="full"):
                if work == "put":
                    store.put(other)
                elif work == "remove":
                    store.remove([made.document.id for made in many])
                elif work == "compact":
                    store.compact()
                else:
                    store.backup(tmp_path / "copy.db")
            assert store.version() == version
            os._exit(7)

    assert in_a_child(task, file_size=100_000) == 7
    with closing(SqliteStore.open(path, create=False)) as store:
        assert store.check() == []
        assert (contents(store), store.version()) == (before, version)
    assert [found.name for found in tmp_path.iterdir()] == ["kb.db"]


def test_no_room_to_say_who_writes_stops_no_writer(tmp_path: Path) -> None:
    def task() -> None:
        with only_writer(tmp_path / "kb.db"):
            assert (tmp_path / "kb.db-writer").stat().st_size == 0
            os._exit(7)

    assert in_a_child(task, file_size=0) == 7


def test_a_folder_one_may_not_write_to(path: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        sealed, copy = Path(name) / "kb.db", Path(name) / "copy.db"
        with closing(SqliteStore.open(path, create=False)) as store:
            store.backup(sealed)
        sealed.chmod(0o444)
        Path(name).chmod(0o555)

        def task() -> None:
            with closing(SqliteStore.open(sealed, create=False, read_only=True)) as store:
                assert store.check() == []
                with pytest.raises(StoreError, match="rights"):
                    store.backup(copy)
                with pytest.raises(StoreError, match="rights"):
                    store.compact()
            with pytest.raises(StoreError, match="rights"):
                SqliteStore.open(sealed, create=False)
            os._exit(7)

        assert in_a_child(task, another_user=True) == 7
        assert [found.name for found in Path(name).iterdir()] == ["kb.db"]
        assert checked(sealed) == []
        Path(name).chmod(0o755)


def test_a_base_in_memory_has_no_upkeep() -> None:
    from medweave import KnowledgeBase

    with KnowledgeBase.open("memory:") as base, pytest.raises(MedweaveError, match="memory"):
        base.check()
