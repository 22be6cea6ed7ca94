"""all-MiniLM-L6-v2 on this machine, without torch; needs the extra `dense` and its weights.

A text becomes the mean of what the model makes of its tokens (Reimers and Gurevych 2019,
arXiv:1908.10084), of length 1. Vectors agree with those of sentence-transformers to the sixth
digit.

Its numbers are in a file of the format safetensors, used where they lie: eight bytes give the
length of a header in JSON, the header gives type, shape and place of each tensor, and the numbers
follow (https://github.com/huggingface/safetensors#format).
"""

from __future__ import annotations

import json
import math
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medweave.embedding.sentence_transformer import SentenceTransformer, session_of
from medweave.embedding.weights import ENGLISH
from medweave.errors import EmbeddingError

if TYPE_CHECKING:
    from numpy.typing import NDArray


_HEADER_AT_MOST = 1 << 24
_START = 8


def read_tensors(path: Path) -> dict[str, NDArray[Any]]:
    """All tensors of 32-bit floats by name, mapped into memory. Raises `EmbeddingError`."""
    import numpy as np

    try:
        held = np.memmap(path, dtype=np.uint8, mode="r")
        length = int.from_bytes(held[:_START].tobytes(), "little")
        if length > _HEADER_AT_MOST:
            raise ValueError("its header is too long")
        header = json.loads(held[_START : _START + length].tobytes())
        numbers = held[_START + length :]
        return {
            name: _tensor(numbers, one)
            for name, one in header.items()
            if name != "__metadata__" and one["dtype"] == "F32"
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise EmbeddingError(
            f"these weights cannot be read ({error})",
            where=str(path),
            remedy="install them anew with `medweave weights install`",
        ) from error


def _tensor(numbers: Any, described: dict[str, Any]) -> NDArray[Any]:
    start, end = described["data_offsets"]
    tensor: NDArray[Any] = numbers[start:end].view("<f4")
    if tensor.size != math.prod(described["shape"]):
        raise ValueError("a tensor is not as long as its shape says")
    return tensor.reshape(described["shape"])


GRAPH = Path(__file__).with_name("minilm.onnx")
"""What is computed, without the weights: 24 kB, made by `scripts/minilm_graph.py`."""
INPUTS = ("tokens", "mask", "positions", "kinds")
"""Numbers of tokens (texts, length); 1 for a token and 0 for what fills up (texts, length); the
positions 0, 1, …(length); 0 (1)."""
OUTPUT = "states"
"""What stands for each token: (texts, length, size)."""
UNUSED = ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias")
"""What the file has besides."""


class MiniLM(SentenceTransformer):
    """Reads English. See `Embedder`."""

    def __init__(self, folder: Path, *, threads: int = 0) -> None:
        """See `SentenceTransformer`."""
        super().__init__(ENGLISH, folder, threads=threads)

    def pooled(self, numbers: NDArray[Any], mask: NDArray[Any]) -> NDArray[Any]:
        """The means of the states of tokens."""
        import numpy as np

        given = (numbers, mask, np.arange(numbers.shape[1], dtype="i4"), np.zeros(1, "i4"))
        [states] = self._session.run([OUTPUT], dict(zip(INPUTS, given, strict=True)))
        counted = mask.astype("f4") / mask.sum(axis=1, keepdims=True)
        means: NDArray[Any] = (counted[:, None, :] @ states)[:, 0]
        return means

    @cached_property
    def _session(self) -> Any:
        path = self._folder / self._weights.weights
        tensors = {n: t for n, t in read_tensors(path).items() if n not in UNUSED}
        return session_of(GRAPH.read_bytes(), path, tensors)
