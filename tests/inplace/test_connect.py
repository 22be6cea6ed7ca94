"""`medweave connect`: a database that nobody described is asked with no line of code."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import yaml

from medweave.inplace.mapping import database_mapping
from medweave.inplace.rows import Table
from medweave.inplace.suggest import suggest
from medweave.vocabulary.vocabulary import load_vocabulary, shipped_texts
from tests.commands import medweave


@pytest.fixture
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("medweave.app.cache_folder", lambda: tmp_path / "cache")
    file = tmp_path / "clinic.db"
    with sqlite3.connect(file) as connection:
        connection.executescript(
            """
            CREATE TABLE facts (id INTEGER PRIMARY KEY, head TEXT, rel TEXT, tail TEXT);
            INSERT INTO facts (head, rel, tail) VALUES ('fever', 'symptom_of', 'river fever'),
                ('river fever', 'HAS_SYMPTOM', 'cough'), ('river fever', 'smells of', 'smoke');
            CREATE TABLE 疾病表 (code TEXT, name TEXT, aliases TEXT, signs TEXT, ward TEXT);
            INSERT INTO 疾病表 VALUES ('D1', 'marsh cough', 'bog cough', 'cough; fever', 'A'),
                ('D2', 'hill pox', '', 'spots', 'A');
            CREATE TABLE visits (id INTEGER PRIMARY KEY, day TEXT);
            INSERT INTO visits VALUES (1, '2020-01-01');
            CREATE TABLE spare (a TEXT);
            """
        )
    connection.close()
    return file


def test_what_is_proposed_is_asked_as_it_is(clinic: Path, tmp_path: Path) -> None:
    out = tmp_path / "clinic.yaml"
    told = json.loads(medweave("connect", clinic, "--suggest", "--out", out, "--json").out)
    assert told["store"]["kind"] == "sqlite"
    assert yaml.safe_load(out.read_text("utf-8")) == told["mapping"]
    named = {each["what"].partition(".")[0] for each in (*told["mapped"], *told["not_mapped"])}
    assert named == {"facts", "疾病表", "visits", "spare"}
    assert all(each["as"] for each in told["mapped"])
    why = {each["what"]: each["why"] for each in told["not_mapped"]}
    assert why["spare"] == "it is empty"
    assert set(why) == {"spare", "visits", "facts.rel = smells of", "疾病表.ward"}
    where = ("--kb", clinic, "--mapping", out)
    assert "cough and fever" in medweave("ask", "What are the symptoms of bog cough?", *where).out
    assert "cough and fever" in medweave("ask", "What are the symptoms of river fever?", *where).out


def test_what_a_mapping_finds_is_counted(clinic: Path, tmp_path: Path) -> None:
    out = tmp_path / "clinic.yaml"
    medweave("connect", clinic, "--suggest", "--out", out)
    found = json.loads(medweave("connect", clinic, "--mapping", out, "--json").out)
    assert found["statements"] == sum(found["predicates"].values()) == 6
    assert found["predicates"]["has_symptom"] == 5
    assert found["entities"] == 8  # what smells is of no concept that is known: a thing apart
    assert {each["what"]: each["rows"] for each in found["not_mapped"]} == {
        "visits": 1,
        "spare": 0,
    }
    assert [each["where"] for each in found["skipped"]] == ["facts#3"]


def test_one_of_both_is_to_be_said(clinic: Path) -> None:
    ran = medweave("connect", clinic)
    assert ran.status == 1
    assert "--suggest, or --mapping" in ran.err


def test_where_nothing_is_understood_that_is_said(tmp_path: Path) -> None:
    file, out = tmp_path / "hotel.db", tmp_path / "hotel.yaml"
    with sqlite3.connect(file) as connection:
        connection.executescript("CREATE TABLE room (a INT, b INT); INSERT INTO room VALUES (1, 2)")
    connection.close()
    told = medweave("connect", file, "--suggest", "--out", out)
    assert (told.status, "nothing of it is understood" in told.out) == (0, True)
    asked = medweave("ask", "What is gout?", "--kb", file, "--mapping", out)
    assert (asked.status, "has no parts" in asked.err) == (1, True)


class _Graph:
    """The schema of a graph, as `suggest` sees it."""

    def __init__(self, nodes: dict[str, list[dict[str, Any]]], edges: dict[str, tuple[str, str]]):
        self._nodes, self._edges = nodes, edges

    def tables(self) -> list[Table]:
        return [
            *(Table(n, "label", len(rows), tuple(rows[0])) for n, rows in self._nodes.items()),
            *(Table(name, "type", 1, ()) for name in self._edges),
        ]

    def sample(self, table: Table, rows: int) -> list[dict[str, Any]]:
        if table.place_kind == "label":
            return self._nodes[table.name][:rows]
        subject, object_ = self._edges[table.name]
        return [{"subject": [subject], "object": [object_]}]


def test_a_graph_in_the_shape_of_guidelines_is_understood() -> None:
    graph: Any = _Graph(
        {
            "Classification": [{"classification_id": "c1", "display_name": "Severe Fever"}],
            "Observation": [{"content": "stiff neck"}],
            "TreatmentStep": [{"content": "refer urgently"}],
            "LogicGroup": [{"operator": "AND"}],
        },
        {
            "INCLUDES_OBSERVATION": ("Classification", "Observation"),
            "INCLUDES_TREATMENT_STEP": ("Classification", "TreatmentStep"),
            "SYMPTOM_SEEN_BY": ("Observation", "Classification"),
            "HAS_SYMPTOM": ("Observation", "Classification"),
            "HAS_CLASSIFICATION": ("LogicGroup", "Classification"),
        },
    )
    found = suggest(graph, "graph", load_vocabulary(shipped_texts()))
    read = {part.get("label") or part["type"]: part for part in found.parts}
    assert read["Classification"]["key_field"] == "classification_id"
    assert read["Classification"]["name_field"] == "display_name"
    assert [read[n]["concept"] for n in ("Classification", "Observation", "TreatmentStep")] == [
        "disease",
        "symptom",
        "treatment",
    ]
    assert read["INCLUDES_OBSERVATION"]["predicate"] == "has_symptom"
    assert read["INCLUDES_TREATMENT_STEP"]["predicate"] == "treated_with"
    assert read["HAS_SYMPTOM"]["predicate"] == "symptom_of"  # it points the other way
    left = {each.what for each in found.not_mapped}
    assert left == {"LogicGroup", "SYMPTOM_SEEN_BY", "HAS_CLASSIFICATION"}
    assert len(database_mapping(found.mapping, "").parts) == len(found.parts)
