"""Tables beside a source: files that say what the keys in other files mean."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from medweave.errors import SourceError
from medweave.model.mapping import Mapping, TableRule
from medweave.sources.files.row import Cut, Row
from medweave.sources.files.rows import SUFFIXES, data_stem, data_suffix, read_rows
from medweave.sources.files.tables import Form
from medweave.sources.kinds import used_columns


class Tables:
    """The tables of one source, each read when it is first asked for."""

    def __init__(self, folder: Path, mapping: Mapping) -> None:
        self._folder = folder
        self._rules = {rule.name: rule for rule in mapping.tables}
        joined = {name.partition(".")[2] for name in used_columns(mapping)}
        self._asked = frozenset({*joined, *(rule.name for rule in mapping.fields)} - {""})
        self._read: dict[str, dict[str, list[dict[str, Any]]]] = {}

    def row(self, table: str, key: str) -> dict[str, Any] | None:
        """The first row with this key, or None; see `rows`."""
        return next(iter(self.rows(table, key)), None)

    def rows(self, table: str, key: str) -> Sequence[dict[str, Any]]:
        """The rows with this key that say different things of it.

        Raises `SourceError` where the table's file is not beside the source, or is cut off: what
        its keys mean is then unknown.
        """
        if table not in self._read:
            self._read[table] = self._rows(self._rules[table])
        return self._read[table].get(key, ())

    def _rows(self, rule: TableRule) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = {}
        path = self._file(rule)
        form = Form(columns=self._asked | {rule.key})
        for row in read_rows(path, form):
            if isinstance(row, Cut):
                raise SourceError(
                    f"this file says what keys mean, and breaks off: {row.skipped.reason}",
                    where=f"{path} line {row.skipped.line}",
                    remedy="fetch it again",
                )
            if isinstance(row, Row):
                known = found.setdefault(str(row.values.get(rule.key, "")).strip(), [])
                given = self._given(row.values)
                if all(self._given(values) != given for values in known):
                    known.append(row.values)
        return found

    def _given(self, values: dict[str, Any]) -> dict[str, Any]:
        """What a row says in the columns that are asked for."""
        return {name: value for name, value in values.items() if name in self._asked}

    def _file(self, rule: TableRule) -> Path:
        for path in sorted(self._folder.iterdir()):
            if data_stem(path) == rule.file and data_suffix(path) in SUFFIXES:
                return path
        raise SourceError(
            f"the file '{rule.file}' is missing, which says what the keys mean",
            where=str(self._folder),
            remedy="put it beside the file that is read",
        )
