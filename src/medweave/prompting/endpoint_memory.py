"""What was found out about an endpoint, so that it is not sought again: a small file for each."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import get_ident
from typing import Any, Literal, get_args

from medweave.model.identifiers import digest

Form = Literal["native", "tool", "json", "prompted"]
"""How an endpoint is told the schema of a reply: as its form, as a tool, or in words, of which
`json` also asks for an object."""
FORMS: tuple[Form, ...] = get_args(Form)
"""The strictest first."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """How an endpoint is asked."""

    form: Form = "native"
    streams: bool = True
    begins_thinking: bool = False
    """Whether it thinks first without saying so, and marks the end alone."""


class EndpointMemory:
    """Remembers endpoints by address and model: in a folder, or for as long as it lives.

    What cannot be written is remembered all the same, and what cannot be read was never known.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._held: dict[str, Endpoint] = {}

    def known(self, url: str, model: str) -> Endpoint:
        """What is known of an endpoint; what most do where nothing is."""
        key = digest([url, model], 16)
        if key not in self._held:
            self._held[key] = self._read(key)
        return self._held[key]

    def note(self, url: str, model: str, **found: Any) -> None:
        """Remember something of an endpoint."""
        key, before = digest([url, model], 16), self.known(url, model)
        now = replace(before, **found)
        if now == before:
            return
        self._held[key] = now
        if self._folder is None:
            return
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            unfinished = self._folder / f"{key}.{os.getpid()}.{get_ident()}.part"
            unfinished.write_text(json.dumps(asdict(now)), "utf-8")
            unfinished.replace(self._folder / f"{key}.json")

    def _read(self, key: str) -> Endpoint:
        if self._folder is None:
            return Endpoint()
        with suppress(OSError, ValueError, TypeError, AttributeError):
            held = json.loads((self._folder / f"{key}.json").read_text("utf-8"))
            form = held.get("form")
            return Endpoint(
                form if form in FORMS else "native",
                held.get("streams") is not False,
                held.get("begins_thinking") is True,
            )
        return Endpoint()
