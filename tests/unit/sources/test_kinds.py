"""Kinds of sources stand in their folders alone: what is common names none of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import medweave
from medweave import KnowledgeBase
from medweave.sources.kinds import kinds

SOURCE = Path(medweave.__file__).parent
COMMON = ("sources/reading.py", "sources/extraction.py", "sources/many.py", "graph/builder.py",
          "model/record.py", "model/task.py", "pipeline.py")  # fmt: skip


@pytest.mark.parametrize("file", COMMON)
def test_what_is_common_imports_no_kind(file: str) -> None:
    text = (SOURCE / file).read_text("utf-8")
    for folder in (path.parent.name for path in (SOURCE / "sources").glob("*/kind.py")):
        if file == "pipeline.py" and folder == "dialogues":
            continue  # a question is masked and parsed as what a patient says in a dialogue
        assert f"sources.{folder}" not in text


def test_every_folder_with_a_kind_is_found_once() -> None:
    folders = list((SOURCE / "sources").glob("*/kind.py"))
    assert len({kind.name for kind in kinds()}) == len(kinds()) == len(folders) >= 5


def test_all_kinds_are_built_in_one_command_and_found_unchanged(tmp_path: Path) -> None:
    (tmp_path / "facts.csv").write_text("subject,predicate,object\nflu,has_symptom,fever\n")
    (tmp_path / "things.jsonl").write_text('{"name": "flu", "concept": "disease"}\n')
    (tmp_path / "talk.txt").write_text("Patient: My knee hurts.\nDoctor: Rest it.\n")
    guideline = (SOURCE / "samples" / "guideline.yaml").read_text("utf-8")
    (tmp_path / "guideline.yaml").write_text(guideline, "utf-8")
    with KnowledgeBase.open("memory:") as base:
        assert [each.new for each in base.plan([tmp_path])] == [1, 1, 1, 1]
        made = base.build([tmp_path])
        assert (made.documents, made.skipped) == (4, ())
        held = base.version.hash
        assert base.build([tmp_path]).unchanged == 4
        assert base.version.hash == held
