"""`medweave train`: learn from labelled questions and messages."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from medweave.errors import SourceError
from medweave.faces.cli.common import console, print_json, reading, write_file
from medweave.faces.cli.options import Json, Kb

if TYPE_CHECKING:
    from medweave.knowledge_base import KnowledgeBase
    from medweave.understanding.danger.training import DangerMessage
    from medweave.understanding.intents.model import LabelledQuestion

app = typer.Typer(no_args_is_help=True, help="Learn from labelled questions and messages.")


class Method(StrEnum):
    """How intents are told apart."""

    LINEAR = "linear"
    INFORMATION_GAIN = "information_gain"
    INFORMATION_GAIN_PAPER = "information_gain_paper"


@app.callback()
def train() -> None:
    """Learn from labelled questions and messages."""


@app.command("intents")
def intents(
    files: Annotated[
        list[str], typer.Argument(help="Labelled questions: JSONL, JSON, CSV.", show_default=False)
    ],
    out: Annotated[str, typer.Option("--out", help="The file to write.")] = "intents.json",
    method: Annotated[Method, typer.Option("--method", help="How they are told apart.")] = (
        Method.LINEAR
    ),
    seed: Annotated[int, typer.Option("--seed", help="Of the folds it is calibrated on.")] = 0,
    kb: Kb = "",
    json: Json = False,
) -> None:
    """Train a classifier of intents on questions with labels; the same input gives the same file.

    `sample` names those of a checkout. Use the result with `intents = "FILE"` in medweave.toml.
    """
    from medweave.evaluation.data.reading import digest_of
    from medweave.understanding.intents.model import train_intents

    with reading(kb) as base:
        read = [(name, *_questions(name, base)) for name in files]
    questions = [question for _, some, _ in read for question in some]
    if not questions:
        raise SourceError(
            "no labelled question was found",
            where=files[0],
            remedy='give records with "text" and "label"',
        )
    origin: dict[str, Any] = {
        "files": [
            {"name": Path(name).name, "sha256": digest_of(Path(name))}
            for name in files
            if name != "sample"
        ],
        "questions": len(questions),
        "seed": seed,
    }
    model = train_intents(questions, method=method.value, seed=seed, trained_on=origin)
    write_file(Path(out), model.to_text())
    skipped = sum(left for _, _, left in read)
    if json:
        print_json({**origin, "labels": list(model.labels), "skipped": skipped, "model": out})
        return
    console().print(
        f"{out}: {len(model.labels)} labels from {len(questions)} questions; {skipped} left out",
        markup=False,
    )


def _questions(name: str, base: KnowledgeBase) -> tuple[list[LabelledQuestion], int]:
    """The questions of a file, and how many records are none."""
    from medweave.sources.files.rows import Row, read_rows
    from medweave.understanding.intents.labelled_questions import (
        labelled_question,
        shipped_questions,
    )
    from medweave.understanding.intents.model import LabelledQuestion

    if name == "sample":
        return list(shipped_questions()), 0
    rows = list(read_rows(Path(name)))
    made = [labelled_question(r.values, base.asked_text) for r in rows if isinstance(r, Row)]
    found = [question for question in made if isinstance(question, LabelledQuestion)]
    return found, len(rows) - len(found)


@app.command("danger")
def danger(
    files: Annotated[
        list[str], typer.Argument(help="Labelled messages: JSONL, JSON, CSV.", show_default=False)
    ],
    out: Annotated[str, typer.Option("--out", help="The file to write.")] = "danger.json",
    json: Json = False,
) -> None:
    """Train the learned reader of danger on messages; the same input gives the same file.

    `sample` names those of a checkout. Use the result with `danger = "FILE"` in medweave.toml.
    """
    from medweave.evaluation.data.reading import digest_of
    from medweave.understanding.danger.training import train_danger

    paths = {name: _places(name) for name in files}
    read = {path: _messages(path) for some in paths.values() for path in some}
    messages = [message for some, _ in read.values() for message in some]
    if not messages:
        raise SourceError(
            "no labelled message was found",
            where=files[0],
            remedy='give records with "text" and "danger", a list',
        )
    origin: dict[str, Any] = {
        "files": [{"name": path.name, "sha256": digest_of(path)} for path in read],
        "messages": len(messages),
    }
    model = train_danger(messages, trained_on=origin)
    write_file(Path(out), model.to_text())
    skipped = sum(left for _, left in read.values())
    if json:
        print_json({**origin, "features": len(model.weights), "skipped": skipped, "model": out})
        return
    console().print(
        f"{out}: {len(model.weights)} weights from {len(messages)} messages; {skipped} left out",
        markup=False,
    )


def _places(name: str) -> list[Path]:
    """The files that a name stands for."""
    if name != "sample":
        return [Path(name)]
    from medweave.understanding.training_files import training_file

    return sorted(training_file("danger").glob("*.jsonl"))


def _messages(path: Path) -> tuple[list[DangerMessage], int]:
    """The messages of a file, and how many records are none."""
    from medweave.sources.files.rows import Row, read_rows
    from medweave.understanding.danger.training import DangerMessage

    found = []
    rows = list(read_rows(path))
    for row in rows:
        values = row.values if isinstance(row, Row) else {}
        text, signs = values.get("text"), values.get("danger")
        if isinstance(text, str) and text.strip() and isinstance(signs, list):
            found.append(DangerMessage(text.strip(), bool(signs)))
    return found, len(rows) - len(found)
