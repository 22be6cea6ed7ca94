"""How often a question speaks to its server, and how much it is told.

    python -m scripts.services.wire [NAME…]

The sample base is built on each server and read through a way that counts: once as a whole copy,
then by sixty questions of one program, then by ten programs that had just begun. A turn is one
request and what the server answers. Ends with 1 where the mean of the sixty is above 40 turns, or
above 5 % of the bytes of a whole copy.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from medweave.app import copy_between, sample_files
from medweave.knowledge_base import KnowledgeBase
from scripts.services.fetching import UnavailableError
from scripts.services.proxy import Proxy, proxy_to
from scripts.services.questions import questions_about
from scripts.services.servers import SERVERS, Server

NAMES = ("mysql", "neo4j", "rdf4j", "fuseki", "mongodb")
_OF_EACH = 6
_PROGRAMS = 10
_TURNS, _SHARE = 40, 0.05
_PATIENCE = 120
"""Seconds that a try may take."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What went over the wire meanwhile."""

    turns: int
    told: int
    """Bytes that the server sent."""


class Counter:
    """What goes through a way between one look at it and the next."""

    def __init__(self, way: Proxy) -> None:
        self._way = way
        self._before = Spoken(way.turns, way.told)

    def next(self) -> Spoken:
        """What went through since the last time."""
        now, before = Spoken(self._way.turns, self._way.told), self._before
        self._before = now
        return Spoken(now.turns - before.turns, now.told - before.told)


def main(names: Sequence[str]) -> int:
    """Count on each server; 1 where it is too much."""
    asked, wrong = questions_about(sample_files(), _OF_EACH), 0
    for name in names or NAMES:
        try:
            with SERVERS[name]().running() as server:
                wrong += not _counted(name, server, asked)
        except UnavailableError as error:
            print(f"{name}: skipped, as {error}", flush=True)
    return int(wrong > 0)


def _counted(name: str, server: Server, asked: Sequence[str]) -> bool:
    direct = server.base("wire")
    with KnowledgeBase.open(direct, timeout=_PATIENCE) as base:
        base.build(sample_files())
    with (
        tempfile.TemporaryDirectory() as folder,
        patch.dict(os.environ, XDG_CACHE_HOME=folder),  # no names are known here yet
        proxy_to("127.0.0.1", server.port) as way,
    ):
        url = _through(direct, server.port, way.port)
        count = Counter(way)
        copy_between(url, str(Path(folder) / "copy.db"), timeout=_PATIENCE)
        whole = count.next()
        with KnowledgeBase.open(url, create=False, timeout=_PATIENCE) as base:
            base.ask(asked[0])
            first = count.next()
            each = []
            for question in asked:
                base.ask(question)
                each.append(count.next())
        begun = []
        for question in asked[:: len(asked) // _PROGRAMS][:_PROGRAMS]:
            with KnowledgeBase.open(url, create=False, timeout=_PATIENCE) as base:
                base.ask(question)
            begun.append(count.next())
    print(f"{name} {server.version()}: a whole copy takes {whole.turns} turns, {whole.told} bytes")
    print(f"| {name}, the very first | {_row([first], whole)} |")
    print(f"| {name}, {len(each)} of one program | {_row(each, whole)} |")
    print(f"| {name}, {len(begun)} just begun | {_row(begun, whole)} |", flush=True)
    return _mean_turns(each) <= _TURNS and _mean_share(each, whole) <= _SHARE


def _through(url: str, port: int, way: int) -> str:
    """The URL by which the same base is reached by a way; Neo4j would lead around it otherwise."""
    return url.replace(f":{port}/", f":{way}/").replace("neo4j://", "bolt://")


def _row(some: Sequence[Spoken], whole: Spoken) -> str:
    most = max(each.turns for each in some)
    share = max(each.told for each in some) / whole.told
    return f"{_mean_turns(some):.1f} | {most} | {_mean_share(some, whole):.2%} | {share:.2%}"


def _mean_turns(some: Sequence[Spoken]) -> float:
    return statistics.mean(each.turns for each in some)


def _mean_share(some: Sequence[Spoken], whole: Spoken) -> float:
    return statistics.mean(each.told for each in some) / whole.told


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
