"""A file that lists stores: `FILE.toml`, or one of them as `FILE.toml#NAME`."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medweave.errors import ConfigurationError, NotFoundError

TIMEOUT = 10.0
"""Seconds that a question waits for a store that says nothing of it."""
_NAME = re.compile(r"[\w.-]{1,64}")
_TEXTS = ("name", "url", "mapping", "user", "password_env")


@dataclass(frozen=True, slots=True)
class ListedStore:
    """One store of a file."""

    name: str
    url: str
    mapping: Path | None = None
    user: str = ""
    password_env: str = ""
    timeout: float = TIMEOUT

    @property
    def password(self) -> str:
        """What the variable holds. Raises `ConfigurationError` where there is no such variable."""
        if not self.password_env:
            return ""
        if self.password_env not in os.environ:
            raise ConfigurationError(
                f"the variable {self.password_env} of the store '{self.name}' is not set",
                remedy="set it to the password",
            )
        return os.environ[self.password_env]


def is_store_list(url: str) -> bool:
    """Whether a base is named by a file that lists stores.

    >>> is_store_list("all.toml"), is_store_list("all.toml#clinic"), is_store_list("my.db")
    (True, True, False)
    """
    file, _, _ = url.partition("#")
    return file.endswith(".toml") and "://" not in file


def stores_in(url: str) -> tuple[ListedStore, ...]:
    """The stores of a file, or the one that is named behind `#`.

    Raises `NotFoundError` where there is no such file or store, `ConfigurationError` for what is
    wrong in it.
    """
    named, _, one = url.partition("#")
    file = Path(named)
    stores = _read(file)
    if not one:
        return stores
    chosen = tuple(store for store in stores if store.name == one)
    if not chosen:
        raise NotFoundError(
            f"there is no store '{one}'",
            where=str(file),
            remedy=f"name one of {', '.join(store.name for store in stores)}",
        )
    return chosen


def _read(file: Path) -> tuple[ListedStore, ...]:
    import tomllib

    try:
        content = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError as error:
        raise NotFoundError("there is no such list of stores", where=str(file)) from error
    except (OSError, ValueError) as error:
        raise _wrong(file, f"it cannot be read: {error}") from error
    entries = content.get("store")
    if set(content) != {"store"} or not isinstance(entries, list) or not entries:
        raise _wrong(file, "it must hold [[store]] tables, and nothing else")
    stores = tuple(_store(file, entry, number) for number, entry in enumerate(entries, 1))
    names = [store.name for store in stores]
    if len(set(names)) < len(names):
        raise _wrong(file, "two stores have one name")
    return stores


def _store(file: Path, entry: Mapping[str, Any], number: int) -> ListedStore:
    unknown = sorted(set(entry) - {*_TEXTS, "timeout"})
    if unknown:
        raise _wrong(file, f"store {number}: there is no entry '{unknown[0]}'")
    for name in _TEXTS:
        if not isinstance(entry.get(name, ""), str):
            raise _wrong(file, f"store {number}: '{name}' must be a text")
    if not entry.get("url") or not _NAME.fullmatch(entry.get("name", "")):
        raise _wrong(file, f"store {number} needs a 'url', and a 'name' of letters and digits")
    timeout = entry.get("timeout", TIMEOUT)
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not timeout > 0:
        raise _wrong(file, f"store {number}: 'timeout' must be a number of seconds above 0")
    mapping = entry.get("mapping")
    return ListedStore(
        entry["name"],
        _beside(entry["url"], file),
        file.parent / mapping if mapping else None,
        entry.get("user", ""),
        entry.get("password_env", ""),
        float(timeout),
    )


def _beside(url: str, file: Path) -> str:
    """A path as it is meant: from where the file is."""
    path = url.removeprefix("sqlite:")
    return url if ":" in path else str(file.parent / path)


def _wrong(file: Path, what: str) -> ConfigurationError:
    return ConfigurationError(f"a list of stores: {what}", where=str(file), remedy="mend the file")
