"""Addresses of endpoints, as settings name them."""

from __future__ import annotations

from urllib.parse import urlsplit

from medweave.errors import ConfigurationError


def address(url: str, where: str, key_variable: str) -> str:
    """An address without a key in it; keys come from the environment alone.

    `where` is the setting that has it. Raises `ConfigurationError`.

    >>> address("http://localhost:8000/v1/", "model", "MEDWEAVE_MODEL_KEY")
    'http://localhost:8000/v1'
    """
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigurationError(
            "the address of this endpoint cannot be used",
            where=where,
            remedy="give http://HOST:PORT/v1 or https://HOST/v1",
        )
    if parts.username is not None or parts.query:
        raise ConfigurationError(
            "the address of this endpoint has a key in it",
            where=where,
            remedy=f"take it out, and give it as the variable {key_variable}",
        )
    return url.rstrip("/")
