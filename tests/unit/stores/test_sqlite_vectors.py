"""What vectors in a file have to stand: other processes, older bases, damage, missing libraries."""

from __future__ import annotations

import random
import sqlite3
import sys
from array import array
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from medweave.errors import ConfigurationError, StoreError, VectorError
from medweave.model.vector_links import VectorLink
from medweave.model.vectors import Near, VectorModel, Vectors, VectorSearch, unit
from medweave.stores.derived import view_of
from medweave.stores.memory import MemoryStore
from medweave.stores.sqlite import vector_rows
from medweave.stores.sqlite.store import SqliteStore
from medweave.testing.vector_conformance import entry, found, papers, put, toy

pytest.importorskip("numpy")

PAPERS = papers("one", "two", "three")


def opened(path: Path, *, read_only: bool = False, **how: VectorSearch) -> SqliteStore:
    return SqliteStore.open(path, create=not read_only, read_only=read_only, **how)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "base.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with closing(opened(path)) as store:
        store.put(PAPERS)
        yield store


class TestOtherConnections:
    def test_what_another_writes_is_seen_at_once(self, store: SqliteStore, path: Path) -> None:
        put(store.vectors(), entry("east", PAPERS[0]), entry("up", PAPERS[1]))
        with closing(opened(path, read_only=True)) as other:
            assert found(other.vectors(), "east") == ["east", "up"]
            put(store.vectors(), entry("north", PAPERS[2]))
            store.remove([PAPERS[0].document.id])
            assert found(other.vectors(), "north") == ["north", "up"]
            store.vectors().forget()
            assert found(other.vectors(), "north") == []
            put(store.vectors(), entry("west", PAPERS[2]))
            assert found(other.vectors(), "north") == ["west"]

    def test_a_snapshot_sees_one_revision(self, store: SqliteStore, path: Path) -> None:
        put(store.vectors(), entry("east", PAPERS[0]))
        with closing(opened(path, read_only=True)) as other:
            with other.snapshot():
                assert found(other.vectors(), "up") == ["east"]
                put(store.vectors(), entry("up", PAPERS[1]))
                store.remove([PAPERS[0].document.id])
                assert found(other.vectors(), "up") == ["east"]
            assert found(other.vectors(), "up") == ["up"]

    def test_who_is_too_far_behind_reads_all_anew(
        self, store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(vector_rows, "GONE_LISTED", 3)
        index = store.vectors()
        put(index, *(entry(f"text {number}", PAPERS[0]) for number in range(20)))
        with closing(opened(path, read_only=True)) as other:
            assert len(found(other.vectors(), "up", 50)) == 20
            for number in range(12):
                index.remove("section", [f"text {number}"])
            left = [f"text {number}" for number in range(12, 20)]
            assert sorted(found(other.vectors(), "up", 50)) == sorted(left)
        with closing(sqlite3.connect(path)) as base:
            assert base.execute("SELECT COUNT(*) FROM vector_gone").fetchone()[0] <= 3


class TestTheFile:
    def test_equal_texts_are_kept_once(self, store: SqliteStore, path: Path) -> None:
        put(store.vectors(), *(entry("east", PAPERS[0], key=f"k{n}") for n in range(50)))
        with closing(sqlite3.connect(path)) as base:
            assert base.execute("SELECT COUNT(*) FROM embedding").fetchone() == (1,)
            assert base.execute("SELECT COUNT(*) FROM vector").fetchone() == (50,)

    def test_no_text_is_in_it_and_nothing_of_what_was_removed(
        self, store: SqliteStore, path: Path
    ) -> None:
        secret = "Smith has a rash"
        put(store.vectors(), entry(secret, PAPERS[0], key="k"))
        store.remove([PAPERS[0].document.id])
        with closing(sqlite3.connect(path)) as base:
            assert secret not in "\n".join(base.iterdump())
            for table in ("embedding", "vector", "vector_document", "vector_model"):
                assert base.execute(f"SELECT COUNT(*) FROM {table}").fetchone() == (0,)


class TestUpkeep:
    def test_a_whole_base_is_found_whole(self, store: SqliteStore) -> None:
        put(store.vectors(), entry("east", PAPERS[0]), entry("east", PAPERS[1]))
        assert store.check() == []

    @pytest.mark.parametrize(
        ("damage", "what"),
        [
            ("DELETE FROM embedding", "vectors without numbers"),
            ("UPDATE embedding SET vector = x'00'", "vectors of a wrong size"),
            ("DELETE FROM vector_document", "vectors of no document"),
            ("UPDATE vector_document SET document = 99", "vectors of no document"),
            ("DELETE FROM vector_model", "vectors of a wrong size"),
        ],
    )
    def test_damage_is_found_and_compacting_takes_it_out(
        self, store: SqliteStore, path: Path, damage: str, what: str
    ) -> None:
        put(store.vectors(), entry("east", PAPERS[0]), entry("up", PAPERS[0]))
        assert found(store.vectors(), "up") == ["up", "east"]
        before = store.version().hash
        with closing(sqlite3.connect(path)) as base:
            base.execute(damage)
            base.commit()
        problems = store.check()
        assert what in {problem.what for problem in problems}
        assert all(problem.derived for problem in problems)
        assert store.compact().left == ()
        assert store.check() == []
        assert store.version().hash == before
        assert found(store.vectors(), "up") == []
        put(store.vectors(), entry("east", PAPERS[0]))
        assert found(store.vectors(), "up") == ["east"]

    @pytest.mark.parametrize(
        ("damage", "what"),
        [
            ("INSERT INTO vector_link VALUES (9, 1, 99, 0.9)", "links of vectors that are gone"),
            ("INSERT INTO vector_waiting VALUES (99)", "comparisons of vectors that are gone"),
        ],
    )
    def test_links_to_nothing_are_found_and_taken_out(
        self, store: SqliteStore, path: Path, damage: str, what: str
    ) -> None:
        put(store.vectors(), entry("east", PAPERS[0]), entry("up", PAPERS[1]))
        kept = [VectorLink("east", "up", 0.6)]
        store.vectors().link("section", 0.5, ["east", "up"], kept)
        assert store.check() == []
        with closing(sqlite3.connect(path)) as base:
            base.execute(damage)
            base.commit()
        assert [problem.what for problem in store.check()] == [what]
        assert store.compact().left == ()
        assert store.vectors().links("section").links == kept

    @pytest.mark.parametrize(
        ("damage", "what"),
        [
            ("DELETE FROM embedding WHERE n = 1", "vectors without numbers"),
            ("UPDATE embedding SET vector = x'00' WHERE n = 1", "vectors of a wrong size"),
        ],
    )
    def test_searching_a_damaged_base_is_an_error_every_time(
        self, store: SqliteStore, path: Path, damage: str, what: str
    ) -> None:
        put(store.vectors(), entry("east", PAPERS[0]), entry("up", PAPERS[0]))
        with closing(sqlite3.connect(path)) as base:
            base.execute(damage)
            base.commit()
        for _ in range(2):
            with pytest.raises(StoreError, match=what) as raised:
                found(store.vectors(), "up")
            assert "medweave compact" in raised.value.remedy

    def test_compacting_takes_out_what_was_kept_for_nothing(self, store: SqliteStore) -> None:
        put(store.vectors(), entry("east", PAPERS[0]))
        store.vectors().keep(["up"], toy("up"))
        store.compact()
        assert set(store.vectors().known(toy("up").model, ["east", "up"])) == {"east"}
        assert store.check() == []

    def test_a_copy_has_them_too(self, store: SqliteStore, tmp_path: Path) -> None:
        put(store.vectors(), entry("east", PAPERS[0]))
        store.backup(tmp_path / "copy.db")
        with closing(opened(tmp_path / "copy.db", read_only=True)) as copy:
            assert found(copy.vectors(), "east") == ["east"]


class TestMissingLibraries:
    def test_vectors_are_kept_without_numpy_and_searching_says_what_to_install(
        self, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "numpy", None)
        put(store.vectors(), entry("east", PAPERS[0]))
        store.remove([PAPERS[0].document.id])
        put(store.vectors(), entry("east", PAPERS[1]))
        with pytest.raises(ConfigurationError) as raised:
            found(store.vectors(), "east")
        assert raised.value.remedy == "pip install 'medweave[dense]'"

    def test_an_index_of_faiss_without_faiss_says_what_to_install(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "faiss", None)
        with closing(opened(path, search=VectorSearch("sq8", above=1))) as store:
            store.put(PAPERS)
            put(store.vectors(), entry("east", PAPERS[0]))
            assert found(store.vectors(), "east") == ["east"]
            put(store.vectors(), entry("up", PAPERS[0]))
            with pytest.raises(ConfigurationError, match="needs faiss") as raised:
                found(store.vectors(), "east")
        assert "medweave[faiss]" in raised.value.remedy


class TestApproximateIndexes:
    @pytest.mark.parametrize("index", ["sq8", "hnsw"])
    def test_they_find_nearly_all_and_score_exactly(self, index: str, path: Path) -> None:
        pytest.importorskip("faiss")
        model = VectorModel("wide", 32)
        texts = [f"text {number}" for number in range(3000)]
        for name in ("exact", index):
            with closing(opened(path, search=VectorSearch(name, above=100))) as store:  # type: ignore[arg-type]
                if name == "exact":
                    store.put(PAPERS)
                    put(store.vectors(), *(entry(t, PAPERS[0]) for t in texts[:2500]), model=model)
                    first = store.vectors().search("section", toy("a", "b", model=model), 10)
                else:
                    again = store.vectors().search("section", toy("a", "b", model=model), 10)
                    put(store.vectors(), *(entry(t, PAPERS[0]) for t in texts[2500:]), model=model)
                    [newest] = store.vectors().search("section", toy(texts[-1], model=model), 1)
                    store.vectors().remove("section", texts[:1000])
                    [left] = store.vectors().search("section", toy("a", model=model), 2500)
        for right, near in zip(first, again, strict=True):
            assert len({*right} & {*near}) >= 9
        assert newest == [Near(texts[-1], 1.0)]
        assert len({one.key for one in left}) >= 1900
        assert not {one.key for one in left} & {*texts[:1000]}


def test_any_history_gives_what_the_double_gives(path: Path) -> None:
    """Deletions and additions by the hundred, searched in between, beside plain Python."""
    chance, model = random.Random(5), VectorModel("wide", 8)
    made = papers(*(f"p{number}" for number in range(12)))
    with closing(opened(path)) as store:
        bases = view_of(store), view_of(MemoryStore())
        for base in bases:
            base.put(made)
        for step in range(60):
            paper = made[chance.randrange(12)]
            entries = [
                entry(f"text {chance.randrange(300)}", paper, key=f"k{chance.randrange(400)}",
                      concept=chance.choice(["a", "b", ""]))
                for _ in range(chance.randrange(30))
            ]  # fmt: skip
            act = chance.random()
            for base in bases:
                index = base.vectors()
                assert index is not None
                if act < 0.3:
                    base.remove([paper.document.id])
                    base.put([paper])
                elif act < 0.4:
                    index.remove("section", [one.key for one in entries])
                else:
                    put(index, *entries, model=model)
            if step % 3 == 0:
                asked = toy(f"query {step}", f"text {step}", model=model)
                for concepts in (None, ["a"], ["b", "none"]):
                    one, other = (
                        index.search("section", asked, 12, concepts=concepts)
                        for base in bases
                        if (index := base.vectors())
                    )
                    assert one == other
        counts = [index.counts() for base in bases if (index := base.vectors())]
        assert counts[0] == counts[1]
        assert store.check() == []


@pytest.mark.parametrize("numbers", [array("d", [1, 0, 0]), array("f", [1, 0]), array("i", [1])])
def test_a_buffer_of_another_form_is_refused(numbers: array[float]) -> None:
    with pytest.raises(VectorError, match="no rows of 3 32-bit floats"):
        Vectors(toy("up").model, memoryview(numbers))


def test_a_vector_of_length_1_is_made_of_any_that_has_a_direction() -> None:
    assert unit([1e-30, 0]) == [1, 0]
    assert unit([1e200, 1e200]) == pytest.approx([0.5**0.5, 0.5**0.5])
