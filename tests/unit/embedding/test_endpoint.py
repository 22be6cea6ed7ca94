"""An endpoint is asked in batches, patiently, and what it may get wrong is an error of ours."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from medweave.embedding.endpoint import KEY_VARIABLE, Endpoint, Patience
from medweave.errors import EmbeddingError, VectorError
from medweave.model.vectors import VectorModel

QUICK = Patience(texts=4, seconds=20, tries=3)
HASTY = Patience(texts=4, seconds=0.5, tries=3)


class Server(ThreadingHTTPServer):
    """Answers as it is told to, and remembers what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.answer: Callable[[dict[str, Any]], tuple[int, Any]] = vectors
        self.before: list[tuple[int, Any]] = []
        """Answers to the first requests, whatever they ask."""
        self.extra: dict[str, str] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        self.server.headers.append(dict(self.headers))
        self.server.paths.append(self.path)
        before = self.server.before
        status, answer = before.pop(0) if before else self.server.answer(body)
        text = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        for name, value in self.server.extra.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def vectors(body: dict[str, Any]) -> tuple[int, Any]:
    """A vector for each text that tells its length, in an order that is not theirs."""
    data = [{"index": n, "embedding": [len(text), 1.0]} for n, text in enumerate(body["input"])]
    return 200, {"object": "list", "data": data[::-1], "model": body["model"]}


def always(status: int, answer: object) -> Callable[[dict[str, Any]], tuple[int, Any]]:
    """The same answer, whatever is asked."""
    return lambda _: (status, answer)


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def endpoint(
    server: Server,
    key: str = "",
    slept: list[float] | None = None,
    patience: Patience = QUICK,
) -> Endpoint:
    return Endpoint(
        "toy",
        server.url,
        environment={KEY_VARIABLE: key} if key else {},
        patience=patience,
        sleep=(slept if slept is not None else []).append,
    )


class TestAsking:
    def test_each_text_gets_its_vector_of_length_1(self, server: Server) -> None:
        made = endpoint(server).embed(["abc", "abcdefg"])
        assert made.model == VectorModel("openai-compatible:toy", 2)
        assert [list(row) for row in made] == [
            pytest.approx([3 / 10**0.5, 1 / 10**0.5]),
            pytest.approx([7 / 50**0.5, 1 / 50**0.5]),
        ]
        assert server.paths[0] == "/v1/embeddings"
        assert server.asked[-1]["model"] == "toy"

    def test_many_go_out_in_batches_and_progress_is_told(self, server: Server) -> None:
        told: list[tuple[int, int, str]] = []
        texts = [f"{'x' * number}" for number in range(1, 11)]
        made = endpoint(server).embed(texts, progress=lambda *how: told.append(how))
        assert len(made) == 10
        assert [len(body["input"]) for body in server.asked[1:]] == [4, 4, 2]
        assert told == [(4, 10, "embedding"), (8, 10, "embedding"), (10, 10, "embedding")]

    def test_it_can_be_stopped_between_batches(self, server: Server) -> None:
        def stop(done: int, total: int, what: str) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            endpoint(server).embed(["x"] * 10, progress=stop)
        assert len(server.asked) == 2

    def test_texts_that_endpoints_refuse_are_made_fit(self, server: Server) -> None:
        embedder = Endpoint("toy", server.url, environment={}, patience=Patience(characters=5))
        embedder.embed(["", " \n", "123456789", "half \ud83e", "发烧🤒"])
        assert server.asked[-1]["input"] == [".", ".", "12345", "half ", "发烧🤒"]

    def test_no_texts_are_no_vectors(self, server: Server) -> None:
        assert len(endpoint(server).embed([])) == 0

    def test_an_address_may_be_given_to_its_end(self, server: Server) -> None:
        Endpoint("toy", f"{server.url}/embeddings/", environment={}).embed(["x"])
        assert server.paths[0] == "/v1/embeddings"


class TestTheKey:
    def test_it_goes_out_where_there_is_one(self, server: Server) -> None:
        endpoint(server, key="secret-1").embed(["x"])
        assert server.headers[0]["Authorization"] == "Bearer secret-1"
        endpoint(server).embed(["x"])
        assert "Authorization" not in server.headers[-1]

    def test_it_is_never_shown(self, server: Server, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.DEBUG)
        embedder = endpoint(server, key="secret-1")
        server.answer = lambda _: (401, {"error": "the key secret-1 is wrong"})
        with pytest.raises(EmbeddingError) as raised:
            embedder.embed(["x"])
        shown = f"{raised.value!r} {raised.value} {raised.value.to_json()} {embedder!r}"
        assert "secret-1" not in shown + caplog.text
        assert "status 401" in shown
        assert KEY_VARIABLE in raised.value.remedy

    def test_nothing_is_sent_on_to_another_place(self, server: Server) -> None:
        other = Server()
        thread = threading.Thread(target=other.serve_forever)
        thread.start()
        try:
            server.extra = {"Location": f"{other.url}/embeddings"}
            for status in (301, 302, 303, 307, 308):
                server.answer = always(status, b"")
                with pytest.raises(EmbeddingError, match=f"status {status}"):
                    endpoint(server, key="secret-1").embed(["x"])
        finally:
            other.shutdown()
            thread.join()
            other.server_close()
        assert other.asked == []


