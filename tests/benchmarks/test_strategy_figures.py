"""What strategies give a model to read is counted, without a real model."""

from __future__ import annotations

import pytest

from benchmarks.strategies import rows
from medweave.evaluation.items import Item
from medweave.evaluation.tasks.kgqa import graph_item


def test_what_is_found_and_asked_is_counted() -> None:
    pytest.importorskip("pydantic_ai")
    asked = {"question": "What are the symptoms of gout?", "answers": ["tophi", "nothing"]}
    item = graph_item(asked, "1")
    assert isinstance(item, Item)
    told = [row.strip("| ").split(" | ") for row in rows("sample", [item], ("model", "kg-rank"))]
    (alone, named, statements, _, calls, _), (_, found, read, tokens, asks, _) = told
    assert (alone, named, statements, calls) == ("model", "0.000", "0.0", "1.00")
    assert (found, asks) == ("0.500", "1.00")
    assert 0 < float(read) <= 20
    assert float(tokens) > 100
