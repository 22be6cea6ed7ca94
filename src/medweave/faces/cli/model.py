"""`medweave model`: what the endpoint of a language model can do."""

from __future__ import annotations

import sys

import typer

from medweave.errors import ConfigurationError
from medweave.faces.cli.common import print_json
from medweave.faces.cli.options import Json, Model

app = typer.Typer(help="Look after language models.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Look after language models."""


@app.command()
def check(model: Model = "", json: Json = False) -> None:
    """Ask the endpoint of a model what it can do, and remember how it is best asked."""
    from medweave.app import check_language_model
    from medweave.settings import read_settings

    named = read_settings(model=model).configuration.model_of("answer")
    if not named.provider:
        raise ConfigurationError("no language model is named", remedy="give --model provider:model")
    found = check_language_model(named)
    if json:
        print_json(found.to_json())
    else:
        can = {"words as they come": found.streaming, f"objects ({found.structured})":
               found.structured != "none", "thoughts apart": found.reasoning,
               "tokens counted": found.usage}  # fmt: skip
        lines = [f"{found.model} at {found.url}"]
        lines += [f"  {'yes' if has else 'no ':3}  {what}" for what, has in can.items()]
        lines += [f"  {problem}" for problem in found.problems]
        sys.stdout.write("\n".join(lines) + "\n")
    if not found.can_be_used:
        raise typer.Exit(1)
