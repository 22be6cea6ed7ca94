"""`medweave guideline diff`: what changed between two versions, and which saved cases change."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from medweave.faces.cli.common import print_json
from medweave.faces.cli.options import Json, Kb


def diff(
    old: Annotated[
        str, typer.Argument(help="sample, a file, or id@version in the base.", show_default=False)
    ],
    new: Annotated[str, typer.Argument(help="The other one, likewise.", show_default=False)],
    cases: Annotated[
        str,
        typer.Option("--cases", help="Saved cases: JSONL of findings, as `classify` takes them."),
    ] = "",
    kb: Kb = "",
    json: Json = False,
) -> None:
    """Tell in words what changed between two guidelines, and which saved cases come out otherwise.

    Order and names of groups are no change.
    """
    from medweave.faces.cli.classify import record_lines
    from medweave.faces.cli.guideline import guideline_named
    from medweave.faces.terminal.guideline_difference import difference_lines
    from medweave.faces.texts.visible import visible
    from medweave.guideline.logic.graph import compile_guideline
    from medweave.guideline.versions.difference import difference
    from medweave.guideline.versions.rerun import rerun

    one, other = guideline_named(old, kb), guideline_named(new, kb)
    found = difference(one, other)
    tried = None
    if cases:
        graphs = compile_guideline(one), compile_guideline(other)
        tried = rerun(*graphs, record_lines(cases))
    if json:
        print_json(found.to_json() | ({"cases": tried.to_json()} if tried else {}))
        return
    for line in difference_lines(found, tried):
        sys.stdout.write(visible(line) + "\n")
