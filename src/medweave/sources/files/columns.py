"""What columns tend to be called, in English and Chinese: `guess_words.yaml`, read once."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from medweave.language.data import shipped_yaml

_BETWEEN = re.compile(r"[\s_-]+")
_NUMBER = re.compile(r"_?\d+$")


def guess_words() -> dict[str, Any]:
    """The words of `guess_words.yaml`, by role."""
    return shipped_yaml("sources", "files", "guess_words.yaml")


@cache
def known_columns() -> frozenset[str]:
    """Every word that tends to be the name of a column, folded."""
    words = guess_words()
    lists = [part for part in words.values() if isinstance(part, list)]
    lists += [*words["fields"].values(), *words["triples"].values()]
    return frozenset(word for part in lists for word in part)


def folded(column: str) -> str:
    """A column name as `guess_words.yaml` writes it.

    >>> folded(" Side-Effects "), folded("Symptom_2")
    ('side_effects', 'symptom')
    """
    name = _BETWEEN.sub("_", column.strip().lower())
    return _NUMBER.sub("", name) or name
