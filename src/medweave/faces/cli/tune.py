"""`medweave tune dialogues`: theta and lambda of the graph of dialogues, by measuring."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from medweave.faces.cli.common import progress, reading, show
from medweave.faces.cli.options import Embedder, Json, Kb

app = typer.Typer(no_args_is_help=True, help="Choose settings by measuring.")


@app.callback()
def tune() -> None:
    """Choose settings by measuring."""


@app.command("dialogues")
def dialogues(
    kb: Kb = "",
    queries: Annotated[
        str,
        typer.Option(
            "--queries",
            help="Messages with their dialogues (JSONL, or a folder as for evaluate retrieval);"
            " left out: the first words of each dialogue, for others with its tags.",
        ),
    ] = "",
    k: Annotated[int, typer.Option("--k", min=1, max=100, help="Of nDCG@K.")] = 10,
    score_norm: Annotated[
        str,
        typer.Option(
            "--score-norm", help="What equation 9 makes of its terms: none (sum), mean, max."
        ),
    ] = "none",
    folds: Annotated[
        int, typer.Option("--folds", min=2, max=50, help="Cross-validate in so many folds.")
    ] = 5,
    seed: Annotated[int, typer.Option("--seed", help="Of folds and intervals.")] = 0,
    report: Annotated[
        str, typer.Option("--report", help="A folder for the figures, with the curve drawn.")
    ] = "",
    embedder: Embedder = "",
    json: Json = False,
) -> None:
    """Choose theta and lambda by nDCG@K, beside BM25 and what `similar` does by itself.

    Nothing is written into the base.
    """
    from medweave.app import open_cached_embedder
    from medweave.evaluation.report.folder import check_folder
    from medweave.evaluation.systems.embedding import Embedding
    from medweave.evaluation.tuning.dialogue_links import tune_base
    from medweave.evaluation.tuning.report import write_tuning
    from medweave.settings import read_settings

    if report:
        check_folder(Path(report))
    with (
        reading(kb, embedder=embedder) as base,
        open_cached_embedder(read_settings(embedder=embedder).embedder) as chosen,
        progress() as shown,
    ):
        found = tune_base(
            base,
            Embedding(chosen.embedder, chosen.reason, shown),
            Path(queries) if queries else None,
            k=k,
            norm=score_norm,
            folds=folds,
            seed=seed,
        )
    show(found, "tuning:print_tuning", json=json)
    if report:
        notice = write_tuning(found, Path(report))
        if notice:
            sys.stderr.write(f"note: {notice}\n")
