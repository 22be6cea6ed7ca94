"""Settings, read once: command line before environment before `medweave.toml`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from medweave.errors import ConfigurationError
from medweave.model.configuration import CONFIGURATION, ROLES, Configuration
from medweave.model.embedder import EmbedderName
from medweave.model.language_model import LanguageModelName
from medweave.model.vectors import EXACT, VectorSearch

FILE = "medweave.toml"
_ANSWERING = (
    *("ranking", "damping", "correction", "words", "methods"),
    *("intents", "danger", "lay", "emergency", "crisis"),
)
"""Entries that say how questions are answered; `Configuration` checks them."""
_VECTORS = ("vectors", "embedder", "vector_index", "vector_index_above")
"""Entries that say how texts become vectors, and how these are searched."""
KEYS = (
    "kb",
    "timeout",
    "vocabulary",
    "keep_personal_data",
    *_ANSWERING,
    *_VECTORS,
    "model",
    "models",
)
"""What may stand in the file."""
_TEXTS = (
    *("kb", "vocabulary", "ranking", "intents", "danger", "lay", "emergency", "crisis"),
    *("vectors", "embedder", "vector_index", "model"),
)


class SettingsError(ConfigurationError):
    """`medweave.toml` cannot be read, or an entry of it is wrong."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run needs to know. '' means: not set."""

    kb: str = ""
    """Which base, as a URL or a path."""
    timeout: float | None = None
    """Seconds that a server has to answer in."""
    vectors: str = ""
    """Where vectors are kept, as a URL; in the base itself where nothing is said."""
    vocabulary: str = ""
    """A file that adds to the vocabulary."""
    configuration: Configuration = CONFIGURATION
    """How questions are answered."""
    search: VectorSearch = EXACT
    """How vectors are searched."""
    keep_personal_data: bool = False
    """Whether personal data in dialogues is left as it is."""

    @property
    def embedder(self) -> EmbedderName:
        """What turns texts into vectors."""
        return self.configuration.embedder


def read_settings(
    *, kb: str = "", vectors: str = "", vocabulary: str = "", ranking: str = "", embedder: str = "",
    model: str = "", folder: Path | None = None, environment: Mapping[str, str] | None = None,
) -> Settings:  # fmt: skip
    """Settings from the arguments, `MEDWEAVE_…` variables, and `medweave.toml` in `folder`.

    Raises `SettingsError` for what is wrong in the file, naming file and key, and
    `ConfigurationError` for a ranking, an embedder or a provider of models that is not there.
    """
    held = os.environ if environment is None else environment
    file = (folder or Path.cwd()) / FILE
    written = _file(file)
    named = _embedder(embedder or held.get("MEDWEAVE_EMBEDDER", ""), written, file)
    said = model or held.get("MEDWEAVE_MODEL", "")
    configuration = replace(
        _configuration(written, file),
        embedder=named,
        model=_model(said, written, file),
        models={} if said else _models(written, file),
    )
    mode: Any = ranking or held.get("MEDWEAVE_RANKING", "")
    if mode:
        configuration = replace(configuration, ranking=replace(configuration.ranking, mode=mode))
    return Settings(
        kb=kb or held.get("MEDWEAVE_KB", "") or written.get("kb", ""),
        timeout=_timeout(held.get("MEDWEAVE_STORE_TIMEOUT", ""), written),
        vectors=vectors or held.get("MEDWEAVE_VECTORS", "") or written.get("vectors", ""),
        vocabulary=vocabulary
        or held.get("MEDWEAVE_VOCABULARY", "")
        or written.get("vocabulary", ""),
        configuration=configuration,
        search=_search(written, file),
        keep_personal_data=_is_on(held.get("MEDWEAVE_KEEP_PERSONAL_DATA", ""))
        or bool(written.get("keep_personal_data", False)),
    )


def _timeout(said: str, written: Mapping[str, Any]) -> float | None:
    """What the variable says goes first; where a URL is read, it is looked at."""
    return None if said else written.get("timeout")


def _is_on(value: str) -> bool:
    return value.strip().lower() in ("1", "true", "yes", "on")


def _embedder(said: str, written: Mapping[str, Any], file: Path) -> EmbedderName:
    if said:
        return EmbedderName.of(said)
    with _in_file(file):
        return EmbedderName.of(written.get("embedder", ""))


def _model(said: str, written: Mapping[str, Any], file: Path) -> LanguageModelName:
    if said:
        return LanguageModelName.of(said)
    with _in_file(file):
        return LanguageModelName.of(written.get("model", ""))


def _models(written: Mapping[str, Any], file: Path) -> dict[str, LanguageModelName]:
    """The models of roles; one that is named for this run does all that they would."""
    with _in_file(file):
        return {
            role: LanguageModelName.of(each) for role, each in written.get("models", {}).items()
        }


def _search(written: Mapping[str, Any], file: Path) -> VectorSearch:
    with _in_file(file):
        return VectorSearch.of(
            written.get("vector_index", EXACT.index), written.get("vector_index_above", EXACT.above)
        )


@contextmanager
def _in_file(file: Path) -> Iterator[None]:
    """What is wrong with an entry, and where it stands."""
    try:
        yield
    except ConfigurationError as error:
        raise SettingsError(
            error.what, where=f"{file}, {error.where}", remedy=error.remedy
        ) from error


def _configuration(written: Mapping[str, Any], file: Path) -> Configuration:
    """The entries about answering; its own checks find what is wrong, and here is said where."""
    with _in_file(file):
        return Configuration.of(**{key: written[key] for key in _ANSWERING if key in written})


def _file(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text("utf-8")
        import tomllib  # not where there is no such file

        content = tomllib.loads(text)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"the settings cannot be read: {error}", where=str(path), remedy="mend the file"
        ) from error
    for key, value in content.items():
        _check(key, value, path)
    return content


def _check(key: str, value: Any, path: Path) -> None:
    where = f"{path}, {key}"
    if key not in KEYS:
        raise SettingsError(
            "there is no such setting", where=where, remedy=f"use one of {', '.join(KEYS)}"
        )
    if key in _TEXTS and not isinstance(value, str):
        raise SettingsError("this must be a text", where=where, remedy=f'write {key} = "…"')
    if key == "keep_personal_data" and not isinstance(value, bool):
        raise SettingsError("this must be true or false", where=where, remedy=f"write {key} = true")
    if key == "timeout" and not (type(value) in (int, float) and 0 < value < float("inf")):
        raise SettingsError(
            "this must be a number of seconds", where=where, remedy="write timeout = 10"
        )
    if key == "models":
        _check_models(value, path)
    if key == "methods" and not isinstance(value, dict):
        raise SettingsError("this must be a table", where=where, remedy=f"begin it with [{key}]")


def _check_models(value: Any, path: Path) -> None:
    if not isinstance(value, dict):
        raise SettingsError(
            "this must be a table", where=f"{path}, models", remedy="begin it with [models]"
        )
    for role, named in value.items():
        if role not in ROLES or not isinstance(named, str):
            raise SettingsError(
                "there is no such role" if role not in ROLES else "this must be a text",
                where=f"{path}, models.{role}",
                remedy=f'write one of {", ".join(ROLES)} = "provider:model"',
            )
