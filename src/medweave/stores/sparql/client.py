"""Queries and updates of SPARQL 1.1, sent to a server over HTTP."""

from __future__ import annotations

import json
import re
import ssl
import threading
from base64 import b64encode
from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection, IncompleteRead
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Protocol
from urllib.parse import quote, urljoin

from medweave.errors import NotFoundError, StoreAccessError, StoreError, StoreUnreachableError
from medweave.stores.address import StoreAddress
from medweave.stores.certificates import untrusted
from medweave.stores.sparql.terms import Term

Solution = Mapping[str, Term]
"""The terms that fit, by the names of their variables; what is not bound is left out."""
_RESULTS = "application/sparql-results+json"
_PIECE = 1 << 16
_OF_RDF4J, _OF_OTHERS = 1 << 19, 1 << 24
"""Characters that are sent at once: RDF4J takes less time for little at a time; others (Fuseki)
write pages of every index anew for each thing that is sent."""
_MUCH = 1 << 20
"""For each so many bytes that a server is sent it may take as long again as for anything else."""
_IN_MEMORY = 8 << 20
"""Larger results are kept in a file meanwhile: a connection that drops is tried again before
anybody has seen half of one."""
_TRIES = 2
_FIRST = re.compile(r"GRAPH (\S+) { (\S+) (\S+) ")
"""The graph, subject and property of the first triple of some blocks."""
_REFUSED = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
_AWAY = (
    *(HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS),
    *(HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT),
)
_DROPPED = (
    *(ConnectionResetError, ConnectionAbortedError, BrokenPipeError),
    *(HTTPException, ssl.SSLEOFError),
)
_KINDS = {"uri": "iri", "bnode": "blank"}


class Sparql(Protocol):
    """What answers queries and does updates. Errors are `StoreError` and its kinds."""

    def query(self, text: str) -> Iterator[Solution]:
        """What a SELECT finds."""

    def update(self, text: str) -> None:
        """Do all operations of an update, or none."""

    def server(self) -> str:
        """What is known of its version; '' where it tells none."""

    def close(self) -> None:
        """Let go of connections."""


