"""What columns tend to be called, in English and Chinese: `guess_words.yaml`, read once."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from medweave.language.data import shipped_yaml

_BETWEEN = re.compile(r"[\s_-]+")


@cache
def guess_words() -> dict[str, Any]:
    """The words of `guess_words.yaml`, by role."""
    return shipped_yaml("documents", "guess_words.yaml")


@cache
def known_columns() -> frozenset[str]:
    """Every word that tends to be the name of a column, folded."""
    words = guess_words()
    lists = [
        *words["fields"].values(),
        *(part for part in words.values() if isinstance(part, list)),
    ]
    return frozenset(word for part in lists for word in part)


def folded(column: str) -> str:
    """A column name as `guess_words.yaml` writes it.

    >>> folded(" Side-Effects ")
    'side_effects'
    """
    return _BETWEEN.sub("_", column.strip().lower())
