"""How fast, and in how much memory, so many statements come into each kind of store.

    python -m scripts.services.load [--statements N] [--minutes N] [NAME…]

A base of made-up monographs is built in a file, and copied into a server of each kind by
`medweave copy`, which ends only where both hashes are equal. Prints the rows of a table: seconds,
statements a second, the most memory that the command held, and what the server's data take on the
disk; of a copy that is stopped as it takes too long or fills the disk, how far it came.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from medweave.app import open_store
from medweave.errors import MedweaveError
from medweave.model.vectors import EXACT
from medweave.stores.derived import view_of
from scripts.services.fetching import UnavailableError, cache_folder
from scripts.services.servers import SERVERS

_NAMES = ("mysql", "neo4j", "rdf4j", "fuseki", "mongodb")
"""Without Weaviate, which keeps no base."""
_OF_EACH = 30
"""Statements that a monograph makes."""
_SYMPTOMS = 4000
_PATIENCE = 120.0
"""Seconds that a try may take where a copy was stopped."""
_FREE = 10e9
"""So many bytes of the disk are left to others."""
_MEGABYTE = 1 << 10
"""Linux tells the memory of a process in units of 1024 bytes."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What one command took."""

    seconds: float
    megabytes: float
    """The most that its process held."""
    stopped: bool = False
    """Whether it took longer, or more of the disk, than it was given."""

    def line(self, name: str, statements: int) -> str:
        """A row of a table."""
        rate = statements / self.seconds
        return f"| {name} | {self.seconds:.0f} s | {rate:,.0f} | {self.megabytes:.0f} MB |"


def monographs(statements: int, of_each: int = _OF_EACH) -> Iterator[str]:
    """Lines that make so many statements: diseases with their symptoms."""
    chance = random.Random(25)  # noqa: S311 - not for secrets
    for number in range(statements // of_each):
        symptoms = [f"symptom {n}" for n in chance.sample(range(_SYMPTOMS), of_each)]
        row = {"name": f"disease {number}", "concept": "disease", "symptoms": symptoms}
        yield json.dumps(row) + "\n"


def measured(*words: str, minutes: float | None = None) -> Loaded:
    """Run a command of medweave, which says itself what went wrong; it is stopped after so many
    minutes, or where the disk is nearly full. Raises `RuntimeError` where it fails."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "medweave", *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    ended, stopped = threading.Event(), threading.Event()

    def watch() -> None:
        while not ended.wait(1):
            late = minutes is not None and time.perf_counter() - started >= minutes * 60
            if late or shutil.disk_usage(cache_folder(".")).free < _FREE:
                stopped.set()
                process.kill()
                return

    threading.Thread(target=watch, daemon=True).start()
    _, status, used = os.wait4(process.pid, 0)
    ended.set()
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds, megabytes = time.perf_counter() - started, used.ru_maxrss / _MEGABYTE
    if process.returncode and not stopped.is_set():
        raise RuntimeError(f"{words[0]} ended with {process.returncode}")
    return Loaded(seconds, megabytes, stopped=stopped.is_set())


def main(names: list[str], statements: int, minutes: float) -> None:
    """Build one base, and copy it into each server."""
    with tempfile.TemporaryDirectory() as folder:
        file, base = Path(folder) / "made.jsonl", f"{folder}/made.db"
        file.write_text("".join(monographs(statements)), "utf-8")
        built = measured("build", "--kb", base, str(file))
        print(built.line("SQLite, built", statements), flush=True)
        copied = measured("copy", base, f"{folder}/copy.db")
        print(copied.line("SQLite", statements), flush=True)
        for name in names:
            try:
                _copied_to(name, base, statements, minutes)
            except (UnavailableError, MedweaveError, RuntimeError) as error:
                print(f"{name}: {error}", flush=True)


def _copied_to(name: str, base: str, statements: int, minutes: float) -> None:
    server = SERVERS[name]()
    server.expect_much()
    with server.running():
        done = measured("copy", base, server.base("load"), minutes=minutes)
        shown = f"{name} {server.version()}"
        if done.stopped:
            shown, statements = f"{shown}, stopped", _there(server.base("load"))
            print(f"{name}: {statements} statements after {done.seconds:.0f} s", flush=True)
        print(f"{done.line(shown, statements)} {server.megabytes():,.0f} MB |", flush=True)


def _there(url: str) -> int:
    """How many statements an unfinished copy has, by its last whole revision."""
    store = open_store(url, create=False, read_only=True, search=EXACT, timeout=_PATIENCE)
    with closing(view_of(store)) as opened:
        return opened.counts().statements


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=_NAMES)
    parser.add_argument("--statements", type=int, default=300_000)
    parser.add_argument("--minutes", type=float, default=60, help="that a copy may take")
    given = parser.parse_args()
    main(given.names, given.statements, given.minutes)
