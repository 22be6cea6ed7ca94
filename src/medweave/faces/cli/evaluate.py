"""`medweave evaluate`: figures with their baselines, on one and the same items."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from medweave.errors import ConfigurationError, SourceError
from medweave.faces.cli.common import console, print_json, progress, reading
from medweave.faces.cli.options import Json, Kb

if TYPE_CHECKING:
    from medweave.app import KnowledgeBase
    from medweave.evaluation.result import Evaluation
    from medweave.evaluation.runner import Plan
    from medweave.evaluation.tasks.retrieval import EmbedTools
    from medweave.ports import Progress

TASKS = (
    "intents",
    "diagnosis",
    "negation",
    "linking",
    "entities",
    "danger",
    "retrieval",
    "guideline",
)

FOLDERS = "retrieval"
"""The task whose data is a folder."""


def evaluate(
    task: Annotated[str, typer.Argument(help=f"One of: {', '.join(TASKS)}.", show_default=False)],
    data: Annotated[
        str, typer.Argument(help="A file of items; for retrieval a folder.", show_default=False)
    ],
    further: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    kb: Kb = "",
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
            help="Also with changed texts: upper, lower, title, unpunctuated, typo, case, all.",
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
    names = _judgements(qrels, further)
    _check(task, names, data, train)
    if train and folds:
        raise ConfigurationError(
            "--train and --folds exclude each other", remedy="give one of them"
        )
    if task == "guideline":
        _refuse_for_guidelines(train=train, folds=folds, perturb=perturb)
        _show(_guidelines(Path(data), kb, seed=seed, sample=sample), report, json=json)
        return
    from medweave.evaluation.data.perturbations import kinds_of
    from medweave.settings import read_settings

    kinds = kinds_of(perturb)
    kb = read_settings(kb=kb).kb
    with reading(kb) as base, progress() as tell, _embedding(task, tell) as tools:
        asked = _Asked(
            Path(data),
            _path(train),
            _path(texts),
            folds,
            seed,
            sample,
            unlabelled,
            names,
            relevant,
            tools,
        )
        plan = _perturbed(_planned(task, base, asked, named=bool(kb)), kinds)
        named = Path(kb.removeprefix("sqlite:")).name
        settings = {**plan.settings, "kb": named, "base": base.version.hash}
        settings |= {"repeats": repeats} if repeats > 1 else {}
        plan = replace(plan, settings=settings, repeats=repeats)
        if report:
            from medweave.evaluation.report.folder import check_folder

            check_folder(Path(report))
        result = _run(plan, report, tell)
    _show(result, report, json=json)


def _show(result: Evaluation, report: str, *, json: bool) -> None:
    if json:
        print_json(result.to_json())
    else:
        from medweave.faces.terminal.evaluation import print_evaluation

        print_evaluation(result, console())
    if report:
        from medweave.evaluation.report.folder import write_report

        write_report(result, Path(report))


def _refuse_for_guidelines(*, train: str, folds: int, perturb: str) -> None:
    for option, given in (("--train", train), ("--folds", folds), ("--perturb", perturb)):
        if given:
            raise ConfigurationError(
                "rules of a guideline are not trained, and cases are no texts",
                where=option,
                remedy="leave it out",
            )


def _guidelines(data: Path, kb: str, *, seed: int, sample: int) -> Evaluation:
    """Cases of guidelines; a guideline's file may lie beside them."""
    from medweave.evaluation.tasks.guideline import evaluate_guidelines
    from medweave.faces.cli.guideline import graph_named

    with progress() as tell:
        return evaluate_guidelines(
            data,
            lambda name: graph_named(name, kb, beside=data.parent),
            seed=seed,
            sample=sample,
            progress=tell,
        )


def _judgements(qrels: list[str] | None, further: list[str] | None) -> tuple[str, ...]:
    """The names behind `--qrels`: repeated, with commas, or one after the other."""
    if further and not qrels:
        raise typer.BadParameter(f"one DATA is enough: {further[0]}")
    given = ",".join([*(qrels or ()), *(further or ())])
    return tuple(name.strip().removesuffix(".tsv") for name in given.split(",") if name.strip())


def _check(task: str, names: tuple[str, ...], data: str, train: str) -> None:
    """Raises a typed error where a path is not there, or an option belongs to another task."""
    if names and task != FOLDERS:
        raise ConfigurationError(
            "files of judgements are only known to the task retrieval",
            where="--qrels",
            remedy="leave it out",
        )
    for path in filter(None, (data, train)):
        if task == FOLDERS and not Path(path).is_dir():
            raise SourceError("there is no such folder", where=path, remedy="check the path")
        if task != FOLDERS and not Path(path).is_file():
            raise SourceError("there is no such file", where=path, remedy="check the path")


