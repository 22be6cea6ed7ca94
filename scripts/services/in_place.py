"""The same questions to the same facts in databases of several kinds, asked where they are.

    python -m scripts.services.in_place [NAME…]

What the sample says of things is written as a stranger would: triples in a table of SQLite (which
the others are held against) and of MariaDB, documents with lists in MongoDB, nodes and
relationships in Neo4j, classes and properties in RDF. 45 questions are asked of each by a mapping.
Where the rows are the same, so must be the answers in every field; where facts are cut into
other rows, what is said and who is named must be. Ends with 1 where something differs.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from medweave.app import sample_files
from medweave.inplace.mapping import read_database_mapping
from medweave.inplace.opening import open_in_place
from medweave.knowledge_base import KnowledgeBase
from medweave.sources.names import Naming
from medweave.stores.registry import address_of
from medweave.stores.revision_memo import revision_memo
from medweave.stores.sparql.client import HttpSparql
from medweave.stores.sparql.terms import iri, literal
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.vocabulary import load_vocabulary, shipped_texts
from scripts.services.fetching import UnavailableError
from scripts.services.questions import questions_of
from scripts.services.servers import SERVERS, Server

_OF_EACH = 5
_QUESTIONS = 45
_PATIENCE = 60
"""Seconds that a try may take."""
_SHOWN = 4
_NS = "http://example.org/"
_TRIPLES = ("mysql", "mongodb")
"""Where the rows are those of the table in SQLite."""


class Fact(NamedTuple):
    """A row of the table of triples."""

    id: int
    head: str
    head_kind: str
    relation: str
    tail: str
    tail_kind: str


class Facts(NamedTuple):
    """What is asked about."""

    rows: Sequence[Fact]
    kinds: Mapping[str, tuple[str, str, str]]
    """By relation: the predicate, and the concepts that it joins."""


def facts_of_sample() -> tuple[Facts, list[str]]:
    """What the sample says of things, with their names, and questions about it."""
    rows: list[Fact] = []
    kinds: dict[str, tuple[str, str, str]] = {}
    with KnowledgeBase.open("memory:") as base:
        base.build(sample_files())
        store = base.knowledge.store
        for found in store.match():
            one = found.statement
            if one.object_entity is None or one.qualifiers or found.evidence[0].polarity < 0:
                continue
            ends = base.knowledge.entities.all([one.subject, one.object_entity])
            subject, end = ends[one.subject], ends[one.object_entity]
            relation = f"{one.predicate} {subject.concept} {end.concept}".replace(" ", "_")
            kinds[relation] = (one.predicate, subject.concept, end.concept)
            ends_of = (subject.name(), subject.concept, relation, end.name(), end.concept)
            rows.append(Fact(len(rows) + 1, *ends_of))
        return Facts(rows, kinds), questions_of(store, _OF_EACH)[:_QUESTIONS]


def _triples(facts: Facts, place: str) -> str:
    relations = {name: predicate for name, (predicate, *_) in facts.kinds.items()}
    part = {
        **{"kind": "triples", place: "triple", "predicate_column": "relation"},
        "subject": {"name": "head", "concept": "head_kind"},
        "object": {"name": "tail", "concept": "tail_kind"},
        "relations": relations,
    }
    return json.dumps({"name": "clinic", "language": "en", "parts": [part]})


def _graph(facts: Facts, place: str, name: str, prefix: str = "") -> str:
    concepts = sorted({concept for _, *ends in facts.kinds.values() for concept in ends})
    nodes = [
        {"kind": "nodes", place: prefix + concept, "name_field": prefix + name, "concept": concept}
        for concept in concepts
    ]
    edges = [
        {"kind": "edges", "type": prefix + predicate, "predicate": predicate}
        for predicate in sorted({predicate for predicate, *_ in facts.kinds.values()})
    ]
    return json.dumps({"name": "clinic", "language": "en", "parts": [*nodes, *edges]})


def into_sqlite(file: Path, facts: Facts) -> str:
    """A table, and how it is read."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "CREATE TABLE triple (id INTEGER PRIMARY KEY, head TEXT, head_kind TEXT,"
            " relation TEXT, tail TEXT, tail_kind TEXT)"
        )
        connection.executemany("INSERT INTO triple VALUES (?, ?, ?, ?, ?, ?)", facts.rows)
    return _triples(facts, "table")


def into_mysql(server: Server, facts: Facts) -> str:
    """A table with a collation that takes capitals and accents for the same."""
    import pymysql

    connection = pymysql.connect(
        host="127.0.0.1", port=server.port, user="root", database="tests", charset="utf8mb4"
    )
    with closing(connection), connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE triple (id INT PRIMARY KEY, head VARCHAR(300), head_kind VARCHAR(40),"
            " relation VARCHAR(100), tail VARCHAR(300), tail_kind VARCHAR(40)) CHARSET utf8mb4"
        )
        cursor.executemany("INSERT INTO triple VALUES (%s, %s, %s, %s, %s, %s)", facts.rows)
        connection.commit()
    return _triples(facts, "table")


