"""`medweave weights` and `medweave vectors` as a person and another program meet them."""

from __future__ import annotations

import json
from pathlib import Path

from medweave.knowledge_base import KnowledgeBase
from medweave.model.vectors import VectorEntry
from medweave.testing.vector_conformance import toy
from tests.commands import medweave

MONOGRAPH = {"name": "flu", "concept": "disease", "symptoms": ["fever"]}


def base_with_vectors(folder: Path) -> str:
    (folder / "flu.jsonl").write_text(json.dumps(MONOGRAPH) + "\n", "utf-8")
    path = str(folder / "kb.db")
    with KnowledgeBase.open(path) as base:
        base.build([folder / "flu.jsonl"])
        [document] = {one.document for s in base.show("flu").statements for one in s.evidence}
        entries = [VectorEntry("entity", "flu", document, text) for text in ("flu", "grippe")]
        base.vectors.put(entries, toy("flu", "grippe"))
    return path


def test_without_weights_the_status_says_what_to_do(tmp_path: Path) -> None:
    code, out, _ = medweave("weights", "status", MEDWEAVE_WEIGHTS=str(tmp_path))
    assert code == 1
    assert "embedder: none (" in out
    assert "medweave weights install" in out or "medweave[dense]" in out
    code, out, _ = medweave("weights", "status", "--json", MEDWEAVE_WEIGHTS=str(tmp_path))
    told = json.loads(out)
    assert (code, told["embedder"]) == (1, None)
    assert told["weights"]["wrong"] == ["tokenizer.json", "model.safetensors"]
    assert told["reason"]


def test_an_embedder_that_is_named_and_not_there_is_an_error(tmp_path: Path) -> None:
    code, _, err = medweave(
        "weights", "status", "--embedder", "minilm", MEDWEAVE_WEIGHTS=str(tmp_path)
    )
    assert (code, err.count("\n"), err.startswith("error: ")) == (1, 1, True)
    code, out, err = medweave("weights", "status", "--json", MEDWEAVE_EMBEDDER="gpt")
    assert json.loads(out)["error"]["where"] == "embedder"
    assert "no embedder 'gpt'" in err


def test_installing_from_a_file_that_is_none_is_an_error(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "none.whl")
    code, _, err = medweave(
        "weights", "install", "--from", nowhere, MEDWEAVE_WEIGHTS=str(tmp_path / "w")
    )
    assert code == 1
    assert err.startswith("error: there is no such file")
    assert not (tmp_path / "w").exists()


def test_vectors_are_counted_and_forgotten(tmp_path: Path) -> None:
    path = base_with_vectors(tmp_path)
    code, out, _ = medweave("vectors", "status", "--kb", path)
    assert (code, out.splitlines()) == (0, ["by toy, 3 numbers each", "entity: 2"])
    _, out, _ = medweave("vectors", "status", "--kb", path, "--json")
    assert json.loads(out) == {
        "embedder": {"model": "toy", "dimension": 3}, "vectors": {"entity": 2},
    }  # fmt: skip
    before = medweave("stats", "--hash", "--kb", path)
    assert medweave("vectors", "forget", "--kb", path)[:2] == (0, "2 vectors taken out\n")
    assert medweave("vectors", "status", "--kb", path)[1] == "this base has no vectors\n"
    assert medweave("stats", "--hash", "--kb", path) == before


def test_forgetting_needs_a_base(tmp_path: Path) -> None:
    code, _, err = medweave("vectors", "forget", "--kb", str(tmp_path / "none.db"))
    assert code == 1
    assert "there is no base" in err
