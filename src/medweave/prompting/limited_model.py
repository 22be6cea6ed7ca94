"""A language model of which no more is asked than may be spent in a run."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from medweave.errors import LanguageModelError, LanguageModelLimitError
from medweave.model.prompt import Limits, Prompt, Reply, Usage, Written, about_tokens
from medweave.ports import LanguageModel
from medweave.prompting.watched_model import WatchedModel


class LimitedModel(WatchedModel):
    """See `LanguageModel`. Beyond the limits it raises `LanguageModelLimitError`.

    Tokens of a request are counted before it leaves: at first by its letters, then as the endpoint
    has counted those before. What an endpoint does not count is counted by letters.
    """

    def __init__(self, model: LanguageModel, limits: Limits) -> None:
        super().__init__(model)
        self._limits = limits
        self._requests = 0
        self._tokens = 0
        self._counted: float | None = None
        """Tokens that the endpoint counts for one that we count."""

    def failed(self, prompt: Prompt, error: LanguageModelError) -> None:
        """What a failed request cost is spent."""
        self._spend(prompt, Usage(*error.spent))

    def after(self, prompt: Prompt, answer: Reply | Written) -> None:
        """What a reply cost is spent."""
        self._spend(prompt, answer.usage, answer)

    def before(self, prompt: Prompt) -> Prompt:
        """A prompt with what may be spent on it."""
        most, left, for_reply = self._limits, None, None
        if most.requests is not None:
            left = most.requests - self._requests
            if left <= 0:
                raise self._reached(f"its limit of {most.requests:,} requests is reached")
        if most.tokens is not None:
            needed = ceil(prompt.tokens * (1.0 if self._counted is None else self._counted))
            for_reply = most.tokens - self._tokens - needed
            if for_reply <= 0:
                rest = max(0, most.tokens - self._tokens)
                what = f"of its limit of {most.tokens:,} tokens {rest:,} are left"
                raise self._reached(f"{what}, and a request takes about {needed:,}")
        return replace(prompt, most=Limits(left, for_reply, prompt.most.seconds))

    def _reached(self, what: str) -> LanguageModelLimitError:
        return LanguageModelLimitError(what, where=self.id, remedy="run again, or raise the limit")

    def _spend(self, prompt: Prompt, usage: Usage, answer: Reply | Written | None = None) -> None:
        self._requests += usage.requests
        told = usage.tokens
        if told and usage.requests == 1:
            ratio = usage.input_tokens / max(1, prompt.tokens)
            self._counted = max(ratio, self._counted or 0.0)
        if answer is not None and not told:
            said = answer.text if isinstance(answer, Written) else str(answer.content)
            told = prompt.tokens + about_tokens(said)
        self._tokens += told
