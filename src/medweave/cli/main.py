"""`medweave`: the commands, and how they end."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from medweave import __version__
from medweave.cli import (
    ask,
    build,
    demo,
    duplicates,
    evaluate,
    show,
    stats,
    train,
    understand,
    upkeep,
    vectors,
    weights,
)
from medweave.cli.common import Run, fail
from medweave.errors import MedweaveError

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
app.command("show")(show.show)
app.command("stats")(stats.stats)
app.command("duplicates")(duplicates.duplicates)
app.command("evaluate")(evaluate.evaluate)
app.add_typer(train.app, name="train")
app.command("check")(upkeep.check)
app.command("backup")(upkeep.backup)
app.command("compact")(upkeep.compact)
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


def run() -> None:
    """Run a command; end with 0, 1 (a typed error), 2 (wrong usage) or 130 (interrupted)."""
    Run.json = "--json" in sys.argv
    Run.debug = "--debug" in sys.argv
    try:
        app()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(130)
    except MedweaveError as error:
        if Run.debug:
            raise
        fail(error)
        sys.exit(1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        if Run.debug:
            raise
        fail(_unexpected(error))
        sys.exit(1)


def _unexpected(error: Exception) -> MedweaveError:
    """A defect of ours still ends in one line."""
    return MedweaveError(
        f"an unexpected {type(error).__name__}: {error}",
        remedy="run `medweave --debug ...` with the same words, and report what it shows",
    )
