"""Relations that programs read: all are counted, whatever becomes of them."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from medweave import KnowledgeBase
from tests.commands import medweave

DATA = Path(os.environ.get("MEDWEAVE_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
_KEYS = ("pub_id", "entity1_name", "entity1_type", "relation_type", "entity2_name", "entity2_type")
_NAMES = st.sampled_from(
    ["AMD", " amd", "AMD age-related macular degeneration", "age-related macular degeneration",
     "Quay fever", "quay  Fever", "sail yawning", "fluminol", "", "x" * 400]
)  # fmt: skip
_TYPES = st.sampled_from(["disease", "symptom", "drug", "complication", "poem"])
_RELATIONS = st.sampled_from(["treat", "cause", "affect", "prevent", "sing", ""])
_ROWS = st.tuples(
    st.sampled_from(["pub.1", "pub.2", ""]), _NAMES, _TYPES, _RELATIONS, _NAMES, _TYPES
)


def refined(rows: Sequence[tuple[str, ...]], path: Path) -> dict[str, Any]:
    path.write_text("".join(json.dumps(dict(zip(_KEYS, row, strict=True))) + "\n" for row in rows))
    with KnowledgeBase.open("memory:") as base:
        return dict(base.build([path]).to_json()["refinement"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(_ROWS, min_size=1, max_size=12))
def test_nothing_is_lost_uncounted(tmp_path: Path, rows: list[tuple[str, ...]]) -> None:
    sound = ("pub.9", "salt", "drug", "treat", "quay fever", "disease")
    found = refined([sound, *rows], tmp_path / "relations.jsonl")
    assert found["read"] == 1 + len(rows)
    assert found["read"] == found["evidence"] + found["repeated"] + sum(found["dropped"].values())


def test_each_step_is_told(tmp_path: Path) -> None:
    rows = [
        ("pub.1", "Fluminol", "drug", "treat", "Quay fever", "disease"),
        ("pub.1", "Fluminol", "drug", "treat", "Quay fever", "disease"),
        ("pub.2", "Fluminol", "drug", "improve", "QYF quay yard fever", "disease"),
        ("pub.2", "quay  fever", "symptom", "affect", "Sail yawning", "symptom"),
        ("pub.3", "Quay fever", "disease", "affect", "quay fever", "disease"),
        ("pub.3", "Salt", "poem", "cause", "Quay fever", "disease"),
    ]
    assert refined(rows, tmp_path / "relations.jsonl") == {
        "read": 6,
        "evidence": 3,
        "repeated": 1,
        "dropped": {"label": 1, "self": 1},
        "names": 5,
        "several_types": 1,
        "renamed": {"synonym": 0, "trailing": 1},
        "retyped": 1,
    }


def test_the_log_has_a_line_for_each_change(tmp_path: Path) -> None:
    source, log = tmp_path / "relations.jsonl", tmp_path / "log.jsonl"
    row = dict(zip(_KEYS, ("pub.1", "Salt", "drug", "cause", "salt", "drug"), strict=True))
    source.write_text(json.dumps(row) + "\n")
    ran = medweave("build", "--kb", tmp_path / "b.db", source, "--log", log, "--json")
    assert ran.status == 0, ran.err
    (line,) = map(json.loads, log.read_text("utf-8").splitlines())
    assert line == {"step": "dropped", "document": "pub.1", "before": "Salt | cause | salt",
                    "after": "", "why": "self"}  # fmt: skip


def test_abstracts_are_counted(tmp_path: Path) -> None:
    row = {"pmid": "990001", "abstract": "Smoking aggravates age-related macular degeneration."}
    source = tmp_path / "abstracts.jsonl"
    source.write_text(json.dumps(row) + "\n")
    with KnowledgeBase.open("memory:") as base:
        found = base.build([source]).to_json()["refinement"]
        again = base.build([source]).to_json()
    assert (found["read"], found["evidence"], found["names"]) == (1, 1, 2)
    assert "refinement" not in again


def test_tables_that_people_wrote_are_not_refined(tmp_path: Path) -> None:
    source = tmp_path / "triples.csv"
    source.write_text("subject,predicate,object\nfluminol,used_for,quay fever\n")
    with KnowledgeBase.open("memory:") as base:
        assert "refinement" not in base.build([source]).to_json()


@pytest.mark.parametrize(
    "name", ["wet-AMD", "neovascular age related macular degeneration", "nAMD"]
)
def test_names_that_differ_by_hyphens_are_one_thing(tmp_path: Path, name: str) -> None:
    source = tmp_path / "triples.csv"
    source.write_text(f"subject,predicate,object\nfluminol,used_for,{name}\n")
    with KnowledgeBase.open("memory:") as base:
        base.build([source])
        [found] = base.knowledge.store.match(None, "used_for")
    assert found.statement.object_entity == "mw.condition:wet_age-related_macular_degeneration"


@pytest.mark.thorough
def test_published_relations(tmp_path: Path) -> None:
    files = []
    for part in ("ct", "pubs"):
        packed = DATA / "amd" / f"relations_deepseek_{part}.jsonl.gz"
        if not packed.exists():
            pytest.skip(f"no data at {packed}; name the folder with MEDWEAVE_DATA")
        files.append(tmp_path / f"{part}.jsonl")
        files[-1].write_bytes(gzip.decompress(packed.read_bytes()))
    with KnowledgeBase.open("memory:") as base:
        found = base.build(files).to_json()["refinement"]
    assert (found["read"], found["repeated"], found["dropped"]) == (12_712, 446, {"self": 4})
    assert (found["names"], found["several_types"]) == (7_328, 409)
