"""An evaluation as a value: every system with its measures, and its stable JSON form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from medweave.evaluation.items import Data
from medweave.evaluation.measures.bootstrap import Figure
from medweave.evaluation.outcomes import UNTRAINED, Training
from medweave.model.json_form import json_of

Tables = Mapping[str, Sequence[Mapping[str, Any]]]
"""Tables by name; in a table every row has the same columns."""


@dataclass(frozen=True, slots=True)
class SystemResult:
    """One system on all items."""

    name: str
    measures: Mapping[str, Figure]
    seconds: float
    milliseconds: float
    """The median time for one item."""
    classes: Sequence[Mapping[str, Any]] = ()
    risk_coverage: Sequence[Mapping[str, float]] = ()
    training: Training = UNTRAINED
    """In all folds together."""
    repeats: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """By measure, its value in each repeat of the folds, where there are several."""

    def to_json(self) -> dict[str, Any]:
        """The form of a system in an Evaluation."""
        found = json_of(
            self,
            "name measures training_seconds=training.seconds training_accuracy=training.accuracy "
            "seconds milliseconds_per_item=milliseconds classes risk_coverage [repeats]",
        )
        times = ("training_seconds", "seconds", "milliseconds_per_item")
        return found | {name: round(found[name], 3) for name in times}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What one run measured; the first system is ours at its defaults."""

    task: str
    data: Data
    seed: int
    settings: Mapping[str, Any]
    systems: Sequence[SystemResult]
    classes: Mapping[str, int] = field(default_factory=dict)
    """How many items each class has; several right labels are one class, as `a | b`."""
    slices: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    errors: Sequence[Mapping[str, Any]] = ()
    differences: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By measure and baseline: ours minus theirs on the same draws."""
    not_run: Mapping[str, str] = field(default_factory=dict)
    """Systems that did not take part, and why."""
    qrels: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By the name of their file: what each system measures by these judgements."""
    tables: Tables = field(default_factory=dict)
    """What a task counts beside its measures; of one with `tables`, no item is right or wrong as a
    whole, so it has neither classes nor errors."""
    cases: Sequence[Mapping[str, Any]] = ()
    """What every system answered to every item, where answers are in words: it stands in a file of
    its own."""

    def to_json(self) -> dict[str, Any]:
        """The form that `medweave evaluate --json` prints."""
        return json_of(
            self,
            "task data seed settings systems classes slices errors differences not_run [qrels] "
            "tables",
        )
