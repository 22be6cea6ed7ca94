"""Relations that were read in texts: counted to the last, whatever becomes of them."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave import KnowledgeBase
from medweave.model.refinement import Change

DATA = Path(os.environ.get("MEDWEAVE_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
PUBLISHED = [DATA / "amd" / f"relations_deepseek_{part}.jsonl.gz" for part in ("ct", "pubs")]
_NAMES = st.sampled_from(
    ["AMD", "amd", "Age-related macular degeneration", "age-related macular degeneration (AMD)",
     "smoking", "Lucentis", "ranibizumab", "blindness", "OCT", "optical coherence tomography OCT",
     "VEGF", " vision  loss ", "x" * 400]
)  # fmt: skip
_TYPES = st.sampled_from(["disease", "symptom", "treatment", "risk_factor", "gene", "test", "wish"])
_ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "entity1_name": _NAMES,
            "entity1_type": _TYPES,
            "relation_type": st.sampled_from(["affect", "cause", "treat", "prevent", "diagnose"]),
            "entity2_name": _NAMES,
            "entity2_type": _TYPES,
            "pub_id": st.sampled_from(["NCT00000001", "pub.1000001"]),
        }
    ),
    min_size=1,
    max_size=12,
)


def refined(rows: list[dict[str, str]]) -> tuple[dict[str, Any], list[Change], int]:
    """The report of these rows, what was changed, and the evidence that the base has."""
    changes: list[Change] = []
    with tempfile.TemporaryDirectory() as folder, KnowledgeBase.open("memory:") as base:
        path = Path(folder) / "relations.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        report = base.build([path], log=changes.append)
        return report.to_json()["refinement"], changes, base.knowledge.store.counts().evidence


def row(first: str, relation: str, second: str, *types: str) -> dict[str, str]:
    kinds = types or ("treatment", "disease")
    return {"entity1_name": first, "entity1_type": kinds[0], "relation_type": relation,
            "entity2_name": second, "entity2_type": kinds[1], "pub_id": "NCT00000001"}  # fmt: skip


@given(_ROWS)
def test_nothing_is_lost_uncounted(rows: list[dict[str, str]]) -> None:
    told, changes, evidence = refined(rows)
    assert told["read"] == len(rows)
    assert told["evidence"] == evidence
    assert told["read"] == told["evidence"] + told["repeated"] + sum(told["dropped"].values())
    left_out = [change for change in changes if change.step in ("dropped", "repeated")]
    assert len(left_out) == told["read"] - told["evidence"]
    names = {" ".join(r[k].lower().split()) for r in rows for k in ("entity1_name", "entity2_name")}
    assert told["names"] == len(names)


def test_each_step_is_counted_and_logged() -> None:
    told, changes, _ = refined(
        [
            row("Lucentis", "treat", "AMD"),
            row("Lucentis", "treat", "AMD"),
            row("OCT", "diagnose", "oct", "test", "test"),
            row("laser", "treat", "age-related macular degeneration (AMD)"),
            row("laser", "affect", "vision loss", "treatment", "symptom"),
        ]
    )
    assert (told["read"], told["evidence"], told["repeated"]) == (5, 3, 1)
    assert told["dropped"] == {"self": 1}
    assert told["renamed"]["trailing"] == 1
    by_step = {change.step: change for change in changes}
    assert by_step["trailing"].after == "age-related macular degeneration"
    assert by_step["synonym"].document == "NCT00000001"
    assert by_step["retyped"].before == "vision loss (symptom)"


def test_abstracts_are_counted_alike(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    text = "Smoking causes age-related macular degeneration. Ranibizumab improves vision loss."
    path.write_text(json.dumps([{"pmid": "1", "title": "A trial", "abstract": text}]), "utf-8")
    with KnowledgeBase.open("memory:") as base:
        told = base.build([path]).to_json()["refinement"]
        assert told["evidence"] == base.knowledge.store.counts().evidence > 0
    assert told["read"] == told["evidence"] + told["repeated"] + sum(told["dropped"].values())


def test_monographs_have_no_such_count(tmp_path: Path) -> None:
    path = tmp_path / "flu.jsonl"
    path.write_text(json.dumps({"name": "flu", "concept": "disease", "symptoms": ["fever"]}))
    with KnowledgeBase.open("memory:") as base:
        assert "refinement" not in base.build([path]).to_json()


@pytest.mark.skipif(not PUBLISHED[0].exists(), reason="the published relations are not there")
def test_every_published_relation_is_accounted_for() -> None:
    with KnowledgeBase.open("memory:") as base:
        told = base.build(PUBLISHED).to_json()["refinement"]
    assert told["read"] == 1414 + 11298
    assert (told["repeated"], told["dropped"]) == (446, {"self": 4})
    assert (told["names"], told["several_types"]) == (7328, 409)
