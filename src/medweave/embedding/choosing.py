"""Which embedder is used, and if none, why: without one, texts are compared by their words."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from medweave.errors import ConfigurationError, EmbeddingError
from medweave.model.embedder import EmbedderName
from medweave.ports import Embedder


@dataclass(frozen=True, slots=True)
class Chosen:
    """An embedder, or none and the reason."""

    embedder: Embedder | None
    reason: str = ""
    """Why there is none, in words that say what to do; '' where there is one."""


def choose(name: EmbedderName, environment: Mapping[str, str] = os.environ) -> Chosen:
    """The embedder of this name. None is a choice; one that was named and is not there is not.

    Raises `ConfigurationError` or `EmbeddingError` where `minilm` is named and not installed.
    """
    if name.kind == "none":
        return Chosen(None, "the embedder is set to none")
    if name.kind == "endpoint":
        from medweave.embedding.endpoint import Endpoint

        return Chosen(Endpoint(name.name, name.url, environment=environment))
    try:
        return Chosen(_minilm(environment))
    except (ConfigurationError, EmbeddingError) as error:
        if name.kind == "minilm":
            raise
        return Chosen(None, f"{error.what}: {error.remedy}")


def _minilm(environment: Mapping[str, str]) -> Embedder:
    from medweave.embedding.minilm import check_installed
    from medweave.embedding.weights import check_there, weights_folder

    folder = weights_folder(environment)
    check_installed()
    check_there(folder)
    return _opened(folder)


@cache
def _opened(folder: Path) -> Embedder:
    """One for a process: who compares names and who compares dialogues load 90 MB once."""
    from medweave.embedding.minilm import MiniLM

    return MiniLM(folder)
