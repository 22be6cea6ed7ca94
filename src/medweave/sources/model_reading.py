"""Records read by a language model, one by one, before extraction; rules are the fallback.

What the base holds as this model read it is not asked again. What a model fails at is left to
rules, and tried again by the next build. After several failures in a row, or one that will not go
away, nothing more is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from medweave.errors import LanguageModelAwayError, LanguageModelError
from medweave.model.document import Skipped
from medweave.model.json_form import json_of
from medweave.model.prompt import Usage
from medweave.model.record import Record
from medweave.ports import LanguageModel, Progress, no_progress
from medweave.sources.kinds import ByModel, kind_called

_FAILURES = 5
"""So many in a row, and the model is not asked any more."""


@dataclass
class ModelReport:
    """What a model did in a build."""

    model: str
    read: int = 0
    """Records that it read now, or whose reply was kept."""
    unchanged: int = 0
    """Records that the base holds as it read them."""
    by_rules: int = 0
    """Records that were left to rules."""
    dropped: int = 0
    """Answers that did not rest on the record, and were left to rules."""
    usage: Usage = field(default_factory=Usage)

    def to_json(self) -> dict[str, Any]:
        """The stable JSON form."""
        return json_of(
            self,
            "id=model read unchanged by_rules dropped_answers=dropped requests=usage.requests "
            "input_tokens=usage.input_tokens output_tokens=usage.output_tokens",
        )


@dataclass
class ModelReader:
    """Reads the records whose kind a model can read; all others pass unchanged."""

    model: LanguageModel
    progress: Progress = no_progress
    _row: int = 0
    _away: str = ""

    def __post_init__(self) -> None:
        self.report = ModelReport(self.model.id)

    def records(
        self, records: Iterable[object], known: Callable[[Record], bool]
    ) -> Iterator[object]:
        """The records with what the model reads; `known` says whether the base has one so.

        For each that is left to rules, a line of the report comes behind it.
        """
        for number, record in enumerate(records, 1):
            by_model = kind_called(record.kind).by_model if isinstance(record, Record) else None
            if not isinstance(record, Record) or by_model is None:
                yield record
                continue
            marked = read_by(record, self.model.id)
            if known(marked):
                self.report.unchanged += 1
                yield marked
                continue
            yield from self._read(record, marked, by_model)
            self.progress(number, 0, f"reading by {self.model.id}")

    def _read(self, record: Record, marked: Record, by_model: ByModel) -> Iterator[object]:
        try:
            yield self._filled(marked, by_model)
        except LanguageModelError as error:
            self.report.by_rules += 1
            self._row += 1
            yield record
            if self._away:
                return  # said once
            if isinstance(error, LanguageModelAwayError) or self._row >= _FAILURES:
                self._away = str(error)
                reason = f"this record and those behind it were read by rules, as {error}"
            else:
                reason = f"this record was read by rules, as {error}"
            yield Skipped(record.document.source, record.document.line, reason)

    def _filled(self, record: Record, by_model: ByModel) -> Record:
        if self._away:
            raise LanguageModelAwayError(self._away)
        found = by_model.filled(record, self.model)
        self._row = 0
        self.report.read += 1
        self.report.dropped += found.dropped
        self.report.usage += found.usage
        return found.record


def read_by(record: Record, model: str) -> Record:
    """A record as one that a model reads, by its id; as it is for '', and where none reads it."""
    by_model = kind_called(record.kind).by_model
    return replace(record, reader=by_model.reader(model)) if model and by_model else record
