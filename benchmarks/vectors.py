"""Vectors and texts by chance, the same in every run."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import Any

from medweave.model.vectors import VectorModel, Vectors
from medweave.ports import Progress, no_progress

DIMENSION = 384
QUERIES = 200
_CENTRES = 2000
_SEED = 5
_SYLLABLES = [one + other for one in "bdfgklmnrstz" for other in "aeiou"]


def clouds(count: int) -> Any:
    """So many vectors of length 1 in clouds, as vectors of texts on like subjects lie."""
    import numpy as np

    chance = np.random.default_rng(_SEED)
    centres = chance.standard_normal((_CENTRES, DIMENSION), dtype="f4")
    made = chance.standard_normal((count, DIMENSION), dtype="f4")
    made *= 0.8
    made += centres[chance.integers(0, _CENTRES, count)]
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made


def near(vectors: Any) -> Any:
    """Queries: each near to one of these, and not the same."""
    import numpy as np

    chance = np.random.default_rng(_SEED + 1)
    made = vectors[chance.integers(0, len(vectors), QUERIES)]
    made = made + 0.06 * chance.standard_normal((QUERIES, DIMENSION), dtype="f4")
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made.astype("f4")


def texts(count: int, shortest: int, longest: int) -> list[str]:
    """Texts of so many words, which are made up."""
    chance = random.Random(_SEED)  # noqa: S311 - not for secrets

    def word() -> str:
        return "".join(chance.choice(_SYLLABLES) for _ in range(chance.randint(1, 3)))

    return [
        " ".join(word() for _ in range(chance.randint(shortest, longest))) for _ in range(count)
    ]


class CloudEmbedder:
    """See `medweave.ports.Embedder`: a text's digest says where its vector lies.

    Two vectors of one cloud have a cosine of about 0.83, and each cloud has few of 100,000.
    """

    model = VectorModel("made up, in clouds", DIMENSION)

    def __init__(self) -> None:
        import numpy as np

        self._np = np
        chance = np.random.default_rng(_SEED)
        self._centres = chance.standard_normal((10 * _CENTRES, DIMENSION), dtype="f4")

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> Vectors:
        """See `Embedder.embed`."""
        np = self._np
        made = np.empty((len(texts), DIMENSION), "f4")
        for place, text in enumerate(texts):
            digest = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
            made[place] = np.random.default_rng(digest).standard_normal(DIMENSION, dtype="f4")
            made[place] *= 0.45
            made[place] += self._centres[digest % len(self._centres)]
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        progress(len(texts), len(texts), "texts")
        return Vectors.from_bytes(self.model, made.tobytes())
