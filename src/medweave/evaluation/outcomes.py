"""What every system said of every item, kept as it goes, so that a run that is stopped goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from medweave.errors import SourceError
from medweave.evaluation.items import Item, Ranked


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
        ranked.answered and bool(labels),
        ranked.recognised,
        round(milliseconds, 3),
    )


class Checkpoint:
    """Outcomes in a file, one a line behind a line that says which run they are of."""

    def __init__(self, path: Path, run: Mapping[str, Any]) -> None:
        self._path = path
        self._head = json.dumps(run, sort_keys=True, ensure_ascii=False)
        self.kept: dict[tuple[str, int], Outcome] = dict(self._read())
        self._file: TextIO | None = None

    def _read(self) -> Iterator[tuple[tuple[str, int], Outcome]]:
        """What an earlier run left; nothing where it was another run."""
        try:
            lines = self._path.read_text("utf-8").split("\n")
        except (OSError, UnicodeDecodeError):
            return
        if lines[0] != self._head:
            return
        for line in lines[1:-1]:  # what follows the last line end was cut
            try:
                row = json.loads(line)
                yield (row["system"], row["item"]), Outcome(**row["outcome"])
            except (ValueError, KeyError, TypeError):
                return

    def add(self, system: str, item: int, outcome: Outcome) -> None:
        """Keep one more outcome."""
        self.kept[system, item] = outcome
        row = {"system": system, "item": item, "outcome": asdict(outcome)}
        self._opened().write(json.dumps(row, ensure_ascii=False) + "\n")

    def _opened(self) -> TextIO:
        if self._file is None:
            earlier = dict(self.kept)
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
            for (system, item), outcome in earlier.items():
                row = {"system": system, "item": item, "outcome": asdict(outcome)}
                self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
        return self._file

    def finish(self) -> None:
        """The run is complete: nothing is left to go on from."""
        if self._file is not None:
            self._file.close()
            self._file = None
        self._path.unlink(missing_ok=True)
