"""`medweave reason`: what follows from a base by an ontology."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from medweave.faces.cli.common import print_json, tell, writing
from medweave.faces.cli.options import Json, Kb, Ontology


class Engine(StrEnum):
    """What reasons."""

    rules = "rules"
    hermit = "hermit"


def reason(
    kb: Kb = "",
    ontology: Ontology = "causalamd",
    engine: Annotated[
        Engine | None, typer.Option(help="Rules of OWL 2 RL, or HermiT where Java is.")
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Take out what was inferred.")] = False,
    json: Json = False,
) -> None:
    """Add what follows from a base by an ontology, with its premises; or say who contradicts whom.

    What is inferred stands apart: it is in no hash, goes with its premises, and `--clear` takes it
    out. Where statements contradict each other, nothing is added and the exit code is 1.
    """
    from medweave.faces.texts.visible import visible

    with writing(kb, create=False) as base:
        if clear:
            cleared = base.forget_inferred()
            tell({"cleared": cleared}, f"{cleared} inferred statements taken out", json=json)
            return
        found = base.reason(ontology, engine.value if engine else None)
        form = found.to_json(base.knowledge)
    if json:
        print_json(form)
    else:
        sys.stdout.write(f"{form['inferred']} statements follow ({found.engine})\n")
        for each in found.inconsistencies:
            sys.stdout.write(visible(f"{each.what} [{each.axiom}]: {', '.join(each.statements)}"))
            sys.stdout.write("\n")
    if not found.consistent:
        raise typer.Exit(1)
