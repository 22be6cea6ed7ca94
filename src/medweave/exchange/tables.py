"""Rows as tables: KGX in its two forms, CSV for `neo4j-admin database import`, one plain CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from medweave.errors import SourceError
from medweave.exchange.rows import PAYLOAD, Row, Value

NODE_COLUMNS = ("id", "category", "name", "synonym", "xref", "local_type", PAYLOAD)
EDGE_COLUMNS = (
    "id", "subject", "predicate", "object", "relation", "category", "knowledge_level",
    "agent_type", "primary_knowledge_source", "publications", "supporting_text",
    "has_confidence_score", "negated", "qualifiers", PAYLOAD,
)  # fmt: skip
_NODE, _EDGE = "node", "edge"
_KIND = "row"
"""The column of the one plain table that tells nodes from edges."""

_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_ESCAPED = str.maketrans(_ESCAPES)
_LONGEST = 1 << 27
"""Characters of one cell: the text of a whole document stands in one."""


@dataclass(frozen=True, slots=True)
class Tables:
    """Nodes and edges, read as they are taken."""

    nodes: Iterable[Row]
    edges: Iterable[Row]


def write_kgx_tsv(tables: Tables, folder: Path) -> None:
    """`nodes.tsv` and `edges.tsv` without quoting, as KGX reads them; lists between `|`."""
    for name, columns, rows in _parts(tables):
        with _new(folder / f"{name}s.tsv") as file:
            file.write("\t".join(columns) + "\n")
            for row in rows:
                file.write("\t".join(_tsv(row.get(column)) for column in columns) + "\n")


def read_kgx_tsv(folder: Path) -> Tables:
    """What `write_kgx_tsv` wrote."""
    return Tables(_tsv_rows(folder / "nodes.tsv"), _tsv_rows(folder / "edges.tsv"))


def write_kgx_jsonl(tables: Tables, folder: Path) -> None:
    """`nodes.jsonl` and `edges.jsonl`, an object a line."""
    for name, columns, rows in _parts(tables):
        with _new(folder / f"{name}s.jsonl") as file:
            for row in rows:
                shown = {column: row[column] for column in columns if _filled(row.get(column))}
                file.write(json.dumps(shown, ensure_ascii=False) + "\n")


def read_kgx_jsonl(folder: Path) -> Tables:
    """What `write_kgx_jsonl` wrote."""
    return Tables(_json_rows(folder / "nodes.jsonl"), _json_rows(folder / "edges.jsonl"))


def write_neo4j(tables: Tables, folder: Path) -> None:
    """`nodes.csv` and `edges.csv`, as `neo4j-admin database import` takes them."""
    columns = NODE_COLUMNS[1:]
    node_types = ("id:ID", ":LABEL", *(_typed(column) for column in columns))
    with _new(folder / "nodes.csv") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(node_types)
        for row in tables.nodes:
            labels = ";".join(_neo4j(row.get(name)) for name in ("category", "local_type"))
            cells = (_neo4j(row.get(column)) for column in columns)
            table.writerow((row["id"], labels.strip(";"), *cells))
    edge_types = (":START_ID", ":END_ID", ":TYPE", *(_typed(column) for column in EDGE_COLUMNS))
    with _new(folder / "edges.csv") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(edge_types)
        for row in tables.edges:
            ends = (row["subject"], row["object"], row["relation"])
            table.writerow((*ends, *(_neo4j(row.get(column)) for column in EDGE_COLUMNS)))


def read_neo4j(folder: Path) -> Tables:
    """What `write_neo4j` wrote."""
    return Tables(_csv_rows(folder / "nodes.csv"), _csv_rows(folder / "edges.csv"))


def write_csv(tables: Tables, path: Path) -> None:
    """One table: the edges, as triples with their evidence, and behind them the nodes."""
    columns = (_KIND, *dict.fromkeys((*EDGE_COLUMNS[:-1], *NODE_COLUMNS)))
    with _new(path) as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(columns)
        for kind, rows in ((_EDGE, tables.edges), (_NODE, tables.nodes)):
            for row in rows:
                shown = {_KIND: kind, **row}
                table.writerow([_on_one_line(_plain(shown.get(c))) for c in columns])


def read_csv(path: Path) -> Tables:
    """What `write_csv` wrote."""

    def of(kind: str) -> Iterator[Row]:
        return (row for row in _csv_rows(path) if row.get(_KIND) == kind)

    return Tables(of(_NODE), of(_EDGE))


def _parts(tables: Tables) -> Iterator[tuple[str, Sequence[str], Iterable[Row]]]:
    yield _NODE, NODE_COLUMNS, tables.nodes
    yield _EDGE, EDGE_COLUMNS, tables.edges


def _new(path: Path) -> TextIO:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("w", encoding="utf-8", newline="")


def _filled(value: Value) -> bool:
    return value not in (None, "", [])


def _plain(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "|".join(each.replace("|", "/") for each in value)
    return "" if value is None else str(value)


def _tsv(value: Value) -> str:
    return _plain(value).translate(_ESCAPED)


def _neo4j(value: Value) -> str:
    """Lists between `;`."""
    joined = ";".join(each.replace(";", ",") for each in value) if isinstance(value, list) else None
    return _on_one_line(_plain(value) if joined is None else joined)


def _on_one_line(text: str) -> str:
    """A line end in a cell is read differently by every reader of CSV."""
    return " ".join(text.splitlines())


def _typed(column: str) -> str:
    """A column with its type in Neo4j."""
    lists = ("category", "synonym", "xref", "publications", "supporting_text", "qualifiers")
    types = {"has_confidence_score": "double", "negated": "boolean"}
    of = "string[]" if column in lists else types.get(column, "string")
    return f"{column}:{of}"


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            yield from file
    except FileNotFoundError as error:
        raise SourceError(
            "this file of the export is missing", where=str(path), remedy="name the whole folder"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(
            f"this file cannot be read ({error})", where=str(path), remedy="export it again"
        ) from error


def _tsv_rows(path: Path) -> Iterator[Row]:
    lines = (line.rstrip("\n").split("\t") for line in _lines(path))
    columns = [_unescaped(cell) for cell in next(lines, [])]
    return _rows(columns, ([_unescaped(cell) for cell in cells] for cells in lines), path)


def _unescaped(cell: str) -> str:
    """
    >>> _unescaped("a\\\\tb") == "a\\tb", _unescaped("a\\\\\\\\tb") == "a\\\\tb"
    (True, True)
    """
    if "\\" not in cell:
        return cell
    back = {escape[1]: sign for sign, escape in _ESCAPES.items()}
    signs = iter(cell)
    return "".join(back.get(next(signs, ""), "") if sign == "\\" else sign for sign in signs)


def _csv_rows(path: Path) -> Iterator[Row]:
    csv.field_size_limit(_LONGEST)
    table = csv.reader(_lines(path), strict=True)
    try:
        columns = [cell.split(":")[0] for cell in next(table, [])]
        yield from _rows(columns, table, path)
    except csv.Error as error:
        raise _broken(path, table.line_num, f"this is no CSV ({error})") from error


def _rows(columns: Sequence[str], cells: Iterable[Sequence[str]], path: Path) -> Iterator[Row]:
    for number, values in enumerate(cells, 2):
        if len(values) != len(columns):
            what = f"{len(values)} cells stand under {len(columns)} columns"
            raise _broken(path, number, what)
        yield dict(zip(columns, values, strict=True))


def _json_rows(path: Path) -> Iterator[Row]:
    for number, line in enumerate(_lines(path), 1):
        try:
            row = json.loads(line)
        except ValueError as error:
            raise _broken(path, number, f"this is no JSON ({error})") from error
        if not isinstance(row, dict):
            raise _broken(path, number, "this is no row")
        yield row


def _broken(path: Path, line: int, what: str) -> SourceError:
    remedy = "export it again; the file is cut, or was changed"
    return SourceError(what, where=f"{path} line {line}", remedy=remedy)
