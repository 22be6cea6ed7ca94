"""The models of one question: what they may still take, and what went wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

from medweave.errors import (
    LanguageModelAwayError,
    LanguageModelError,
    LanguageModelLimitError,
)
from medweave.model.configuration import Role
from medweave.model.generated import Fallback, ModelUse
from medweave.model.prompt import NO_USAGE, Limits, Prompt, Usage
from medweave.ports import LanguageModel

ANSWER = "answer"
_MODEL_OF: Mapping[str, Role] = {ANSWER: "answer", "judge": "judge"}
"""Whose model does a part; all other parts are done by that which takes questions apart."""
_HELPERS_SHARE = 0.5
"""So much of the time that is left, what is asked before the words may take."""


@dataclass
class Asker:
    """Asks the models of a question, within one limit of calls and one of time for all of them.

    Whatever goes wrong is noted, and nothing is raised. The last call is kept for the words.
    """

    models: Mapping[Role, LanguageModel]
    use: ModelUse
    usage: Usage = NO_USAGE
    fallback: list[Fallback] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    _away: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    """That was waited for models."""

    def model_of(self, part: str) -> LanguageModel | None:
        """Who does a part; None where rules do."""
        return self.models.get(_MODEL_OF.get(part, "decompose"))

    @property
    def _left(self) -> tuple[int, float]:
        return self.use.calls - self.usage.requests, self.use.seconds - self.seconds

    def fell_back(self, part: str, reason: str) -> None:
        """Note that a part went wrong, once."""
        told = Fallback(part, reason)
        if told not in self.fallback:
            self.fallback.append(told)

    def fill(self, part: str, prompt: Prompt) -> Mapping[str, Any] | None:
        """What a model fills in; None where there is none, or it fails."""
        model = self.model_of(part)
        limits = self._limits(part) if model else None
        if model is None or limits is None:
            return None
        try:
            with self._waiting():
                reply = model.fill(replace(prompt, most=limits))
        except LanguageModelError as error:
            self._failed(part, model, error)
            return None
        self._took(reply.usage, reply.reasoning)
        return reply.content

    def say(self, prompt: Prompt, *, as_it_comes: bool) -> Iterator[str]:
        """Words, piece by piece, or all at once: only then is it sure that none was a thought."""
        model = self.model_of(ANSWER)
        limits = self._limits(ANSWER) if model else None
        if model is None or limits is None:
            return
        stream = model.say(replace(prompt, most=limits))
        pieces: list[str] = []
        try:
            while True:
                with self._waiting():
                    piece = next(stream)
                pieces.append(piece)
                if as_it_comes:
                    yield piece
                if self._left[1] <= 0:
                    what = f"its limit of {self.use.seconds:g} s is reached"
                    stream.throw(LanguageModelLimitError(what, where=model.id))
        except StopIteration as end:
            self._took(end.value.usage, end.value.reasoning)
            pieces = [end.value.text]
        except LanguageModelError as error:
            self._failed(ANSWER, model, error)
        if not as_it_comes:
            yield "".join(pieces)

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Time is counted while a model is waited for, not while its words are checked."""
        begun = monotonic()
        try:
            yield
        finally:
            self.seconds += monotonic() - begun

    def _limits(self, part: str) -> Limits | None:
        """What a part may take; None, and noted, where nothing is left for it."""
        calls, seconds = self._left
        model = self.model_of(part)
        away = self._away.get(model.id if model else "")
        if away:
            self.fell_back(part, away)
            return None
        if part != ANSWER:
            if calls == 1 and self.model_of(ANSWER):
                self.fell_back(part, "the last call is kept for the words")
                return None
            calls, seconds = calls - bool(self.model_of(ANSWER)), seconds * _HELPERS_SHARE
        if self.use.calls == 0:
            self.fell_back(part, "no calls are allowed")
            return None
        return Limits(max(0, calls), None, max(0.0, seconds))

    def _took(self, usage: Usage, thought: str) -> None:
        self.usage += usage
        if thought:
            self.thoughts.append(thought)

    def _failed(self, part: str, model: LanguageModel, error: LanguageModelError) -> None:
        self.usage += Usage(*error.spent)
        self.fell_back(part, str(error))
        if isinstance(error, LanguageModelAwayError) and self._left[0] > 0:
            self._away[model.id] = str(error)
