"""Rows as a kind of source reads them, without a file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from medweave.model.mapping import Mapping
from medweave.model.record import Record
from medweave.sources.files.row import Row
from medweave.sources.kinds import Opened, kind_called
from medweave.sources.mapping.side_tables import Tables


def one_record(
    rows: Iterable[dict[str, Any]], mapping: Mapping, file: str = "m.jsonl", line: int = 1
) -> Record:
    """The one record that rows are, read by a mapping."""
    path = Path(file)
    numbered = iter([Row(n, values) for n, values in enumerate(rows, line)])
    opened = Opened(path, mapping, numbered, Tables(path.parent, mapping))
    (record,) = kind_called(mapping.kind).read(opened)
    assert isinstance(record, Record)
    return record
