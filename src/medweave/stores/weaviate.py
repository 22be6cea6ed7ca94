"""Vectors in Weaviate, as objects that say since when and until when they hold.

A row is as in `versioned.rows`, and is seen by who reads at its stamp. Texts are looked for by
their numbers, since an index of texts drops spaces; and what a row says lies in one property that
no index touches. Vectors are compared by their product in a flat index, which looks at all of them.
"""

from __future__ import annotations

import json
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import grpc  # type: ignore[import-untyped]
import httpx
import weaviate
from weaviate.classes.config import Configure, DataType, Property, Tokenization, VectorDistances
from weaviate.classes.data import DataObject
from weaviate.classes.init import AdditionalConfig, Auth, Timeout
from weaviate.classes.query import Filter, MetadataQuery
from weaviate.exceptions import (
    AuthenticationFailedError,
    InsufficientPermissionsError,
    UnexpectedStatusCodeError,
    WeaviateBaseError,
    WeaviateConnectionError,
    WeaviateGRPCUnavailableError,
    WeaviateStartUpError,
    WeaviateTimeoutError,
)
from weaviate.util import generate_uuid5

from medweave.errors import (
    MedweaveError,
    StoreAccessError,
    StoreError,
    StoreUnreachableError,
)
from medweave.model.batches import batches
from medweave.model.identifiers import digest
from medweave.stores.address import BASE, StoreAddress
from medweave.stores.deadline import Deadline

FOREVER = (1 << 53) - 1
"""The `until` of a row that nothing ended; a larger number would be bent to a float."""
_PAGE = 2000
"""So many objects are read in one turn."""
_WRITTEN = 500
"""So many objects are written in one turn."""
_NEAREST = 8000
"""So many of the nearest a server gives at most; it gives no list of more than 10,000."""
_SLACK = 1e-5
"""How far a product that the server computed may be from the exact one."""
_NUMBERS = ("n", "space_n", "key_n", "concept_n", "document_n")
_TRIES = 2
_UNAVAILABLE = frozenset({"UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"})
_REFUSED = (401, 403)
_T = TypeVar("_T")

VectorRow = dict[str, Any]
"""What a vector stands for: texts and numbers by field, and `vector`, its bytes."""
Where = Mapping[str, Sequence[int]]
"""For each numbered field the numbers it may have; all must fit."""


class Weaviate:
    """A server, and the names of the collections of one base on it."""

    def __init__(self, address: StoreAddress) -> None:
        self.where = str(address)
        """The server, as it is shown."""
        options = address.only_options("grpc", "tls")
        secure = options.get("tls") == "true"
        self._prefix = _prefix(address.base)
        port = address.port or (443 if secure else 8080)
        self._client = self._errors(
            lambda: weaviate.WeaviateClient(
                connection_params=weaviate.connect.ConnectionParams.from_params(
                    http_host=address.host,
                    http_port=port,
                    http_secure=secure,
                    grpc_host=address.host,
                    grpc_port=_port(options.get("grpc", "50051"), self.where),
                    grpc_secure=secure,
                ),
                auth_client_secret=Auth.api_key(address.password) if address.password else None,
                additional_config=AdditionalConfig(
                    timeout=Timeout(
                        init=address.timeout, query=address.timeout, insert=address.timeout
                    )
                ),
                skip_init_checks=True,  # they ask the index of packages for a newer client
            )
        )
        self._deadline = Deadline(address.timeout)
        self._known: dict[str, Any] = {}

    def name(self, kind: str) -> str:
        """What a collection of this base is called."""
        return f"{self._prefix}{kind}"

    def collection(self, kind: str) -> Any | None:
        """A collection of this base; None where it is not there."""
        if kind not in self._known:
            name = self.name(kind)
            if not self.ask(lambda client: client.collections.exists(name)):
                return None
            self._known[kind] = self.ask(lambda client: client.collections.get(name))
        return self._known[kind]

    def make(self, kind: str, **how: Any) -> Any:
        """A collection of this base, made where it is not there."""
        held = self.collection(kind)
        if held is None:
            self.ask(lambda client: client.collections.create(self.name(kind), **how))
            held = self.collection(kind)
        return held

    def insert(self, kind: str, objects: Iterable[DataObject[Any, Any]]) -> None:
        """Keep objects; each takes the place of one with its uuid."""
        held = self.collection(kind)
        if held is None:
            raise self._failed(f"there is no collection {self.name(kind)}")
        for part in batches(objects, _WRITTEN):
            done = self.call(held.data.insert_many, part)
            if done.has_errors:
                first = next(iter(done.errors.values()))
                raise self._failed(first.message)

    def delete(self, kind: str, which: Any) -> None:
        """Take objects out, however many they are."""
        held = self.collection(kind)
        if held is None:
            return
        while True:
            done = self.ask(lambda _: held.data.delete_many(where=which))
            if done.failed:
                raise self._failed("objects were not deleted")
            if not done.matches:
                return

    def server(self) -> str:
        """The version of the server."""
        return str(self.ask(lambda client: client.get_meta())["version"])

    def close(self) -> None:
        """Let go of connections."""
        self._client.close()

    def ask(self, work: Callable[[Any], _T]) -> _T:
        """Do something with the client; where the connection was gone, once more.

        The client itself tries for longer than anybody waits. It is closed then, so that nothing is
        written when nobody expects it any more.
        """

        def connected() -> _T:
            if not self._client.is_connected():
                self._client.connect()
            return work(self._client)

        try:
            return self._errors(lambda: self._deadline.of(lambda: _twice(connected)))
        except StoreUnreachableError:
            self._client.close()
            raise

    def call(self, method: Callable[..., Any], *words: Any, **how: Any) -> Any:
        """What a method of the client gives; see `ask`."""
        return self.ask(lambda _: method(*words, **how))

    def _errors(self, work: Callable[[], _T]) -> _T:
        """Errors of the client, as errors a user can act on; none shows a value or a key."""
        try:
            return work()
        except (WeaviateBaseError, httpx.HTTPError, grpc.RpcError, OSError, ValueError) as error:
            raise self._error(error) from None

    def _error(self, error: Exception) -> MedweaveError:
        if isinstance(error, (AuthenticationFailedError, InsufficientPermissionsError)) or (
            isinstance(error, UnexpectedStatusCodeError) and error.status_code in _REFUSED
        ):
            return StoreAccessError(
                "Weaviate refuses it",
                where=self.where,
                remedy="check MEDWEAVE_VECTORS_KEY, and its rights",
            )
        if _is_away(error):
            return StoreUnreachableError(
                f"Weaviate does not answer ({type(error).__name__})",
                where=self.where,
                remedy="see that it runs at this address and ?grpc=PORT, and try again",
            )
        return self._failed(type(error).__name__)

    def _failed(self, why: str) -> StoreError:
        return StoreError(f"Weaviate failed ({why[:120]})", where=self.where, remedy="see its log")