class FilledSparql(Sparql, Protocol):
    """One that takes much at a time, by a way of its own."""

    at_once: int
    """So many characters it is best given in one `insert`."""

    def insert(self, blocks: str) -> None:
        """Add all triples of some blocks `GRAPH <…> { … }`, or none."""


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The paths at which a server takes queries, updates, and quads as they are.

    >>> found = Endpoints.of(StoreAddress.of("sparql+http://h:7200/repositories/clinic", {}))
    >>> found.query, found.update
    ('/repositories/clinic', '/repositories/clinic/statements')
    >>> Endpoints.of(StoreAddress.of("sparql+http://h:3030/ds?query=sparql", {}))
    Endpoints(query='/ds/sparql', update='/ds/update', data='/ds/data', of_rdf4j=False)
    """

    query: str
    update: str
    data: str
    of_rdf4j: bool = False
    """Whether the server speaks as RDF4J does."""

    @classmethod
    def of(cls, address: StoreAddress) -> Endpoints:
        """Those of an address: what its options say, relative to its path, or what its kind of
        server has. Raises `StoreError` for an option that is none."""
        root = "/" + quote(address.path.strip("/"))
        of_rdf4j = "repositories" in root.split("/")
        given = address.only_options("query", "update", "data")
        usual = ("", "statements", "statements") if of_rdf4j else ("", "update", "data")
        names = ("query", "update", "data")
        found = {**dict(zip(names, usual, strict=True)), **given}
        within = root.rstrip("/") + "/"
        query, update, data = (
            urljoin(within, quote(found[name].replace("//", "/"), safe="/%")) for name in names
        )
        return cls(query.rstrip("/") or "/", update, data, of_rdf4j)


class HttpSparql:
    """See `FilledSparql`. Several threads may use it. No error shows a user or password."""

    def __init__(self, address: StoreAddress) -> None:
        self._where = str(address)
        self._at = Endpoints.of(address)
        self._place = (address.host, address.port)
        self._timeout = address.timeout
        self.at_once = _OF_RDF4J if self._at.of_rdf4j else _OF_OTHERS
        self._tls = (
            ssl.create_default_context() if address.scheme.partition("+")[2] == "https" else None
        )
        self._headers = {"User-Agent": "medweave"}
        if address.user:
            login = b64encode(f"{address.user}:{address.password}".encode()).decode()
            self._headers["Authorization"] = f"Basic {login}"
        self._keeps_graphs: bool | None = None
        """Whether quads may be sent as they are; None where that was not seen yet."""
        self._lock = threading.Lock()
        self._idle: list[HTTPConnection] = []

    def query(self, text: str) -> Iterator[Solution]:
        """See `Sparql.query`. What is found is read whole before the first of it is given."""
        headers = {"Content-Type": "application/sparql-query; charset=utf-8", "Accept": _RESULTS}
        with self._sent("POST", self._at.query, text, headers) as found:
            try:
                for binding in _bindings(found):
                    yield {name: _term(term) for name, term in binding.items()}
            except (ValueError, KeyError, TypeError) as error:
                raise self._strange(f"no results in JSON ({type(error).__name__})") from None

    def update(self, text: str) -> None:
        headers = {"Content-Type": "application/sparql-update; charset=utf-8"}
        with self._sent("POST", self._at.update, text, headers):
            pass

    def insert(self, blocks: str) -> None:
        """See `FilledSparql.insert`: sent as they are, as an update is twice the work for some
        servers; or as one, where a server takes no quads or drops their graphs."""
        if self._keeps_graphs is not False:
            self._keeps_graphs = self._sends_quads(blocks)
        if not self._keeps_graphs:
            self.update(f"INSERT DATA {{ {blocks} }}")

    def _sends_quads(self, blocks: str) -> bool:
        """Whether the server took them, into their graphs."""
        try:
            with self._sent("POST", self._at.data, blocks, {"Content-Type": "application/trig"}):
                pass
            if self._keeps_graphs:
                return True
            first = _FIRST.match(blocks)
            graph, subject, named = first.groups() if first else ("?g", "?s", "?p")
            held = f"SELECT ?o {{ GRAPH {graph} {{ {subject} {named} ?o }} }} LIMIT 1"
            return next(self.query(held), None) is not None
        except StoreUnreachableError:
            raise
        except (StoreError, NotFoundError):
            return False

    def server(self) -> str:
        """See `Sparql.server`: RDF4J tells the version of its protocol, others of themselves."""
        root, found, _ = self._at.query.partition("/repositories/")
        if found:
            with self._sent("GET", f"{root}/protocol", "", {}) as told:
                return f"RDF4J protocol {told.read(20).decode('ascii', 'replace').strip()}"
        return ""

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    @contextmanager
    def _sent(
        self, method: str, path: str, text: str, headers: Mapping[str, str]
    ) -> Iterator[IO[bytes]]:
        with SpooledTemporaryFile(_IN_MEMORY) as answer:
            whole = {**self._headers, **headers}
            for last in (*[False] * (_TRIES - 1), True):
                if self._read(method, path, text.encode(), whole, answer, last=last):
                    break
            answer.seek(0)
            yield answer

    def _read(
        self,
        method: str,
        path: str,
        body: bytes,
        headers: Mapping[str, str],
        answer: IO[bytes],
        *,
        last: bool,
    ) -> bool:
        """Whether the answer came; False where the connection was gone, and it is not the last try.

        What was sent may have been done all the same: whatever is sent may be done twice.
        """
        connection = self._connection()
        connection.timeout = self._timeout * (1 + len(body) / _MUCH)
        if connection.sock:
            connection.sock.settimeout(connection.timeout)
        answer.seek(0)
        answer.truncate()
        try:
            connection.request(method, path, body, headers)
            with connection.getresponse() as response:
                while piece := response.read(_PIECE):
                    answer.write(piece)
                if response.length:
                    raise IncompleteRead(b"", response.length)
        except ssl.SSLCertVerificationError as error:
            connection.close()
            raise untrusted(error.verify_message, self._where) from None
        except (OSError, HTTPException) as error:
            connection.close()
            self.close()  # the others are as old
            if last or not isinstance(error, _DROPPED):
                raise self._away(type(error).__name__) from None
            return False
        with self._lock:
            self._idle.append(connection)
        self._check(response.status)
        return True

    def _connection(self) -> HTTPConnection:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        host, port = self._place
        if self._tls:
            return HTTPSConnection(host, port, timeout=self._timeout, context=self._tls)
        return HTTPConnection(host, port, timeout=self._timeout)

    def _check(self, status: int) -> None:
        """Raise what a status means, where it means that nothing was done."""
        where = self._where
        if status in range(HTTPStatus.OK, HTTPStatus.MULTIPLE_CHOICES):
            return
        if status in _REFUSED:
            missing = status == HTTPStatus.FORBIDDEN
            what = "a right is missing" if missing else "the login is refused"
            raise StoreAccessError(
                f"{what} (HTTP {status})",
                where=where,
                remedy="check MEDWEAVE_STORE_USER and MEDWEAVE_STORE_PASSWORD, and its rights",
            )
        if status == HTTPStatus.NOT_FOUND:
            raise NotFoundError(
                "the server has no such repository or dataset",
                where=where,
                remedy="make it on the server, or name its addresses by ?query=PATH&update=PATH",
            )
        if status in _AWAY:
            raise self._away(f"HTTP {status}")
        raise self._strange(f"HTTP {status}")

    def _strange(self, why: str) -> StoreError:
        return StoreError(
            f"this is not how SPARQL is answered: {why}",
            where=self._where,
            remedy="see that the address is that of a repository or dataset, and the server's log",
        )

    def _away(self, why: str) -> StoreUnreachableError:
        return StoreUnreachableError(
            f"the SPARQL server does not answer ({why})",
            where=self._where,
            remedy="see that it runs at this address, and try again",
        )


def _term(term: Mapping[str, str]) -> Term:
    kind = _KINDS.get(term["type"], "literal")
    language = term.get("xml:lang", "")
    return Term(kind, term["value"], term.get("datatype", ""), language)  # type: ignore[arg-type]


def _bindings(found: IO[bytes]) -> Iterator[dict[str, Any]]:
    """The bindings of results in JSON, one after the other, however many there are."""
    read = _Text(found)
    read.past('"bindings"')
    read.past("[")
    while (sign := read.next_sign()) != "]":
        if sign == ",":
            read.past(",")
        else:
            yield read.object()


class _Text:
    """A text of JSON that is read some at a time."""

    def __init__(self, found: IO[bytes]) -> None:
        self._found = found
        self._decode = getincrementaldecoder("utf-8")().decode
        self._held = ""
        self._at = 0

    def past(self, what: str) -> None:
        """Go on behind the next place where this stands."""
        while (place := self._held.find(what, self._at)) < 0:
            self._more()
        self._at = place + len(what)

    def next_sign(self) -> str:
        """The next character that is no space."""
        while not (left := self._held[self._at : self._at + 1]) or left.isspace():
            if left:
                self._at += 1
            else:
                self._more()
        return left

    def object(self) -> dict[str, Any]:
        """The value that begins here."""
        while True:
            try:
                value, self._at = json.JSONDecoder().raw_decode(self._held, self._at)
            except json.JSONDecodeError:
                self._more()  # raises ValueError where there is no more
                continue
            if not isinstance(value, dict):
                raise TypeError("a binding is an object")
            return value

    def _more(self) -> None:
        piece = self._found.read(_PIECE)
        if not piece:
            raise ValueError("it ends too early")
        self._held, self._at = self._held[self._at :] + self._decode(piece), 0
