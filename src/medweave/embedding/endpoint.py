"""Vectors from an endpoint that speaks OpenAI's `/v1/embeddings` (Ollama, TEI, vLLM and others).

Texts leave this machine for wherever the address leads. A key is taken from the environment alone,
goes to that address alone, and is never shown.
"""

from __future__ import annotations

import json
import os
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from http.client import HTTPException, HTTPMessage
from typing import IO, Any

from medweave.errors import EmbeddingError, VectorError
from medweave.model.vectors import VectorModel, Vectors, unit
from medweave.ports import Progress, no_progress

KEY_VARIABLE = "MEDWEAVE_EMBEDDER_KEY"
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses after which it may go better."""
_UNAUTHORISED = frozenset({401, 403})
_WHAT = "embedding"
_SHOWN = 200
_PROBE = "fever"
_NO_TEXT = "."
"""Sent for a text without words: most endpoints refuse an empty one."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How much is sent at once, and how long is waited for what comes."""

    texts: int = 64
    """In a request."""
    characters: int = 8_000
    """Of a text; what is longer is cut, as models read no more."""
    seconds: float = 60
    """Until an answer begins, and between its parts."""
    tries: int = 4
    pause: float = 0.5
    """Seconds before the second try; twice as long before each further one."""
    longest_pause: float = 30
    """Whatever the endpoint asks for."""
    answer: int = 256 << 20
    """Bytes of an answer that are read."""


class Endpoint:
    """See `Embedder`. Vectors are made to be of length 1."""

    def __init__(
        self,
        name: str,
        url: str,
        *,
        environment: Mapping[str, str] = os.environ,
        patience: Patience = Patience(),
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`name` is the model's at the endpoint, `url` is what comes before `/embeddings`."""
        self._name = name
        self._url = url.rstrip("/").removesuffix("/embeddings").rstrip("/") + "/embeddings"
        self._key = environment.get(KEY_VARIABLE, "").strip()
        self._patience = patience
        self._sleep = sleep
        self._opener = urllib.request.build_opener(_NoRedirect)

    def __repr__(self) -> str:
        return f"Endpoint({self._name!r}, {self._url!r})"

    @cached_property
    def model(self) -> VectorModel:
        """See `Embedder.model`; a word is sent to see how long its vector is."""
        [vector] = self._request([_PROBE])
        return VectorModel(f"openai-compatible:{self._name}", len(vector))

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> Vectors:
        """See `Embedder.embed`."""
        return Vectors.of(self.model, self._rows(texts, progress))

    def _rows(self, texts: Sequence[str], progress: Progress) -> Iterator[list[float]]:
        step = self._patience.texts
        for start in range(0, len(texts), step):
            batch = texts[start : start + step]
            yield from self._request([self._sent(text) for text in batch])
            progress(start + len(batch), len(texts), _WHAT)

    def _sent(self, text: str) -> str:
        cut = text[: self._patience.characters].encode("utf-8", "replace").decode()
        return cut if cut.strip() else _NO_TEXT

    def _request(self, texts: list[str]) -> list[list[float]]:
        """The vectors of these texts, tried more than once where that may help."""
        content = {"model": self._name, "input": texts, "encoding_format": "float"}
        body = json.dumps(content).encode()
        pause = self._patience.pause
        for _ in range(self._patience.tries - 1):
            try:
                return self._vectors(self._posted(body), len(texts))
            except _TryError as failed:
                if not failed.again:
                    raise failed.error from failed.__cause__
                self._sleep(min(max(pause, failed.after), self._patience.longest_pause))
                pause *= 2
        try:
            return self._vectors(self._posted(body), len(texts))
        except _TryError as failed:
            raise failed.error from failed.__cause__

    def _posted(self, body: bytes) -> bytes:
        """What the endpoint answers. Raises `_TryError`."""
        request = urllib.request.Request(self._url, body, method="POST")  # noqa: S310 - see EmbedderName
        request.add_header("Content-Type", "application/json")
        if self._key:
            # Unredirected: it goes to this address and nowhere else.
            request.add_unredirected_header("Authorization", f"Bearer {self._key}")
        try:
            with self._opener.open(request, timeout=self._patience.seconds) as answer:
                read: bytes = answer.read(self._patience.answer + 1)
        except urllib.error.HTTPError as error:
            with error:
                raise _TryError(
                    self._refused(error.code, _read_some(error)),
                    again=error.code in _AGAIN,
                    after=_seconds(error.headers),
                ) from error
        except (OSError, HTTPException) as error:
            raise _TryError(self._silent(error), again=True) from error
        if len(read) > self._patience.answer:
            raise _TryError(self._wrong("its answer is too long"))
        return read

    def _vectors(self, answer: bytes, wanted: int) -> list[list[float]]:
        try:
            data = json.loads(answer)["data"]
            ordered = sorted(data, key=lambda one: one["index"])
            if [one["index"] for one in ordered] != list(range(wanted)):
                raise _TryError(self._wrong(f"{len(data)} vectors came for {wanted} texts"))
            return [self._unit(one["embedding"]) for one in ordered]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise _TryError(self._wrong("its answer is not what /v1/embeddings answers")) from error

    def _unit(self, numbers: list[float]) -> list[float]:
        try:
            return unit([float(number) for number in numbers])
        except VectorError as error:
            raise VectorError(error.what, where=self._where, remedy=error.remedy) from error

    def _refused(self, status: int, reply: str) -> EmbeddingError:
        remedy = "see what the endpoint says"
        if status in _UNAUTHORISED:
            remedy = f"give a key as the variable {KEY_VARIABLE}"
        elif status == 404:  # noqa: PLR2004 - not found
            remedy = "check the address and the name of the model"
        elif status in range(300, 400):
            remedy = "give the address to which this one leads: nothing is sent on"
        elif status in _AGAIN:
            remedy = "try again later"
        text = reply.replace(self._key, "…") if self._key else reply
        shown = " ".join(text.split())[:_SHOWN]
        return EmbeddingError(
            f"the endpoint refuses with status {status}" + (f" ({shown})" if shown else ""),
            where=self._where,
            remedy=remedy,
        )

    def _silent(self, error: Exception) -> EmbeddingError:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        late = isinstance(reason, (TimeoutError, socket.timeout))
        return EmbeddingError(
            f"the endpoint did not answer within {self._patience.seconds:g} s"
            if late
            else f"the endpoint cannot be reached ({reason})",
            where=self._where,
            remedy="see that it runs, and check the address",
        )

    def _wrong(self, what: str) -> EmbeddingError:
        return EmbeddingError(
            f"the endpoint cannot be used: {what}",
            where=self._where,
            remedy="check the address and the name of the model",
        )

    @property
    def _where(self) -> str:
        return f"{self._name} at {self._url}"


class _TryError(Exception):
    """One try that failed, whether another may help, and after how long."""

    def __init__(self, error: EmbeddingError, *, again: bool = False, after: float = 0) -> None:
        super().__init__(str(error))
        self.error = error
        self.again = again
        self.after = after


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Texts of patients are not sent on to where nobody said they should go."""

    def http_error_302(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage
    ) -> None:
        """Nothing is done: the answer is then an error."""

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def _seconds(headers: Any) -> float:
    """How long an endpoint asks to be left alone; 0 where it does not say so in seconds."""
    header = str(headers.get("Retry-After", "")) if headers is not None else ""
    return float(header) if header.isdigit() else 0.0


def _read_some(error: urllib.error.HTTPError) -> str:
    try:
        return error.read(4 * _SHOWN).decode("utf-8", "replace")
    except (OSError, HTTPException):
        return ""
