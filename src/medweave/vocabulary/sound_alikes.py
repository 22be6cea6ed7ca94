"""Chinese names written by ear: 阿斯匹林 for 阿司匹林.

A stretch may be a name where each character of it sounds as that of the name. Which characters
sound alike is data: language/rules/sound_alikes.yaml. Where two things sound alike, none is meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from medweave.language.data import shipped_yaml
from medweave.vocabulary.readings import MISSPELT, Reading

_SHORTEST = 3
"""Shorter names sound like words of everyday."""
_LONGEST = 10
_MOST_SLIPS = 2


def by_sound(text: str) -> str:
    """A text with one character for all that sound like it.

    >>> by_sound("阿斯匹林") == by_sound("阿司匹林")
    True
    """
    return text.translate(_sounds())


@cache
def _sounds() -> dict[int, int]:
    groups: str = shipped_yaml("language", "rules", "sound_alikes.yaml")["groups"]
    return {ord(other): ord(group[0]) for group in groups.split() for other in group[1:]}


@dataclass(frozen=True)
class NamesBySound:
    """Keys of names by how they sound, and with what these sounds begin."""

    keys: Mapping[str, str]
    beginnings: frozenset[str]

    @classmethod
    def of(cls, names: Mapping[str, str]) -> NamesBySound:
        """Those of Chinese names that sound like one thing alone; `names` says what each names."""
        found: dict[str, dict[str, str]] = {}
        for key, named in names.items():
            if _SHORTEST <= len(key) <= _LONGEST and not key.isascii():
                found.setdefault(by_sound(key), {}).setdefault(named, key)
        alone = {sound: next(iter(k.values())) for sound, k in found.items() if len(k) == 1}
        return cls(alone, frozenset(sound[:_SHORTEST] for sound in alone))

    def readings(self, text: str) -> Iterator[Reading]:
        """The stretches of a folded text that sound like a name and are written otherwise.

        >>> names = NamesBySound.of({"华法林": "warfarin"})
        >>> [reading.keys for reading in names.readings("吃花法林")]
        [('华法林',)]
        """
        sound = "" if text.isascii() else by_sound(text)
        for start in range(len(sound) - _SHORTEST + 1):
            if sound[start : start + _SHORTEST] not in self.beginnings:
                continue
            for end in range(start + _SHORTEST, min(start + _LONGEST, len(text)) + 1):
                key = self.keys.get(sound[start:end], "")
                slips = sum(a != b for a, b in zip(key, text[start:end], strict=False))
                if 0 < slips <= _MOST_SLIPS:
                    yield Reading(start, end, MISSPELT, (key,), key, 1)
