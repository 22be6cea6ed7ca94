"""Looking after a base in SQLite: checking, copying and compacting it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from medweave.errors import StoreError
from medweave.language.folding import name_key
from medweave.language.segmentation import index_terms
from medweave.model.answer import BaseVersion
from medweave.ports import Problem, Progress, no_progress
from medweave.stores.sqlite.check import (
    COUNTERS,
    NAMELESS,
    UNUSED_NAMES,
    Check,
    manner_columns,
)
from medweave.stores.sqlite.opening import store_errors
from medweave.stores.sqlite.rows import DOCUMENT, document_of, name_word_rows
from medweave.stores.sqlite.spelling import spell_all
from medweave.stores.sqlite.vector_check import mend_vectors
from medweave.stores.sqlite.writer import WEIGH, WEIGHED, SqliteWriter
from medweave.stores.sqlite.writer_lock import only_writer

_PAGES = 512
"""So many pages are copied before progress is told."""


class SqliteUpkeep(SqliteWriter):
    """See `SupportsUpkeep`; compacting, which needs a transaction, is finished by the store."""

    def check(self, *, progress: Progress = no_progress) -> list[Problem]:
        """See `SupportsUpkeep.check`. It reads one revision, whatever others write meanwhile."""
        with self.snapshot():
            return Check(self._connection, progress).everything()

    def backup(
        self, path: Path, *, replace: bool = False, progress: Progress = no_progress
    ) -> BaseVersion:
        """See `SupportsUpkeep.backup`. The copy is made beside its place and then moved there."""
        check_destination(path, self._path, replace=replace)
        with unfinished(path) as part:
            with self.snapshot():
                version = self.version()
                _copy(self._connection, part, progress)
            with store_errors(path):
                _check_copy(part, path, version, progress)
            with only_writer(path):  # nobody writes to what is replaced
                move(part, path)
        return version

    def size(self) -> int:
        """How many bytes the base takes."""
        pages, size = (self._all(f"PRAGMA {name}")[0][0] for name in ("page_count", "page_size"))
        return int(pages * size)

    def _mend(self, parts: set[str]) -> None:
        """Make these derived parts anew, inside a transaction."""
        steps = {
            "things": self._mend_things,
            "names": self._mend_names,
            "premises": self._mend_premises,
            "strengths": self._mend_strengths,
            "text": self._mend_text,
            "vectors": self._mend_vectors,
        }
        for part, step in steps.items():
            if part in parts:
                step()
        for key, query in COUNTERS.items():
            self._counted[key] = int(self._all(query)[0][0])
        self._changed = True

    def _mend_things(self) -> None:
        self._connection.execute(f"DELETE FROM name WHERE n IN ({UNUSED_NAMES})")
        self._connection.execute("DELETE FROM name_word WHERE name NOT IN (SELECT n FROM name)")
        self._connection.execute(f"DELETE FROM entity WHERE n IN ({NAMELESS})")
        spell_all(self._connection)

    def _mend_names(self) -> None:
        names = self._connection.execute("SELECT n, key, name FROM name")
        wrong = [(name_key(name), n) for n, key, name in names if name_key(name) != key]
        self._connection.executemany("UPDATE name SET key = ? WHERE n = ?", wrong)
        self._connection.execute("DELETE FROM name_word")
        names = self._connection.execute("SELECT n, name FROM name")
        self._connection.executemany(
            "INSERT INTO name_word VALUES (?, ?, ?)",
            (row for number, name in names for row in name_word_rows(number, name)),
        )
        spell_all(self._connection)

    def _mend_premises(self) -> None:
        self._connection.execute("DELETE FROM premise")
        self._connection.execute(
            "INSERT OR IGNORE INTO premise SELECT p.value, e.n"
            " FROM evidence e, json_each(e.premises) p WHERE e.premises IS NOT NULL"
        )

    def _mend_strengths(self) -> None:
        for number, content in self._all("SELECT n, content FROM manner"):
            if columns := manner_columns(content):
                self._connection.execute(
                    "UPDATE manner SET class = ?, polarity = ?, strength = ? WHERE n = ?",
                    (*columns, number),
                )
        wrong = self._all(f"{WEIGH} WHERE (strength, denied) IS NOT {WEIGHED} RETURNING n")
        self._touched |= {row[0] for row in wrong}

    def _mend_vectors(self) -> None:
        mend_vectors(self._connection, self._revision + 1)

    def _mend_text(self) -> None:
        """The index is made anew, not emptied: one that is broken could not be."""
        [[definition]] = self._all("SELECT sql FROM sqlite_master WHERE name = 'passage'")
        self._connection.execute("DROP TABLE IF EXISTS temp.passage_word")
        self._connection.execute("DROP TABLE passage")
        self._connection.execute(definition)
        for number, *row in self._connection.execute(f"SELECT n, {DOCUMENT} FROM document"):
            text = " ".join(index_terms(document_of(tuple(row)).words()))
            self._connection.execute(
                "INSERT INTO passage (rowid, text) VALUES (?,?)", (number, text)
            )

    def _shrink(self, progress: Progress) -> None:
        """Give back room nothing uses. SQLite copies the base for this, and needs room for it."""
        progress(0, 0, "the text index")
        self._all("INSERT INTO passage (passage) VALUES ('optimize')")
        progress(0, 0, "the file")
        self._all("VACUUM")
        self._all("PRAGMA optimize")
        self._all("PRAGMA wal_checkpoint(TRUNCATE)")


def check_destination(path: Path, base: Path | None, *, replace: bool) -> None:
    """Refuse a place where no copy can be put, or the base itself lies."""
    if base and path.exists() and path.samefile(base):
        raise StoreError("this is the base itself", where=str(path), remedy="name another file")
    if path.is_dir() or (path.exists() and not replace):
        raise StoreError(
            "there is something of this name already",
            where=str(path),
            remedy="name another file" if path.is_dir() else "name another file, or give --force",
        )
    if not path.parent.is_dir():
        raise StoreError(
            "there is no such folder", where=str(path.parent), remedy="make it, or name another"
        )


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """A file beside `path` of which nothing stays behind."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        yield part
    finally:
        _remove(part, ("", "-journal", "-wal", "-shm"))


def _remove(path: Path, suffixes: tuple[str, ...]) -> None:
    for suffix in suffixes:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _copy(source: sqlite3.Connection, part: Path, progress: Progress) -> None:
    def tell(_: int, remaining: int, total: int) -> None:
        progress(total - remaining, total, "pages")

    with store_errors(part), closing(sqlite3.connect(part)) as target:
        source.backup(target, pages=_PAGES, progress=tell, sleep=0)


def _check_copy(part: Path, path: Path, version: BaseVersion, progress: Progress) -> None:
    with closing(sqlite3.connect(part, isolation_level=None)) as copy:
        sound = copy.execute("PRAGMA quick_check").fetchone() == ("ok",)
        copied = dict(copy.execute("SELECT key, value FROM meta"))
        same = (copied["id"], copied["total"]) == (version.id, version.hash)
        if not (sound and same and Check(copy, progress).hash() == version.hash):
            raise StoreError(
                "the copy is not what the base says it is",
                where=str(path),
                remedy="look at the base with `medweave check`",
            )


def move(part: Path, path: Path) -> None:
    """Put the copy into its place; what another base left beside that goes first."""
    try:
        _remove(path, ("-wal", "-shm"))
        part.replace(path)
    except OSError as error:
        raise StoreError(
            f"the copy cannot be put there ({error.strerror})",
            where=str(path),
            remedy="check the folder's rights",
        ) from error
