"""What a language model replied once is not asked again: replies by model, address and prompt, in
files.

They hold what was said in dialogues (masked), so only their owner can read them; the folder can be
deleted at any time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from threading import get_ident
from typing import Any

from medweave.model.identifiers import digest
from medweave.model.json_schema import violation
from medweave.model.prompt import Prompt, Reply, Usage, Written
from medweave.ports import LanguageModel

_OWNER = 0o700
_DIGEST = 16
_FROM_CACHE = Usage(cached=1)


class RememberingModel:
    """See `LanguageModel`. A reply that cannot be kept is given all the same."""

    def __init__(self, model: LanguageModel, folder: Path, address: str = "") -> None:
        """`address` is where the model runs: what bears one name elsewhere may be another."""
        self._model = model
        self._folder = folder
        self._address = address

    @property
    def id(self) -> str:
        """See `LanguageModel.id`."""
        return self._model.id

    def fill(self, prompt: Prompt) -> Reply:
        """See `LanguageModel.fill`; a reply that is kept costs nothing."""
        place = self._place(prompt, prompt.schema)
        held, thought = _held(place)
        if held is not None and not violation(held, prompt.schema):
            return Reply(held, _FROM_CACHE, thought)
        reply = self._model.fill(prompt)
        self._keep(place, dict(reply.content), reply.reasoning)
        return reply

    def write(self, prompt: Prompt) -> Written:
        """See `LanguageModel.write`; a reply is kept as it came, whatever is in it."""
        place = self._place(prompt, ["as it came", prompt.schema])
        held, thought = _held(place)
        if isinstance(held, str):
            return Written(held, _FROM_CACHE, thought)
        reply = self._model.write(prompt)
        self._keep(place, reply.text, reply.reasoning)
        return reply

    def say(self, prompt: Prompt) -> Generator[str, None, Written]:
        """See `LanguageModel.say`; what is kept comes as one piece. What broke off is not kept."""
        place = self._place(prompt, "words")
        held, thought = _held(place)
        if isinstance(held, str):
            yield held
            return Written(held, _FROM_CACHE, thought)
        said = yield from self._model.say(prompt)
        self._keep(place, said.text, said.reasoning)
        return said

    def _place(self, prompt: Prompt, form: object) -> Path:
        before = [[turn.role, turn.text] for turn in prompt.history]
        asked = [self.id, self._address, prompt.instructions, prompt.material, form, before]
        return self._folder / f"{digest(asked, _DIGEST)}.json"

    def _keep(self, place: Path, content: object, thought: str) -> None:
        """Write beside its place, then move it there: nobody reads half of it."""
        with suppress(OSError, ValueError, TypeError):
            self._folder.mkdir(mode=_OWNER, parents=True, exist_ok=True)
            unfinished = place.with_suffix(f".{os.getpid()}.{get_ident()}.part")
            unfinished.touch(mode=0o600)
            kept = json.dumps({"reply": content, "thought": thought}, ensure_ascii=False)
            unfinished.write_text(kept, "utf-8")
            unfinished.replace(place)


def _held(place: Path) -> tuple[Any, str]:
    """A reply that is kept, with what was thought; None where nothing is, or it is cut off."""
    with suppress(OSError, ValueError, RecursionError, TypeError, KeyError):
        kept = json.loads(place.read_text("utf-8"))
        return kept["reply"], str(kept["thought"])
    return None, ""
