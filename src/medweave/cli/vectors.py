"""`medweave vectors`: what a base keeps for comparing texts by their meaning."""

from __future__ import annotations

import typer

from medweave.cli.common import console, print_json, reading, writing
from medweave.cli.options import Json, Kb

app = typer.Typer(no_args_is_help=True, help="What a base keeps to compare texts by meaning.")


@app.callback()
def vectors() -> None:
    """What a base keeps to compare texts by meaning."""


@app.command("status")
def status(kb: Kb = "", json: Json = False) -> None:
    """Say which model made the vectors of a base, and how many there are."""
    with reading(kb) as base:
        model, counts = base.vectors.model(), base.vectors.counts()
    if json:
        made = model and {"model": model.id, "dimension": model.dimension}
        print_json({"embedder": made, "vectors": counts})
    elif model is None:
        console().print("this base has no vectors")
    else:
        console().print(f"by {model.id}, {model.dimension} numbers each", markup=False)
        for space, count in counts.items():
            console().print(f"{space}: {count:,}", markup=False)


@app.command("forget")
def forget(kb: Kb = "", json: Json = False) -> None:
    """Take all vectors out of a base, so that another embedder can make them."""
    with writing(kb, create=False) as base:
        count = base.forget_vectors()
    if json:
        print_json({"forgotten": count})
    else:
        console().print(f"{count:,} vectors taken out")
