"""Bases in memory, made of a few records, for tests of what the sample does not hold."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from medweave import KnowledgeBase


def base_of(records: Sequence[object], folder: Path) -> Iterator[KnowledgeBase]:
    """A base of these records, closed when the test is done: `yield from` it in a fixture."""
    (folder / "all.json").write_text(json.dumps(records), "utf-8")
    with KnowledgeBase.open("memory:") as base:
        base.build([folder / "all.json"])
        yield base