def into_mongodb(server: Server, facts: Facts) -> str:
    """A collection."""
    from pymongo import MongoClient

    client: MongoClient[dict[str, Any]] = MongoClient("127.0.0.1", server.port)
    with client:
        documents = [{**row._asdict(), "_id": row.id} for row in facts.rows]
        client["tests"]["triple"].insert_many(documents)
    return _triples(facts, "collection")


def into_neo4j(server: Server, facts: Facts) -> str:
    """Nodes with a label for each concept, and relationships called by their predicate."""
    from neo4j import GraphDatabase

    login = (server.user, server.password)
    by_relation: dict[str, list[list[str]]] = defaultdict(list)
    for row in facts.rows:
        by_relation[row.relation].append([row.head, row.tail])
    with GraphDatabase.driver(f"bolt://127.0.0.1:{server.port}", auth=login) as driver:
        for relation, pairs in by_relation.items():
            predicate, subject, end = facts.kinds[relation]
            text: Any = (
                f"UNWIND $pairs AS p MERGE (a:`{subject}` {{name: p[0]}})"
                f" MERGE (b:`{end}` {{name: p[1]}}) CREATE (a)-[:`{predicate}`]->(b)"
            )
            driver.execute_query(text, pairs=pairs)
    return _graph(facts, "label", "name")


def into_rdf(server: Server, facts: Facts) -> str:
    """Things with a class and a label, and what joins them."""
    service = HttpSparql(address_of(server.base("x")))
    made: dict[tuple[str, str], str] = {}

    def thing(concept: str, name: str) -> str:
        return made.setdefault((concept, name), iri(f"{_NS}t{len(made)}"))

    triples = []
    for row in facts.rows:
        predicate, subject, end = facts.kinds[row.relation]
        triples.append(f"{thing(subject, row.head)} {iri(_NS + predicate)} {thing(end, row.tail)}")
    for (concept, name), node in made.items():
        triples.append(f"{node} a {iri(_NS + concept)} ; {iri(_NS + 'name')} {literal(name)}")
    service.update(f"INSERT DATA {{ {' . '.join(triples)} }}")
    service.close()
    return _graph(facts, "class", "name", _NS)


INTO: dict[str, Callable[[Server, Facts], str]] = {
    "mysql": into_mysql,
    "mongodb": into_mongodb,
    "neo4j": into_neo4j,
    "rdf4j": into_rdf,
    "fuseki": into_rdf,
}


def answers(url: str, mapping: str, folder: Path, asked: Sequence[str]) -> list[dict[str, Any]]:
    """What a database says, without what belongs to the base itself and the time."""
    file = folder / "mapping.yaml"
    file.write_text(mapping, "utf-8")
    words = load_vocabulary(shipped_texts())
    store = open_in_place(
        replace(address_of(url), timeout=_PATIENCE),
        read_database_mapping(file),
        Naming(words, shipped_lexicon()),
        folder / "cache",
    )
    with KnowledgeBase(revision_memo(store), words) as base:
        found = [base.ask(question).to_json() for question in asked]
    for answer in found:
        del answer["base"], answer["timing"]
        for item in answer["evidence"].values():
            del item["source"]  # the address
    return found


def said(answer: dict[str, Any]) -> dict[str, Any]:
    """What an answer says, whatever the rows are called that it is read from."""
    left = {key: value for key, value in answer.items() if key not in ("evidence", "statements")}
    left["statements"] = {
        key: {name: value for name, value in each.items() if name != "evidence"}
        for key, each in answer["statements"].items()
    }
    return left


def main(names: Sequence[str]) -> int:
    """Ask each, and print how many answers are equal."""
    facts, asked = facts_of_sample()
    print(f"{len(facts.rows)} facts, {len(asked)} questions", flush=True)
    wrong = 0
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        mapping = into_sqlite(folder / "clinic.db", facts)
        right = answers(str(folder / "clinic.db"), mapping, folder, asked)
        for name in names or INTO:
            try:
                with SERVERS[name]().running() as server:
                    mapping = INTO[name](server, facts)
                    url = server.base("x").partition("?")[0]
                    found = answers(url, mapping, folder, asked)
                    version = server.version()
            except UnavailableError as error:
                print(f"{name}: skipped, as {error}", flush=True)
                continue
            same = _equal if name in _TRIPLES else _says_the_same
            pairs = enumerate(zip(right, found, strict=True))
            differing = [n for n, pair in pairs if not same(*pair)]
            equal = len(asked) - len(differing)
            print(f"{name} {version}: {equal} of {len(asked)} equal", flush=True)
            wrong += len(differing)
            for n in differing[:_SHOWN]:
                print(f"  {asked[n]}", *_difference(right[n], found[n]), sep="\n    ", flush=True)
    return int(wrong > 0)


def _equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return json.dumps(one) == json.dumps(other)


def _says_the_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return _equal(said(one), said(other))


def _difference(one: Any, other: Any, at: str = "") -> list[str]:
    """Where two answers begin to differ."""
    found: Iterable[list[str]] = ()
    if isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        found = (_difference(one[key], other[key], f"{at}.{key}") for key in one)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        found = (_difference(*pair, f"{at}.{n}") for n, pair in pairs)
    elif one != other:
        found = [[f"{at}: {str(one)[:200]} | {str(other)[:200]}"]]
    return list(chain.from_iterable(found))[:_SHOWN]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
