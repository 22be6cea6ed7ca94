"""How far a build is can be watched, and the build stopped, whatever its source holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from medweave.knowledge_base import KnowledgeBase

_ROW = '{"name": "flu", "concept": "disease", "symptoms": ["fever"]}\n'
_ROWS = 500


class _EnoughError(Exception):
    pass


@pytest.mark.parametrize("rows", [_ROW, '{"concept": "disease"}\n'], ids=["repeated", "nameless"])
def test_a_source_in_which_nothing_is_new_can_be_stopped(tmp_path: Path, rows: str) -> None:
    source = tmp_path / "flu.jsonl"
    source.write_text(_ROW + rows * _ROWS, "utf-8")
    seen: list[tuple[int, int]] = []

    def stop(done: int, total: int, what: str) -> None:
        seen.append((done, total))
        if what == source.name and done >= _ROWS // 2:
            raise _EnoughError

    with KnowledgeBase.open("memory:") as base, pytest.raises(_EnoughError):
        base.build([source], progress=stop)
    assert max(done for done, _ in seen) < _ROWS
    assert {total for _, total in seen} >= {_ROWS + 2}
