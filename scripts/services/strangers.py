"""Data of other people in the database of a base: put there, and read again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from medweave.stores.registry import address_of
from medweave.stores.sparql.client import HttpSparql
from scripts.services.servers import Server


class Stranger(ABC):
    """Somebody else who uses the same database, with names much like ours."""

    def __init__(self, server: Server) -> None:
        self._server = server

    @abstractmethod
    def put(self) -> None:
        """Write some data."""

    @abstractmethod
    def seen(self) -> list[Any]:
        """Read them again, in an order of their own."""


class InMySql(Stranger):
    """A table and a view beside ours."""

    def put(self) -> None:
        self._run("CREATE TABLE built_statements (n INT PRIMARY KEY, x TEXT)")
        self._run("INSERT INTO built_statements VALUES (1, 'one'), (2, 'two')")

    def seen(self) -> list[Any]:
        return self._run("SELECT * FROM built_statements ORDER BY n")

    def _run(self, text: str) -> list[Any]:
        import pymysql

        with (
            pymysql.connect(
                host="127.0.0.1", port=self._server.port, user="root", database="tests"
            ) as connection,
            connection.cursor() as cursor,
        ):
            cursor.execute(text)
            connection.commit()
            return list(cursor.fetchall())


class InNeo4j(Stranger):
    """Nodes with a property that ours have, too."""

    def put(self) -> None:
        self._run("CREATE (:Person {base: 'built', n: 1})-[:KNOWS {n: 7}]->(:Person {n: 2})")

    def seen(self) -> list[Any]:
        return self._run("MATCH (a:Person)-[k]->(b) RETURN a.base, a.n, k.n, b.n")

    def _run(self, text: str) -> list[Any]:
        from neo4j import GraphDatabase

        login = (self._server.user, self._server.password)
        with GraphDatabase.driver(f"bolt://127.0.0.1:{self._server.port}", auth=login) as driver:
            return [list(row.values()) for row in driver.execute_query(text).records]


class InMongoDb(Stranger):
    """A collection beside ours."""

    def put(self) -> None:
        self._of(lambda some: some.insert_many([{"_id": n, "n": n} for n in range(3)]))

    def seen(self) -> list[Any]:
        return list(self._of(lambda some: list(some.find().sort("_id"))))

    def _of(self, work: Callable[[Any], Any]) -> Any:
        from pymongo import MongoClient

        client: MongoClient[dict[str, Any]] = MongoClient("127.0.0.1", self._server.port)
        with client:
            return work(client["tests"]["built_statement"])


class InRdf(Stranger):
    """Triples in a graph of their own, and in none."""

    def put(self) -> None:
        triple = "<urn:a> <urn:medweave:base:built#statement.n> 1"
        self._service().update(
            f"INSERT DATA {{ GRAPH <urn:others> {{ {triple} }} {triple.replace('a', 'b', 1)} }}"
        )

    def seen(self) -> list[Any]:
        text = (
            "SELECT ?s ?p ?o { { GRAPH <urn:others> { ?s ?p ?o } } UNION"
            " { ?s ?p ?o FILTER(?s = <urn:b>) } } ORDER BY ?s"
        )
        return [sorted(row.items()) for row in self._service().query(text)]

    def _service(self) -> Any:
        return HttpSparql(address_of(self._server.base("built")))


STRANGERS: dict[str, Callable[[Server], Stranger]] = {
    "mysql": InMySql,
    "neo4j": InNeo4j,
    "mongodb": InMongoDb,
    "rdf4j": InRdf,
    "fuseki": InRdf,
}
