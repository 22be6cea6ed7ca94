"""Numbers in a file of the format safetensors, used where they lie; needs numpy.

Eight bytes give the length of a header in JSON, the header gives type, shape and place of each
tensor, and the numbers follow (https://github.com/huggingface/safetensors#format).
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
