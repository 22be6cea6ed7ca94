"""`medweave export`, `import` and `sparql`: a base for other programs, and back."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from medweave.errors import SourceError
from medweave.faces.cli.build import show_report
from medweave.faces.cli.common import print_json, reading, tell, writing
from medweave.faces.cli.options import Json, Kb

_FORMATS = (
    "kgx-tsv, kgx-jsonl, neo4j-csv, turtle, trig, graphml, cytoscape, csv, relations, mindmap, "
    "shacl."
)
_LONGEST = 4096
"""Characters of an argument that may be the name of a file."""


def export(
    out: Annotated[Path, typer.Option("--out", help="The file, or the folder.")],
    form: Annotated[str, typer.Option("--format", help=_FORMATS)],
    kb: Kb = "",
    json: Json = False,
) -> None:
    """Write a whole base to files that other programs read."""
    with reading(kb) as base:
        base.export(out, form)
        version = base.version
    held = {"revision": version.revision, "hash": version.hash}
    line = f"written to {out}, with everything the base holds but vectors"
    tell({"out": str(out), "format": form, "base": held}, line, json=json)


def import_(
    paths: Annotated[list[Path], typer.Argument(help="What was exported.", show_default=False)],
    kb: Kb = "",
    form: Annotated[str, typer.Option("--format", help=_FORMATS)] = "",
    json: Json = False,
) -> None:
    """Take in what `export` wrote: all of it, or where anything is wrong nothing."""
    with writing(kb) as base:
        report = base.import_(paths, form)
    show_report(report, json=json)


def sparql(
    query: Annotated[str, typer.Argument(help="A query, or a file with one.")],
    kb: Kb = "",
    reason: Annotated[
        bool, typer.Option("--reason", help="Also over what follows by OWL 2 RL.")
    ] = False,
    timeout: Annotated[float, typer.Option(help="Seconds it may take.", min=0.1)] = 30.0,
    json: Json = False,
) -> None:
    """Answer a query in SPARQL over the base as RDF; nothing can be changed."""
    with reading(kb) as base:
        found = base.sparql(_query(query), timeout=timeout, reasoned=reason)
    if found.kind == "graph" and json:
        print_json({"turtle": found.text})
    else:
        sys.stdout.write(found.text.rstrip("\n") + "\n")


def _query(given: str) -> str:
    """The query itself, or what stands in the file of that name."""
    path = Path(given)
    if len(given) > _LONGEST or "\n" in given or not path.is_file():
        return given
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(
            f"this query cannot be read ({error})", where=given, remedy="give a UTF-8 file"
        ) from error
