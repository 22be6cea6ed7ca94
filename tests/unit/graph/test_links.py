"""The similarity join: exact, in whatever steps it is made, and gone with its documents."""

from __future__ import annotations

import random
from operator import mul
from pathlib import Path

import pytest

from medweave.errors import ConfigurationError
from medweave.graph import link_blocks, links
from medweave.graph.links import LinksMade, join
from medweave.model.vector_links import VectorLink
from medweave.model.vectors import Space, VectorEntry, VectorModel, Vectors, unit
from medweave.ports import VectorView
from medweave.stores.derived import view_of
from medweave.stores.memory import MemoryStore
from medweave.stores.sqlite.store import SqliteStore
from medweave.testing.vector_conformance import papers

pytest.importorskip("numpy")

MODEL = VectorModel("toy", 4)
COUNT = 60
PAPERS = papers(*(f"d{number:02}" for number in range(COUNT)))
_CHANCE = random.Random(5)
ROWS = [unit([_CHANCE.gauss(0, 1) for _ in range(4)]) for _ in range(COUNT - 2)]
ROWS += ROWS[:2]  # two are the same as others


def both(number: int) -> list[tuple[Space, str]]:
    return [("publication", "dialogue"), ("section", f"s{number % 2}")]


def put(store: SqliteStore | MemoryStore, numbers: range) -> VectorView:
    store.put([PAPERS[number] for number in numbers])
    entries = [
        VectorEntry(space, f"k{number:02}", PAPERS[number].document.id, f"t{number}", concept)
        for number in numbers
        for space, concept in both(number)
    ]
    rows = [ROWS[number] for number in numbers for _ in range(2)]
    index = view_of(store).vectors()
    assert index is not None
    index.put(entries, Vectors.of(MODEL, rows))
    return index


def all_pairs(least: float, *, same: int = 1) -> list[VectorLink]:
    """By loops; `same`: only keys whose numbers are equal modulo this."""
    kept = [list(row) for row in Vectors.of(MODEL, ROWS)]
    found = [
        VectorLink(f"k{a:02}", f"k{b:02}", round(sum(map(mul, kept[a], kept[b])), 6))
        for a in range(COUNT)
        for b in range(a + 1, COUNT)
        if a % same == b % same
    ]
    return [link for link in found if link.cosine >= least]


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore.open(tmp_path / "base.db", create=True)


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that few vectors make many blocks."""
    monkeypatch.setattr(links, "_ROWS", 7)
    monkeypatch.setattr(links, "_COLUMNS", 11)
    monkeypatch.setattr(link_blocks, "EXACTLY", 3)
    monkeypatch.setattr(links, "FEW", 2)


@pytest.mark.parametrize("least", [-1.0, 0.0, 0.8, 1.0])
def test_all_pairs_that_are_near_are_linked_and_no_others(store: SqliteStore, least: float) -> None:
    index = put(store, range(COUNT))
    made = join(index, least=least)
    expected = all_pairs(least)
    assert list(index.links("publication").links) == expected
    assert made == LinksMade(COUNT, len(expected), len(expected))
    assert len(expected) >= 2


def test_sections_are_compared_with_the_same_sections(store: SqliteStore) -> None:
    index = put(store, range(COUNT))
    join(index, least=0.5, level="section")
    assert list(index.links("section").links) == all_pairs(0.5, same=2)


def test_new_ones_are_compared_with_the_old_and_nothing_twice(store: SqliteStore) -> None:
    whole = put(MemoryStore(), range(COUNT))
    join(whole, least=0.5)
    put(store, range(20, 45))
    join(store.vectors(), least=0.5)
    index = put(store, range(COUNT))
    assert join(index, least=0.5).compared == COUNT - 25
    assert index.links("publication") == whole.links("publication")
    before = store.version()
    assert join(index, least=0.5).compared == 0
    assert store.version() == before


def test_stopped_anywhere_it_goes_on_and_ends_alike(store: SqliteStore) -> None:
    class StopError(Exception):
        pass

    def stop(done: int, total: int, what: str) -> None:
        raise StopError

    index = put(store, range(COUNT))
    for block in range(1, 4):
        with pytest.raises(StopError):
            join(index, least=0.5, progress=stop)
        assert len(index.links("publication").compared) == 7 * block
    assert join(index, least=0.5).compared == COUNT - 21
    assert list(index.links("publication").links) == all_pairs(0.5)


def test_a_link_goes_with_either_dialogue(store: SqliteStore) -> None:
    index = put(store, range(COUNT))
    join(index, least=0.5)
    store.remove([PAPERS[3].document.id])
    left = [link for link in all_pairs(0.5) if "k03" not in link[:2]]
    assert list(index.links("publication").links) == left
    put(store, range(COUNT))
    assert join(index, least=0.5).compared == 1
    assert list(index.links("publication").links) == all_pairs(0.5)


def test_another_threshold_or_level_takes_the_place_of_the_last(store: SqliteStore) -> None:
    index = put(store, range(COUNT))
    join(index, least=0.5)
    join(index, least=0.9)
    assert list(index.links("publication").links) == all_pairs(0.9)
    join(index, least=0.9, level="section")
    assert (index.links("publication").links, index.links("section").least) == ((), 0.9)


def test_what_there_is_not_is_refused(store: SqliteStore) -> None:
    index = store.vectors()
    with pytest.raises(ConfigurationError, match="no level 'word'"):
        join(index, level="word")  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="no cosine"):
        join(index, least=80)
    assert join(index) == LinksMade(0, 0, 0)
