"""An evaluation as a value: every system with its measures, and its stable JSON form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from medweave.evaluation.items import Data
from medweave.evaluation.measures.bootstrap import Figure
from medweave.evaluation.outcomes import UNTRAINED, Training

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
        found: dict[str, Any] = {
            "name": self.name,
            "measures": {name: figure.to_json() for name, figure in self.measures.items()},
            "training_seconds": round(self.training.seconds, 3),
            "training_accuracy": self.training.accuracy,
            "seconds": round(self.seconds, 3),
            "milliseconds_per_item": round(self.milliseconds, 3),
            "classes": list(self.classes),
            "risk_coverage": list(self.risk_coverage),
        }
        return found | ({"repeats": dict(self.repeats)} if self.repeats else {})


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

    def to_json(self) -> dict[str, Any]:
        """The form that `medweave evaluate --json` prints."""
        return {
            "task": self.task,
            "data": self.data.to_json(),
            "seed": self.seed,
            "settings": dict(self.settings),
            "systems": [system.to_json() for system in self.systems],
            "classes": dict(self.classes),
            "slices": {name: dict(held) for name, held in self.slices.items()},
            "errors": [dict(error) for error in self.errors],
            "differences": {name: dict(held) for name, held in self.differences.items()},
            "not_run": dict(self.not_run),
            **(
                {"qrels": {name: dict(held) for name, held in self.qrels.items()}}
                if self.qrels
                else {}
            ),
            "tables": {name: [dict(row) for row in rows] for name, rows in self.tables.items()},
        }
