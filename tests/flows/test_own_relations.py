"""Relations that only a base has are asked for in its own words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from medweave import KnowledgeBase

ROWS = """subject,predicate,object
neurofibromatosis,inherited_as,autosomal dominant
neurofibromatosis,treated_by,surgery
gout,flares_after,beer
migraine,seen_by,neurologist
高血压,就诊科室,心内科
"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder: Path = tmp_path_factory.mktemp("own")
    (folder / "rows.csv").write_text(ROWS, "utf-8")
    with KnowledgeBase.open(str(folder / "own.db"), create=True) as opened:
        opened.build([folder / "rows.csv"])
        yield opened


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("How is neurofibromatosis inherited?", "autosomal dominant"),
        ("What is neurofibromatosis treated by?", "surgery"),
        ("neurofibromatosis inherited_as", "autosomal dominant"),
        ("Which disease flares after beer?", "gout"),
        ("Who is migraine seen by?", "neurologist"),
        ("高血压的就诊科室是什么", "心内科"),
    ],
)
def test_a_relation_is_asked_for_by_its_words(base: KnowledgeBase, text: str, named: str) -> None:
    answer = base.ask(text)
    assert named in answer.text
    assert answer.status == "answered"


@pytest.mark.parametrize("text", ["What is the weather of gout?", "Is gout red?", "gout"])
def test_nothing_is_taken_for_a_relation(base: KnowledgeBase, text: str) -> None:
    assert not base.ask(text).sentences
