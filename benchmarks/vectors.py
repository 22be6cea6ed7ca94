"""Vectors and texts by chance, the same in every run."""

from __future__ import annotations

import random
from typing import Any

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
