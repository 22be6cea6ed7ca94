"""`medweave evaluate answers`, from files of a stranger to a report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import medweave

pytest.importorskip("rouge_score")


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "gout.txt").write_text("Gout is a kind of arthritis. Cherries are red.", "utf-8")
    (folder / "page.html").write_text("<h1>Scurvy</h1><p>Fruit cures scurvy.</p>", "utf-8")
    (tmp_path / "questions.jsonl").write_text(
        '{"question": "What is gout?", "answer": "A kind of arthritis."}\n', "utf-8"
    )
    return tmp_path


def test_sources_are_built_once_and_the_report_says_how_to_do_it_again(texts: Path) -> None:
    cache = {"XDG_CACHE_HOME": str(texts / "cache"), "MEDWEAVE_EMBEDDER": "none"}
    paths = (texts / "texts" / "gout.txt", texts / "texts" / "page.html")
    made = []
    for report in ("one", "two"):
        code, out, err = medweave(
            "evaluate", "answers", texts / "questions.jsonl", "--sources", *paths,
            "--strategies", "bm25", "--report", texts / report, "--json", **cache,
        )  # fmt: skip
        assert code == 0, err
        found = json.loads(out)
        assert [system["name"] for system in found["systems"]] == ["medweave", "bm25"]
        assert found["settings"]["passages"] == 2
        [base] = (texts / "cache" / "medweave" / "built").glob("*.db")
        made.append((base.stat().st_ino, (texts / report / "cases.jsonl").read_bytes()))
    assert made[0] == made[1]
    page = (texts / "one" / "report.md").read_text("utf-8")
    assert "--sources gout.txt page.html" in page
    assert "--strategies bm25" in page
    paths[0].write_text("Gout is a disease of joints.", "utf-8")
    code, out, _ = medweave(
        "evaluate", "answers", texts / "questions.jsonl", "--sources", texts / "texts", **cache
    )
    assert code == 0
    assert "not run: dense" in out
    assert len([*(texts / "cache" / "medweave" / "built").glob("*.db")]) == 2


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (("--sources", "nowhere"), 1, "there is no such source, nowhere"),
        (("--sources", "texts", "--kb", "my.db"), 2, "exclude each other"),
        (("--sources", "texts", "--strategies", "magic"), 1, "knows no system 'magic'"),
        ((), 1, "this base has no passages of texts"),
    ],
)
def test_wrong_calls_are_told_without_a_traceback(
    texts: Path, arguments: tuple[str, ...], status: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(texts)
    code, _, err = medweave(
        "evaluate", "answers", "questions.jsonl", *arguments, MEDWEAVE_EMBEDDER="none"
    )
    assert code == status
    assert told in " ".join(err.split())
