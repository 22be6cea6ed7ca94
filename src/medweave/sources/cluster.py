"""A dask cluster as the place where extraction happens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from medweave.errors import ConfigurationError

_PATIENCE = 10
"""Seconds in which a scheduler must answer."""


@contextmanager
def cluster(address: str) -> Iterator[None]:
    """Use the dask scheduler at `address` ("tcp://host:8786") while this is open.

    The workers need medweave installed in the same version. Raises `ConfigurationError`.
    """
    try:
        from distributed import Client
        from joblib import parallel_config
    except ImportError as error:
        raise ConfigurationError(
            "a cluster needs dask", remedy="pip install 'medweave[cluster]'"
        ) from error
    try:
        client = Client(address, timeout=_PATIENCE)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"no dask scheduler answers ({error})",
            where=address,
            remedy="start one with `dask scheduler`, and workers with `dask worker ADDRESS`",
        ) from error
    with client, parallel_config(backend="dask"):
        yield
