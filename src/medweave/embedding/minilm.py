"""all-MiniLM-L6-v2 on this machine, without torch; needs the extra `dense` and its weights.

A text becomes the mean of what the model makes of its tokens (Reimers and Gurevych 2019,
arXiv:1908.10084), of length 1. Vectors agree with those of sentence-transformers to the sixth
digit.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medweave.embedding.tensors import read_tensors
from medweave.embedding.weights import MODEL, TOKENIZER, WEIGHTS, check_there
from medweave.errors import ConfigurationError, EmbeddingError, VectorError
from medweave.model.vectors import VectorModel, Vectors
from medweave.ports import Progress, no_progress

if TYPE_CHECKING:
    from numpy.typing import NDArray

GRAPH = Path(__file__).with_name("minilm.onnx")
"""What is computed, without the weights: 24 kB, made by `scripts/minilm_graph.py`."""
INPUTS = ("tokens", "mask", "positions", "kinds")
"""Numbers of tokens (texts, length); 1 for a token and 0 for what fills up (texts, length); the
positions 0, 1, …(length); 0 (1)."""
OUTPUT = "states"
"""What stands for each token: (texts, length, size)."""
UNUSED = ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias")
"""What the file has besides."""
LONGEST = 256
"""Tokens that are read of a text, as the model's authors set it."""
_CHARACTERS = 32_768
"""Of a text, before tokens are made of it: 256 tokens are seldom a tenth of that."""
_WINDOW = 4096
"""Texts that are turned into tokens, and sorted by length, at one time."""
_TOKENS = 256
"""In a batch, with what fills it up. What is computed for so many stays in a core's cache: batches
of 1,024 and 4,096 were measured at 0.85 and 0.5 times the speed (decision 22)."""
_WHAT = "embedding"


class MiniLM:
    """See `Embedder`. What it needs is loaded with the first text.

    Batches are of texts of like length, and each is computed by one thread: so cores wait for
    nobody, and little is computed for what only fills up.
    """

    def __init__(self, folder: Path, *, threads: int = 0) -> None:
        """Weights lie in `folder`; `threads` is 0 for as many as this process may use cores.

        Raises `ConfigurationError` where the extra is not installed, and `EmbeddingError` where
        the weights are not there.
        """
        check_installed()
        check_there(folder)
        self._folder = folder
        self._threads = threads or cores()

    @property
    def model(self) -> VectorModel:
        """See `Embedder.model`."""
        return MODEL

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> Vectors:
        """See `Embedder.embed`. Of a long text the first 256 tokens are read."""
        import numpy as np

        made = np.empty((len(texts), MODEL.dimension), "f4")
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
        return Vectors(MODEL, memoryview(numbers))

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        # A lone half of a character cannot be written in UTF-8.
        clean = [text[:_CHARACTERS].encode("utf-8", "replace").decode() for text in texts]
        return [encoded.ids for encoded in self._tokenizer.encode_batch(clean)]

    def _computed(self, tokens: list[list[int]]) -> Iterator[tuple[list[int], NDArray[Any]]]:
        """Rows of texts with their vectors, batch by batch, as they are done."""
        batches = list(batches_by_length([len(one) for one in tokens], _TOKENS))
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
        given = (numbers, mask, np.arange(length, dtype="i4"), np.zeros(1, "i4"))
        [states] = self._session.run([OUTPUT], dict(zip(INPUTS, given, strict=True)))
        counted = mask.astype("f4") / mask.sum(axis=1, keepdims=True)
        means = (counted[:, None, :] @ states)[:, 0]
        vectors: NDArray[Any] = means / np.linalg.norm(means, axis=1, keepdims=True)
        return vectors

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        path = self._folder / TOKENIZER
        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library has no error of its own
            raise _damaged(path, error) from error
        # The file asks for 128 tokens, filled up to as many.
        tokenizer.no_padding()
        tokenizer.enable_truncation(LONGEST)
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        path = self._folder / WEIGHTS
        tensors = {n: t for n, t in read_tensors(path).items() if n not in UNUSED}
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # batches are spread over threads, not what is in them
        options.log_severity_level = 3
        wrapped = [onnxruntime.OrtValue.ortvalue_from_numpy(one) for one in tensors.values()]
        options.add_external_initializers(list(tensors), wrapped)
        try:
            providers = ["CPUExecutionProvider"]
            return onnxruntime.InferenceSession(GRAPH.read_bytes(), options, providers=providers)
        except Exception as error:  # the library's errors have no common kind
            raise _damaged(path, error) from error


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
    """What is not installed of what it needs."""
    from importlib.util import find_spec

    return [name for name in ("numpy", "onnxruntime", "tokenizers") if find_spec(name) is None]


def check_installed() -> None:
    """Raises `ConfigurationError` where the extra is not installed."""
    if absent := missing():
        raise ConfigurationError(
            f"the embedder minilm needs {', '.join(absent)}",
            where="embedder",
            remedy="pip install 'medweave[dense]'",
        )


def _damaged(path: Path, error: Exception) -> EmbeddingError:
    return EmbeddingError(
        f"the model cannot be loaded ({str(error)[:200]})",
        where=str(path),
        remedy="install it anew with `medweave weights install --again`",
    )
