"""A base in MongoDB 5 or later, as documents of a few collections.

It needs no transactions over several documents, which a server that stands alone does not have, and
no `$text`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pymongo import MongoClient, ReplaceOne
from pymongo.errors import (
    AutoReconnect,
    BulkWriteError,
    ConfigurationError,
    DuplicateKeyError,
    InvalidURI,
    NetworkTimeout,
    OperationFailure,
    PyMongoError,
    ServerSelectionTimeoutError,
)

from medweave.errors import StoreAccessError, StoreError, StoreUnreachableError
from medweave.model.batches import batches
from medweave.stores.address import StoreAddress
from medweave.stores.certificates import distrust, untrusted
from medweave.stores.versioned.rows import NUMBERED, Header, Row, Where
from medweave.stores.versioned.store import VersionedStore, opened

_CHUNK = 500
"""So many documents go in one message: a slow server has to answer each in time."""
_HEADER = "base"
_PORT = 27017
_NO_RIGHT = 13
_REFUSED = (_NO_RIGHT, 18, 8000)
"""The codes of errors that are about who may do what."""
_TRIES = 2
_Document = dict[str, Any]


def open_store(address: StoreAddress, *, create: bool, **_: object) -> VersionedStore:
    """See `stores.registry.Opener`."""
    return opened(MongoRows(address), str(address), create=create)


class MongoRows:
    """See `Rows`: a document for each row, in a collection for each kind, `NAME.KIND`."""

    def __init__(self, address: StoreAddress) -> None:
        self._where = str(address)
        self._base = address.base
        options = address.only_options("tls", "replicaSet", "authSource")
        self._hosts = address.hosts
        self._checked = options.get("tls") == "true"
        """Whether the certificate of the server is to be trusted."""
        milliseconds = int(address.timeout * 1000)
        with self._errors():
            self._client: MongoClient[_Document] = MongoClient(
                f"{address.scheme}://{address.hosts}/",
                username=address.user or None,
                password=address.password or None,
                serverSelectionTimeoutMS=milliseconds,
                connectTimeoutMS=milliseconds,
                socketTimeoutMS=milliseconds,
                waitQueueTimeoutMS=milliseconds,
                # A read or write that finds its connection gone is tried again by ourselves: the
                # driver's own way needs a replica set.
                retryWrites=False,
                retryReads=False,
                appname="medweave",
                **_options(options),
            )
            self._database = self._client[address.path or "medweave"]

    def _of(self, kind: str) -> Any:
        return self._database[f"{self._base}.{kind}"]

    # the header

    def header(self) -> Header | None:
        held = self._try(lambda: self._of(_HEADER).find_one({"_id": _HEADER}))
        return None if held is None else {name: held[name] for name in held if name != "_id"}

    def swap(self, before: Header | None, after: Header) -> bool:
        whole = {"_id": _HEADER, **after}
        if before is None:
            self._make_indexes()
            try:
                self._try(lambda: self._of(_HEADER).insert_one(dict(whole)))
            except _TakenError:
                return self.header() == after
            return True
        turns = {"_id": _HEADER, "turn": {"$in": [before["turn"], after["turn"]]}}
        done = self._try(lambda: self._of(_HEADER).replace_one(turns, whole))
        return bool(done.matched_count)

    def _make_indexes(self) -> None:
        for kind, fields in NUMBERED.items():
            more = ("since", "until") if kind == "evidence" else ("until",)
            for field in (*fields, *more):
                self._try(lambda kind=kind, field=field: self._of(kind).create_index(field))

    # rows

    def insert(self, rows: Mapping[str, Sequence[Row]]) -> None:
        for kind, of_kind in rows.items():
            self._insert(kind, of_kind)

    def _insert(self, kind: str, rows: Sequence[Row]) -> None:
        for some in batches(rows, _CHUNK):
            part = [{"_id": _key(row), **row} for row in some]
            try:
                self._try(lambda part=part: self._of(kind).insert_many(part, ordered=False))
            except _TakenError:  # a try before this one had done some of its work
                puts = [ReplaceOne({"_id": row["_id"]}, row, upsert=True) for row in part]
                self._try(lambda puts=puts: self._of(kind).bulk_write(puts, ordered=False))

    def end(self, kind: str, numbers: Sequence[int], stamp: int) -> None:
        for part in batches(numbers, _CHUNK):
            held = {"n": {"$in": part}, "until": None}
            new, old = {**held, "since": stamp}, {**held, "since": {"$lt": stamp}}
            ended = {"$set": {"until": stamp}}
            self._try(lambda new=new: self._of(kind).delete_many(new))
            self._try(lambda old=old, ended=ended: self._of(kind).update_many(old, ended))

    def undo(self, kind: str, stamp: int) -> None:
        later, undone = {"$gte": stamp}, {"$unset": {"until": ""}}
        self._try(lambda: self._of(kind).delete_many({"since": later}))
        self._try(lambda: self._of(kind).update_many({"until": later}, undone))

    def forget(self, kind: str, stamp: int) -> None:
        self._try(lambda: self._of(kind).delete_many({"until": {"$lt": stamp}}))

    def find(
        self,
        kind: str,
        where: Where,
        at: int,
        fields: Sequence[str],
        *,
        first: int | None = None,
    ) -> Iterable[Row]:
        shown = {"_id": False, **dict.fromkeys(fields, True)}

        def read() -> list[Row]:
            found = self._of(kind).find(_fits(where, at), shown)
            return list(found if first is None else found.sort("n").limit(first))

        yield from self._try(read)

    def tally(self, kind: str, field: str, where: Where, at: int) -> dict[Any, int]:
        steps = [
            {"$match": _fits(where, at)},
            {"$group": {"_id": f"${field}", "count": {"$sum": 1}}},
        ]
        found = self._try(lambda: list(self._of(kind).aggregate(steps)))
        return {row["_id"]: row["count"] for row in found}

    def changed(self, stamp: int) -> set[int]:
        later = {"$gte": stamp}
        which = {"$or": [{"since": later}, {"until": later}]}
        found = self._try(lambda: list(self._of("evidence").find(which, {"statement_n": True})))
        return {row["statement_n"] for row in found}

    # the server

    def server(self) -> str:
        return str(self._try(self._client.server_info)["version"])

    def close(self) -> None:
        self._client.close()

    def _try(self, work: Any) -> Any:
        """Do something; where its connection is gone, once more. Whoever waited for a server in
        vain does not wait again."""
        with self._errors():
            for _ in range(_TRIES - 1):
                try:
                    return work()
                except (NetworkTimeout, ServerSelectionTimeoutError):
                    raise
                except AutoReconnect:
                    continue
            return work()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Errors of the driver, as errors a user can act on; none shows a value or a password."""
        try:
            yield
        except DuplicateKeyError as error:
            raise _TakenError("this is there already", where=self._where) from error
        except BulkWriteError as error:
            raise self._refused_in_bulk(error) from error
        except OperationFailure as error:
            raise self._refused(error) from error
        except (ConfigurationError, InvalidURI) as error:
            raise StoreError(
                "this URL cannot be used with MongoDB",
                where=self._where,
                remedy="write it as mongodb://HOST:PORT/DATABASE",
            ) from error
        except PyMongoError as error:
            if self._checked and (why := distrust(self._hosts, _PORT)):
                raise untrusted(why, self._where) from error
            raise StoreUnreachableError(
                f"MongoDB does not answer ({type(error).__name__})",
                where=self._where,
                remedy="see that it runs at this address, and try again",
            ) from error

    def _refused_in_bulk(self, error: BulkWriteError) -> StoreError:
        codes = {each["code"] for each in (error.details or {}).get("writeErrors", ())}
        if codes and codes <= {11000}:
            return _TakenError("this is there already", where=self._where)
        return StoreError(
            f"MongoDB failed (codes {sorted(codes)})", where=self._where, remedy="see its log"
        )

    def _refused(self, error: OperationFailure) -> StoreError:
        if error.code in _REFUSED:
            what = "a right is missing" if error.code == _NO_RIGHT else "the login is refused"
            return StoreAccessError(
                f"{what} (code {error.code})",
                where=self._where,
                remedy="check MEDWEAVE_STORE_USER and MEDWEAVE_STORE_PASSWORD, and its rights",
            )
        return StoreError(
            f"MongoDB failed (code {error.code})", where=self._where, remedy="see its log"
        )


class _TakenError(StoreError):
    """A document with the same key is there already."""


def _options(given: Any) -> dict[str, Any]:
    return {name: value == "true" if name == "tls" else value for name, value in given.items()}


def _key(row: Row) -> str:
    return f"{row['n']:016x}.{row['since']:x}"


def _fits(where: Where, at: int) -> _Document:
    numbers = {field: {"$in": list(has)} for field, has in where.items()}
    return {**numbers, "since": {"$lt": at}, "$or": [{"until": None}, {"until": {"$gte": at}}]}
