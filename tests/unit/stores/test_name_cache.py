"""Names that are kept on this machine are those of the base as it is, or are read anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from medweave.model.entity import NameMention
from medweave.stores.derived import view_of
from medweave.stores.versioned.store import VersionedStore
from medweave.testing.worlds import COLD, FLU, document, names
from tests.unit.stores.test_versioned_rows import ListedRows


class Counted(ListedRows):
    """Counts how often names are read whole."""

    reads = 0

    def find(self, kind: str, where: Any, *args: Any, **how: Any) -> Any:
        self.reads += kind == "name" and not where
        return super().find(kind, where, *args, **how)


def words(rows: Counted, folder: Path) -> dict[str, frozenset[str]]:
    """What a process finds that has just begun."""
    view = view_of(opened(rows, folder))
    return view.words_like(["commn", "grippe"], slips=1)


def opened(rows: Counted, folder: Path) -> VersionedStore:
    store = VersionedStore(rows, "here", create=True)
    store.cache_names(folder)
    return store


def test_names_are_read_once_for_a_revision(tmp_path: Path) -> None:
    rows, folder = Counted(), tmp_path / "names"
    writer = opened(rows, folder)
    writer.put([document("a", mentions=names(COLD, "common cold"))])
    for _ in range(3):
        assert words(rows, folder) == {"commn": frozenset({"common"})}
    assert rows.reads == 1
    writer.put([document("b", mentions=names(FLU, "grippe"))])
    right = {"commn": frozenset({"common"}), "grippe": frozenset({"grippe"})}
    assert words(rows, folder) == words(rows, folder) == right
    assert rows.reads == 2
    with writer.transaction():
        writer.remove([each.id for each in writer.documents()])
        assert view_of(writer).words_like(["grippe"], slips=0) == {}


def test_another_base_and_a_broken_file_are_never_taken_for_it(tmp_path: Path) -> None:
    one, other = Counted(), Counted()
    opened(one, tmp_path).put([document("a", mentions=names(COLD, "common cold"))])
    opened(other, tmp_path).put([document("a", mentions=names(FLU, "grippe"))])
    assert words(one, tmp_path).keys() == {"commn"}
    assert words(other, tmp_path).keys() == {"grippe"}
    for file in tmp_path.iterdir():
        assert file.stat().st_mode & 0o077 == 0
        file.write_bytes(file.read_bytes()[:-9])
    assert words(one, tmp_path).keys() == {"commn"}
    odd = NameMention(COLD, "coмmon \x00 🤒 ", "en", "disease", xref="X:1")
    opened(one, tmp_path).put([document("b", mentions=[odd])])
    first, again = (list(opened(one, tmp_path).names()) for _ in range(2))
    assert sorted(first, key=repr) == sorted(again, key=repr)
    assert odd in [mention for mention, _ in again]
    assert list(opened(one, tmp_path / "a.names" / "no folder").names())
