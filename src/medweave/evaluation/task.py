"""A task of `medweave evaluate`: what it is asked, what it plans, and how it is found by its name.

Every module of `evaluation.tasks` is one task, and ends in its registration; there is no list of
them anywhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medweave.errors import ConfigurationError, SourceError
from medweave.evaluation import tasks
from medweave.evaluation.data.reading import read_data
from medweave.evaluation.items import Data, Item, Trainer
from medweave.evaluation.runner import MeasuresOf, Plan
from medweave.evaluation.systems.embedding import NO_VECTORS, Embedding
from medweave.ports import Progress, no_progress
from medweave.sources.files.rows import Rows, read_rows

if TYPE_CHECKING:
    from medweave.knowledge_base import KnowledgeBase

Maker = Callable[[Mapping[str, Any], str], Item | str]
"""Makes an item of a record and its identifier, or says why it is left out."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is measured, on what, and how; the options of `medweave evaluate`."""

    data: Path
    open_base: KnowledgeBase | None = None
    base_named: bool = False
    """Whether the user named the base, or it is the sample for want of another."""
    sources: tuple[str, ...] = ()
    """The names of what the base was built of for this run, where it was."""
    strategies: tuple[str, ...] = ()
    """The systems that are run beside ours; none named: all."""
    train: Path | None = None
    folds: int = 0
    seed: int = 0
    sample: int = 0
    """So many items at most, evenly spread; 0 for all."""
    texts: Path | None = None
    """The folder of the texts that labels are of."""
    unlabelled: bool = False
    qrels: tuple[str, ...] = ()
    relevant: int = 1
    perturb: tuple[str, ...] = ()
    embedding: Embedding = NO_VECTORS
    progress: Progress = no_progress

    @property
    def base(self) -> KnowledgeBase:
        """The open base. Raises `ConfigurationError` where there is none."""
        if self.open_base is None:
            raise ConfigurationError("this task needs a base", where="--kb", remedy="name one")
        return self.open_base

    @property
    def learns(self) -> bool:
        """Whether systems are trained on cases that the user gives."""
        return self.train is not None or self.folds > 0

    def read(
        self, make: Maker, rows: Callable[[Path], Rows] = read_rows
    ) -> tuple[Data, Data | None]:
        """The items to measure on, and the cases to train on where a file of them is given."""
        cases = read_data(self.train, make, rows=rows) if self.train else None
        return read_data(self.data, make, sample=self.sample, rows=rows), cases

    def plan(
        self,
        task: str,
        data: Data,
        systems: Mapping[str, Trainer],
        measures: MeasuresOf,
        *,
        cases: Data | None = None,
        settings: Mapping[str, Any] | None = None,
        **further: Any,
    ) -> Plan:
        """A plan with what is common to all tasks; `further` are fields of the plan."""
        common = {
            "train": cases.to_json() if cases else None,
            "folds": self.folds,
            "sample": self.sample,
        }
        further.setdefault("train", cases.items if cases else ())
        return Plan(
            task,
            data,
            systems,
            measures,
            folds=self.folds,
            seed=self.seed,
            settings={**common, **(settings or {})},
            **further,
        )


@dataclass(frozen=True, slots=True)
class Task:
    """One task: its name, what it plans for a request, and which further options it takes."""

    name: str
    plan: Callable[[Request], Plan]
    options: frozenset[str] = frozenset()
    """Of `OPTIONAL`; all others are refused."""
    folder: bool = False
    """Whether its data is a folder, and not a file."""
    embeds: bool = False
    """Whether it needs vectors of texts."""
    variants: Collection[str] = ()
    """Systems that are left out of perturbed texts, to save time."""

    def check(self, request: Request) -> None:
        """Raises a typed error where a path is not there, or an option is not of this task."""
        for option, default in OPTIONAL.items():
            if getattr(request, option) != default and option not in self.options:
                learning = option in ("train", "folds")
                what = "does not train anything so" if learning else "does not know this option"
                raise ConfigurationError(
                    f"the task {self.name} {what}", where=f"--{option}", remedy="leave it out"
                )
        if request.train and request.folds:
            raise ConfigurationError(
                "--train and --folds exclude each other", remedy="give one of them"
            )
        for path in filter(None, (request.data, request.train)):
            if not (path.is_dir() if self.folder else path.is_file()):
                kind = "folder" if self.folder else "file"
                raise SourceError(
                    f"there is no such {kind}", where=str(path), remedy="check the path"
                )


OPTIONAL: Mapping[str, Any] = {
    "train": None, "folds": 0, "texts": None, "unlabelled": False, "qrels": (), "relevant": 1,
    "perturb": (),
}  # fmt: skip
"""Options that only some tasks take, each with what it is where it was not given."""
_REGISTERED: dict[str, Task] = {}


def register(
    name: str,
    plan: Callable[[Request], Plan],
    *options: str,
    folder: bool = False,
    embeds: bool = False,
    variants: Collection[str] = (),
) -> None:
    """Make a task known; called at the end of its module."""
    _REGISTERED[name] = Task(name, plan, frozenset(options), folder, embeds, variants)


def task_named(name: str) -> Task:
    """A task by its name. Raises `ConfigurationError` where there is none.

    >>> task_named("intents").options >= {"train", "folds"}
    True
    """
    if name not in tasks.task_names():
        raise ConfigurationError(
            f"there is no task '{name}'",
            where="evaluate",
            remedy=f"one of {', '.join(tasks.task_names())}",
        )
    import_module(f"{tasks.__name__}.{name}")
    return _REGISTERED[name]
