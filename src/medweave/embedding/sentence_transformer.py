"""Models of transformers that read sentences on this machine, computed by onnxruntime.

A text becomes tokens, tokens states, and states one vector of length 1. Needs the extra `dense`,
and the weights of a model.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medweave.embedding.weights import Weights, check_there
from medweave.errors import ConfigurationError, EmbeddingError, VectorError
from medweave.model.vectors import VectorModel, Vectors
from medweave.ports import Progress, no_progress

if TYPE_CHECKING:
    from numpy.typing import NDArray

LONGEST = 256
"""Tokens that are read of a text, as the authors of all-MiniLM-L6-v2 set it."""
_CHARACTERS = 32_768
"""Of a text, before tokens are made of it: 256 tokens are seldom a tenth of that."""
_WINDOW = 4096
"""Texts that are turned into tokens, and sorted by length, at one time."""
_WHAT = "embedding"


class SentenceTransformer(ABC):
    """See `Embedder`. What it needs is loaded with the first text.

    Batches are of texts of like length, and each is computed by one thread: so cores wait for
    nobody, and little is computed for what only fills up.
    """

    batch = 256
    """Tokens in a batch, with what fills it up. What is computed for so many stays in a core's
    cache: batches of 1,024 and 4,096 were measured at .85 and .5 times the speed (decision 22)."""

    def __init__(self, weights: Weights, folder: Path, *, threads: int = 0) -> None:
        """Weights lie in `folder`; `threads` is 0 for as many as this process may use cores.

        Raises `ConfigurationError` where the extra is not installed, and `EmbeddingError` where
        the weights are not there.
        """
        check_installed()
        check_there(weights, folder)
        self._weights = weights
        self._folder = folder
        self._threads = threads or cores()

    @property
    def model(self) -> VectorModel:
        """See `Embedder.model`."""
        return self._weights.model

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> Vectors:
        """See `Embedder.embed`. Of a long text the first 256 tokens are read."""
        import numpy as np

        made = np.empty((len(texts), self.model.dimension), "f4")
        done = 0
        for start in range(0, len(texts), _WINDOW):
            window = self._tokens(texts[start : start + _WINDOW])
            self._session  # noqa: B018 - loaded once, before several threads want it
            for rows, vectors in self._computed(window):
                made[[start + row for row in rows]] = vectors
                done += len(rows)
                progress(done, len(texts), _WHAT)
        if not np.isfinite(made).all():
            raise VectorError(
                "the model made vectors that are no numbers",
                where=str(self._folder),
                remedy="check the weights with `medweave weights status`",
            )
        numbers: Any = made.reshape(-1)
        return Vectors(self.model, memoryview(numbers))

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        # A lone half of a character cannot be written in UTF-8.
        clean = [text[:_CHARACTERS].encode("utf-8", "replace").decode() for text in texts]
        return [encoded.ids for encoded in self._tokenizer.encode_batch(clean)]

    def _computed(self, tokens: list[list[int]]) -> Iterator[tuple[list[int], NDArray[Any]]]:
        """Rows of texts with their vectors, batch by batch, as they are done."""
        batches = list(batches_by_length([len(one) for one in tokens], self.batch))
        if self._threads == 1 or len(batches) == 1:
            yield from ((rows, self._vectors(tokens, rows)) for rows in batches)
            return
        with ThreadPoolExecutor(self._threads) as pool:
            waiting: dict[Future[NDArray[Any]], list[int]] = {
                pool.submit(self._vectors, tokens, rows): rows for rows in batches
            }
            try:
                while waiting:
                    for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                        yield waiting.pop(future), future.result()
            finally:  # where somebody stopped it, what was not begun is not
                pool.shutdown(wait=False, cancel_futures=True)

    def _vectors(self, tokens: list[list[int]], rows: list[int]) -> NDArray[Any]:
        """The vectors of the texts in these rows, as one batch."""
        import numpy as np

        length = max(len(tokens[row]) for row in rows)
        numbers = np.zeros((len(rows), length), "i4")
        mask = np.zeros((len(rows), length), "i4")
        for place, row in enumerate(rows):
            numbers[place, : len(tokens[row])] = tokens[row]
            mask[place, : len(tokens[row])] = 1
        pooled = self.pooled(numbers, mask)
        vectors: NDArray[Any] = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return vectors

    @cached_property
    @abstractmethod
    def _session(self) -> Any:
        """What computes states of tokens; made when it is first needed."""

    @abstractmethod
    def pooled(self, numbers: NDArray[Any], mask: NDArray[Any]) -> NDArray[Any]:
        """What stands for each text (texts, size), of any length, from the numbers of its tokens
        (texts, tokens) and 1 for a token, 0 for what fills up (texts, tokens)."""

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        path = self._folder / self._weights.tokenizer
        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library has no error of its own
            raise damaged(path, error) from error
        # The file asks for 128 tokens, filled up to as many.
        tokenizer.no_padding()
        tokenizer.enable_truncation(LONGEST)
        return tokenizer


def batches_by_length(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """Places of texts in batches of like length, the longest first.

    A batch has at most `most` tokens when all its texts are filled up, or one text.

    >>> list(batches_by_length([3, 9, 4, 8, 3], 12))
    [[1], [3], [2, 0, 4]]
    """
    batch: list[int] = []
    longest = 0
    for place in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
        if batch and longest * (len(batch) + 1) > most:
            yield batch
            batch = []
        longest = longest if batch else lengths[place]
        batch.append(place)
    if batch:
        yield batch


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def missing() -> list[str]:
    """What is not installed of what they need."""
    from importlib.util import find_spec

    return [name for name in ("numpy", "onnxruntime", "tokenizers") if find_spec(name) is None]


def check_installed() -> None:
    """Raises `ConfigurationError` where the extra is not installed."""
    if absent := missing():
        raise ConfigurationError(
            f"embedding on this machine needs {', '.join(absent)}",
            where="embedder",
            remedy="pip install 'medweave[dense]'",
        )


def session_of(
    graph: str | bytes, path: Path, tensors: Mapping[str, NDArray[Any]] | None = None
) -> Any:
    """A session of onnxruntime for a graph, or the file of one, and weights that are not in it.

    Raises `EmbeddingError` of `path`, where the weights lie, if it cannot be loaded.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # batches are spread over threads, not what is in them
    options.log_severity_level = 3
    if tensors:
        wrapped = [onnxruntime.OrtValue.ortvalue_from_numpy(one) for one in tensors.values()]
        options.add_external_initializers(list(tensors), wrapped)
    try:
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the library's errors have no common kind
        raise damaged(path, error) from error


def damaged(path: Path, error: Exception) -> EmbeddingError:
    """What is said of a file that cannot be loaded."""
    return EmbeddingError(
        f"the model cannot be loaded ({str(error)[:200]})",
        where=str(path),
        remedy="install it anew with `medweave weights install --again`",
    )
