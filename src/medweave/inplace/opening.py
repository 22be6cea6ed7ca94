"""Opening a database in place, by its URL and a mapping."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from medweave.errors import StoreError
from medweave.inplace.mapping import DatabaseMapping
from medweave.inplace.names import CachedNames
from medweave.inplace.reading import RowReader
from medweave.inplace.rows import ForeignRows
from medweave.inplace.store import MappedStore
from medweave.model.identifiers import digest
from medweave.sources.names import Naming
from medweave.stores.address import StoreAddress

_VERSION = "1"
"""Raise it when the same rows are read into other names."""


def foreign_rows(address: StoreAddress) -> ForeignRows:
    """The database at an address, as it may be asked in place.

    Raises `StoreError` where medweave cannot read such a database in place.
    """
    opened = _OPENERS.get(address.scheme.partition("+")[0])
    if opened is None:
        raise StoreError(
            f"a database of '{address.scheme}' cannot be asked in place",
            where=str(address),
            remedy=f"use one of {', '.join(_OPENERS)}",
        )
    return opened(address)


def open_in_place(
    address: StoreAddress, mapping: DatabaseMapping, naming: Naming, cache: Path
) -> MappedStore:
    """The database at an address as a store. `cache` is the folder for the index of its names.

    Raises `MappingError` where the mapping names what is not there.
    """
    rows = foreign_rows(address)
    try:
        rows.check(mapping.parts)
        readers = [RowReader(part, str(address), naming) for part in mapping.parts]
        words = (naming.vocabulary.version, naming.lexicon.version)
        place = Path(address.path).resolve() if address.scheme == "sqlite" else address
        identity = digest([str(place), address.user, mapping.version, *words, _VERSION])
        names = CachedNames(cache / f"{identity}.db", rows, mapping, readers)
    except BaseException:
        rows.close()
        raise
    return MappedStore(
        rows, mapping, readers, names, naming=naming, identity=identity, where=str(address)
    )


def _sqlite(address: StoreAddress) -> ForeignRows:
    from medweave.inplace.sqlite_tables import SqliteTables

    return SqliteTables(Path(address.path))


def _mysql(address: StoreAddress) -> ForeignRows:
    from medweave.inplace.mysql_tables import MysqlTables
    from medweave.stores.mysql import MysqlRows

    return MysqlTables(MysqlRows(address))


def _neo4j(address: StoreAddress) -> ForeignRows:
    from medweave.inplace.graph import Neo4jGraph

    return Neo4jGraph(address)


def _mongodb(address: StoreAddress) -> ForeignRows:
    from medweave.inplace.documents import MongoDocuments

    return MongoDocuments(address)


def _sparql(address: StoreAddress) -> ForeignRows:
    from medweave.inplace.rdf import RdfGraph
    from medweave.stores.sparql.client import HttpSparql

    return RdfGraph(HttpSparql(address))


_OPENERS: dict[str, Callable[[StoreAddress], ForeignRows]] = {
    "sqlite": _sqlite,
    "mysql": _mysql,
    "neo4j": _neo4j,
    "bolt": _neo4j,
    "mongodb": _mongodb,
    "sparql": _sparql,
}
"""By scheme, without what follows a plus."""
