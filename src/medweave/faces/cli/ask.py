"""`medweave ask`: one question, many questions, or a prompt."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from medweave.faces.cli.common import console, piped, reading
from medweave.faces.cli.history import read_history
from medweave.faces.cli.lines import each_line
from medweave.faces.cli.options import Json, Kb, Vocabulary
from medweave.faces.cli.question import CANDIDATES, Shown, answer


class Links(StrEnum):
    """Where trials are shown."""

    registry = "registry"
    dimensions = "dimensions"


def ask(
    question: Annotated[str, typer.Argument(help="The question; left out: a prompt.")] = "",
    kb: Kb = "",
    k: Annotated[
        int, typer.Option("--k", min=1, max=100, help="How many candidates.")
    ] = CANDIDATES,
    lines: Annotated[
        str, typer.Option("--lines", help="A file of questions, one a line, or -.")
    ] = "",
    history: Annotated[
        str,
        typer.Option(
            "--history",
            help='The conversation so far, about one person: JSONL, {"role": "user", "text"}.',
        ),
    ] = "",
    html: Annotated[str, typer.Option("--html", help="Also write a self-contained page.")] = "",
    more: Annotated[bool, typer.Option("--more", help="Fold nothing.")] = False,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Also show the evidence, and everything internal."),
    ] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="As Markdown, with links to the sources.")
    ] = False,
    links: Annotated[
        Links, typer.Option("--links", help="Where trials are shown, in Markdown.")
    ] = Links.registry,
    ranking: Annotated[
        str,
        typer.Option(
            "--ranking", help="How diseases are ranked: personalized, textrank, verbatim."
        ),
    ] = "",
    guideline: Annotated[
        str,
        typer.Option(
            "--guideline",
            help="Assess the child of the question by it: sample, a file, or id@version.",
        ),
    ] = "",
    vocabulary: Vocabulary = "",
    json: Json = False,
) -> None:
    """Answer a question in English or Chinese, with the evidence."""
    earlier = read_history(history)
    with reading(kb, vocabulary, ranking) as base:
        if lines:
            each_line(
                lines,
                lambda text: base.ask(
                    text, candidates=k, guideline=guideline, history=earlier
                ).to_json(),
            )
            return
        if question or json or not sys.stdin.isatty():
            shown = Shown(html, more, explain, json, markdown, links.value)
            asked = question or piped()
            answer(base, asked, k, guideline=guideline, history=earlier, shown=shown)
            return
        from medweave.faces.cli.prompt import converse

        converse(base, console(), candidates=k, earlier=earlier)
