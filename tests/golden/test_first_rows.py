"""Ten real rows of every source that a mapping ships for: counts, predicates and a digest.

Nothing of the sources is kept here. The digest is over all that is built, told as lines; it moves
with the mapping, the vocabulary and the lexicon, and then `--inline-snapshot=fix` writes it anew.
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from medweave import KnowledgeBase
from medweave.model.identifiers import digest
from medweave.vocabulary.vocabulary import OPEN
from tests.golden.layouts import told, write

DATA = Path(os.environ.get("MEDWEAVE_DATA", ""))
pytestmark = pytest.mark.skipif(
    not os.environ.get("MEDWEAVE_DATA"), reason="name the folder of the data in MEDWEAVE_DATA"
)
ROWS = 10


def ten_rows(file: str, tmp_path: Path, *, beside: tuple[str, ...] = ()) -> dict[str, Any]:
    """What is built from the first ten rows of a file, with whole files beside it."""
    source = _data(file)
    for name in beside:
        table = _data(str(Path(file).parent / name))
        write(tmp_path / source.parent.name / name.removesuffix(".gz"), _text(table))
    name = source.name.removesuffix(".gz")
    path = write(tmp_path / source.parent.name / name, _first(source, name))
    with KnowledgeBase.open("memory:") as base:
        report = base.build([path])
        found = [each.statement.predicate for each in base.knowledge.store.match()]
        lines = told(base, report)
    return {
        "documents": report.documents,
        "predicates": dict(sorted(Counter(map(_declared, found)).items())),
        "skipped": len(report.skipped),
        "digest": digest(lines, 6),
    }


def _declared(predicate: str) -> str:
    """A predicate of the vocabulary; the source's own relations all as one."""
    return OPEN if predicate.startswith(OPEN) else predicate


def _data(file: str) -> Path:
    path = DATA / file
    if not path.is_file():
        pytest.skip(f"there is no {path}")
    return path


def _text(path: Path) -> str:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return stream.read()


def _first(source: Path, name: str) -> str:
    """Ten records of JSON, or ten lines and the header."""
    if name.endswith(".json"):
        records = json.loads(_text(source))
        return json.dumps(dict(islice(records.items(), ROWS)))
    with gzip.open(source, "rt", encoding="utf-8") as stream:
        return "".join(islice(stream, ROWS + (not name.endswith(".jsonl"))))


def test_zh_medical_graph(tmp_path: Path) -> None:
    assert ten_rows("kg/zh_medical_graph/diseases.jsonl.gz", tmp_path) == snapshot(
        {
            "documents": 10,
            "predicates": {
                "has_complication": 30,
                "has_symptom": 49,
                "has_test": 52,
                "located_in": 13,
                "used_for": 42,
            },
            "skipped": 4,
            "digest": "ceacd60a2ec0",
        }
    )


def test_pharmacotherapydb(tmp_path: Path) -> None:
    assert ten_rows("kg/pharmacotherapydb/indications.tsv.gz", tmp_path) == snapshot(
        {"documents": 1, "predicates": {"used_for": 10}, "skipped": 0, "digest": "09b1027fe6bc"}
    )


def test_drugbank_slim(tmp_path: Path) -> None:
    assert ten_rows("kg/drugbank_slim.tsv.gz", tmp_path) == snapshot(
        {
            "documents": 9,
            "predicates": {"described_as": 38, "in_class": 25},
            "skipped": 0,
            "digest": "ac3aeb365c5e",
        }
    )


def test_sider4_side_effects(tmp_path: Path) -> None:
    made = ten_rows("kg/sider4/meddra_all_se.tsv.gz", tmp_path, beside=("indications.tsv.gz",))
    assert made == snapshot(
        {
            "documents": 1,
            "predicates": {"has_side_effect": 10},
            "skipped": 1,
            "digest": "f4f77dee114b",
        }
    )


def test_sider4_indications(tmp_path: Path) -> None:
    assert ten_rows("kg/sider4/indications.tsv.gz", tmp_path) == snapshot(
        {"documents": 1, "predicates": {"used_for": 3}, "skipped": 1, "digest": "d58bbe2bbfd6"}
    )


