"""`medweave evaluate retrieval`, from a set's file to figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scripts.question_sets import medquad_folder
from tests.commands import medweave


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {
        "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache")),
        "MEDWEAVE_EMBEDDER": "none",
    }


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    rows: list[dict[str, Any]] = [
        {"id": f"v{at}", "focus": name, "qtype": "information", "question": f"What is {name} ?",
         "answer": f"{name} is {what}"}
        for at, (name, what) in enumerate(
            [("gout", "a kind of arthritis."), ("measles", "an infection."), ("gout", "painful.")]
        )
    ]  # fmt: skip
    splits = [{"id": row["id"], "split": "val"} for row in rows]
    for name, held in (("answered", rows), ("information_split", splits)):
        text = "".join(json.dumps(row) + "\n" for row in held)
        (tmp_path / f"{name}.jsonl").write_text(text, "utf-8")
    return tmp_path


@pytest.mark.thorough
def test_from_a_set_to_figures_by_two_judgements(
    pages: Path, tmp_path: Path, cache: dict[str, str]
) -> None:
    out = tmp_path / "folder"
    assert medquad_folder(pages).write(out)["qrels"] == {"test": 5, "one": 3}
    for names in (("test", "one"), ("test,one",), ("test", "--qrels", "one")):
        code, said, err = medweave(
            "evaluate", "retrieval", out, "--qrels", *names, "--json",
            "--report", tmp_path / "report", **cache,
        )  # fmt: skip
        assert code == 0, err
        found = json.loads(said)
        assert list(found["qrels"]) == ["test", "one"]
    assert found["data"]["pool"] == 3
    assert found["systems"][0]["measures"]["mrr"]["value"] == 1
    assert found["qrels"]["one"]["systems"][1]["name"] == "bm25"
    page = (tmp_path / "report" / "report.md").read_text("utf-8")
    assert "| pool | 3 |" in page
    assert "By the judgements one" in page
    assert "--qrels test,one" in page


def test_a_terminal_shows_the_pool_and_what_was_not_run(
    pages: Path, tmp_path: Path, cache: dict[str, str]
) -> None:
    medquad_folder(pages).write(tmp_path / "folder")
    code, said, _ = medweave("evaluate", "retrieval", tmp_path / "folder", **cache)
    assert code == 0
    assert "pool: 3" in said
    assert "not run: dense (the embedder is set to none" in said


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (("evaluate", "retrieval", "none"), 1, "there is no such folder, none"),
        (("evaluate", "retrieval", "."), 1, "this file is not there, corpus.jsonl"),
        (("evaluate", "intents", "none.jsonl", "--qrels", "a"), 1, "does not know this option"),
        (("evaluate", "retrieval", ".", "more"), 2, "one DATA is enough"),
    ],
)
def test_wrong_calls_are_told_without_a_traceback(
    tmp_path: Path, cache: dict[str, str], arguments: tuple[str, ...], status: int, told: str
) -> None:
    code, _, err = medweave(*arguments, **cache)
    assert code == status
    assert told in err
    assert "Traceback" not in err
