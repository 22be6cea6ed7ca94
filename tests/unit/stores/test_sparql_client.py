"""What a server says, however it says it, is a result or an error that says what to do."""

import http.server
import threading
import time
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from medweave.errors import NotFoundError, StoreAccessError, StoreError, StoreUnreachableError
from medweave.stores.address import StoreAddress
from medweave.stores.sparql.client import HttpSparql
from medweave.stores.sparql.terms import Term

_EMPTY = b'{"head": {"vars": []}, "results": {"bindings": []}}'
Reply = Callable[[http.server.BaseHTTPRequestHandler], None]


@contextmanager
def _served(*replies: Reply, seconds: float = 5) -> Iterator[HttpSparql]:
    """A client of a server that replies to one request after the other, to all others as last."""
    left = list(replies)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            login = b64decode(self.headers["Authorization"].removeprefix("Basic ")).decode()
            assert login == "ann:s@cret"
            assert self.path in ("/ds", "/ds/update", "/ds/data")
            (left.pop(0) if len(left) > 1 else left[0])(self)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        url = f"sparql+http://ann:s%40cret@127.0.0.1:{server.server_port}/ds"
        client = HttpSparql(StoreAddress.of(url, {"MEDWEAVE_STORE_TIMEOUT": str(seconds)}))
        yield client
        client.close()
        server.shutdown()


def _says(body: bytes, status: int = 200) -> Reply:
    def reply(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return reply


def _drops(handler: http.server.BaseHTTPRequestHandler) -> None:
    handler.close_connection = True


def _breaks_off(handler: http.server.BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"results"')
    handler.close_connection = True


def _hangs(handler: http.server.BaseHTTPRequestHandler) -> None:
    time.sleep(0.5)


def test_results_of_any_length_and_form_are_read() -> None:
    typed = '{"type":"literal","datatype":"urn:d","value":"]}"}'
    one = f'{{ "s" :{{"type":"uri","value":"urn:é"}}, "o":{typed}}}'
    other = (
        '{"o":{"type":"literal","xml:lang":"zh","value":"感冒"},"b":{"type":"bnode","value":"x"}}'
    )
    body = (
        f'{{"head":{{}},\r\n"results" : {{ "bindings" : [ {one},\n{other}{", {}" * 40_000} ] }} }}'
    )
    with _served(_says(body.encode())) as client:
        first, second, *more = client.query("SELECT * {}")
    assert first == {"s": Term("iri", "urn:é"), "o": Term("literal", "]}", "urn:d")}
    assert second == {"o": Term("literal", "感冒", "", "zh"), "b": Term("blank", "x")}
    assert more == [{}] * 40_000


@pytest.mark.parametrize("first", [_drops, _breaks_off])
def test_a_connection_that_drops_once_is_not_noticed(first: Reply) -> None:
    with _served(first, _says(_EMPTY)) as client:
        assert list(client.query("SELECT * {}")) == []
    with _served(first, first, _says(_EMPTY)) as client, pytest.raises(StoreUnreachableError):
        list(client.query("SELECT * {}"))


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (_says(b"", 401), StoreAccessError),
        (_says(b"", 403), StoreAccessError),
        (_says(b"", 404), NotFoundError),
        (_says(b"", 503), StoreUnreachableError),
        (_says(b"ann s@cret", 400), StoreError),
        (_says(b"", 302), StoreError),
        (_says(b"<html>ann s@cret</html>"), StoreError),
        (_says(b'{"results": {"bindings": [3'), StoreError),
        (_says(b'{"results": {"bindings": [3]}}'), StoreError),
        (_says(b'{"results": {"bindings": [{"a": 1}]}}'), StoreError),
        (_says(b"\xff\xfe"), StoreError),
    ],
)
def test_whatever_goes_wrong_is_one_error_without_the_login(reply: Reply, kind: type) -> None:
    with (
        _served(reply) as client,
        pytest.raises(StoreError if kind is StoreError else kind) as told,
    ):
        list(client.query("SELECT * {}"))
    assert type(told.value) is kind
    error: BaseException | None = told.value
    while error is not None:
        assert "s@cret" not in f"{error!r} {error}"
        assert "s%40cret" not in f"{error!r} {error}"
        error = error.__cause__


_NO_GRAPHS = (_says(b""), _says(_EMPTY))
_GRAPHS = (_says(b""), _says(b'{"results": {"bindings": [{"o": {"type": "uri", "value": "c"}}]}}'))


@pytest.mark.parametrize(
    ("replies", "asked"),
    [
        (_GRAPHS, ["/ds/data", "/ds", "/ds/data"]),
        (_NO_GRAPHS, ["/ds/data", "/ds", "/ds/update", "/ds/update"]),
        ([_says(b"", 404), _says(b"")], ["/ds/data", "/ds/update", "/ds/update"]),
        ([_says(b"", 415), _says(b"")], ["/ds/data", "/ds/update", "/ds/update"]),
        ([_says(b"", 403), _says(b"")], ["/ds/data", "/ds/update", "/ds/update"]),
    ],
)
def test_quads_are_sent_as_they_are_where_the_server_keeps_their_graphs(
    replies: Sequence[Reply], asked: list[str]
) -> None:
    seen: list[str] = []
    noted = [_noting(reply, seen) for reply in replies]
    with _served(*noted) as client:
        for _ in range(2):
            client.insert("GRAPH <urn:g> { <urn:a> <urn:b> <urn:c> . }")
    assert seen == asked


def test_a_server_that_is_lost_while_quads_are_sent_is_asked_nothing_more() -> None:
    seen: list[str] = []
    with _served(_noting(_says(b"", 503), seen)) as client, pytest.raises(StoreUnreachableError):
        client.insert("GRAPH <urn:g> { <urn:a> <urn:b> <urn:c> . }")
    assert seen == ["/ds/data"]


def _noting(reply: Reply, seen: list[str]) -> Reply:
    def noted(handler: http.server.BaseHTTPRequestHandler) -> None:
        seen.append(handler.path)
        reply(handler)

    return noted


def test_nobody_is_waited_for_longer_than_the_time_out() -> None:
    started = time.monotonic()
    with _served(_hangs, seconds=0.1) as client, pytest.raises(StoreUnreachableError):
        client.update("CLEAR ALL")
    assert time.monotonic() - started < 2