def test_hetionet_edges(tmp_path: Path) -> None:
    made = ten_rows("kg/hetionet/edges-5k.sif.gz", tmp_path, beside=("nodes.tsv.gz",))
    assert made == snapshot(
        {
            "documents": 1,
            "predicates": {"participates_in": 10},
            "skipped": 0,
            "digest": "f57fd99ebf22",
        }
    )


def test_hetionet_genes_of_diseases(tmp_path: Path) -> None:
    assert ten_rows("kg/hetionet/DaG-association.tsv.gz", tmp_path) == snapshot(
        {
            "documents": 1,
            "predicates": {"associated_with_gene": 10},
            "skipped": 0,
            "digest": "775e932b3b4a",
        }
    )


def test_hetionet_genes_of_drugs(tmp_path: Path) -> None:
    made = ten_rows("kg/hetionet/CbG-binding.tsv.gz", tmp_path, beside=("nodes.tsv.gz",))
    assert made == snapshot(
        {"documents": 0, "predicates": {}, "skipped": 1, "digest": "d6583ed48113"}
    )


def test_fb15k237(tmp_path: Path) -> None:
    made = ten_rows("kg/fb15k237/train.tsv.gz", tmp_path, beside=("entities.jsonl.gz",))
    assert made == snapshot(
        {
            "documents": 1,
            "predicates": {
                "rel:": 11,
            },
            "skipped": 0,
            "digest": "d42ace78cc8f",
        }
    )


def test_wikidoc(tmp_path: Path) -> None:
    assert ten_rows("wikidoc/patient_info_dev.jsonl.gz", tmp_path) == snapshot(
        {
            "documents": 10,
            "predicates": {
                "caused_by": 2,
                "causes_in_words": 38,
                "clinical_picture": 23,
                "has_symptom": 1,
                "outlook": 3,
                "urgent_care_advice": 6,
            },
            "skipped": 0,
            "digest": "c7986aa421ac",
        }
    )


def test_kaggle41_training(tmp_path: Path) -> None:
    assert ten_rows("diagnosis/kaggle41/Training.csv.gz", tmp_path) == snapshot(
        {"documents": 1, "predicates": {"has_symptom": 4}, "skipped": 1, "digest": "86893b71eba2"}
    )


def test_kaggle41_dataset(tmp_path: Path) -> None:
    assert ten_rows("diagnosis/kaggle41/dataset.csv.gz", tmp_path) == snapshot(
        {"documents": 1, "predicates": {"has_symptom": 4}, "skipped": 0, "digest": "faf302e98373"}
    )


def test_kaggle41_descriptions(tmp_path: Path) -> None:
    assert ten_rows("diagnosis/kaggle41/symptom_Description.csv.gz", tmp_path) == snapshot(
        {
            "documents": 11,
            "predicates": {"described_as": 24},
            "skipped": 0,
            "digest": "f5482706d310",
        }
    )


def test_kaggle41_precautions(tmp_path: Path) -> None:
    assert ten_rows("diagnosis/kaggle41/symptom_precaution.csv.gz", tmp_path) == snapshot(
        {
            "documents": 11,
            "predicates": {"treatment_advice": 43},
            "skipped": 0,
            "digest": "b560d42c0b44",
        }
    )


def test_kaggle41_severity_says_nothing_by_itself(tmp_path: Path) -> None:
    assert ten_rows("diagnosis/kaggle41/Symptom_severity.csv.gz", tmp_path) == snapshot(
        {"documents": 0, "predicates": {}, "skipped": 0, "digest": "15e26e692efb"}
    )


def test_ddxplus_conditions(tmp_path: Path) -> None:
    made = ten_rows(
        "diagnosis/ddxplus/release_conditions.json.gz",
        tmp_path,
        beside=("release_evidences.json.gz",),
    )
    assert made == snapshot(
        {
            "documents": 10,
            "predicates": {"has_risk_factor": 46, "has_symptom": 137},
            "skipped": 0,
            "digest": "0edbd08f19d0",
        }
    )


def test_medrag_kg(tmp_path: Path) -> None:
    assert ten_rows("diagnosis/ddxplus/medrag_kg.jsonl.gz", tmp_path) == snapshot(
        {
            "documents": 1,
            "predicates": {"causes_in_words": 4, "clinical_picture": 4, "treatment_advice": 2},
            "skipped": 0,
            "digest": "9046c5adde39",
        }
    )
