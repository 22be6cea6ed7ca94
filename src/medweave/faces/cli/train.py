"""`medweave train`: learn from labelled questions and messages."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medweave.faces.cli.common import console, print_json, reading, write_file
from medweave.faces.cli.options import Json, Kb

if TYPE_CHECKING:
    from medweave.evaluation.training import Learned

app = typer.Typer(no_args_is_help=True, help="Learn from labelled questions and messages.")


Messages = Annotated[
    list[str], typer.Argument(help="Labelled messages: JSONL, JSON, CSV.", show_default=False)
]
Out = Annotated[str, typer.Option("--out", help="The file to write.")]


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
    out: Out = "intents.json",
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
    from medweave.evaluation.training import learn_intents

    with reading(kb) as base:
        learned = learn_intents(files, base, method=method.value, seed=seed)
    _write(learned, out, json=json)


@app.command("danger")
def danger(
    files: Messages,
    out: Out = "danger.json",
    json: Json = False,
) -> None:
    """Train the learned reader of danger on messages; the same input gives the same file.

    `sample` names those of a checkout. Use the result with `danger = "FILE"` in medweave.toml.
    """
    from medweave.evaluation.training import learn_danger

    _write(learn_danger(files), out, json=json)


@app.command("roles")
def roles(
    files: Annotated[
        list[str], typer.Argument(help="Marked questions: JSONL, JSON, CSV.", show_default=False)
    ],
    out: Out = "roles.json",
    json: Json = False,
) -> None:
    """Train the model of what conditions do in questions; the same input gives the same file.

    `sample` names those of a checkout. It reads what ships; no setting takes another one.
    """
    from medweave.evaluation.training import learn_roles

    _write(learn_roles(files), out, json=json)


@app.command("crisis")
def crisis(
    files: Messages,
    out: Out = "crisis.json",
    json: Json = False,
) -> None:
    """Train the learned reader of crises on messages; the same input gives the same file.

    `sample` names those of a checkout; the model that ships is made of them.
    """
    from medweave.evaluation.training import learn_crisis

    _write(learn_crisis(files), out, json=json)


def _write(learned: Learned, out: str, *, json: bool) -> None:
    """The file of a model, and what is said of it."""
    write_file(Path(out), learned.text)
    if json:
        print_json({**learned.origin, **learned.size, "skipped": learned.skipped, "model": out})
        return
    cases = next(f"{learned.origin[what]} {what}" for what in ("questions", "messages")
                 if what in learned.origin)  # fmt: skip
    what, size = next(iter(learned.size.items()))
    count = size if isinstance(size, int) else len(size)
    console().print(f"{out}: {count} {what} from {cases}; {learned.skipped} left out", markup=False)
