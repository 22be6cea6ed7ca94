"""`medweave vectors`: what a base keeps for comparing texts by their meaning."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from medweave.faces.cli.common import console, print_json, progress, reading, tell, writing
from medweave.faces.cli.options import Embedder, Json, Kb, Vectors

app = typer.Typer(no_args_is_help=True, help="What a base keeps to compare texts by meaning.")


@app.callback()
def of_a_base() -> None:
    """What a base keeps to compare texts by meaning."""


@app.command("status")
def status(kb: Kb = "", vectors: Vectors = "", json: Json = False) -> None:
    """Say which model made the vectors of a base, and how many there are."""
    with reading(kb, vectors=vectors) as base:
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


@app.command("make")
def make(kb: Kb = "", vectors: Vectors = "", embedder: Embedder = "", json: Json = False) -> None:
    """Make the vectors of dialogues, papers and passages, where a base has none of them yet.

    It may be stopped at any moment; run again, it goes on where it was.
    """
    with (
        writing(kb, create=False, embedder=embedder, vectors=vectors) as base,
        progress() as shown,
    ):
        made = base.make_vectors(progress=shown)
        model = base.vectors.model()
    if json:
        by = model and {"model": model.id, "dimension": model.dimension}
        context = {"entities": made.context.entities, "relations": made.context.relations,
                   "papers": made.context.papers}  # fmt: skip
        seen = {"dialogues": made.dialogues, "sections": made.sections, **context,
                "passages": made.passages}  # fmt: skip
        print_json({"embedder": by, **seen})
    else:
        console().print(
            f"{made.dialogues:,} dialogues and {made.sections:,} sections,"
            f" {made.context.relations:,} relations of {made.context.papers:,} papers,"
            f" {made.passages:,} passages looked at;"
            " all have vectors now"
        )


@app.command("link")
def link(
    kb: Kb = "",
    vectors: Vectors = "",
    threshold: Annotated[
        float, typer.Option("--threshold", help="The least cosine of a link, from -1 to 1.")
    ] = 0.8,
    level: Annotated[
        str, typer.Option("--level", help="What is compared: dialogue (whole ones) or section.")
    ] = "dialogue",
    jobs: Annotated[
        int,
        typer.Option("--jobs", help="Processes to use; 0 for as many as are worth while.", min=0),
    ] = 0,
    cluster: Annotated[
        str, typer.Option("--cluster", help="A dask scheduler to work on (tcp://HOST:PORT).")
    ] = "",
    json: Json = False,
) -> None:
    """Link dialogues that are near each other: new ones with all others.

    It may be stopped at any moment; run again, it goes on where it was.
    """
    chosen: Any = level
    with writing(kb, create=False, vectors=vectors) as base, progress() as shown:
        made = base.link_dialogues(
            least=threshold, level=chosen, jobs=jobs, cluster=cluster, progress=shown
        )
    tell(
        {"compared": made.compared, "made": made.made, "links": made.links},
        f"{made.compared:,} new vectors compared, {made.made:,} links made;"
        f" the base now holds {made.links:,}",
        json=json,
    )


@app.command("forget")
def forget(kb: Kb = "", vectors: Vectors = "", json: Json = False) -> None:
    """Take all vectors out of a base, so that another embedder can make them."""
    with writing(kb, create=False, vectors=vectors) as base:
        count = base.forget_vectors()
    tell({"forgotten": count}, f"{count:,} vectors taken out", json=json)
