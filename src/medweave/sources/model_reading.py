"""Records read by a language model, one by one, before extraction; rules are the fallback.

What the base holds as this model read it is not asked again. What a model fails at is left to
rules, and tried again by the next build. After several failures in a row, or one that will not go
away, nothing more is asked. Where a limit of the run is reached, what is left is not read at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

from medweave.errors import LanguageModelAwayError, LanguageModelError, LanguageModelLimitError
from medweave.model.document import Skipped
from medweave.model.json_form import json_of
from medweave.model.prompt import Prompt, Reply, Usage, Written
from medweave.model.record import Record
from medweave.ports import LanguageModel, Progress, no_progress
from medweave.prompting.watched_model import WatchedModel
from medweave.sources.kinds import ByModel, kind_called
from medweave.sources.names import Naming

_FAILURES = 5
"""So many in a row, and the model is not asked any more."""


@dataclass(frozen=True, slots=True)
class Left:
    """A record that a limit kept from being read: what a base has of it stays."""

    record: Record


class CountedModel(WatchedModel):
    """It counts what a run of it takes."""

    def __init__(self, model: LanguageModel) -> None:
        super().__init__(model)
        self.usage = Usage()
        self.seconds = 0.0
        self._started = 0.0

    def before(self, prompt: Prompt) -> Prompt:
        """From now on it takes time."""
        self._started = perf_counter()
        return prompt

    def failed(self, prompt: Prompt, error: LanguageModelError) -> None:  # noqa: ARG002 - any
        """What a failed request took."""
        self._count(Usage(*error.spent))

    def after(self, prompt: Prompt, answer: Reply | Written) -> None:  # noqa: ARG002 - any
        """What a reply took."""
        self._count(answer.usage)

    def _count(self, usage: Usage) -> None:
        self.usage += usage
        self.seconds += perf_counter() - self._started

    def to_json(self) -> dict[str, Any]:
        """The form `usage` of a report. What a token costs, nobody tells."""
        form = "calls=usage.requests cached=usage.cached input_tokens=usage.input_tokens "
        counted = json_of(self, form + "output_tokens=usage.output_tokens")
        return counted | {"seconds": round(self.seconds, 3), "cost": None}


@dataclass
class ModelReport:
    """What a model did in a build."""

    model: CountedModel
    read: int = 0
    """Records that it read now, or whose reply was kept."""
    unchanged: int = 0
    """Records that the base holds as it read them."""
    by_rules: int = 0
    """Records that were left to rules."""
    dropped: int = 0
    """Answers that did not rest on the record, and were left to rules."""
    left: list[str] = field(default_factory=list)
    """Documents that were not reached."""

    def to_json(self) -> dict[str, Any]:
        """The stable JSON form."""
        return json_of(
            self,
            "id=model.id read unchanged by_rules dropped_answers=dropped "
            "requests=model.usage.requests input_tokens=model.usage.input_tokens "
            "output_tokens=model.usage.output_tokens",
        )


@dataclass
class ModelReader:
    """Reads the records whose kind a model can read; all others pass unchanged."""

    model: LanguageModel
    naming: Naming
    progress: Progress = no_progress
    how: ByModel | None = None
    """How a model reads all of them, where not as their kinds tell."""
    _row: int = 0
    _away: str = ""

    def __post_init__(self) -> None:
        self.counted = CountedModel(self.model)
        self.report = ModelReport(self.counted)

    def records(
        self, records: Iterable[object], known: Callable[[Record], bool]
    ) -> Iterator[object]:
        """The records with what the model reads; `known` says whether the base has one so.

        For each that is left to rules, a line of the report comes behind it. One that a limit
        keeps from being read comes as `Left`.
        """
        for number, record in enumerate(records, 1):
            by_model = self._by_model(record)
            if not isinstance(record, Record) or by_model is None:
                yield record
                continue
            marked = replace(record, reader=by_model.reader(self.model.id))
            if known(marked):
                self.report.unchanged += 1
                yield marked
                continue
            yield from self._read(record, marked, by_model)
            self.progress(number, 0, f"reading by {self.model.id}")

    def _by_model(self, record: object) -> ByModel | None:
        if not isinstance(record, Record):
            return None
        return self.how or kind_called(record.kind).by_model

    def _read(self, record: Record, marked: Record, by_model: ByModel) -> Iterator[object]:
        try:
            if self._away:
                raise LanguageModelAwayError(self._away)
            found = by_model.filled(marked, self.counted, self.naming)
        except LanguageModelLimitError:
            self.report.left.append(record.document.name)
            yield Left(record)
            return
        except LanguageModelError as error:
            self.report.by_rules += 1
            yield record
            yield from self._as_skipped(record, error)
            return
        self._row = 0
        self.report.dropped += found.dropped
        yield found.record
        if found.by_rules:
            self.report.by_rules += 1
            yield _skipped(record, f"this record was read by rules, as {found.by_rules}")
        else:
            self.report.read += 1

    def _as_skipped(self, record: Record, error: LanguageModelError) -> Iterator[Skipped]:
        self._row += 1
        if self._away:
            return  # said once
        if isinstance(error, LanguageModelAwayError) or self._row >= _FAILURES:
            self._away = str(error)
            reason = f"this record and those behind it were read by rules, as {error}"
        else:
            reason = f"this record was read by rules, as {error}"
        yield _skipped(record, reason)


def _skipped(record: Record, reason: str) -> Skipped:
    return Skipped(record.document.source, record.document.line, reason)


def read_by(record: Record, model: str) -> Record:
    """A record as one that a model reads, by its id; as it is for '', and where none reads it."""
    by_model = kind_called(record.kind).by_model
    return replace(record, reader=by_model.reader(model)) if model and by_model else record
