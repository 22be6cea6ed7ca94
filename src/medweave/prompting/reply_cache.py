"""What a language model replied once is not asked again: replies by model and prompt, in files.

They hold what was said in dialogues (masked), so only their owner can read them; the folder can be
deleted at any time.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from medweave.model.identifiers import digest
from medweave.model.json_schema import violation
from medweave.model.prompt import Prompt, Reply
from medweave.ports import LanguageModel

_OWNER = 0o700
_DIGEST = 16


class RememberingModel:
    """See `LanguageModel`. A reply that cannot be kept is given all the same."""

    def __init__(self, model: LanguageModel, folder: Path) -> None:
        self._model = model
        self._folder = folder

    @property
    def id(self) -> str:
        """See `LanguageModel.id`."""
        return self._model.id

    def fill(self, prompt: Prompt) -> Reply:
        """See `LanguageModel.fill`; a reply that is kept costs nothing."""
        place = self._folder / f"{self._key(prompt)}.json"
        with suppress(OSError, ValueError, RecursionError):  # not there, or cut off
            content = json.loads(place.read_text("utf-8"))
            if not violation(content, prompt.schema):
                return Reply(content)
        reply = self._model.fill(prompt)
        with suppress(OSError, ValueError, TypeError):
            self._keep(place, reply)
        return reply

    def _key(self, prompt: Prompt) -> str:
        asked = [self.id, prompt.instructions, prompt.material, prompt.schema]
        return digest(asked, _DIGEST)

    def _keep(self, place: Path, reply: Reply) -> None:
        """Write beside its place, then move it there: nobody reads half of it."""
        self._folder.mkdir(mode=_OWNER, parents=True, exist_ok=True)
        unfinished = place.with_suffix(f".{os.getpid()}.part")
        unfinished.touch(mode=0o600)
        unfinished.write_text(json.dumps(dict(reply.content), ensure_ascii=False), "utf-8")
        unfinished.replace(place)
