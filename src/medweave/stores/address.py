"""Where a base is, as a URL names it: a file, a folder, memory, or a place on a server."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import parse_qsl, unquote, urlsplit

from medweave.errors import ConfigurationError, StoreError

BASE = "medweave"
"""What a base in a database is called where nothing is said."""
TIMEOUT = 10.0
"""Seconds that one try may take."""
_NAME = re.compile(r"[A-Za-z0-9_]{1,32}")


@dataclass(frozen=True, slots=True)
class StoreAddress:
    """A URL taken apart. User and password are in no text that is made of it.

    >>> address = StoreAddress.of("mysql://ann:s%40fe@db.example:3306/clinic?base=kidney", {})
    >>> address.host, address.port, address.path, address.base, address.password
    ('db.example', 3306, 'clinic', 'kidney', 's@fe')
    >>> str(address)
    'mysql://db.example:3306/clinic?base=kidney'
    """

    scheme: str
    """In small letters."""
    path: str
    """A file or folder; on a server what comes after the host, without the first slash."""
    hosts: str = ""
    """`HOST:PORT`, for some servers several with commas; '' where there is no server."""
    base: str = BASE
    options: Mapping[str, str] = field(default_factory=dict)
    """All else that comes after the question mark."""
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    timeout: float = TIMEOUT
    shown: str = ""
    """The URL without user and password."""

    @classmethod
    def of(cls, url: str, environment: Mapping[str, str] | None = None) -> StoreAddress:
        """Take the URL of a base on a server apart; its user and password come before those of
        `MEDWEAVE_STORE_USER` and `MEDWEAVE_STORE_PASSWORD`.

        Raises `StoreError` for one that cannot be, without showing any password in it, and
        `ConfigurationError` for a time that is none.
        """
        scheme, _, rest = url.partition("://")
        held = os.environ if environment is None else environment
        login, _, place = rest.rpartition("@")
        scheme, shown = scheme.lower(), f"{scheme}://{place}"
        if re.search(r"[/?#\\\s]", login):
            raise StoreError(
                "the user or password in this URL cannot be read",
                where=shown,
                remedy="percent-encode what is not a letter or digit, such as %2F for /",
            )
        user, _, password = login.partition(":")
        address = cls._at(scheme, place, shown)
        return replace(
            address,
            user=unquote(user) or held.get("MEDWEAVE_STORE_USER", ""),
            password=unquote(password) or held.get("MEDWEAVE_STORE_PASSWORD", ""),
            timeout=_seconds(held.get("MEDWEAVE_STORE_TIMEOUT", "")),
        )

    @classmethod
    def on_this_machine(cls, scheme: str, path: str) -> StoreAddress:
        """A path after its scheme. Raises `StoreError` for a wrong name of a base.

        >>> StoreAddress.on_this_machine("rdf", "graphs/clinic?base=kidney").base
        'kidney'
        """
        shown = f"{scheme}:{path}"
        folder, asks, base = path.rpartition("?base=")
        if scheme != "rdf" or not asks:
            return cls(scheme, path, shown=shown)
        return cls(scheme, folder, base=_base(base, shown), shown=shown)

    @classmethod
    def _at(cls, scheme: str, place: str, shown: str) -> StoreAddress:
        try:
            parts = urlsplit(f"//{place}")
            options = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=True))
        except ValueError as error:
            raise _wrong(shown, str(error)) from error
        base = _base(options.pop("base", BASE), shown)
        if not parts.netloc:
            raise _wrong(shown, "no host is named")
        path = unquote(parts.path.removeprefix("/"))
        return cls(scheme, path, parts.netloc, base, options, shown=shown)

    @property
    def host(self) -> str:
        """The one host. Raises `StoreError` where there are several."""
        return self._one_host()[0]

    @property
    def port(self) -> int | None:
        """The port of the one host, if it is said. Raises `StoreError` where it is no number."""
        return self._one_host()[1]

    def _one_host(self) -> tuple[str, int | None]:
        try:
            parts = urlsplit(f"//{self.hosts}")
            return parts.hostname or "", parts.port
        except ValueError as error:
            raise _wrong(self.shown, str(error)) from error

    def only_options(self, *known: str) -> Mapping[str, str]:
        """The options. Raises `StoreError` for one that is not among those that are known."""
        for name in self.options:
            if name not in known:
                raise StoreError(
                    f"there is no option {name!r} here",
                    where=self.shown,
                    remedy=f"use {', '.join(('base', *known))}",
                )
        return self.options

    def __str__(self) -> str:
        return self.shown


def _base(name: str, shown: str) -> str:
    if not _NAME.fullmatch(name):
        raise StoreError(
            "this is no name of a base",
            where=shown,
            remedy="use at most 32 letters, digits and _ after ?base=",
        )
    return name


def _wrong(shown: str, why: str) -> StoreError:
    remedy = "write it as SCHEME://HOST:PORT/NAME"
    return StoreError(f"this URL cannot be read: {why}", where=shown, remedy=remedy)


def _seconds(said: str) -> float:
    if not said:
        return TIMEOUT
    try:
        seconds = float(said)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise ConfigurationError(
            f"{said!r} is no number of seconds",
            where="MEDWEAVE_STORE_TIMEOUT",
            remedy="write a number above 0",
        )
    return seconds
