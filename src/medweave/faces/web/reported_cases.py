"""The single cases of a report, to be opened one by one: what went wrong first."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

OURS = ""
"""The system of cases that name none: of an evaluation, those that ours got wrong."""
_PLAIN = ("error", "question", "text", "answer", "expected", "got", "gold", "passages", "measures")
"""What is told of a case, in this order; all else comes behind."""
_LEFT_OUT = ("task", "system", "id", "sentences", "ranking")


@dataclass(frozen=True, slots=True)
class Case:
    """One case: what names it, and (name, what is told) for all that is known of it."""

    id: str
    title: str
    failed: bool
    parts: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Cases:
    """Where the cases of each system stand in a file; or the cases, where they are few."""

    path: Path
    systems: Mapping[str, Sequence[int]] = field(default_factory=dict)
    held: Sequence[Mapping[str, Any]] = ()

    def read(self, system: str, first: int, limit: int) -> list[Case]:
        """Some cases of a system, from the number `first` on."""
        wanted = self.systems.get(system, ())[first : first + limit]
        if self.held:
            return [_case(self.held[number]) for number in wanted]
        if not wanted:
            return []
        with self.path.open("rb") as stream:
            return [_case(row) for place in wanted for row in _row_at(stream, place)]


def cases_in(folder: Path) -> Cases:
    """The cases of a report: all of them where it wrote them down, else those that went wrong."""
    written = folder / "cases.jsonl"
    path = written if written.is_file() else folder / "evaluation.json"
    if not path.is_file():
        return Cases(path)
    return (_indexed if path is written else _wrong)(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _indexed(path: Path, _changed: int) -> Cases:
    found: dict[str, list[tuple[float, int]]] = defaultdict(list)
    place = 0
    with path.open("rb") as stream:
        for line in stream:
            for row in _object(line):
                found[str(row.get("system", OURS))].append((_goodness(row), place))
            place += len(line)
    return Cases(path, {name: [at for _, at in sorted(rows)] for name, rows in found.items()})


@lru_cache(maxsize=4)
def _wrong(path: Path, _changed: int) -> Cases:
    for found in _object(path.read_bytes()):
        rows = [each for each in found.get("errors") or () if isinstance(each, Mapping)]
        return Cases(path, {OURS: range(len(rows))} if rows else {}, rows)
    return Cases(path)


def _object(text: bytes) -> Iterator[dict[str, Any]]:
    """An object of JSON; nothing for what is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict):
        yield value


def _row_at(stream: Any, place: int) -> Iterator[dict[str, Any]]:
    stream.seek(place)
    yield from _object(stream.readline())


def _goodness(row: Mapping[str, Any]) -> float:
    """The mean of what was measured; what broke off is worst."""
    if row.get("error"):
        return -1.0
    values = [v for v in (row.get("measures") or {}).values() if isinstance(v, int | float)]
    return sum(values) / len(values) if values else 0.0


def _case(row: Mapping[str, Any]) -> Case:
    names = [name for name in (*_PLAIN, *row) if name in row and name not in _LEFT_OUT]
    told = ((name, tuple(_lines(row[name]))) for name in dict.fromkeys(names))
    return Case(
        str(row.get("id", "")),
        str(row.get("question") or row.get("text") or row.get("id", "")),
        bool(row.get("error")) or "expected" in row,
        tuple((name, lines) for name, lines in told if lines),
    )


def _lines(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        if "text" in value:
            yield str(value["text"])
            return
        for name, each in value.items():
            yield f"{name}: {'; '.join(_lines(each))}"
    elif isinstance(value, list):
        for each in value:
            yield from _lines(each)
    elif isinstance(value, bool):
        yield "✓" if value else "✕"
    elif value is not None and value != "":
        yield str(value)
