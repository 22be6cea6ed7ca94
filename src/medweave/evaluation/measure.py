"""`measure()`: one task on one file, ours beside baselines; stopped at any moment, it goes on."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path

from medweave import __version__
from medweave.app import cache_folder, open_cached_embedder
from medweave.errors import ConfigurationError
from medweave.evaluation.outcomes import Checkpoint
from medweave.evaluation.report.folder import check_folder
from medweave.evaluation.result import Evaluation
from medweave.evaluation.runner import OURS, Plan, evaluate, with_perturbed
from medweave.evaluation.systems.embedding import Embedding
from medweave.evaluation.task import Request, Task, task_named
from medweave.knowledge_base import KnowledgeBase
from medweave.model.embedder import AUTOMATIC, EmbedderName
from medweave.model.identifiers import digest


def measure(
    name: str,
    request: Request,
    base: AbstractContextManager[KnowledgeBase],
    *,
    kb: str = "",
    embedder: EmbedderName = AUTOMATIC,
    repeats: int = 1,
    report: Path | None = None,
) -> Evaluation:
    """Plan a task and run it. What is unfinished is kept in the folder of the report, or the cache.

    `base` is opened once options and files are seen to be right, which typed errors say otherwise;
    `kb` is how it is called in the settings of the result, '' for the sample base.
    """
    task = task_named(name)
    task.check(request)
    if report:
        check_folder(report)
    with ExitStack() as opened:
        held = opened.enter_context(base)
        named = bool(kb or request.sources)
        request = replace(request, open_base=held, base_named=named)
        if task.embeds:
            chosen = opened.enter_context(open_cached_embedder(embedder))
            made = Embedding(chosen.embedder, chosen.reason, request.progress)
            request = replace(request, embedding=made)
        plan = _perturbed(task.plan(request), task, request.perturb)
        plan = _chosen(plan, request.strategies)
        settings = {**plan.settings, "kb": kb, "base": held.version.hash}
        settings |= {"sources": list(request.sources)} if request.sources else {}
        settings |= {"strategies": ",".join(request.strategies)} if request.strategies else {}
        settings |= {"repeats": repeats} if repeats > 1 else {}
        plan = replace(plan, settings=settings, repeats=repeats)
        return evaluate(plan, _checkpoint(plan, report), progress=request.progress)


def _chosen(plan: Plan, strategies: tuple[str, ...]) -> Plan:
    """The plan with ours and the systems that are named, if any are."""
    unknown = [name for name in strategies if name not in plan.systems]
    if unknown:
        raise ConfigurationError(
            f"{plan.task} knows no system '{unknown[0]}'",
            where="--strategies",
            remedy=f"name some of {', '.join(plan.systems)}",
        )
    if not strategies:
        return plan
    kept = {name: make for name, make in plan.systems.items() if name in (OURS, *strategies)}
    return replace(plan, systems=kept)


def _perturbed(plan: Plan, task: Task, kinds: tuple[str, ...]) -> Plan:
    """The plan with changed texts, if any; then without the variants of ours, to save time."""
    if not kinds:
        return plan
    if plan.tables or plan.qrels:
        raise ConfigurationError(
            "what was judged or labelled in a text is not known of a changed one",
            where="--perturb",
            remedy=f"leave it out of the task {plan.task}",
        )
    return with_perturbed(plan, kinds, without=task.variants)


def _checkpoint(plan: Plan, report: Path | None) -> Checkpoint:
    """Where outcomes are kept until a run is finished."""
    identity = {
        "version": __version__,
        "task": plan.task,
        "data": plan.data.sha256,
        "items": len(plan.data.items),
        "settings": dict(plan.settings),
        "folds": plan.folds,
        "seed": plan.seed,
    }
    folder = report or cache_folder() / "evaluations"
    return Checkpoint(folder / f"unfinished-{digest(identity, 8)}.jsonl", identity)
