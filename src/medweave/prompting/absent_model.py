"""A language model that is not there: whatever it is asked, it replies nothing."""

from __future__ import annotations

from collections.abc import Generator
from typing import NoReturn

from medweave.errors import LanguageModelAwayError
from medweave.model.prompt import Prompt, Written


class AbsentModel:
    """See `LanguageModel`. It stands where only what is kept may be looked at."""

    def __init__(self, id: str) -> None:
        self.id = id

    def fill(self, prompt: Prompt) -> NoReturn:  # noqa: ARG002 - whatever it is
        """See `LanguageModel.fill`."""
        raise LanguageModelAwayError("nothing is asked", where=self.id)

    write = fill

    def say(self, prompt: Prompt) -> Generator[str, None, Written]:
        """See `LanguageModel.say`."""
        yield from ()
        self.fill(prompt)
