"""A base copied from a file through one server after the other, and back: is it the same?

    python -m scripts.services.round [NAME…]

Two servers run at a time. Prints how long each copy took, and ends with 1 where the hash at the end
is not that of the beginning.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from contextlib import ExitStack

from medweave.app import copy_between, sample_files
from medweave.knowledge_base import KnowledgeBase
from scripts.services.fetching import UnavailableError
from scripts.services.servers import SERVERS

NAMES = ("mysql", "rdf4j", "neo4j", "fuseki", "mongodb")
"""Without Weaviate, which keeps no base."""
_FILES = 4
"""So many of the sample's files, the smallest."""
_PATIENCE = 120.0
"""Seconds that a try may take: two servers share the machine."""


def main(names: list[str]) -> int:
    """Copy a small base round, and say what came of it."""
    with tempfile.TemporaryDirectory() as folder:
        first, last = f"{folder}/first.db", f"{folder}/last.db"
        with KnowledgeBase.open(first) as base:
            base.build(sorted(sample_files(), key=lambda one: one.stat().st_size)[:_FILES])
            before = base.version.hash
        _round(first, names or NAMES, last)
        with KnowledgeBase.open(last, create=False) as base:
            same = base.version.hash == before
    print(f"hash equal: {same}")
    return int(not same)


def _round(first: str, names: Iterable[str], last: str) -> None:
    at, before = first, ExitStack()
    try:
        for name in names:
            running = ExitStack()
            try:
                server = running.enter_context(SERVERS[name]().running())
            except UnavailableError as error:
                print(f"{name}: skipped, as {error}", flush=True)
                continue
            ended, before = before, running
            with ended:  # the one before it runs until it has been copied
                at = _copied(at, server.base("round"), name)
        _copied(at, last, "a file")
    finally:
        before.close()


def _copied(source: str, target: str, name: str) -> str:
    done = copy_between(source, target, timeout=_PATIENCE)
    counts = f"{done.counts.documents} documents, {done.counts.statements} statements"
    print(f"into {name}: {counts}, {done.seconds:.0f} s", flush=True)
    return target


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
