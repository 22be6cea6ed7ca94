"""Settings, read once: command line before environment before `medweave.toml`."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from medweave.errors import MedweaveError

FILE = "medweave.toml"


class SettingsError(MedweaveError):
    """`medweave.toml` cannot be read."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run needs to know. '' means: not set."""

    kb: str = ""
    """Which base, as a URL or a path."""
    vocabulary: str = ""
    """A file that adds to the vocabulary."""


def read_settings(
    *, kb: str = "", vocabulary: str = "", folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Settings:  # fmt: skip
    """Settings from the arguments, `MEDWEAVE_…` variables, and `medweave.toml` in `folder`."""
    held = os.environ if environment is None else environment
    written = _file((folder or Path.cwd()) / FILE)
    return Settings(
        kb=kb or held.get("MEDWEAVE_KB", "") or written.get("kb", ""),
        vocabulary=vocabulary
        or held.get("MEDWEAVE_VOCABULARY", "")
        or written.get("vocabulary", ""),
    )


def _file(path: Path) -> dict[str, str]:
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"the settings cannot be read: {error}", where=str(path), remedy="mend the file"
        ) from error
    return {name: str(value) for name, value in content.items() if isinstance(value, (str, int))}
