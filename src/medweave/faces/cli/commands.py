"""The commands, and what each is called."""

from __future__ import annotations

from typing import Annotated

import typer

from medweave import __version__
from medweave.faces.cli import (
    ask,
    assess,
    build,
    classify,
    convert,
    demo,
    duplicates,
    evaluate,
    guideline,
    show,
    similar,
    stats,
    train,
    tune,
    understand,
    upkeep,
    vectors,
    weights,
)
from medweave.faces.cli.common import Run

app = typer.Typer(
    help="Medical knowledge-graph question answering with the evidence in view.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("build")(build.build)
app.command("add")(build.add)
app.command("remove")(build.remove)
app.command("ask")(ask.ask)
app.command("understand")(understand.understand)
app.command("classify")(classify.classify)
app.command("assess")(assess.assess)
app.command("similar")(similar.similar)
app.command("show")(show.show)
app.command("stats")(stats.stats)
app.command("duplicates")(duplicates.duplicates)
app.command("evaluate")(evaluate.evaluate)
app.command("convert")(convert.convert)
app.add_typer(train.app, name="train")
app.add_typer(tune.app, name="tune")
app.command("check")(upkeep.check)
app.command("backup")(upkeep.backup)
app.command("compact")(upkeep.compact)
app.add_typer(guideline.app, name="guideline")
app.add_typer(weights.app, name="weights")
app.add_typer(vectors.app, name="vectors")
app.command("demo")(demo.demo)


@app.callback(invoke_without_command=True)
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Medical knowledge-graph question answering with the evidence in view."""
    Run.debug = debug
    if version:
        typer.echo(__version__)
        raise typer.Exit