class WeaviateVectorRows:
    """The rows of vectors of one base. All but `since` and `until` is written once."""

    def __init__(self, server: Weaviate) -> None:
        self._server = server

    def make(self, dimension: int) -> None:
        """Make what vectors of so many numbers need."""
        numbers = [_plain(name, filtered=True) for name in _NUMBERS]
        stamps = [
            Property(name=name, data_type=DataType.INT, index_range_filters=True)
            for name in ("since", "until")
        ]
        self._server.make(
            _kind(dimension),
            properties=[*numbers, *stamps, _plain("content")],
            vector_config=Configure.Vectors.self_provided(
                vector_index_config=Configure.VectorIndex.flat(
                    distance_metric=VectorDistances.DOT  # as it is; by its cosine it is rescaled
                )
            ),
        )

    def insert(self, dimension: int, rows: Iterable[VectorRow]) -> None:
        """Keep rows; each has `n` and `since`, and replaces one that has both the same."""
        self._server.insert(_kind(dimension), map(_object_of, rows))

    def end(self, dimension: int, rows: Sequence[VectorRow], stamp: int) -> None:
        """Rows that were found whole hold no more; those `since` just then go."""
        ended = [{**row, "until": stamp} for row in rows if row["since"] < stamp]
        self.insert(dimension, ended)
        for part in batches((row["n"] for row in rows if row["since"] == stamp), _WRITTEN):
            of_part = Filter.by_property("n").contains_any(_texts(part))
            since = Filter.by_property("since").equal(stamp)
            self._server.delete(_kind(dimension), of_part & since)

    def undo(self, dimension: int, stamp: int) -> None:
        """Take back all that was written and ended from a stamp on."""
        self._server.delete(_kind(dimension), Filter.by_property("since").greater_or_equal(stamp))
        until = Filter.by_property("until")
        which = until.greater_or_equal(stamp) & until.less_than(FOREVER)
        while rows := self._page(dimension, which):
            self.insert(dimension, [{**row, "until": FOREVER} for row in rows])

    def forget(self, dimension: int, stamp: int) -> None:
        """Take out for good what ended before a stamp."""
        self._server.delete(_kind(dimension), Filter.by_property("until").less_than(stamp))

    def find(
        self, dimension: int, where: Where, at: int, *, first: int | None = None
    ) -> Iterator[VectorRow]:
        """All rows that fit and hold at a stamp, or the `first` of them, in any order."""
        if first is not None:
            yield from self._page(dimension, _fits(where, at), first)
            return
        names = list(where)
        longest = max(names, key=lambda name: len(where[name]), default="")
        for part in batches(where[longest], _WRITTEN) if longest else [[]]:
            some = {**where, longest: part} if longest else where
            page = self._page(dimension, _fits(some, at), _PAGE)
            if len(page) < _PAGE:
                yield from page
            else:  # a filtered list has an end: all are looked at
                yield from self._all(dimension, some, at)

    def _page(self, dimension: int, which: Any, first: int = _PAGE) -> list[VectorRow]:
        held = self._server.collection(_kind(dimension))
        if held is None:
            return []
        found = self._server.ask(
            lambda _: held.query.fetch_objects(filters=which, limit=first, include_vector=True)
        )
        return [_row_of(each) for each in found.objects]

    def _all(self, dimension: int, where: Where, at: int) -> Iterator[VectorRow]:
        held, among = self._server.collection(_kind(dimension)), _sets(where)
        after = None
        while held is not None:
            found = self._server.call(
                held.query.fetch_objects, limit=_PAGE, after=after, include_vector=True
            ).objects
            for each in found:
                held_at = each.properties["since"] < at <= each.properties["until"]
                if held_at and all(each.properties[name] in among[name] for name in among):
                    yield _row_of(each)
            if len(found) < _PAGE:
                return
            after = found[-1].uuid

    def nearest(
        self, dimension: int, query: Sequence[float], where: Where, at: int, count: int
    ) -> tuple[list[VectorRow], float] | None:
        """The `count` rows whose product with a vector is greatest, and a bound on that of all
        others; None where the server gives no list as long as that."""
        if count > _NEAREST:
            return None
        held = self._server.collection(_kind(dimension))
        if held is None:
            return [], -2.0
        found = self._server.ask(
            lambda _: held.query.near_vector(
                near_vector=list(query),
                limit=count,
                filters=_fits(where, at),
                include_vector=True,
                return_metadata=MetadataQuery(distance=True),
            )
        ).objects
        left = -found[-1].metadata.distance + _SLACK if len(found) == count else -2.0
        return [_row_of(each) for each in found], left


