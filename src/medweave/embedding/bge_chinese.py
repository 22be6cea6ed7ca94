"""bge-small-zh-v1.5 on this machine, in eight bits; needs the extra `dense` and its weights.

A text becomes what the model makes of the token that stands before it (Xiao et al. 2023, C-Pack,
arXiv:2309.07597), of length 1.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medweave.embedding.sentence_transformer import SentenceTransformer, session_of
from medweave.embedding.weights import CHINESE

if TYPE_CHECKING:
    from numpy.typing import NDArray


class BgeChinese(SentenceTransformer):
    """Reads Chinese. See `Embedder`."""

    batch = 0
    """Each text by itself: in eight bits what stands beside it would round it otherwise."""

    def __init__(self, folder: Path, *, threads: int = 0) -> None:
        """See `SentenceTransformer`."""
        super().__init__(CHINESE, folder, threads=threads)

    def pooled(self, numbers: NDArray[Any], mask: NDArray[Any]) -> NDArray[Any]:
        """The state of the token before each text."""
        given = {"input_ids": numbers, "attention_mask": mask, "token_type_ids": mask * 0}
        [states] = self._session.run(None, {name: row.astype("i8") for name, row in given.items()})
        before: NDArray[Any] = states[:, 0]
        return before

    @cached_property
    def _session(self) -> Any:
        path = self._folder / self._weights.weights
        return session_of(str(path), path)
