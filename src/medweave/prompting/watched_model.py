"""A language model around another one: what changes, counts or limits requests says just that."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

from medweave.errors import LanguageModelError
from medweave.model.prompt import Prompt, Reply, Written
from medweave.ports import LanguageModel

Answer = TypeVar("Answer", Reply, Written)


class WatchedModel:
    """See `LanguageModel`. It replies as the other one does."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @property
    def id(self) -> str:
        """See `LanguageModel.id`."""
        return self._model.id

    def fill(self, prompt: Prompt) -> Reply:
        """See `LanguageModel.fill`."""
        return self._watched(prompt, self._model.fill)

    def write(self, prompt: Prompt) -> Written:
        """See `LanguageModel.write`."""
        return self._watched(prompt, self._model.write)

    def say(self, prompt: Prompt) -> Generator[str, None, Written]:
        """See `LanguageModel.say`."""
        sent = self.before(prompt)
        try:
            said = yield from self._model.say(sent)
        except LanguageModelError as error:
            self.failed(prompt, error)
            raise
        self.after(prompt, said)
        return said

    def _watched(self, prompt: Prompt, ask: Callable[[Prompt], Answer]) -> Answer:
        sent = self.before(prompt)
        try:
            answer = ask(sent)
        except LanguageModelError as error:
            self.failed(prompt, error)
            raise
        self.after(prompt, answer)
        return answer

    def before(self, prompt: Prompt) -> Prompt:
        """What is asked in place of a prompt; it may raise `LanguageModelError`."""
        return prompt

    def failed(self, prompt: Prompt, error: LanguageModelError) -> None:
        """A request failed; the error goes on, unless this raises another one."""

    def after(self, prompt: Prompt, answer: Reply | Written) -> None:
        """A reply came."""
