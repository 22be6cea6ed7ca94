"""What columns tend to be called, in English and Chinese: `guess_words.yaml`, read once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from medweave.language.data import shipped_yaml

_BETWEEN = re.compile(r"[\s_-]+")
_NUMBER = re.compile(r"_?\d+$")
_PAIRED = {"subject_column": ("1", "a"), "object_column": ("2", "b")}
_WITHIN = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def guess_words() -> dict[str, Any]:
    """The words of `guess_words.yaml`, by role."""
    return shipped_yaml("sources", "files", "guess_words.yaml")


@cache
def known_columns() -> frozenset[str]:
    """Every word that tends to be the name of a column, folded. A single letter may as well be what
    stands in a cell."""
    words = guess_words()
    lists = [part for part in words.values() if isinstance(part, list)]
    lists += [*words["fields"].values(), *words["triples"].values()]
    return frozenset(word for part in lists for word in part if len(word) > 1)


def folded(column: str) -> str:
    """A column name as `guess_words.yaml` writes it.

    >>> folded(" Side-Effects "), folded("Symptom_2")
    ('side_effects', 'symptom')
    """
    name = _BETWEEN.sub("_", column.strip().lower())
    return _NUMBER.sub("", name) or name


def parted(name: str) -> str:
    """A name that is folded, with its words parted where a capital begins one.

    >>> parted("TreatmentStep"), parted("HAS_SYMPTOM"), parted("sourceEntity")
    ('treatment_step', 'has_symptom', 'source_entity')
    """
    return folded(_WITHIN.sub("_", name))


def column_of_part(role: str, columns: Iterable[str]) -> str:
    """The column that is called like a part of a relation, likeliest first; '' where none is.

    >>> some = ["row-id", "Source Entity", "relation type", "targetName", "entity type"]
    >>> [column_of_part(role, some) for role in guess_words()["triples"]]
    ['Source Entity', 'relation type', 'targetName']
    >>> column_of_part("object_column", ["entity1", "entity2"])
    'entity2'
    """
    words = [*guess_words()["triples"][role], *_numbered(role)]
    called = (
        (column, _as_part(column, words, guess_words()["besides"][role])) for column in columns
    )
    found = {column: word for column, word in called if word}
    return min(found, key=lambda column: words.index(found[column]), default="")


def may_be_else(column: str) -> bool:
    """Whether what is called so may hold something else than relations.

    >>> may_be_else("Type"), may_be_else("relation type")
    (True, False)
    """
    return folded(column) in guess_words()["relations_if_known"]


def _numbered(role: str) -> list[str]:
    """What the first or the second of a pair is called."""
    signs = _PAIRED.get(role, ())
    words = guess_words()["pair"]
    return [f"{word}{mark}{sign}" for sign in signs for word in words for mark in ("", "_")]


def _as_part(column: str, words: Sequence[str], besides: Sequence[str]) -> str:
    """The word of some that a column is called by, whatever stands beside it; '' for none."""
    whole = _BETWEEN.sub("_", _WITHIN.sub("_", column.strip()).lower())
    for name in (whole, folded(whole)):
        left = "_".join(part for part in name.split("_") if part not in besides)
        # Chinese parts no words.
        ends = (left.removesuffix(word) for word in besides if not word.isascii())
        found = next((each for each in (name, left, *ends) if each in words), "")
        if found:
            return found
    return ""
