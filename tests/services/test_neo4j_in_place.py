"""A graph in Neo4j in the shape of published guidelines, asked where it is."""

import uuid
from collections.abc import Iterator
from typing import Any

import neo4j
import pytest

from tests.services.in_place import HOSTILE, Foreign, InPlace
from tests.services.service_stores import service

ADDRESS = service("neo4j")
_ONE = "MERGE (c:`{0}` {{display_name: $disease}}) ON CREATE SET c.classification_id = $disease"


@pytest.fixture(scope="module")
def driver() -> Iterator[neo4j.Driver]:
    login = (ADDRESS.user, ADDRESS.password)
    with neo4j.GraphDatabase.driver(f"bolt://{ADDRESS.hosts}", auth=login) as opened:
        yield opened


@pytest.fixture
def foreign(driver: neo4j.Driver) -> Iterator[Foreign]:
    driver.execute_query("MATCH (n) WHERE n.classification_id IS NOT NULL DETACH DELETE n")
    driver.execute_query("MATCH (n) WHERE n.content IS NOT NULL DETACH DELETE n")
    label = f"Class`ification {uuid.uuid4().hex[:6]}"
    made = Foreign(ADDRESS, _mapping(label))
    for disease, symptom in [
        ("river fever", "fever"),
        ("river fever", "headache"),
        *((name, "purple ears") for name in HOSTILE),
    ]:
        _add(driver, label, disease, symptom)
    yield made
    driver.execute_query("MATCH (n) WHERE n.classification_id IS NOT NULL DETACH DELETE n")


def _mapping(label: str) -> str:
    return f"""
name: graph
language: en
parts:
  - {{kind: nodes, label: "{label}", key_field: classification_id, name_field: display_name,
      concept: disease}}
  - {{kind: nodes, label: Observation, name_field: content, concept: symptom}}
  - {{kind: edges, type: INCLUDES_OBSERVATION, predicate: has_symptom}}
"""


def _add(driver: neo4j.Driver, label: str, disease: str, symptom: str) -> None:
    query: Any = (
        _ONE.format(label.replace("`", "``"))
        + " MERGE (o:Observation {content: $symptom}) CREATE (c)-[:INCLUDES_OBSERVATION]->(o)"
    )
    driver.execute_query(query, {"disease": disease, "symptom": symptom})


class TestNeo4jInPlace(InPlace):
    @pytest.fixture(autouse=True)
    def _driver(self, driver: neo4j.Driver, foreign: Foreign) -> None:
        self._opened = driver
        query = "MATCH ()-[r:INCLUDES_OBSERVATION]->(:Observation {content: 'fever'}) RETURN id(r)"
        key = driver.execute_query(query).records[0][0]
        self.quote = (f"INCLUDES_OBSERVATION#{key}", "object")

    def change(self, foreign: Foreign, disease: str, symptom: str) -> None:
        label = foreign.mapping.split('label: "')[1].split('"')[0]
        _add(self._opened, label, disease, symptom)

    def rename(self, foreign: Foreign, before: str, after: str) -> None:
        query = "MATCH (o:Observation {content: $before}) SET o.content = $after"
        self._opened.execute_query(query, {"before": before, "after": after})

    def test_no_question_reads_all_nodes_of_a_kind(self, driver: neo4j.Driver) -> None:
        """By the plan of the server."""
        for query in (
            "MATCH (n:Observation) WHERE elementId(n) IN $keys RETURN n",
            "MATCH (a)-[r:INCLUDES_OBSERVATION]->(b) WHERE elementId(a) IN $keys RETURN r",
            "MATCH (a)-[r:INCLUDES_OBSERVATION]->(b) WHERE elementId(b) IN $keys RETURN r",
        ):
            plan = driver.execute_query(f"EXPLAIN {query}", {"keys": ["a"]}).summary.plan
            assert "Seek" in str(plan), query
            assert "Scan" not in str(plan), query
