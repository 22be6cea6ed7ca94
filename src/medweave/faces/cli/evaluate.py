"""`medweave evaluate`: figures with their baselines, on one and the same items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medweave.evaluation.tasks import task_names
from medweave.faces.cli.common import progress, reading, show
from medweave.faces.cli.options import Json, Kb

if TYPE_CHECKING:
    from medweave.evaluation.result import Evaluation
    from medweave.knowledge_base import KnowledgeBase
    from medweave.ports import Progress
    from medweave.settings import Settings


def evaluate(
    task: Annotated[
        str, typer.Argument(help=f"One of: {', '.join(task_names())}.", show_default=False)
    ],
    data: Annotated[
        str, typer.Argument(help="A file of items; for retrieval a folder.", show_default=False)
    ],
    further: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    kb: Kb = "",
    sources: Annotated[
        list[str] | None,
        typer.Option(
            "--sources", help="Build a base of these for the run; several paths may follow."
        ),
    ] = None,
    strategies: Annotated[
        str, typer.Option("--strategies", help="Run these systems beside ours, and no others.")
    ] = "",
    train: Annotated[
        str, typer.Option("--train", help="Train on this file (or folder) first.")
    ] = "",
    folds: Annotated[
        int, typer.Option("--folds", min=0, max=50, help="Cross-validate in so many folds.")
    ] = 0,
    repeats: Annotated[
        int,
        typer.Option(
            "--repeats", min=1, max=100, help="Shuffle the folds so often; means over all."
        ),
    ] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Of folds and intervals.")] = 0,
    sample: Annotated[
        int, typer.Option("--sample", min=0, help="At most so many items, spread evenly.")
    ] = 0,
    texts: Annotated[
        str, typer.Option("--texts", help="The folder of the texts that labels are of.")
    ] = "",
    perturb: Annotated[
        str,
        typer.Option(
            "--perturb",
            help="Also with changed texts: upper, lower, title, unpunctuated, reworded, typo, "
            "case, all.",
        ),
    ] = "",
    unlabelled: Annotated[
        bool,
        typer.Option("--unlabelled", help="Danger: count how many texts are taken for it."),
    ] = False,
    qrels: Annotated[
        list[str] | None,
        typer.Option("--qrels", help="Retrieval: which judgements; several names may follow."),
    ] = None,
    relevant: Annotated[
        int, typer.Option("--relevant", help="Retrieval: the lowest grade that is right.")
    ] = 1,
    report: Annotated[
        str, typer.Option("--report", help="A folder for the figures, as tables and pictures.")
    ] = "",
    json: Json = False,
) -> None:
    """Measure a task on a file, ours beside baselines, with 95 % intervals.

    It may be stopped at any moment; the same command goes on where it was.
    """
    from medweave.app import base_name
    from medweave.evaluation.data.perturbations import kinds_of
    from medweave.evaluation.measure import measure
    from medweave.evaluation.task import Request
    from medweave.settings import read_settings

    if sources and kb:
        raise typer.BadParameter("--kb and --sources exclude each other")
    behind = further if sources and not qrels else None
    paths = (*(sources or ()), *(behind or ()))
    settings = read_settings(kb=kb)
    with progress() as shown:
        request = Request(
            Path(data),
            train=_path(train),
            folds=folds,
            seed=seed,
            sample=sample,
            texts=_path(texts),
            unlabelled=unlabelled,
            qrels=_judgements(qrels, None if behind else further),
            relevant=relevant,
            perturb=kinds_of(perturb),
            sources=tuple(Path(path).name for path in paths),
            strategies=tuple(name.strip() for name in strategies.split(",") if name.strip()),
            progress=shown,
        )
        result = measure(
            task,
            request,
            _built(paths, settings, shown) if paths else reading(settings.kb),
            kb=base_name(settings.kb) if settings.kb and not paths else "",
            embedder=settings.embedder,
            repeats=repeats,
            report=_path(report),
        )
    _show(result, _path(report), json=json)


@contextmanager
def _built(paths: Sequence[str], settings: Settings, shown: Progress) -> Iterator[KnowledgeBase]:
    """A base of what the user names, built when it is opened."""
    from medweave.evaluation.built_base import built_base

    path = built_base(paths, settings.configuration, shown)
    with reading(str(path)) as base:
        yield base


def _show(result: Evaluation, report: Path | None, *, json: bool) -> None:
    show(result, "evaluation:print_evaluation", json=json)
    if report:
        from medweave.evaluation.report.folder import write_report

        write_report(result, report)


def _judgements(qrels: list[str] | None, further: list[str] | None) -> tuple[str, ...]:
    """The names behind `--qrels`: repeated, with commas, or one after the other."""
    if further and not qrels:
        raise typer.BadParameter(f"one DATA is enough: {further[0]}")
    given = ",".join([*(qrels or ()), *(further or ())])
    return tuple(name.strip().removesuffix(".tsv") for name in given.split(",") if name.strip())


def _path(given: str) -> Path | None:
    return Path(given) if given else None
