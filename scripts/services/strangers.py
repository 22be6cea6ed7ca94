"""Data of other people in the database of a base: put there, and read again. Their names are much
like those of what the base itself keeps there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import closing
from typing import Any

from medweave.stores.address import StoreAddress
from medweave.stores.registry import adapter_of
from medweave.stores.sparql.client import HttpSparql


class Stranger(ABC):
    """Somebody else who uses the database in which a base is, or will be."""

    def __init__(self, base: StoreAddress) -> None:
        self._base = base

    @abstractmethod
    def put(self) -> None:
        """Write some data."""

    @abstractmethod
    def seen(self) -> list[Any]:
        """Read them again, in an order of their own."""


class InMySql(Stranger):
    """A table beside ours."""

    def put(self) -> None:
        self._run("CREATE TABLE {}_statements (n INT PRIMARY KEY, x TEXT)")
        self._run("INSERT INTO {}_statements VALUES (1, 'one'), (2, 'two')")

    def seen(self) -> list[Any]:
        return self._run("SELECT * FROM {}_statements ORDER BY n")

    def _run(self, text: str) -> list[Any]:
        import pymysql

        at = self._base
        login = {"user": at.user, "password": at.password, "database": at.path}
        with (
            pymysql.connect(host=at.host, port=at.port or 3306, **login) as connection,
            connection.cursor() as cursor,
        ):
            cursor.execute(text.format(at.base))
            connection.commit()
            return list(cursor.fetchall())


class InNeo4j(Stranger):
    """Nodes with a property that ours have, too."""

    def put(self) -> None:
        self._run("CREATE (:Person {base: $base, n: 1})-[:KNOWS {n: 7}]->(:Person {n: 2})")

    def seen(self) -> list[Any]:
        return self._run("MATCH (a:Person {base: $base})-[k]->(b) RETURN a.n, k.n, b.n")

    def _run(self, text: str) -> list[Any]:
        from neo4j import GraphDatabase

        at = self._base
        login, given = (at.user, at.password), {"base": at.base}
        with GraphDatabase.driver(f"bolt://{at.hosts}", auth=login) as driver:
            found = driver.execute_query(text, given, database_=at.path)
            return [list(row.values()) for row in found.records]


class InMongoDb(Stranger):
    """A collection beside ours."""

    def put(self) -> None:
        self._of(lambda some: some.insert_many([{"_id": n, "n": n} for n in range(3)]))

    def seen(self) -> list[Any]:
        return list(self._of(lambda some: list(some.find().sort("_id"))))

    def _of(self, work: Callable[[Any], Any]) -> Any:
        from pymongo import MongoClient

        client: MongoClient[dict[str, Any]] = MongoClient(
            self._base.host,
            self._base.port,
            username=self._base.user or None,
            password=self._base.password or None,
        )
        with client:
            return work(client[self._base.path][f"{self._base.base}_statement"])


class InRdf(Stranger):
    """Triples in a graph of their own, and in none."""

    def put(self) -> None:
        one, other = (
            f"<urn:{of}> <urn:medweave:base:{self._base.base}#statement.n> 1"
            for of in self._subjects()
        )
        with closing(HttpSparql(self._base)) as service:
            service.update(f"INSERT DATA {{ GRAPH <urn:others> {{ {one} }} {other} }}")

    def seen(self) -> list[Any]:
        one, other = self._subjects()
        text = (
            f"SELECT ?s ?p ?o {{ {{ GRAPH <urn:others> {{ ?s ?p ?o FILTER(?s = <urn:{one}>) }} }}"
            f" UNION {{ ?s ?p ?o FILTER(?s = <urn:{other}>) }} }} ORDER BY ?s"
        )
        with closing(HttpSparql(self._base)) as service:
            return [sorted(row.items()) for row in service.query(text)]

    def _subjects(self) -> tuple[str, str]:
        return f"a:{self._base.base}", f"b:{self._base.base}"


STRANGERS: dict[str, Callable[[StoreAddress], Stranger]] = {
    "mysql": InMySql,
    "neo4j": InNeo4j,
    "mongodb": InMongoDb,
    "sparql": InRdf,
}


def stranger_beside(base: StoreAddress) -> Stranger:
    """One who uses the same database."""
    return STRANGERS[adapter_of(base).kind](base)
