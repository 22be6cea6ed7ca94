"""`medweave evaluate`: figures with their baselines, on one and the same items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from medweave.cli.common import console, print_json, progress, reading
from medweave.cli.options import Json, Kb
from medweave.errors import ConfigurationError, SourceError

if TYPE_CHECKING:
    from medweave.app import KnowledgeBase
    from medweave.evaluation.result import Evaluation
    from medweave.evaluation.runner import Plan
    from medweave.ports import Progress

TASKS = ("intents", "diagnosis", "negation", "linking", "entities", "danger")


def evaluate(
    task: Annotated[str, typer.Argument(help=f"One of: {', '.join(TASKS)}.", show_default=False)],
    data: Annotated[str, typer.Argument(help="A file of items.", show_default=False)],
    kb: Kb = "",
    train: Annotated[str, typer.Option("--train", help="Train on this file first.")] = "",
    folds: Annotated[
        int, typer.Option("--folds", min=0, max=50, help="Cross-validate in so many folds.")
    ] = 0,
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
    report: Annotated[
        str, typer.Option("--report", help="A folder for the figures, as tables and pictures.")
    ] = "",
    json: Json = False,
) -> None:
    """Measure a task on a file, ours beside baselines, with 95 % intervals.

    It may be stopped at any moment; the same command goes on where it was.
    """
    for path in (data, *([train] if train else [])):
        if not Path(path).is_file():
            raise SourceError("there is no such file", where=path, remedy="check the path")
    if train and folds:
        raise ConfigurationError(
            "--train and --folds exclude each other", remedy="give one of them"
        )
    from medweave.evaluation.perturbations import kinds_of
    from medweave.settings import read_settings

    kinds = kinds_of(perturb)
    kb = read_settings(kb=kb).kb
    with reading(kb) as base, progress() as tell:
        asked = _Asked(Path(data), _path(train), _path(texts), folds, seed, sample)
        plan = _perturbed(_plan(task, base, asked, named=bool(kb)), kinds)
        named = Path(kb.removeprefix("sqlite:")).name
        plan = replace(plan, settings={**plan.settings, "kb": named, "base": base.version.hash})
        if report:
            from medweave.evaluation.report import check_folder

            check_folder(Path(report))
        result = _run(plan, report, tell)
    if json:
        print_json(result.to_json())
    else:
        from medweave.presentation.evaluation import print_evaluation

        print_evaluation(result, console())
    if report:
        from medweave.evaluation.report import write_report

        write_report(result, Path(report))


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

    @property
    def learning(self) -> dict[str, Any]:
        """What every task is told."""
        return {
            "train": self.train,
            "folds": self.folds,
            "seed": self.seed,
            "sample": self.sample,
        }


def _plan(task: str, base: KnowledgeBase, asked: _Asked, *, named: bool) -> Plan:
    if asked.texts and task != "linking":
        raise ConfigurationError(
            "texts beside their labels are only known to the task linking",
            where="--texts",
            remedy="leave it out",
        )
    data = asked.data
    if task == "intents":
        from medweave.evaluation.intents import IntentTools, plan_intents

        tools = IntentTools(base.asked_text, base.understand)
        return plan_intents(data, tools, **asked.learning)
    if task == "diagnosis":
        from medweave.evaluation.diagnosis import plan_diagnosis

        return plan_diagnosis(data, base.knowledge, **asked.learning, base_named=named)
    if task == "negation":
        from medweave.evaluation.negation import plan_negation

        return plan_negation(data, **asked.learning)
    if task == "linking":
        from medweave.evaluation.linking import plan_linking

        return plan_linking(data, base.knowledge, **asked.learning, texts=asked.texts)
    if task == "entities":
        from medweave.evaluation.entities import plan_entities

        return plan_entities(data, base.knowledge, **asked.learning)
    if task == "danger":
        from medweave.evaluation.danger import plan_danger

        return plan_danger(data, base.understand, **asked.learning)
    raise ConfigurationError(
        f"there is no task '{task}'", where="evaluate", remedy=f"one of {', '.join(TASKS)}"
    )


def _perturbed(plan: Plan, kinds: tuple[str, ...]) -> Plan:
    """The plan with changed texts, if any; then without the variants of ours, to save time."""
    if not kinds:
        return plan
    if plan.tables:
        raise ConfigurationError(
            "labels that say where in a text they are would be elsewhere in a changed one",
            where="--perturb",
            remedy=f"leave it out of the task {plan.task}",
        )
    from medweave.evaluation.diagnosis import VARIANTS
    from medweave.evaluation.runner import with_perturbed

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
