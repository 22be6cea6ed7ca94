"""What every system said of every item, kept as it goes, so that a run that is stopped goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

from medweave.errors import SourceError
from medweave.evaluation.items import Cited, Found, Item, Ranked, Related, Reply


@dataclass(frozen=True, slots=True)
class Outcome:
    """One system on one item."""

    place: int
    """The rank of the first right label, from 1; 0 where it is not among those ranked."""
    got: str
    """The first label; '' for none."""
    confidence: float
    answered: bool
    recognised: bool
    milliseconds: float
    temporality: str = ""
    found: tuple[Found, ...] = ()
    wrong: tuple[Mapping[str, Any], ...] = ()
    flags: tuple[str, ...] = ()
    related: tuple[Related, ...] = ()
    places: Mapping[str, int] = field(default_factory=dict)
    """Where the labels stand whose places are wanted, from 1; those not ranked are left out."""
    reply: Reply | None = None
    counts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Training:
    """One system, trained for one fold."""

    seconds: float
    cases: int
    """How many of its training cases it was asked about afterwards."""
    right: int
    """Of how many of these its first label is right."""

    @property
    def accuracy(self) -> float | None:
        """On the cases it was trained on; None where there were none."""
        return round(self.right / self.cases, 4) if self.cases else None


UNTRAINED = Training(0.0, 0, 0)


def outcome_of(item: Item, ranked: Ranked, milliseconds: float) -> Outcome:
    """Hold what a system says against what is right.

    >>> outcome_of(Item("1", ("flu",)), Ranked(("cold", "flu")), 1.0).place
    2
    """
    labels = ranked.labels
    if item.candidates:
        labels = tuple(label for label in labels if label in item.candidates)
    places = (at for at, label in enumerate(labels, 1) if label in item.expected)
    return Outcome(
        next(places, 0),
        labels[0] if labels else "",
        ranked.confidence,
        ranked.answered and bool(labels or (ranked.reply and ranked.reply.sentences)),
        ranked.recognised,
        round(milliseconds if ranked.milliseconds is None else ranked.milliseconds, 3),
        ranked.temporality,
        ranked.found,
        ranked.wrong,
        ranked.flags,
        ranked.related,
        _places(item, labels),
        ranked.reply,
        ranked.counts,
    )


def _places(item: Item, labels: tuple[str, ...]) -> dict[str, int]:
    labels_to_place = set(item.labels_to_place)
    return (
        {label: at for at, label in enumerate(labels, 1) if label in labels_to_place}
        if labels_to_place
        else {}
    )


class Checkpoint:
    """Outcomes in a file, one a line behind a line that says which run they are of."""

    def __init__(self, path: Path, run: Mapping[str, Any]) -> None:
        self._path = path
        self._head = json.dumps(run, sort_keys=True)
        self.outcomes: dict[tuple[str, int], Outcome] = {}
        self.trained: dict[tuple[str, int], Training] = {}
        """By system and fold."""
        self._file: TextIO | None = None
        self._read()

    def _read(self) -> None:
        """Take what an earlier run left; nothing where it was another run."""
        try:
            lines = self._path.read_text("utf-8").split("\n")
        except (OSError, UnicodeDecodeError):
            return
        if lines[0] != self._head:
            return
        for line in lines[1:-1]:  # what follows the last line end was cut
            try:
                row = json.loads(line)
                if "fold" in row:
                    self.trained[row["system"], row["fold"]] = Training(**row["training"])
                else:
                    self.outcomes[row["system"], row["item"]] = _read_outcome(row["outcome"])
            except (ValueError, KeyError, TypeError):
                return

    def add(self, system: str, item: int, outcome: Outcome) -> None:
        """Keep one more outcome."""
        file = self._opened()
        self.outcomes[system, item] = outcome
        _write(file, system=system, item=item, outcome=asdict(outcome))

    def add_training(self, system: str, fold: int, training: Training) -> None:
        """Keep how a system was trained for a fold."""
        file = self._opened()
        self.trained[system, fold] = training
        _write(file, system=system, fold=fold, training=asdict(training))

    def _opened(self) -> TextIO:
        if self._file is None:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file = self._path.open("w", encoding="utf-8", buffering=1)
            except OSError as error:
                raise SourceError(
                    f"outcomes cannot be kept ({error.strerror})",
                    where=str(self._path),
                    remedy="name another folder with --report",
                ) from error
            self._file.write(self._head + "\n")
            for (system, fold), training in self.trained.items():
                _write(self._file, system=system, fold=fold, training=asdict(training))
            for (system, item), outcome in self.outcomes.items():
                _write(self._file, system=system, item=item, outcome=asdict(outcome))
        return self._file

    def training(self, system: str) -> Training:
        """How a system was trained, for all folds together."""
        folds = [training for (name, _), training in self.trained.items() if name == system]
        return Training(
            sum(fold.seconds for fold in folds),
            sum(fold.cases for fold in folds),
            sum(fold.right for fold in folds),
        )

    def close(self) -> None:
        """Write no more for now; what was kept stays for another run."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def finish(self) -> None:
        """The run is complete: nothing is left to go on from."""
        self.close()
        self._path.unlink(missing_ok=True)


def _read_outcome(row: Mapping[str, Any]) -> Outcome:
    found = tuple(Found(**{**one, "things": tuple(one["things"])}) for one in row["found"])
    lists = {name: tuple(row[name]) for name in ("wrong", "flags")}
    related = tuple(map(_read_related, row["related"]))
    reply = _read_reply(row["reply"]) if row["reply"] else None
    return Outcome(**{**row, **lists, "found": found, "related": related, "reply": reply})


def _read_reply(row: Mapping[str, Any]) -> Reply:
    sentences = tuple(Cited(one["text"], tuple(one["passages"])) for one in row["sentences"])
    return Reply(**{**row, "sentences": sentences, "passages": tuple(row["passages"])})


def _read_related(row: Mapping[str, Any]) -> Related:
    places = {
        name: tuple((start, end) for start, end in row[name])
        for name in ("subject_places", "object_places")
    }
    return Related(**{**row, **places})


def _write(file: TextIO, **row: Any) -> None:
    file.write(json.dumps(row) + "\n")
