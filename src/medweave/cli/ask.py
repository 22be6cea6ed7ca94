"""`medweave ask`: one question, many questions, or a prompt."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medweave.cli.common import (
    Json,
    Kb,
    Vocabulary,
    console,
    piped,
    print_json,
    reading,
    write_file,
)
from medweave.cli.lines import each_line

if TYPE_CHECKING:
    from medweave.app import KnowledgeBase


def ask(
    question: Annotated[str, typer.Argument(help="The question; left out: a prompt.")] = "",
    kb: Kb = "",
    k: Annotated[int, typer.Option("--k", min=1, max=100, help="How many candidates.")] = 5,
    lines: Annotated[
        str, typer.Option("--lines", help="A file of questions, one a line, or -.")
    ] = "",
    html: Annotated[str, typer.Option("--html", help="Also write a self-contained page.")] = "",
    explain: Annotated[
        bool, typer.Option("--explain", help="Draw the paths with evidence.")
    ] = False,
    ranking: Annotated[
        str,
        typer.Option(
            "--ranking", help="How diseases are ranked: personalized, textrank, verbatim."
        ),
    ] = "",
    vocabulary: Vocabulary = "",
    json: Json = False,
) -> None:
    """Answer a question in English or Chinese, with the evidence."""
    with reading(kb, vocabulary, ranking) as base:
        if lines:
            each_line(lines, lambda text: base.ask(text, candidates=k).to_json())
            return
        if question or json or not sys.stdin.isatty():
            _answer(base, question or piped(), k, html=html, explain=explain, json=json)
            return
        from medweave.cli.prompt import converse

        converse(base, console(), candidates=k)


def _answer(
    base: KnowledgeBase, question: str, k: int, *, html: str, explain: bool, json: bool
) -> None:
    answer = base.ask(question, candidates=k)
    if html:
        from medweave.presentation.page import answer_page

        write_file(Path(html), answer_page(answer))
    if json:
        print_json(answer.to_json())
        return
    from medweave.presentation.terminal import print_answer, print_paths

    print_answer(answer, console())
    if explain:
        print_paths(answer, console())
