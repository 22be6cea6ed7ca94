"""A base in a store of RDF: RDF4J, GraphDB or Fuseki over HTTP, or a folder of this machine."""

from __future__ import annotations

from medweave.model.vectors import VectorSearch
from medweave.stores.address import StoreAddress
from medweave.stores.sparql.client import HttpSparql
from medweave.stores.sparql.disk import DiskSparql
from medweave.stores.sparql.rows import SparqlRows
from medweave.stores.versioned.store import VersionedStore, opened


def open_store(
    address: StoreAddress,
    *,
    create: bool,
    read_only: bool,
    search: VectorSearch,  # noqa: ARG001
) -> VersionedStore:
    """See `stores.registry.Opener`."""
    on_disk = address.scheme == "rdf"
    service = DiskSparql(address, read_only=read_only) if on_disk else HttpSparql(address)
    return opened(SparqlRows(service, address.base), str(address), create=create)
