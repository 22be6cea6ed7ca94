"""A server of Weaviate: its collections of one base, within a time and with errors of ours."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import grpc  # type: ignore[import-untyped]
import httpx
import weaviate
from weaviate.classes.config import DataType, Property, Tokenization
from weaviate.classes.data import DataObject
from weaviate.classes.init import AdditionalConfig, Auth, Timeout
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

PAGE = 2000
"""So many objects are read in one turn."""
WRITTEN = 500
"""So many objects are written in one turn."""
_OURS = "made by medweave"
"""How a collection is described, by which it is told from one of others."""
_TRIES = 2
_UNAVAILABLE = frozenset({"UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"})
_REFUSED = (401, 403)
_T = TypeVar("_T")


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
        self._ours: set[str] = set()
        """Collections of which it is known that medweave made them."""

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

    def make(self, kind: str, **how: Any) -> None:
        """Make a collection of this base where it is not there. Raises `StoreError` where there is
        one of somebody else that is called so."""
        self.refuse_foreign(kind)
        if self.collection(kind) is None:
            name = self.name(kind)
            self.ask(lambda client: client.collections.create(name, description=_OURS, **how))

    def refuse_foreign(self, *kinds: str) -> None:
        """Raises `StoreError` where a collection is called so that medweave did not make."""
        for kind in kinds:
            held = None if kind in self._ours else self.collection(kind)
            if held is None:
                continue
            if self.call(held.config.get).description != _OURS:
                raise StoreError(
                    f"there is a collection {self.name(kind)} of others already",
                    where=self.where,
                    remedy="name a base with ?base=NAME",
                )
            self._ours.add(kind)

    def objects(self, kind: str, **how: Any) -> Iterator[Any]:
        """All objects of a collection, a page in a turn; none where it is not there."""
        held, after = self.collection(kind), None
        while held is not None:
            found = self.call(held.query.fetch_objects, limit=PAGE, after=after, **how).objects
            yield from found
            if len(found) < PAGE:
                return
            after = found[-1].uuid

    def insert(self, kind: str, objects: Iterable[DataObject[Any, Any]]) -> None:
        """Keep objects; each takes the place of one with its uuid."""
        held = self.collection(kind)
        if held is None:
            raise self._failed(f"there is no collection {self.name(kind)}")
        for part in batches(objects, WRITTEN):
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
            done = self.call(held.data.delete_many, where=which)
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


def plain_text(name: str, *, filtered: bool = False) -> Property:
    """A property that is a text as it is, and is looked for as a whole, or not at all."""
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
