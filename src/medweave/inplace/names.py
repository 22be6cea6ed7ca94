"""What a database calls things: an index in the user's cache, which is never behind it.

It holds names, and the keys of the rows that have them. Before a question it is held against a mark
that the database changes whenever it is changed; where that says too little, against a digest that
the database makes of its own rows. Only where both differ are rows read: those that came, where no
others changed, or else all of them, of which those that changed are read anew into names.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from time import sleep
from typing import Any

from medweave.errors import StoreBusyError
from medweave.inplace.mapping import DatabaseMapping
from medweave.inplace.reading import RowReader, plain
from medweave.inplace.row_index import IndexedRow, RowIndex, RowsOfParts
from medweave.inplace.rows import ForeignRow, ForeignRows, Mark
from medweave.model.document import Document, Extraction
from medweave.model.identifiers import digest
from medweave.model.statement import Activity
from medweave.private_files import appended
from medweave.stores.sqlite.store import SqliteStore

_CHUNK = 1000
_TRIES, _PAUSE = 60, 0.5
_NOTHING = Activity("names", "1", "", "", "")


class CachedNames:
    """The names of a database, in `store` (see `SupportsNames` and `SupportsWords`), and its rows
    by their keys, in `rows`."""

    def __init__(
        self,
        file: Path,
        database: ForeignRows,
        mapping: DatabaseMapping,
        readers: Sequence[RowReader],
    ) -> None:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        rows = file.with_suffix(".rows")
        for made in (file, rows):
            # SQLite lets nobody read its logs who may not read the file.
            with suppress(OSError), appended(made, new=True):
                pass
        self.store = SqliteStore.open(file, create=True)
        self.rows = RowIndex(rows)
        self._database = database
        self._mapping = mapping
        self._readers = readers
        self._lock = threading.RLock()
        self._behind = False
        """Whether a row was read that is not as it was when its names were."""

    def close(self) -> None:
        """Let go of the files."""
        self.store.close()
        self.rows.close()

    def refresh(self) -> int:
        """Bring it up to date where it is behind; a number that moves whenever it was."""
        with self._lock:
            for _ in range(_TRIES):
                mark = self._database.mark(self._mapping.parts)
                held = self._held()
                same = mark and held.get("mark") == mark.text and held.get("settled")
                if same and not self._behind:
                    return int(held["turn"])
                try:
                    with self.store.writing():
                        return self._brought_up(mark)
                except StoreBusyError:  # another process does it
                    sleep(_PAUSE)
        raise StoreBusyError("the names of this database are being read", remedy="try again")

    def _held(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.store.note("mark") or "{}")
        return found

    def _brought_up(self, mark: Mark | None) -> int:
        held, self._behind = self._held(), False
        turn, before = int(held.get("turn", 0)), held.get("digests", {})
        digests: dict[str, str] = {}
        moved = not held
        for number, part in enumerate(self._mapping.parts):
            now = digests[str(number)] = self._database.digest(part)
            if now and now == before.get(str(number)):
                continue
            if part.joins:  # nothing is kept of it
                moved = moved or mark is not None or bool(now)
            elif self._read(number, before.get(str(number), "")):
                moved = True
        now_held = {"turn": turn + moved, "digests": digests, "mark": mark.text if mark else ""}
        text = json.dumps({**now_held, "settled": bool(mark and mark.settled)})
        self.store.set_note("mark", text)
        return turn + moved

    def _read(self, number: int, before: str) -> bool:
        """Read what came to a part since a digest of it, or where more changed, all of it; whether
        anything is now otherwise."""
        known = self.rows.digests(number)
        part = self._mapping.parts[number]
        came = self._database.new_rows(part, before) if before and known else None
        seen: set[str] = set()
        changed = self._changed(number, came or self._database.stream(part), known, seen)
        moved = False
        # Each part is kept at once: whoever is stopped goes on from there, as only a mark, which
        # comes last, says that all of it is there.
        while some := list(islice(changed, _CHUNK)):
            with self.store.transaction(), self.rows.writing():
                self.rows.put(row for row, _ in some)
                self.store.put(extraction for _, extraction in some)
            moved = True
        with self.store.transaction(), self.rows.writing():
            gone = [one for one in known if one not in seen] if came is None else []
            self.rows.remove(gone)
            self.store.remove(gone)
        return moved or bool(gone)

    def _changed(
        self, number: int, rows: Iterable[ForeignRow], known: dict[str, str], seen: set[str]
    ) -> Iterator[tuple[IndexedRow, Extraction]]:
        reader = self._readers[number]
        for some in _together(rows):
            now = _digest(some)
            document = Document(reader.source, reader.name_of(some[0]), "", ())
            seen.add(document.id)
            if known.get(document.id) == now:
                continue
            made = tuple(each for each in reader.read(some) if isinstance(each, Extraction))
            mentions = tuple(dict.fromkeys(one for each in made for one in each.mentions))
            keys = tuple(sorted({row.key for row in some}))
            yield (
                IndexedRow(number, document.id, keys, now, made),
                Extraction(document, now, (), (), mentions, _NOTHING),
            )

    def compare(self, document: str, rows: Sequence[ForeignRow]) -> None:
        """Hold a row that was just read against what is known of it; where it differs, the index is
        behind, whatever the mark says, and is brought up to date next."""
        if self.rows.digest_of(document) not in ("", _digest(rows)):
            self._behind = True

    def rows_of(self, entities: Iterable[str]) -> RowsOfParts:
        """The rows that name any of these things."""
        return self.rows.rows_called(document for _, document in self.store.names(entities))


def _digest(rows: Sequence[ForeignRow]) -> str:
    return digest([[row.key, plain(row.values)] for row in rows])


def _together(rows: Iterable[ForeignRow]) -> Iterator[list[ForeignRow]]:
    """Rows that are shown by the same name, and follow each other, together."""
    return (list(some) for _, some in groupby(rows, key=attrgetter("shown")))
