"""How much longer a base takes to be built on a server than its rows to be loaded there.

    python -m scripts.services.plain [--statements N] [NAME…]

The rows of a base of made-up monographs are written down, and loaded by the server's own driver as
anybody would: in large batches, without stamps, checks or indexes but a key. Then `medweave build`
makes the same base on the same server. Prints the seconds of both, and how many times the one is
the other; the rest of the machine weighs on both alike.
"""

from __future__ import annotations

import argparse
import pickle
import tempfile
import time
import urllib.request
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from medweave.app import open_store
from medweave.model.batches import batches
from medweave.model.vectors import EXACT
from medweave.stores.derived import view_of
from medweave.stores.sparql.layout import Layout
from medweave.stores.versioned.rows import NUMBERED, Header, Row, Where
from medweave.stores.versioned.store import VersionedStore
from scripts.services.fetching import UnavailableError
from scripts.services.load import measured, monographs
from scripts.services.servers import SERVERS, Server

_AT_ONCE = 5000
Batches = Iterable[tuple[str, list[Row]]]
"""Kinds, each with some rows of it."""


class WrittenRows:
    """See `Rows`: those of a base that is filled, in a file; nothing can be read of them."""

    def __init__(self, file: Path) -> None:
        self._file: IO[bytes] = file.open("wb")
        self._header: Header | None = None
        self.count = 0

    def header(self) -> Header | None:
        """See `Rows.header`."""
        return self._header

    def swap(self, before: Header | None, after: Header) -> bool:  # noqa: ARG002
        """See `Rows.swap`."""
        self._header = after
        return True

    def insert(self, rows: Mapping[str, Sequence[Row]]) -> None:
        """See `Rows.insert`."""
        for kind, of_kind in rows.items():
            pickle.dump((kind, list(of_kind)), self._file)
            self.count += len(of_kind)

    def find(
        self,
        kind: str,  # noqa: ARG002
        where: Where,  # noqa: ARG002
        at: int,  # noqa: ARG002
        fields: Sequence[str],  # noqa: ARG002
        *,
        first: int | None = None,  # noqa: ARG002
    ) -> Iterable[Row]:
        """See `Rows.find`: who fills an empty base asks for nothing."""
        raise AssertionError("nothing is read while a base is filled")

    def close(self) -> None:
        """See `Rows.close`."""
        self._file.close()


def batches_in(file: Path) -> Iterator[tuple[str, list[Row]]]:
    """What `WrittenRows` wrote, so many rows of a kind at a time."""
    held: dict[str, list[Row]] = {kind: [] for kind in NUMBERED}
    with file.open("rb") as written:
        while written.peek(1):
            kind, rows = pickle.load(written)  # noqa: S301 - we wrote it
            held[kind] += rows
            if len(held[kind]) >= _AT_ONCE:
                yield kind, held[kind]
                held[kind] = []
    yield from ((kind, rows) for kind, rows in held.items() if rows)


def into_mysql(server: Server, some: Batches) -> None:
    """Tables with a key, by PyMySQL."""
    import pymysql

    connection = pymysql.connect(
        host="127.0.0.1", port=server.port, user="root", database="tests", charset="utf8mb4"
    )
    made: dict[str, list[str]] = {}
    with closing(connection), connection.cursor() as cursor:
        for kind, rows in some:
            if kind not in made:
                texts = {
                    name: isinstance(value, str) for row in rows for name, value in row.items()
                }
                made[kind] = list(texts)
                columns = ", ".join(
                    f"`{name}` {'LONGTEXT' if text else 'BIGINT'}" for name, text in texts.items()
                )
                cursor.execute(f"CREATE TABLE plain_{kind} ({columns}, PRIMARY KEY (n, since))")
            names = made[kind]
            listed, marks = ", ".join(f"`{n}`" for n in names), ", ".join(["%s"] * len(names))
            cursor.executemany(
                f"INSERT INTO plain_{kind} ({listed}) VALUES ({marks})",
                [[row.get(name) for name in names] for row in rows],
            )
            connection.commit()


