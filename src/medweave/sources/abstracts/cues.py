"""Single words that say how things of a sentence go together: "induced", "developed", "without"."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from medweave.language.data import shipped_yaml


def cues_in(words: Iterable[str]) -> list[str]:
    """What words in small letters say, each once.

    >>> cues_in(["caused", "by", "the", "induced"])
    ['cause']
    """
    return sorted(set(filter(None, map(cue, words))))


@lru_cache(maxsize=1 << 15)
def cue(word: str) -> str:
    """What a word in small letters says, '' for most.

    >>> cue("notes"), cue("not")
    ('', 'denied')
    """
    return next(
        (name for begins, name in _cues() if begins == f"={word}" or word.startswith(begins)), ""
    )


@cache
def _cues() -> tuple[tuple[str, str], ...]:
    """How a word begins, or `=` and the whole word, and what it says."""
    content: dict[str, list[str]] = shipped_yaml("sources", "abstracts", "rules", "cues.yaml")
    return tuple((begins, name) for name, some in content.items() for begins in some)
