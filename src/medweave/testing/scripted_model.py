"""A language model for tests: it replies what a script says. It needs nothing installed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Mapping
from typing import Any

from medweave.errors import LanguageModelError
from medweave.model.json_schema import violation
from medweave.model.prompt import Prompt, Reply, Usage, Written

Script = Callable[[Prompt], Mapping[str, Any] | str]
"""An object or words for a prompt; it may raise `LanguageModelError`."""


class ScriptedModel:
    """See `LanguageModel`. Like a real one it never gives what does not keep to the schema.

    >>> from medweave.model.json_schema import TEXT, object_schema
    >>> model = ScriptedModel(lambda prompt: {"text": prompt.material.upper()})
    >>> model.fill(Prompt("Shout.", "cough", object_schema({"text": TEXT}))).content
    {'text': 'COUGH'}
    """

    def __init__(self, script: Script, id: str = "scripted:test") -> None:
        """`script` is asked for each prompt."""
        self.id = id
        self.seen: list[Prompt] = []
        """All prompts, in order."""
        self._script = script

    def fill(self, prompt: Prompt) -> Reply:
        """See `LanguageModel.fill`; it says that it used a request and ten tokens."""
        self.seen.append(prompt)
        reply = self._script(prompt)
        content: dict[str, Any] = {} if isinstance(reply, str) else dict(reply)
        if wrong := violation(content, prompt.schema):
            raise LanguageModelError(f"the script is wrong: {wrong}")
        return Reply(content, Usage(1, 5, 5))

    def write(self, prompt: Prompt) -> Written:
        """See `LanguageModel.write`; words as they are, an object as JSON."""
        self.seen.append(prompt)
        reply = self._script(prompt)
        text = reply if isinstance(reply, str) else json.dumps(dict(reply), ensure_ascii=False)
        return Written(text, Usage(1, 5, 5))

    def say(self, prompt: Prompt) -> Generator[str, None, Written]:
        """See `LanguageModel.say`; word by word."""
        self.seen.append(prompt)
        said = str(self._script(prompt))
        yield from re.findall(r"\S+\s*|\s+", said)
        return Written(said, Usage(1, 5, 5))
