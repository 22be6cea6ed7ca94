"""What opens a base, by the beginning of its URL. Nothing is imported until it is used."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from types import ModuleType
from typing import cast

from medweave.errors import ConfigurationError, StoreError
from medweave.ports import GraphStore
from medweave.stores.address import StoreAddress

Opener = Callable[..., GraphStore]
"""`open_store(address, *, create, read_only, search)` of an adapter. Who may only read, and how
vectors are searched, may be its server's affair.

It raises `NotFoundError` where there is no base and `create` is False, and makes nothing on a
server before something is written; `StoreUnreachableError`, `StoreAccessError`, `StoreError`.
"""


@dataclass(frozen=True, slots=True)
class Adapter:
    """How one kind of store is opened."""

    kind: str
    """What the store is called where it is shown."""
    module: str
    """Below `medweave.stores`; it has a function `open_store`, and imports its driver."""
    extra: str = ""
    """What of medweave is to be installed for it."""
    local: bool = False
    """Whether a path on this machine comes after the scheme, and no server."""


ADAPTERS: Mapping[str, Adapter] = {
    "sqlite": Adapter("sqlite", "sqlite.store", local=True),
    "memory": Adapter("memory", "memory", local=True),
    **dict.fromkeys(
        ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"),
        Adapter("neo4j", "neo4j", extra="neo4j"),
    ),
    **dict.fromkeys(("mongodb", "mongodb+srv"), Adapter("mongodb", "mongodb", extra="mongodb")),
    "mysql": Adapter("mysql", "mysql", extra="mysql"),
    **dict.fromkeys(("sparql+http", "sparql+https"), Adapter("sparql", "sparql.rows")),
    "rdf": Adapter("rdf", "sparql.rows", local=True),
}
"""All there are, by scheme. A bare path is one of `sqlite`."""
VECTORS = Adapter("weaviate", "weaviate.store", extra="weaviate")
"""What keeps the vectors of a base beside its store."""


def address_of(url: str) -> StoreAddress:
    """A URL taken apart. Raises `StoreError` where there is no adapter for it.

    >>> address_of("kidney.db").scheme, address_of("sqlite:kidney.db").path
    ('sqlite', 'kidney.db')
    """
    scheme, colon, rest = url.partition(":")
    adapter = ADAPTERS.get(scheme.lower()) if colon else None
    if adapter and adapter.local:
        return StoreAddress.on_this_machine(scheme.lower(), rest)
    if not (adapter or "://" in url):
        return StoreAddress("sqlite", url, shown=url)
    if not (adapter and rest.startswith("//")):
        place = url.rpartition("@")[2] if "@" in url else url
        if scheme.lower() == VECTORS.kind:
            raise StoreError(
                "Weaviate keeps the vectors of a base, not the base itself",
                where=place,
                remedy="name a base by --kb, and this by --vectors",
            )
        raise StoreError(
            f"there is no adapter for '{scheme}'" if not adapter else "this URL has no //",
            where=place,
            remedy=f"use one of {', '.join(map(_beginning, ADAPTERS))}",
        )
    return StoreAddress.of(url)


def adapter_of(address: StoreAddress) -> Adapter:
    """What opens a base that `address_of` found."""
    return ADAPTERS[address.scheme]


def opener_of(address: StoreAddress) -> Opener:
    """`open_store` of the adapter. Raises `ConfigurationError` where its driver is missing."""
    return cast("Opener", _module_of(adapter_of(address), address).open_store)


def beside(
    store: GraphStore, url: str, *, read_only: bool, timeout: float | None = None
) -> GraphStore:
    """A store whose vectors are at the URL of a server. What the base itself logs in with is not
    sent there.

    Raises `StoreError` where the URL is of another kind, or the vectors there of another base, and
    `ConfigurationError` where the driver is missing.
    """
    held = {
        "MEDWEAVE_STORE_PASSWORD": os.environ.get("MEDWEAVE_VECTORS_KEY", ""),
        "MEDWEAVE_STORE_TIMEOUT": os.environ.get("MEDWEAVE_STORE_TIMEOUT", ""),
    }
    address = StoreAddress.of(url, held) if "://" in url else StoreAddress("", url, shown=url)
    if timeout is not None:
        address = replace(address, timeout=timeout)
    if address.scheme != VECTORS.kind:
        raise StoreError(
            "vectors cannot be kept there",
            where=str(address),
            remedy=f"write {VECTORS.kind}://HOST:PORT?grpc=PORT",
        )
    opened = _module_of(VECTORS, address).beside
    return cast("GraphStore", opened(store, address, read_only=read_only))


def _module_of(adapter: Adapter, address: StoreAddress) -> ModuleType:
    try:
        return import_module(f"medweave.stores.{adapter.module}")
    except ModuleNotFoundError as error:
        if not adapter.extra or (error.name or "").startswith("medweave"):
            raise
        raise ConfigurationError(
            f"{adapter.kind} needs the package {error.name}, which is not installed",
            where=str(address),
            remedy=f"pip install 'medweave[{adapter.extra}]'",
        ) from error


def _beginning(scheme: str) -> str:
    return f"{scheme}:" if ADAPTERS[scheme].local else f"{scheme}://"
