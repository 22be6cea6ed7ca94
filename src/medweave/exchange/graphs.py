"""Rows as graph files: GraphML, and the JSON of Cytoscape."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from medweave.errors import SourceError
from medweave.exchange.rows import PAYLOAD, Row, Value
from medweave.exchange.tables import EDGE_COLUMNS, NODE_COLUMNS, Tables

_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 has no way to write."""


def write_graphml(tables: Tables, path: Path) -> None:
    """One directed multigraph, an edge a statement; lists are JSON, as GraphML has none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="{_NAMESPACE}">\n')
        file.writelines(_keys())
        file.write('<graph id="medweave" edgedefault="directed">\n')
        for row in tables.nodes:
            file.write(f"<node id={_attribute(row['id'])}>{_data('n', NODE_COLUMNS, row)}</node>\n")
        for row in tables.edges:
            ends = f"source={_attribute(row['subject'])} target={_attribute(row['object'])}"
            data = _data("e", EDGE_COLUMNS, row)
            file.write(f"<edge id={_attribute(row['id'])} {ends}>{data}</edge>\n")
        file.write("</graph>\n</graphml>\n")


def read_graphml(path: Path) -> Tables:
    """What `write_graphml` wrote."""
    return Tables(_graphml_rows(path, "node"), _graphml_rows(path, "edge"))


def write_cytoscape(tables: Tables, path: Path) -> None:
    """`{"elements": {"nodes": [], "edges": []}}`, as Cytoscape and cytoscape.js read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        file.write('{"elements": {"nodes": [')
        file.writelines(_elements(tables.nodes))
        file.write('], "edges": [')
        edges = ({**row, "source": row["subject"], "target": row["object"]} for row in tables.edges)
        file.writelines(_elements(edges))
        file.write("]}}\n")


def read_cytoscape(path: Path) -> Tables:
    """What `write_cytoscape` wrote."""
    try:
        elements = json.loads(path.read_text("utf-8"))["elements"]
        nodes = [element["data"] for element in elements["nodes"]]
        edges = [element["data"] for element in elements["edges"]]
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from error
    except (ValueError, KeyError, TypeError) as error:
        raise _unreadable(path, f"no graph of Cytoscape: {error}") from error
    return Tables(nodes, edges)


def _elements(rows: Iterable[Row]) -> Iterator[str]:
    between = "\n"
    for row in rows:
        shown = {name: value for name, value in row.items() if value not in (None, "", [])}
        yield between + json.dumps({"data": shown}, ensure_ascii=False)
        between = ",\n"


def _keys() -> Iterator[str]:
    types = {"has_confidence_score": "double", "negated": "boolean"}
    for prefix, of, columns in (("n", "node", NODE_COLUMNS), ("e", "edge", EDGE_COLUMNS)):
        for column in columns:
            name, type_ = f"{prefix}_{column}", types.get(column, "string")
            yield f'<key id="{name}" for="{of}" attr.name="{column}" attr.type="{type_}"/>\n'


def _data(prefix: str, columns: Iterable[str], row: Row) -> str:
    filled = ((column, row.get(column)) for column in columns)
    return "".join(
        f'<data key="{prefix}_{column}">{_text(value)}</data>'
        for column, value in filled
        if value not in (None, "", [])
    )


def _text(value: Value) -> str:
    if isinstance(value, str):
        return escape(_UNWRITABLE.sub("\ufffd", value))
    return escape(json.dumps(value))


def _attribute(value: Value) -> str:
    return quoteattr(_UNWRITABLE.sub("\ufffd", str(value)))


def _graphml_rows(path: Path, of: str) -> Iterator[Row]:
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    key = f"{of[0]}_{PAYLOAD}"
    try:
        for _, element in iterparse(path, events=("end",)):
            if element.tag != f"{{{_NAMESPACE}}}{of}":
                continue
            held = next((each.text or "" for each in element if each.get("key") == key), "")
            yield {"id": element.get("id"), PAYLOAD: held}
            element.clear()
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from error
    except (ParseError, DefusedXmlException) as error:
        raise _unreadable(path, f"no GraphML: {error}") from error


def _unreadable(path: Path, why: str) -> SourceError:
    return SourceError(
        f"this file cannot be read ({why})", where=str(path), remedy="export it again"
    )
