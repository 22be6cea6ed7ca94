"""The class that the stem of a medicine's name suggests, for a name that nobody knows.

The stems are data: drug_stems.yaml. What they suggest is a guess, and must be said as one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from medweave.errors import VocabularyError
from medweave.language.data import shipped_yaml
from medweave.model.identifiers import normalise_name

_LEAST, _LEAST_HAN = 2, 1
"""Letters that a name has beside its stem at least: a stem alone names nothing."""


@dataclass(frozen=True, slots=True)
class DrugStem:
    """What a name begins or ends with, and the class of the lexicon that this suggests."""

    begin: str
    end: str
    drug_class: str
    least: int = 0
    but: frozenset[str] = frozenset()

    def fits(self, name: str) -> bool:
        """Whether a name, in small letters, has this stem and is no exception to it."""
        least = _LEAST if name.isascii() else _LEAST_HAN
        return (
            name.startswith(self.begin)
            and name.endswith(self.end)
            and len(name) >= max(self.least, len(self.begin) + len(self.end) + least)
            and name not in self.but
        )


def class_by_stem(word: str) -> str | None:
    """The name of the class that a word's stem suggests; None for a word without a known stem.

    It says nothing of whether the word is a medicine: ask of a word that stands where one would.

    >>> class_by_stem("Zofenopril"), class_by_stem("rabeprazole"), class_by_stem("April")
    ('ACE inhibitors', 'proton pump inhibitors', None)
    >>> class_by_stem("佐芬普利"), class_by_stem("普利")
    ('ACE inhibitors', None)
    """
    name = normalise_name(word)
    if not name.isalpha():
        return None
    fitting = [stem for stem in drug_stems() if stem.fits(name)]
    longest = max(fitting, key=lambda stem: len(stem.begin) + len(stem.end), default=None)
    return longest.drug_class if longest else None


@cache
def drug_stems() -> tuple[DrugStem, ...]:
    """The stems that ship."""
    return tuple(map(_stem, shipped_yaml("vocabulary", "drug_stems.yaml")["stems"]))


def _stem(entry: Mapping[str, Any]) -> DrugStem:
    begin, end = entry.get("begin", ""), entry.get("end", "")
    if not (begin or end) or "class" not in entry:
        raise VocabularyError(
            f"a stem needs a class, and what a name begins or ends with: {entry}",
            where="drug_stems.yaml",
            remedy="add what is missing",
        )
    exceptions = frozenset(entry.get("but", ()))
    return DrugStem(begin, end, entry["class"], entry.get("least", 0), exceptions)


@cache
def more_of_a_name() -> re.Pattern[str]:
    """What is written before a known Chinese name and makes it the end of a longer one."""
    held = shipped_yaml("vocabulary", "drug_stems.yaml")
    sounds, others = held["sounds"], "|".join(held["no_sounds"])
    return re.compile(f"(?<![{sounds}])(?!{others})[{sounds}]{{2,4}}$")
