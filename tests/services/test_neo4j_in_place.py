"""A graph in Neo4j in the shape of published guidelines, asked where it is."""

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest

from tests.services.connected import connected, named
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


_GUIDELINE = """
CREATE (under2:AgeGroup {name: 'Birth - 2 Months'}),
  (fever:Condition {name: 'Fever'}),
  (severe:Classification {classification_id: 'C1', display_name: 'Severe River Fever'}),
  (mild:Classification {classification_id: 'C2', display_name: 'Mild River Fever'}),
  (neck:Observation {content: 'stiff neck'}), (rash:Observation {content: 'rash'}),
  (weak:Observation {content: 'unable to drink'}),
  (refer:TreatmentStep {content: 'urgent referral'}),
  (any:LogicGroup {operator: 'OR'}), (all:LogicGroup {operator: 'AND'}),
  (fever)-[:HAS_CLASSIFICATION]->(severe), (fever)-[:HAS_CLASSIFICATION]->(mild),
  (any)-[:HAS_CLASSIFICATION]->(severe), (severe)-[:APPLICABLE_TO]->(under2),
  (neck)-[:BELONGS_TO_LOGIC_GROUP]->(any), (weak)-[:BELONGS_TO_LOGIC_GROUP]->(all),
  (all)-[:BELONGS_TO_LOGIC_GROUP]->(any),
  (severe)-[:INCLUDES_OBSERVATION]->(neck), (severe)-[:INCLUDES_OBSERVATION]->(weak),
  (mild)-[:INCLUDES_OBSERVATION]->(rash), (severe)-[:INCLUDES_TREATMENT_STEP]->(refer)
"""
_OF_GUIDELINE = "AgeGroup|Condition|Classification|Observation|TreatmentStep|LogicGroup"


@pytest.fixture
def _guideline(driver: neo4j.Driver) -> Iterator[None]:
    clear: Any = f"MATCH (n:{_OF_GUIDELINE}) DETACH DELETE n"
    driver.execute_query(clear)
    driver.execute_query(_GUIDELINE)
    yield
    driver.execute_query(clear)


@pytest.mark.usefixtures("_guideline")
def test_a_graph_of_a_guideline_is_asked_with_no_mapping_written(tmp_path: Path) -> None:
    graph = connected(ADDRESS, tmp_path)
    read = graph.read_as()
    assert read["INCLUDES_OBSERVATION"] == "has_symptom"
    assert read["INCLUDES_TREATMENT_STEP"] == "treated_with"
    assert {"LogicGroup", "BELONGS_TO_LOGIC_GROUP", "APPLICABLE_TO"} <= graph.left()
    signs = graph.ask("What are the symptoms of severe river fever?")
    assert named(signs) == {"stiff neck", "unable to drink"}
    assert named(graph.ask("How is severe river fever treated?")) == {"urgent referral"}