def plain_text(name: str) -> Property:
    """A property that is a text as it is, and is not looked for."""
    return _plain(name)


def _plain(name: str, *, filtered: bool = False) -> Property:
    return Property(
        name=name,
        data_type=DataType.TEXT,
        index_filterable=filtered,
        index_searchable=False,
        tokenization=Tokenization.FIELD,
    )


def _prefix(base: str) -> str:
    """What the names of the collections of a base begin with.

    A server wants a capital first, and takes no two names that differ in capitals alone.

    >>> _prefix("medweave"), _prefix("kidney"), _prefix("Kidney")
    ('', 'Kidney', 'Kidney_bf13d19d')
    """
    if base == BASE:
        return ""
    begun = base if base[0].isalpha() else f"B{base}"
    plain = begun == base.lower()
    return f"{begun[0].upper()}{begun[1:]}{'' if plain else '_' + digest(base, 4)}"


def _port(said: str, where: str) -> int:
    if said.isdigit() and 0 < int(said) < 1 << 16:
        return int(said)
    raise StoreError(f"{said!r} is no port", where=where, remedy="write ?grpc=50051")


def _kind(dimension: int) -> str:
    return f"Vector{dimension}"


def _object_of(row: VectorRow) -> DataObject[Any, Any]:
    apart = {"vector", "since", "until", *_NUMBERS}
    content = {name: value for name, value in row.items() if name not in apart}
    return DataObject(
        uuid=generate_uuid5(f"{row['n']} {row['since']}"),
        vector=array("f", row["vector"]).tolist(),
        properties={
            **{name: f"{row[name]:x}" for name in _NUMBERS},
            "since": row["since"],
            "until": row.get("until", FOREVER),
            "content": json.dumps(content),
        },
    )


def _row_of(found: Any) -> VectorRow:
    held = found.properties
    [vector] = found.vector.values()
    return {
        **{name: int(held[name], 16) for name in _NUMBERS},
        **json.loads(held["content"]),
        "since": int(held["since"]),
        "until": int(held["until"]),
        "vector": array("f", vector).tobytes(),
    }


def _fits(where: Where, at: int) -> Any:
    parts = [Filter.by_property(name).contains_any(_texts(has)) for name, has in where.items()]
    holds = [
        Filter.by_property("since").less_than(at),
        Filter.by_property("until").greater_or_equal(at),
    ]
    return Filter.all_of([*parts, *holds])


def _sets(where: Where) -> dict[str, frozenset[str]]:
    return {name: frozenset(_texts(has)) for name, has in where.items()}


def _texts(numbers: Iterable[int]) -> list[str]:
    return [f"{number:x}" for number in numbers]


def _twice(work: Callable[[], _T]) -> _T:
    """All that is asked may be done twice."""
    for left in range(_TRIES - 1, -1, -1):
        try:
            return work()
        except (WeaviateBaseError, httpx.HTTPError, grpc.RpcError, OSError) as error:
            if not left or not _is_away(error) or isinstance(error, WeaviateTimeoutError):
                raise
            time.sleep(0.1)
    raise AssertionError("the last try returns or raises")


def _is_away(error: BaseException) -> bool:
    """Whether there is nobody to answer, by an error or by what it came of."""
    kinds = (
        WeaviateConnectionError,
        WeaviateGRPCUnavailableError,
        WeaviateStartUpError,
        WeaviateTimeoutError,
        httpx.TransportError,
        OSError,
    )
    if isinstance(error, kinds):
        return True
    if isinstance(error, grpc.RpcError):
        return error.code().name in _UNAVAILABLE
    text = str(error)
    return any(code in text for code in _UNAVAILABLE)