@contextmanager
def _embedding(task: str, tell: Progress) -> Iterator[EmbedTools | None]:
    """What makes vectors, where a task needs any."""
    if task != FOLDERS:
        yield None
        return
    from medweave.app import open_cached_embedder
    from medweave.evaluation.tasks.retrieval import EmbedTools
    from medweave.settings import read_settings

    with open_cached_embedder(read_settings().embedder) as chosen:
        yield EmbedTools(chosen.embedder, chosen.reason, tell)


def _path(given: str) -> Path | None:
    return Path(given) if given else None


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a task is run on, and how."""

    data: Path
    train: Path | None
    texts: Path | None
    folds: int
    seed: int
    sample: int
    unlabelled: bool = False
    qrels: tuple[str, ...] = ()
    relevant: int = 1
    tools: EmbedTools | None = None

    @property
    def learning(self) -> dict[str, Any]:
        """What every task is told."""
        return {
            "train": self.train,
            "folds": self.folds,
            "seed": self.seed,
            "sample": self.sample,
        }


def _planned(task: str, base: KnowledgeBase, asked: _Asked, *, named: bool) -> Plan:
    """What is run, of a folder or of a file."""
    if asked.tools is None:
        return _plan(task, base, asked, named=named)
    from medweave.evaluation.tasks.retrieval import plan_retrieval

    return plan_retrieval(
        asked.data,
        asked.tools,
        **asked.learning,
        qrels=asked.qrels,
        relevant=asked.relevant,
        base=base if named else None,
    )


def _plan(task: str, base: KnowledgeBase, asked: _Asked, *, named: bool) -> Plan:
    if asked.texts and task != "linking":
        raise ConfigurationError(
            "texts beside their labels are only known to the task linking",
            where="--texts",
            remedy="leave it out",
        )
    if asked.unlabelled and task != "danger":
        raise ConfigurationError(
            "texts without labels are only known to the task danger",
            where="--unlabelled",
            remedy="leave it out",
        )
    data = asked.data
    if task == "intents":
        from medweave.evaluation.tasks.intents import IntentTools, plan_intents

        tools = IntentTools(base.asked_text, base.understand)
        return plan_intents(data, tools, **asked.learning)
    if task == "diagnosis":
        from medweave.evaluation.tasks.diagnosis import plan_diagnosis

        return plan_diagnosis(data, base.knowledge, **asked.learning, base_named=named)
    if task == "negation":
        from medweave.evaluation.tasks.negation import plan_negation

        return plan_negation(data, **asked.learning)
    if task == "linking":
        from medweave.evaluation.tasks.linking import plan_linking

        return plan_linking(data, base.knowledge, **asked.learning, texts=asked.texts)
    if task == "entities":
        from medweave.evaluation.tasks.entities import plan_entities

        return plan_entities(data, base.knowledge, **asked.learning)
    if task == "danger":
        from medweave.evaluation.tasks.danger import plan_danger

        return plan_danger(data, base.understand, **asked.learning, unlabelled=asked.unlabelled)
    raise ConfigurationError(
        f"there is no task '{task}'", where="evaluate", remedy=f"one of {', '.join(TASKS)}"
    )


def _perturbed(plan: Plan, kinds: tuple[str, ...]) -> Plan:
    """The plan with changed texts, if any; then without the variants of ours, to save time."""
    if not kinds:
        return plan
    if plan.tables or plan.qrels:
        raise ConfigurationError(
            "what was judged or labelled in a text is not known of a changed one",
            where="--perturb",
            remedy=f"leave it out of the task {plan.task}",
        )
    from medweave.evaluation.runner import with_perturbed
    from medweave.evaluation.tasks.diagnosis import VARIANTS

    return with_perturbed(plan, kinds, without=VARIANTS)


def _run(plan: Plan, report: str, tell: Progress) -> Evaluation:
    from medweave import __version__
    from medweave.evaluation.outcomes import Checkpoint
    from medweave.evaluation.runner import evaluate as run

    identity = {
        "version": __version__,
        "task": plan.task,
        "data": plan.data.sha256,
        "items": len(plan.data.items),
        "settings": dict(plan.settings),
        "folds": plan.folds,
        "seed": plan.seed,
    }
    return run(plan, Checkpoint(_unfinished(identity, report), identity), progress=tell)


def _unfinished(identity: dict[str, object], report: str) -> Path:
    """Where outcomes are kept until a run is finished."""
    from medweave.language.kept import cache_folder
    from medweave.model.identifiers import digest

    folder = Path(report) if report else cache_folder() / "evaluations"
    return folder / f"unfinished-{digest(identity, 8)}.jsonl"
