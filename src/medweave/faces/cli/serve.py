"""`medweave serve`: the page, and what programs call."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from medweave.errors import ConfigurationError
from medweave.faces.cli.common import console, how_opened, print_json
from medweave.faces.cli.options import Json


def serve(
    kb: Annotated[
        list[str] | None,
        typer.Option("--kb", help="A base, NAME=URL or URL; repeatable, the first by default."),
    ] = None,
    host: Annotated[str, typer.Option("--host", help="The address; this machine.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", help="The port; 0 for a free one.", min=0, max=65535)
    ] = 8080,
    guideline: Annotated[
        list[str] | None,
        typer.Option("--guideline", help="A guideline beside the sample; repeatable."),
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Nothing is written.")] = False,
    max_upload: Annotated[
        str, typer.Option("--max-upload", help="What may be sent at once.")
    ] = "200MB",
    origin: Annotated[
        list[str] | None,
        typer.Option("--origin", help="Another site whose pages may call; repeatable."),
    ] = None,
    bases: Annotated[
        Path | None,
        typer.Option("--bases", help="Where the page makes new bases.", show_default=False),
    ] = None,
    evaluations: Annotated[
        Path | None,
        typer.Option("--evaluations", help="Reports that the page shows.", show_default=False),
    ] = None,
    keys: Annotated[
        Path | None,
        typer.Option("--keys", help="Who may ask: a file of `key add`.", show_default=False),
    ] = None,
    audit: Annotated[
        str, typer.Option("--audit", help="Write down what is answered: a file, or none.")
    ] = "none",
    keep_text: Annotated[
        bool, typer.Option("--keep-text", help="Questions in the audit file as they were typed.")
    ] = False,
    json: Json = False,
) -> None:
    """Answer on a port of this machine, until it is stopped: a page, and /api/v1 for programs."""
    _check_installed()
    from medweave.access import Keys
    from medweave.faces.web import server
    from medweave.faces.web.application import application
    from medweave.faces.web.guard import is_loopback
    from medweave.faces.web.serving import Serving, bytes_of, named_bases
    from medweave.settings import read_settings

    if not is_loopback(f"[{host}]" if ":" in host else host) and not (keys and Keys(keys).valid()):
        raise ConfigurationError(
            "another address than this machine's is served with keys alone",
            where=f"--host {host}",
            remedy="make a key with `medweave key add`, and name its file with --keys",
        )
    settings = read_settings()
    serving = Serving(
        bases=named_bases(kb or ([settings.kb] if settings.kb else [])),
        guidelines=tuple(guideline or ()),
        folder=bases,
        evaluations=evaluations,
        origins=tuple(each.rstrip("/") for each in origin or ()),
        max_upload=bytes_of(max_upload),
        read_only=read_only,
        local=not keys,
        keys=keys,
        audit=None if audit == "none" else Path(audit),
        keep_text=keep_text,
        **how_opened(settings),
    )
    if serving.audit is None:
        sys.stderr.write("no audit file is written (--audit FILE)\n")
    made = application(serving)
    house = made.state.house
    with closing(house), server.listening(host, port) as opened:
        url, names = server.address(opened, host), [served.name for served in house.all]

        def ready() -> None:
            if json:
                print_json({"url": url, "pid": os.getpid(), "bases": names})
            else:
                console().print(f"{url}  ({', '.join(names)})  stop with Ctrl-C", markup=False)
                sys.stdout.flush()

        server.serve(made, opened, ready)


def _check_installed() -> None:
    """Raises `ConfigurationError` where what serving needs is not installed."""
    needed = ("fastapi", "mcp", "python_multipart", "uvicorn")
    missing = [name for name in needed if not find_spec(name)]
    if missing:
        raise ConfigurationError(
            f"serving needs packages that are not installed ({', '.join(missing)})",
            where="serve",
            remedy="pip install 'medweave[serve]'",
        )