class TestPatience:
    def test_it_tries_again_after_growing_pauses(self, server: Server) -> None:
        slept: list[float] = []
        server.before = [(503, b"busy"), (429, b"slower")]
        assert len(endpoint(server, slept=slept).embed(["x"])) == 1
        assert slept == [0.5, 1.0]

    def test_it_waits_as_long_as_it_is_asked_to_within_reason(self, server: Server) -> None:
        for asked, waited in (("7", 7.0), ("86400", 30.0), ("tomorrow", 0.5)):
            slept: list[float] = []
            server.before, server.extra = [(429, b"")], {"Retry-After": asked}
            endpoint(server, slept=slept).embed(["x"])
            assert slept == [waited]

    def test_it_gives_up(self, server: Server) -> None:
        server.answer = lambda _: (500, {"error": {"message": "out of memory"}})
        with pytest.raises(EmbeddingError, match=r"status 500 .*out of memory") as raised:
            endpoint(server).embed(["x"])
        assert len(server.asked) == 3
        assert server.url in raised.value.where

    @pytest.mark.parametrize("status", [400, 401, 404, 413, 422])
    def test_what_will_not_get_better_is_not_tried_again(self, server: Server, status: int) -> None:
        server.answer = lambda _: (status, b"no")
        with pytest.raises(EmbeddingError, match=f"status {status}"):
            endpoint(server).embed(["x"])
        assert len(server.asked) == 1

    def test_an_endpoint_that_does_not_answer_is_left(self, server: Server) -> None:
        waiting = threading.Event()

        def late(body: dict[str, Any]) -> tuple[int, Any]:
            waiting.wait(5)
            return vectors(body)

        server.answer = late
        with pytest.raises(EmbeddingError, match=r"within 0\.5 s"):
            endpoint(server, patience=HASTY).embed(["x"])
        waiting.set()
        assert len(server.asked) == 3

    def test_an_endpoint_that_is_not_there_is_an_error(self) -> None:
        slept: list[float] = []
        gone = Endpoint("toy", "http://127.0.0.1:9/v1", environment={}, patience=QUICK,
                        sleep=slept.append)  # fmt: skip
        with pytest.raises(EmbeddingError, match="cannot be reached"):
            gone.embed(["x"])
        assert len(slept) == 2


class TestAnswersThatAreWrong:
    @pytest.mark.parametrize(
        "answer",
        [
            b"<html>",
            b"",
            [],
            {},
            {"data": None},
            {"data": [{"index": 0}]},
            {"data": [{"embedding": [1, 0]}]},
            {"data": [{"index": 0, "embedding": "AAAA"}]},
            {"data": [{"index": 0, "embedding": [1, "x"]}]},
            {"data": [{"index": 0, "embedding": None}]},
        ],
    )
    def test_another_form_is_an_error(self, server: Server, answer: object) -> None:
        server.answer = lambda _: (200, answer)
        with pytest.raises(EmbeddingError, match="not what /v1/embeddings answers"):
            endpoint(server).embed(["x"])

    def test_too_few_or_twice_the_same_is_an_error(self, server: Server) -> None:
        embedder = endpoint(server)
        assert embedder.model.dimension == 2
        for indexes in ([0], [0, 0], [0, 2], [0, 1, 2]):
            data = [{"index": index, "embedding": [1, 0]} for index in indexes]
            server.answer = always(200, {"data": data})
            with pytest.raises(EmbeddingError, match="vectors came for 2 texts"):
                embedder.embed(["x", "y"])

    @pytest.mark.parametrize("numbers", ["[0, 0]", "[NaN, 1]", "[Infinity, 1]", "[]"])
    def test_vectors_without_direction_are_an_error(self, server: Server, numbers: str) -> None:
        text = f'{{"data": [{{"index": 0, "embedding": {numbers}}}]}}'.encode()
        server.answer = lambda _: (200, text)
        with pytest.raises(VectorError, match="without direction"):
            endpoint(server).embed(["x"])

    def test_vectors_of_another_length_are_an_error(self, server: Server) -> None:
        embedder = endpoint(server)
        assert embedder.model.dimension == 2
        server.answer = lambda _: (200, {"data": [{"index": 0, "embedding": [1, 0, 0]}]})
        with pytest.raises(VectorError, match=r"3 numbers, where .* makes 2"):
            embedder.embed(["x"])

    def test_an_answer_without_end_is_not_read_to_its_end(self, server: Server) -> None:
        server.answer = lambda _: (200, b" " * 3000)
        small = Endpoint("toy", server.url, environment={}, patience=Patience(answer=1000))
        with pytest.raises(EmbeddingError, match="too long"):
            small.embed(["x"])
