"""The process of one query: it reads it from its input, and writes what came of it.

It is a program of its own and imports little: what starts it may be a script that has no guard
against being read twice, and a query should not wait for more than it needs.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyoxigraph


def answered(folder: str, query: str, prefixes: dict[str, str]) -> dict[str, str]:
    """The `kind` and `text` of what is found over the RDF in a folder; or `wrong`, why not."""
    import pyoxigraph

    try:
        store = pyoxigraph.Store.read_only(folder)
        found = store.query(query, prefixes=prefixes, use_default_graph_as_union=True)
        return _written(found, prefixes)
    except (SyntaxError, ValueError, OSError, RuntimeError) as error:
        return {"wrong": str(error)}


def _written(
    found: pyoxigraph.QuerySolutions | pyoxigraph.QueryBoolean | pyoxigraph.QueryTriples,
    prefixes: dict[str, str],
) -> dict[str, str]:
    import pyoxigraph

    if isinstance(found, pyoxigraph.QueryTriples):
        form = pyoxigraph.RdfFormat.TURTLE
        written = pyoxigraph.serialize(found, format=form, prefixes=prefixes) or b""
        return {"kind": "graph", "text": written.decode()}
    results = (found.serialize(format=pyoxigraph.QueryResultsFormat.JSON) or b"").decode()
    kind = "boolean" if isinstance(found, pyoxigraph.QueryBoolean) else "solutions"
    return {"kind": kind, "text": results}


if __name__ == "__main__":
    asked: dict[str, Any] = json.load(sys.stdin)
    json.dump(answered(**asked), sys.stdout)
