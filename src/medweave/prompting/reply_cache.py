"""What a language model replied once is not asked again: replies by model and prompt, in files.

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
_KEPT = Usage(cached=1)


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
        place = self._place(prompt, prompt.schema)
        held = _held(place)
        if held is not None and not violation(held, prompt.schema):
            return Reply(held, _KEPT)
        reply = self._model.fill(prompt)
        self._keep(place, dict(reply.content))
        return reply

    def write(self, prompt: Prompt) -> Written:
        """See `LanguageModel.write`; a reply is kept as it came, whatever is in it."""
        place = self._place(prompt, ["as it came", prompt.schema])
        held = _held(place)
        if isinstance(held, str):
            return Written(held, _KEPT)
        reply = self._model.write(prompt)
        self._keep(place, reply.text)
        return reply

    def say(self, prompt: Prompt) -> Generator[str, None, Usage]:
        """See `LanguageModel.say`; what is kept comes as one piece. What broke off is not kept."""
        place = self._place(prompt, "words")
        held = _held(place)
        if isinstance(held, str):
            yield held
            return _KEPT
        pieces: list[str] = []
        usage = yield from _listened(self._model.say(prompt), pieces)
        self._keep(place, "".join(pieces))
        return usage

    def _place(self, prompt: Prompt, form: object) -> Path:
        before = [[turn.role, turn.text] for turn in prompt.history]
        asked = [self.id, prompt.instructions, prompt.material, form, before]
        return self._folder / f"{digest(asked, _DIGEST)}.json"

    def _keep(self, place: Path, content: object) -> None:
        """Write beside its place, then move it there: nobody reads half of it."""
        with suppress(OSError, ValueError, TypeError):
            self._folder.mkdir(mode=_OWNER, parents=True, exist_ok=True)
            unfinished = place.with_suffix(f".{os.getpid()}.{get_ident()}.part")
            unfinished.touch(mode=0o600)
            unfinished.write_text(json.dumps(content, ensure_ascii=False), "utf-8")
            unfinished.replace(place)


def _held(place: Path) -> Any:
    """What is kept; None where nothing is, or it is cut off."""
    with suppress(OSError, ValueError, RecursionError):
        return json.loads(place.read_text("utf-8"))
    return None


def _listened(
    stream: Generator[str, None, Usage], pieces: list[str]
) -> Generator[str, None, Usage]:
    while True:
        try:
            piece = next(stream)
        except StopIteration as end:
            usage: Usage = end.value
            return usage
        pieces.append(piece)
        yield piece
