"""Rows brought into the shape in which records are read from them, as a mapping says.

Joins with the tables beside a source, rows passed over, columns collected into a list, rows of one
name gathered into one, questions and answers as fields of what they ask about. Each step takes rows
and gives rows, so that the readers of monographs and triples know of none of this.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from medweave.model.document import Skipped
from medweave.model.mapping import Mapping
from medweave.sources.files.row import Row, Rows
from medweave.sources.mapping.rules import VALUE
from medweave.sources.mapping.side_tables import Tables


def shaped(rows: Rows, path: Path, mapping: Mapping, tables: Tables) -> Rows:
    """The rows of a source as its mapping wants them."""
    if mapping.keep or mapping.without:
        rows = _retained(rows, path, mapping)
    if mapping.join:
        rows = _joined(rows, path, mapping, tables)
    if mapping.questions:
        rows = _answered(rows, path, mapping)
    if mapping.collect:
        rows = _collected(rows, mapping)
    if mapping.gather:
        rows = _gathered(rows, mapping)
    if mapping.text_field:
        rows = _in_turns(rows, mapping)
    return rows


def _in_turns(rows: Rows, mapping: Mapping) -> Rows:
    """Rows that are a turn each as one row for each dialogue, turns in the order of the file."""
    gathered: dict[str, Row] = {}
    for row in rows:
        if not isinstance(row, Row):
            yield row
            continue
        key = str(row.values.get(mapping.key_field, "")).strip()
        turn = {name: row.values.get(name) for name in (mapping.speaker_field, mapping.text_field)}
        first = gathered.setdefault(
            key, Row(row.line, {**row.values, mapping.transcript_field: []})
        )
        first.values[mapping.transcript_field].append(
            {"speaker": turn[mapping.speaker_field], "text": turn[mapping.text_field]}
        )
    yield from gathered.values()


def _retained(rows: Rows, path: Path, mapping: Mapping) -> Rows:
    filters = [(column, set(values)) for column, values in mapping.keep]
    unwanted: Counter[str] = Counter()
    line = 1
    for row in rows:
        if not isinstance(row, Row):
            yield row
            continue
        line = row.line
        texts = {column: str(value).strip() for column, value in row.values.items()}
        reasons = [
            f"another '{column}'"
            for column, values in filters
            if texts.get(column, "") not in values
        ]
        reasons += [
            f"'{part.strip()}' in '{column}'"
            for column, parts in mapping.without
            for part in parts
            if part in texts.get(column, "")
        ]
        if reasons:
            unwanted[reasons[0]] += 1
        else:
            yield row
    for reason, count in unwanted.items():
        yield Skipped(
            str(path),
            line,
            f"{count} rows with {reason} than the mapping keeps"
            if reason.startswith("another")
            else f"{count} rows with {reason}",
        )


def _joined(rows: Rows, path: Path, mapping: Mapping, tables: Tables) -> Rows:
    """A row for each entry of the tables that its keys have: a key may stand for several things."""
    missing: Counter[str] = Counter()
    line = 1
    for row in rows:
        if not isinstance(row, Row):
            yield row
            continue
        line, joined, lost = row.line, [dict(row.values)], ""
        for rule in mapping.join:
            key = rule.key.replace(VALUE, str(row.values.get(rule.column, "")).strip())
            found = tables.rows(rule.table, key)
            if not found and not rule.optional:
                lost = f"with a '{rule.column}' that is not in the table '{rule.table}'"
            rows_of_keys = [
                {f"{rule.column}.{name}": value for name, value in entry.items()}
                for entry in found or ({},)
            ]
            joined = [values | more for values in joined for more in rows_of_keys]
        if lost:
            missing[lost] += 1
        else:
            yield from (Row(row.line, values) for values in joined)
    for reason, count in missing.items():
        yield Skipped(str(path), line, f"{count} rows {reason}")


def _answered(rows: Rows, path: Path, mapping: Mapping) -> Rows:
    """Questions that follow a pattern as fields of the thing they ask about."""
    patterns = [(_pattern(question), field) for question, field in mapping.questions]
    unknown, line = 0, 1
    for row in rows:
        if not isinstance(row, Row):
            yield row
            continue
        line = row.line
        question = " ".join(str(row.values.get(mapping.question_field, "")).split())
        fitting = ((p.fullmatch(question), field) for p, field in patterns)
        match, field = next((found for found in fitting if found[0]), (None, ""))
        if match is None:
            unknown += 1
            continue
        answer = row.values.get(mapping.answer_field, "")
        name = match["name"].strip()
        yield Row(row.line, {mapping.name_field: name, "key": f"{name}/{field}", field: answer})
    if unknown:
        yield Skipped(str(path), line, f"{unknown} questions that no pattern of the mapping fits")


def _pattern(question: str) -> re.Pattern[str]:
    parts = [r"\s*".join(map(re.escape, part.split())) for part in question.split("{name}")]
    return re.compile(r"\s*(?P<name>.+?)\s*".join(parts), re.IGNORECASE)


def _collected(rows: Rows, mapping: Mapping) -> Rows:
    named = {mapping.name_field, *(rule.field for rule in mapping.fields)}
    for row in rows:
        if not isinstance(row, Row):
            yield row
            continue
        rest = {
            column: str(value).strip()
            for column, value in row.values.items()
            if column not in named and str(value).strip()
        }
        values = {column: value for column, value in row.values.items() if column in named}
        for rule in mapping.collect:
            values[rule.field] = [
                column if rule.equal else value
                for column, value in rest.items()
                if not rule.equal or value == rule.equal
            ]
        yield Row(row.line, values)


def _gathered(rows: Rows, mapping: Mapping) -> Rows:
    """Rows of one name as one row: lists become one list, other values are the first there is."""
    gathered: dict[str, Row] = {}
    for row in rows:
        if not isinstance(row, Row):
            yield row
            continue
        name = str(row.values.get(mapping.name_field, "")).strip()
        first = gathered.setdefault(name, Row(row.line, {}))
        for column, value in row.values.items():
            _put_together(first.values, column, value)
    for row in gathered.values():
        lists = {c: list(v.values()) for c, v in row.values.items() if isinstance(v, _Gathered)}
        yield Row(row.line, row.values | lists)


class _Gathered(dict[str, Any]):
    """The entries of lists that are becoming one list, each once, by what they look like."""


def _put_together(values: dict[str, Any], column: str, value: Any) -> None:
    if isinstance(value, list):
        held = values.setdefault(column, _Gathered())
        if isinstance(held, _Gathered):
            held.update((repr(entry), entry) for entry in value)
    elif values.get(column) in (None, ""):
        values[column] = value
