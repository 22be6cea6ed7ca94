"""`medweave query`: triples with unknown parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from medweave.errors import QuestionError
from medweave.faces.cli.common import reading, show
from medweave.faces.cli.options import Json, Kb
from medweave.model.triple_query import read_triples

if TYPE_CHECKING:
    from medweave.knowledge_base import KnowledgeBase
    from medweave.model.triple_query import TripleResult


def query(
    triples: Annotated[
        list[str] | None,
        typer.Argument(
            help="Triples that must all hold, each as JSON: a part is a name, ? or ?x.",
            show_default=False,
        ),
    ] = None,
    kb: Kb = "",
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the relations of the base instead.")
    ] = False,
    lines: Annotated[
        str, typer.Option("--lines", help="A query a line, from a file or - for stdin.")
    ] = "",
    limit: Annotated[int, typer.Option(help="So many of each are given.", min=1)] = 1000,
    timeout: Annotated[float, typer.Option(help="Seconds a query may take.", min=0.1)] = 30.0,
    json: Json = False,
) -> None:
    """Find what fits triples such as ["?", "has_symptom", "cough"]."""
    if schema + bool(lines) + bool(triples) != 1:
        raise QuestionError(
            "one of triples, --lines and --schema is wanted",
            remedy="""give a triple such as '["?", "has_symptom", "cough"]'""",
        )
    with reading(kb) as base:
        if schema:
            _show_schema(base, json=json)
        elif lines:
            _answer_lines(base, lines, limit=limit, timeout=timeout, json=json)
        else:
            asked = [triple for each in triples or () for triple in read_triples(each)]
            _show(base.query(asked, limit=limit, timeout=timeout), json=json)


def _answer_lines(
    base: KnowledgeBase, file: str, *, limit: int, timeout: float, json: bool
) -> None:
    from medweave.faces.cli.lines import each_line

    def answer(line: str) -> TripleResult:
        return base.query(read_triples(line), limit=limit, timeout=timeout)

    if json:
        each_line(file, lambda line: answer(line).to_json())
    else:
        each_line(file, answer, lambda _, found: _show(found, json=False))


def _show(found: TripleResult, *, json: bool) -> None:
    show(found, "triples:print_triples", json=json)


def _show_schema(base: KnowledgeBase, *, json: bool) -> None:
    schema = base.schema()
    show(schema, "triples:print_schema", json=json)
