"""What models would be asked for a question, without asking them: `ask --dry-run`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from medweave.errors import LanguageModelError
from medweave.generation.finding import MOST_SUB_QUESTIONS
from medweave.generation.generate import Rules, generate, parts_that_ask, whole
from medweave.model.answer import Answer
from medweave.model.configuration import Role
from medweave.model.generated import ModelUse
from medweave.model.prompt import Prompt, Reply, Written
from medweave.ports import LanguageModel
from medweave.prompting.watched_model import WatchedModel

_DECOMPOSE, _TRIPLES, _PRUNE = "decompose", "triples", "prune"


class _RecordingModel(WatchedModel):
    """It gives what is kept, and notes what is not."""

    def __init__(self, kept: LanguageModel) -> None:
        super().__init__(kept)
        self.missing: list[Prompt] = []
        self.cached = 0

    def failed(self, prompt: Prompt, error: LanguageModelError) -> None:
        """It is missing; whoever asks may ask on."""
        self.missing.append(prompt)
        raise LanguageModelError(error.what) from error

    def after(self, prompt: Prompt, answer: Reply | Written) -> None:  # noqa: ARG002 - any
        """It was kept."""
        self.cached += 1


def planned(
    by_rules: Answer, rules: Rules, kept: Mapping[Role, LanguageModel], use: ModelUse
) -> dict[str, Any]:
    """The form that `--dry-run` prints; `kept` has what models replied before.

    What depends on a reply that nobody has yet is counted as at most it can be.
    """
    parts = parts_that_ask(kept, by_rules, use)
    watched: dict[Role, _RecordingModel] = {
        role: _RecordingModel(model) for role, model in kept.items()
    }
    if parts:
        whole(generate(by_rules, rules, dict(watched), use))
    missing = [prompt for model in watched.values() for prompt in model.missing]
    titles = [prompt.schema.get("title") for prompt in missing]
    calls = len(missing)
    if _DECOMPOSE in titles:
        calls += sum(MOST_SUB_QUESTIONS - titles.count(part) for part in (_TRIPLES, _PRUNE))
    if "judge" in parts:
        calls = use.calls  # it judges as many sentences as are written
    return {
        "calls": min(calls, use.calls),
        "cached": sum(model.cached for model in watched.values()),
        "input_tokens": sum(prompt.tokens for prompt in missing),
        "cost": None,
        "roles": parts,
    }