def into_neo4j(server: Server, some: Batches) -> None:
    """Nodes with a label, by the driver."""
    from neo4j import GraphDatabase

    login = (server.user, server.password)
    with GraphDatabase.driver(f"bolt://127.0.0.1:{server.port}", auth=login) as driver:
        for kind, rows in some:
            text: Any = f"UNWIND $rows AS row CREATE (r:Plain_{kind}) SET r = row"
            driver.execute_query(text, rows=rows)


def into_mongodb(server: Server, some: Batches) -> None:
    """Documents, by PyMongo."""
    from pymongo import MongoClient

    client: MongoClient[dict[str, Any]] = MongoClient("127.0.0.1", server.port)
    with client:
        for kind, rows in some:
            client["tests"][f"plain.{kind}"].insert_many(rows, ordered=False)


def into_rdf(server: Server, some: Batches) -> None:
    """Quads, sent to where the server takes quads."""
    layout, at = Layout("plain"), urlsplit(server.url)
    secure = "s" if at.scheme.endswith("https") else ""
    path = f"{at.path}/statements" if "repositories" in at.path else f"{at.path}/data"
    headers = {"Content-Type": "application/n-quads"}
    if server.user:
        login = f"{server.user}:{server.password}".encode()
        headers["Authorization"] = f"Basic {b64encode(login).decode()}"
    for kind, rows in some:
        quads = [
            f"{layout.node(kind, row)} {name} {_as_quads(value)} {layout.graph_of(kind, row)} .\n"
            for row in rows
            for name, value in layout.triples(kind, row)
        ]
        sent = urllib.request.Request(
            f"http{secure}://{at.netloc}{path}", "".join(quads).encode(), headers, method="POST"
        )
        urllib.request.urlopen(sent, timeout=600).close()


def _as_quads(value: str) -> str:
    """A term as it stands in quads, which have no short way for numbers."""
    number = value.lstrip("-").isdigit()
    return f'"{value}"^^<http://www.w3.org/2001/XMLSchema#integer>' if number else value


INTO: dict[str, Callable[[Server, Batches], None]] = {
    "mysql": into_mysql,
    "neo4j": into_neo4j,
    "mongodb": into_mongodb,
    "rdf4j": into_rdf,
    "fuseki": into_rdf,
}


def written_rows(statements: int, folder: Path) -> tuple[Path, Path, int]:
    """The source of a base, a file with all its rows, and how many these are."""
    source, base, rows = folder / "made.jsonl", folder / "made.db", folder / "rows"
    source.write_text("".join(monographs(statements)), "utf-8")
    measured("build", "--kb", str(base), str(source))
    written = WrittenRows(rows)
    held = view_of(open_store(str(base), create=False, read_only=True, search=EXACT))
    kept: Any = written
    with closing(held), closing(VersionedStore(kept, "rows", create=True)) as store:
        documents = [each.id for each in held.documents()]
        store.put(each for some in batches(documents, 100) for each in held.contributions(some))
    return source, rows, written.count


def main(names: Sequence[str], statements: int) -> None:
    """Load and build on each server."""
    with tempfile.TemporaryDirectory() as made:
        source, rows, count = written_rows(statements, Path(made))
        print(f"{statements} statements are {count} rows", flush=True)
        for name in names:
            try:
                server = SERVERS[name]()
                server.expect_much()
                with server.running():
                    url = server.base("built")
                    started = time.perf_counter()
                    INTO[name](server, batches_in(rows))
                    plain = time.perf_counter() - started
                    built = measured("build", "--kb", url, str(source))
                    print(
                        f"| {name} {server.version()} | {plain:.1f} s | {built.seconds:.1f} s"
                        f" | {built.seconds / plain:.1f} | {built.megabytes:.0f} MB |",
                        flush=True,
                    )
            except (UnavailableError, RuntimeError) as error:
                print(f"{name}: {error}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(INTO))
    parser.add_argument("--statements", type=int, default=100_000)
    given = parser.parse_args()
    main(given.names, given.statements)
