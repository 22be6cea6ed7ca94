"""RDF on disk, by pyoxigraph, asked in SPARQL as a server is.

One process may write, or several may read: what keeps the files sees to no more. Stores of one
process share what is open.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyoxigraph

from medweave.errors import StoreBusyError, StoreError
from medweave.model.rdf_layout import XSD
from medweave.stores.address import StoreAddress
from medweave.stores.sparql.client import Solution
from medweave.stores.sparql.terms import Term
from medweave.stores.versioned.lease import BUSY_SECONDS

POSIX = os.name == "posix"
"""Elsewhere the lock of what keeps the files must do: it knows of writers alone."""
_MARK = "CURRENT"
"""A file that every folder of this kind has."""
_LOADED = 1 << 19
"""From so many characters on the loader is faster than an update."""
_GUARD = threading.RLock()
"""Held while something is opened or closed."""


class DiskSparql:
    """See `FilledSparql`. A folder that is not there is empty, and made by the first update."""

    at_once = 1 << 22
    """A loader makes of each load whole files, so it is given much; and takes less than a million
    triples (some 60 MB) as a whole or not at all, whatever becomes of the process."""

    def __init__(self, address: StoreAddress, *, read_only: bool) -> None:
        self._where = str(address)
        self._read_only = read_only
        path = Path(address.path).resolve()
        with _GUARD:
            self._folder: _Folder | None = _OPEN.setdefault(path, _Folder(path))
            self._folder.users += 1

    def query(self, text: str) -> Iterator[Solution]:
        with self._errors():
            store = self._open(to_write=False)
            found: Any = store.query(text) if store else None
        if found is not None:
            names = [variable.value for variable in found.variables]
            for solution in found:
                pairs = zip(names, solution, strict=True)
                yield {name: _term(term) for name, term in pairs if term is not None}

    def update(self, text: str) -> None:
        store = self._to_write()
        with self._errors():
            store.update(text)

    def insert(self, blocks: str) -> None:
        """See `FilledSparql.insert`: much by the loader, little by an update."""
        if len(blocks) < _LOADED:
            self.update(f"INSERT DATA {{ {blocks} }}")
            return
        store = self._to_write()
        with self._errors():
            store.bulk_load(blocks, pyoxigraph.RdfFormat.TRIG)

    def server(self) -> str:
        return f"pyoxigraph {pyoxigraph.__version__}"

    def close(self) -> None:
        with _GUARD:
            folder, self._folder = self._folder, None
            if folder is not None:
                folder.users -= 1
                if not folder.users:
                    folder.close()
                    del _OPEN[folder.path]

    def _to_write(self) -> Any:
        if self._read_only:
            raise StoreError("this base was opened to be read", where=self._where)
        with self._errors():
            return self._open(to_write=True)

    def _open(self, *, to_write: bool) -> Any:
        if self._folder is None:
            raise StoreError("this base is closed", where=self._where, remedy="open it again")
        return self._folder.opened(to_write=to_write, where=self._where)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (OSError, RuntimeError, SyntaxError, ValueError) as error:
            raise StoreError(
                f"this folder cannot be used ({type(error).__name__})",
                where=self._where,
                remedy="see that it is one of rdf:, and check its rights",
            ) from error


class _Folder:
    """A folder that this process has open, once for all that use it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.users = 0
        self._store: Any = None
        self._writes = False
        self._lock: int | None = None

    def opened(self, *, to_write: bool, where: str) -> Any:
        """What keeps the files; None where there is nothing to read yet."""
        with _GUARD:
            if self._store is None or (to_write and not self._writes):
                if not (self.path / _MARK).exists():
                    if not to_write:
                        return None
                    self._make(where)
                self.close()
                self._take(exclusive=to_write, where=where)
                opener = pyoxigraph.Store if to_write else pyoxigraph.Store.read_only
                self._store, self._writes = opener(str(self.path)), to_write
            return self._store

    def _make(self, where: str) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        if any(self.path.iterdir()):
            raise StoreError("this folder holds something else", where=where, remedy="name another")

    def _take(self, *, exclusive: bool, where: str) -> None:
        """The lock of the operating system on the folder, which ends with this process."""
        if not POSIX:
            return
        import fcntl

        self._lock = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        patience = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                how = fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH
                fcntl.flock(self._lock, how | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() < patience:
                    time.sleep(0.05)
                    continue
                self.close()
                raise StoreBusyError(
                    f"another process {'has this base open' if exclusive else 'is writing'}",
                    where=where,
                    remedy="try again when it is done",
                ) from None
            return

    def close(self) -> None:
        """Let go of files and lock."""
        if self._writes:
            self._store.flush()  # or else whoever opens it next does again all that was written
        self._store, self._writes = None, False
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)


_OPEN: dict[Path, _Folder] = {}
"""What this process has open."""


def _term(term: Any) -> Term:
    if isinstance(term, pyoxigraph.NamedNode):
        return Term("iri", term.value)
    if isinstance(term, pyoxigraph.BlankNode):
        return Term("blank", term.value)
    kind = term.datatype.value
    plain = term.language or kind == XSD + "string"
    return Term("literal", term.value, "" if plain else kind, term.language or "")
