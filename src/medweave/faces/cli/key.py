"""`medweave key`: who may ask a server."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from medweave.access import Keys, Scope
from medweave.faces.cli.common import print_json, tell
from medweave.faces.cli.options import Json

app = typer.Typer(no_args_is_help=True, help="Keys to a server: make, list and remove them.")
KeysFile = Annotated[Path, typer.Option("--keys", help="The file of keys.", show_default=False)]
Name = Annotated[str, typer.Argument(help="Whose key it is.", show_default=False)]


@app.command()
def add(
    name: Name,
    keys: KeysFile,
    scope: Annotated[str, typer.Option("--scope", help="read, write or admin.")] = "read",
    expires: Annotated[str, typer.Option("--expires", help="After 12h, 30d, 1y; else never.")] = "",
    json: Json = False,
) -> None:
    """Make a key. It is shown this once: the file holds only its hash."""
    asked: Scope = scope  # type: ignore[assignment]  # `add` refuses what is none
    key, secret = Keys(keys).add(name, asked, expires)
    if json:
        print_json({**key.to_json(), "key": secret})
    else:
        sys.stdout.write(f"{secret}\n")
        until = f", until {key.expires}" if key.expires else ""
        sys.stderr.write(f"the key of {name} ({scope}{until}); it is not shown again\n")


@app.command(name="list")
def list_(keys: KeysFile, json: Json = False) -> None:
    """Who has a key, with which scope, and until when."""
    found = Keys(keys).all()
    if json:
        print_json({"keys": [key.to_json() for key in found]})
        return
    for key in found:
        until = "" if not key.expires else f", until {key.expires}"
        over = " (expired)" if key.expired() else ""
        sys.stdout.write(f"{key.name}: {key.scope}{until}{over}\n")


@app.command()
def remove(name: Name, keys: KeysFile, json: Json = False) -> None:
    """Take a key away; a running server refuses it at once."""
    key = Keys(keys).remove(name)
    tell(key.to_json(), f"the key of {key.name} is removed", json=json)
