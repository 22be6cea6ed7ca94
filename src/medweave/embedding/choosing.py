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
        return Chosen(reader_of("en", environment))
    except (ConfigurationError, EmbeddingError) as error:
        if name.kind == "minilm":
            raise
        return Chosen(None, f"{error.what}: {error.remedy}")


def choose_reader(name: EmbedderName, language: str) -> Embedder | None:
    """Who on this machine reads single sentences of a language; None where nobody does, or where
    the embedder is set to none or to an endpoint: a question waits for no server."""
    from medweave.embedding.weights import ALL

    if name.kind in ("none", "endpoint") or language not in ALL:
        return None
    try:
        return reader_of(language)
    except (ConfigurationError, EmbeddingError):
        return None


def reader_of(language: str, environment: Mapping[str, str] = os.environ) -> Embedder:
    """The model that reads a language on this machine.

    Raises `ConfigurationError` or `EmbeddingError` where it is not installed.
    """
    from medweave.embedding.sentence_transformer import check_installed
    from medweave.embedding.weights import ALL, check_there, weights_folder

    folder = weights_folder(ALL[language], environment)
    check_installed()
    check_there(ALL[language], folder)
    return _opened(language, folder)


@cache
def _opened(language: str, folder: Path) -> Embedder:
    """One for a process: who compares names and who compares dialogues load 90 MB once."""
    if language == "zh":
        from medweave.embedding.bge_chinese import BgeChinese

        return BgeChinese(folder)
    from medweave.embedding.minilm import MiniLM

    return MiniLM(folder)
