"""What a language model would be asked of records: what it replied before is all that is used."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from medweave.errors import LanguageModelError
from medweave.model.prompt import Prompt, Reply, Written
from medweave.model.record import Record
from medweave.ports import LanguageModel
from medweave.prompting.watched_model import WatchedModel
from medweave.sources.kinds import ByModel, kind_called
from medweave.sources.names import Naming


@dataclass
class ModelPlan:
    """What would be asked, at most, where no request fails."""

    calls: int = 0
    cached: int = 0
    input_tokens: int = 0
    """Of the first requests, about."""
    prompts: list[tuple[str, Prompt]] = field(default_factory=list)
    """The first of each document, by its name."""

    def to_json(self) -> dict[str, Any]:
        """What `--dry-run` prints. What a token costs, nobody tells."""
        prompts = [{"document": name, "messages": _messages(each)} for name, each in self.prompts]
        return {
            "calls": self.calls,
            "cached": self.cached,
            "input_tokens": self.input_tokens,
            "cost": None,
            "prompts": prompts,
        }


class _ListeningModel(WatchedModel):
    """It notes what it is asked, and how much of it was replied before."""

    def __init__(self, kept: LanguageModel) -> None:
        super().__init__(kept)
        self.asked: list[Prompt] = []
        self.cached = 0

    def before(self, prompt: Prompt) -> Prompt:
        """It is noted."""
        self.asked.append(prompt)
        return prompt

    def after(self, prompt: Prompt, answer: Reply | Written) -> None:  # noqa: ARG002 - any
        """It was kept."""
        self.cached += 1


def planned(
    records: Iterable[object], kept: LanguageModel, naming: Naming, how: ByModel | None = None
) -> ModelPlan:
    """What a model would be asked of these records, of which `kept` has the replies; `how` it
    reads them, where not as their kinds tell."""
    plan = ModelPlan()
    for record in records:
        by_model = _by_model(record, how)
        if not isinstance(record, Record) or by_model is None:
            continue
        watched = _ListeningModel(kept)
        unanswered = True
        with suppress(LanguageModelError):
            by_model.filled(record, watched, naming)
            unanswered = False
        plan.cached += watched.cached
        if unanswered:
            plan.calls += by_model.requests - watched.cached
            plan.input_tokens += watched.asked[-1].tokens
        if watched.asked:
            plan.prompts.append((record.document.name, watched.asked[0]))
    return plan


def _by_model(record: object, how: ByModel | None) -> ByModel | None:
    if not isinstance(record, Record):
        return None
    return how or kind_called(record.kind).by_model


def _messages(prompt: Prompt) -> list[dict[str, str]]:
    return [
        {"role": "system", "content": prompt.instructions},
        {"role": "user", "content": prompt.material},
    ]
