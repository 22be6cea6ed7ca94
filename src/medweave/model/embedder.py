"""Which embedder is meant, as it is named in settings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal as OneOf

from medweave.errors import ConfigurationError
from medweave.model.addresses import address

Kind = OneOf["automatic", "minilm", "none", "endpoint"]
_ALONE: dict[str, Kind] = {"minilm": "minilm", "none": "none"}
_ENDPOINT = re.compile(r"openai-compatible:(?P<name>\S+?)@(?P<url>\S+)")
_KNOWN = "minilm, none, openai-compatible:NAME@URL"


@dataclass(frozen=True, slots=True)
class EmbedderName:
    """An embedder by its kind; `automatic` is MiniLM where it is installed, and else none.

    >>> named = EmbedderName.of("openai-compatible:bge-m3@http://localhost:11434/v1")
    >>> named.kind, named.name, named.url
    ('endpoint', 'bge-m3', 'http://localhost:11434/v1')
    """

    kind: Kind = "automatic"
    name: str = ""
    url: str = ""

    @classmethod
    def of(cls, text: str) -> EmbedderName:
        """The embedder that a setting names. Raises `ConfigurationError`."""
        if not text:
            return cls()
        if text in _ALONE:
            return cls(_ALONE[text])
        match = _ENDPOINT.fullmatch(text)
        if match is None:
            kind = text.partition(":")[0]
            raise ConfigurationError(
                f"there is no embedder '{kind}'"
                if kind != "openai-compatible"
                else "this endpoint has no name or no address",
                where="embedder",
                remedy=f"use one of {_KNOWN}",
            )
        return cls(
            "endpoint", match["name"], address(match["url"], "embedder", "MEDWEAVE_EMBEDDER_KEY")
        )


AUTOMATIC = EmbedderName()
"""What is used where nothing is set."""
