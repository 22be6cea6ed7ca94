"""`medweave similar`: past dialogues like a message."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from medweave.faces.cli.common import piped, reading, show
from medweave.faces.cli.options import Embedder, Json, Kb, Model, Vectors


def similar(
    text: Annotated[str, typer.Argument(help="The message; left out: what is piped in.")] = "",
    kb: Kb = "",
    vectors: Vectors = "",
    k: Annotated[int, typer.Option("--k", min=1, max=1000, help="How many dialogues.")] = 3,
    ranking: Annotated[
        str,
        typer.Option("--ranking", help="By what: best (measured), equation9, text or hybrid."),
    ] = "best",
    score_norm: Annotated[
        str,
        typer.Option(
            "--score-norm",
            help="What equation 9 makes of its terms: none (sum), mean, max.",
        ),
    ] = "none",
    direction: Annotated[
        str, typer.Option("--direction", help="Which links of a section count: both, out.")
    ] = "both",
    weighting: Annotated[
        str, typer.Option("--weighting", help="How links are weighed: cosine, convex.")
    ] = "cosine",
    lambda_: Annotated[
        float,
        typer.Option("--lambda", help="How much a link's kind counts under convex, 0 to 1."),
    ] = 0.5,
    embedder: Embedder = "",
    model: Model = "",
    json: Json = False,
) -> None:
    """Find past dialogues like a message, and say why each one is."""
    from medweave.model.link_weight import LinkWeight
    from medweave.model.similar import SimilarHow

    chosen: dict[str, Any] = {
        "ranking": ranking,
        "score_norm": score_norm,
        "direction": direction,
    }
    by: Any = weighting
    how = SimilarHow(**chosen, weight=LinkWeight(by, lambda_))
    with reading(kb, embedder=embedder, model=model, vectors=vectors) as base:
        found = base.similar(text or piped(), k, how)
    show(found, "similar:print_similar", json=json)
