"""`medweave ask`: one question, many questions, or a prompt."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated, Any

import typer

from medweave.errors import ConfigurationError, SourceError
from medweave.faces.cli.common import console, piped, print_json, reading
from medweave.faces.cli.lines import each_line
from medweave.faces.cli.options import InPlace, Json, Kb, Vectors, Vocabulary
from medweave.faces.cli.question import CANDIDATES, Shown, answer
from medweave.language.text_file import lines_of, read_record, read_text
from medweave.model.generated import MODEL_USE, GateMode, ModelUse

ROLES = ("user", "assistant")
_SHAPE = '{"role": "user", "text": "…"}'


class Gates(StrEnum):
    """What becomes of sentences that nothing supports."""

    remove = "remove"
    mark = "mark"


_GATE: dict[Gates, GateMode] = {Gates.remove: "remove", Gates.mark: "mark"}


class Links(StrEnum):
    """Where trials are shown."""

    registry = "registry"
    dimensions = "dimensions"


def ask(
    question: Annotated[str, typer.Argument(help="The question; left out: a prompt.")] = "",
    kb: Kb = "",
    vectors: Vectors = "",
    mapping: InPlace = "",
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
    model: Annotated[
        str,
        typer.Option(
            "--model",
            help="The language model that helps and writes, as provider:model; none for rules.",
            show_default=False,
        ),
    ] = "",
    gate: Annotated[
        Gates, typer.Option("--gate", help="What becomes of its sentences that nothing supports.")
    ] = Gates.remove,
    supplement: Annotated[
        bool, typer.Option("--supplement", help="Also use things that it adds, marked as such.")
    ] = False,
    strategy: Annotated[
        str,
        typer.Option(
            "--strategy",
            help="How what is said is found: ours, model (alone), bm25, embedding, mindmap, "
            "kg-rank, rok, talk2doc.",
        ),
    ] = MODEL_USE.strategy,
    time_limit: Annotated[
        float, typer.Option("--time-limit", min=0, help="Seconds for all its requests together.")
    ] = MODEL_USE.seconds,
    max_calls: Annotated[
        int, typer.Option("--max-calls", min=0, help="Requests to it at most, retries included.")
    ] = MODEL_USE.calls,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Ask no model; print what would be asked of it.")
    ] = False,
    stream: Annotated[
        bool,
        typer.Option("--stream", help="One JSON object a line: danger, each sentence, the answer."),
    ] = False,
    vocabulary: Vocabulary = "",
    json: Json = False,
) -> None:
    """Answer a question in English or Chinese, with the evidence."""
    earlier = read_history(history)
    use = ModelUse(_GATE[gate], supplement, time_limit, max_calls, strategy)
    with reading(kb, vocabulary, ranking, model=model, vectors=vectors, mapping=mapping) as base:
        how: dict[str, Any] = {"guideline": guideline, "history": earlier, "use": use}

        def told(text: str) -> dict[str, Any]:
            if dry_run:
                return base.ask_plan(text, **how)
            return base.ask(text, candidates=k, **how).to_json()

        if lines and not stream:
            each_line(lines, told)
            return
        if lines:
            raise ConfigurationError("--stream is of one question", remedy="leave out --lines")
        if dry_run:
            print_json(told(question or piped()))
            return
        if stream:
            for event in base.ask_in_pieces(question or piped(), candidates=k, **how):
                print_json(event)
            return
        if question or json or not sys.stdin.isatty():
            shown = Shown(html, more, explain, json, markdown, links.value)
            asked = question or piped()
            answer(base, asked, k, **how, shown=shown)
            return
        from medweave.faces.cli.prompt import converse

        converse(base, console(), candidates=k, earlier=earlier)


def read_history(file: str) -> tuple[str, ...]:
    """What the user said in a file of turns, oldest first; "" for none.

    Each line is `{"role": "user" | "assistant", "text": "…"}`; blank lines are passed over. Raises
    `SourceError` with the line where it is anything else.
    """
    if not file:
        return ()
    text = read_text(file, remedy="name a file of turns, one JSON object a line")
    turns = [_turn(line, f"{file} line {number}") for number, line in lines_of(text)]
    return tuple(text for role, text in turns if role == "user" and text.strip())


def _turn(line: str, where: str) -> tuple[str, str]:
    record = read_record(line, where=where, remedy=f"write {_SHAPE}")
    role, text = record.get("role"), record.get("text")
    if role not in ROLES or not isinstance(text, str):
        problem = "a turn has a role, user or assistant, and a text"
        raise SourceError(problem, where=where, remedy=f"write {_SHAPE}")
    return str(role), text
