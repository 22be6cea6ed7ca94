"""Who may ask a server what: keys with a scope, of which a file holds hashes alone."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from typing import Literal as OneOf

from medweave.errors import ConfigurationError, NotFoundError
from medweave.private_files import replaced

Scope = OneOf["read", "write", "admin"]
SCOPES: tuple[Scope, ...] = ("read", "write", "admin")
"""Each includes those before it."""
_PREFIX = "mw_"
_SPAN = re.compile(r"(\d{1,5})\s*([hdwy])")
_HOURS = {"h": 1, "d": 24, "w": 168, "y": 8760}
_NAME = re.compile(r"[\w.@ -]{1,64}")


@dataclass(frozen=True, slots=True)
class Key:
    """A key as a file holds it: 256 random bits, so that a plain hash of it cannot be guessed."""

    name: str
    scope: Scope
    expires: str | None
    """ISO 8601, UTC; None where it stays until it is removed."""
    digest: str

    def to_json(self) -> dict[str, Any]:
        """What may be shown of it."""
        return {"name": self.name, "scope": self.scope, "expires": self.expires}

    def expired(self) -> bool:
        """Whether its time is over."""
        if self.expires is None:
            return False
        return datetime.fromisoformat(self.expires) <= datetime.now(UTC)

    def allows(self, scope: Scope) -> bool:
        """Whether its scope includes another.

        >>> Key("a", "write", None, "").allows("read"), Key("a", "read", None, "").allows("write")
        (True, False)
        """
        return SCOPES.index(self.scope) >= SCOPES.index(scope)


class Keys:
    """The keys of a file; what others write into it is seen at the next look."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read: tuple[tuple[int, int, int], dict[str, Key]] | None = None

    def add(self, name: str, scope: Scope, expires: str = "") -> tuple[Key, str]:
        """Make a key, for a time such as "30d": what the file holds, and the key itself, which is
        never to be had again. `ConfigurationError` where the name is taken or no name."""
        if not _NAME.fullmatch(name):
            raise ConfigurationError(
                f"'{name}' is no name for a key", where="NAME",
                remedy="use up to 64 letters, digits, blanks, or any of . @ - _",
            )  # fmt: skip
        if scope not in SCOPES:
            raise ConfigurationError(
                f"'{scope}' is no scope", where="--scope", remedy="one of read, write, admin"
            )
        keys = self._all(missing_ok=True)
        if name in keys:
            raise ConfigurationError(
                f"there is a key '{name}' already", where=str(self._path),
                remedy="remove it first, or choose another name",
            )  # fmt: skip
        secret = _PREFIX + secrets.token_urlsafe(32)
        key = Key(name, scope, _until(expires), _digest(secret))
        self._write({**keys, name: key})
        return key, secret

    def remove(self, name: str) -> Key:
        """Take a key away; `NotFoundError` where there is none of this name."""
        keys = self._all()
        if name not in keys:
            raise NotFoundError(
                f"there is no key '{name}'", where=str(self._path), remedy="see `medweave key list`"
            )
        self._write({other: key for other, key in keys.items() if other != name})
        return keys[name]

    def all(self) -> list[Key]:
        """All of them, expired ones too, by name."""
        return sorted(self._all().values(), key=lambda key: key.name)

    def valid(self) -> list[Key]:
        """Those that open something now; none where the file is not there."""
        return [key for key in self._all(missing_ok=True).values() if not key.expired()]

    def find(self, secret: str) -> Key | None:
        """The valid key that this is; None where it is wrong, expired or removed."""
        digest, found = _digest(secret), None
        for key in self._all(missing_ok=True).values():  # all of them: time tells nothing
            if hmac.compare_digest(key.digest, digest):
                found = key
        return found if found and not found.expired() else None

    def _all(self, *, missing_ok: bool = False) -> dict[str, Key]:
        try:
            about = self._path.stat()
            seen = (about.st_ino, about.st_size, about.st_mtime_ns)
            if self._read is None or self._read[0] != seen:
                self._read = seen, _keys_of(self._path.read_text("utf-8"))
        except FileNotFoundError as error:
            if missing_ok:
                return {}
            raise self._refused("there is no file of keys", error) from error
        except OSError as error:
            raise self._refused("this file of keys cannot be read", error) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise self._refused("this is no file of keys", error) from error
        return self._read[1]

    def _refused(self, what: str, error: Exception) -> ConfigurationError:
        because = f" ({error.strerror})" if isinstance(error, OSError) and error.strerror else ""
        return ConfigurationError(
            what + because, where=str(self._path), remedy="make one with `medweave key add`"
        )

    def _write(self, keys: Mapping[str, Key]) -> None:
        form = {
            "keys": [
                {**key.to_json(), "sha256": key.digest}
                for key in sorted(keys.values(), key=lambda key: key.name)
            ]
        }
        try:
            with replaced(self._path) as stream:
                stream.write(json.dumps(form, ensure_ascii=False, indent=1).encode())
        except OSError as error:
            raise self._refused("this file of keys cannot be written", error) from error


def _keys_of(text: str) -> dict[str, Key]:
    found = {}
    for each in json.loads(text)["keys"]:
        key = Key(str(each["name"]), each["scope"], each["expires"], str(each["sha256"]))
        if key.scope not in SCOPES:
            raise ValueError(key.scope)
        key.expired()  # a time that is none is seen here
        found[key.name] = key
    return found


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _until(span: str) -> str | None:
    """The time at which a span such as "30d" from now is over.

    >>> _until("") is None
    True
    """
    if not span:
        return None
    found = _SPAN.fullmatch(span.strip())
    if found is None or not int(found[1]):
        raise ConfigurationError(
            f"'{span}' is no span of time", where="--expires", remedy="write it like 12h, 30d or 1y"
        )
    until = datetime.now(UTC) + timedelta(hours=int(found[1]) * _HOURS[found[2]])
    return until.isoformat(timespec="seconds")
