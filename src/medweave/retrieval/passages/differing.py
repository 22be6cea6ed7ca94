"""Sentences that say the same of the same, but for a "not" or a number: shown side by side.

Only what is sure counts: all words that tell anything are the same in both.
"""

from __future__ import annotations

import re

from medweave.language.segmentation import is_han, stop_names, symbol_runs
from medweave.retrieval.passages.fitting import designations
from medweave.retrieval.passages.question_kinds import content_terms, frame_stems

_DENIES = re.compile(
    r"\b(?:not|no|never|cannot|nor|without)\b|n[’']t\b|不|无|没有|未|禁|非(?!常)", re.IGNORECASE
)
_DENYING = frozenset(
    ["not", "no", "never", "cannot", "nor", "without", "t", "don", "doesn", "isn", "aren"]
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?|[一二三四五六七八九十两]+(?=[个次天周月年片粒])")
_LEAST = 3
"""So many telling words two sentences share, at least."""


def differ(one: str, other: str) -> bool:
    """Whether two sentences contradict each other.

    >>> differ("Aspirin should be taken with food.", "Aspirin should not be taken with food.")
    True
    >>> differ("Insulin keeps 28 days at room warmth.", "Insulin keeps 42 days at room warmth.")
    True
    >>> differ("Stage 1 tumours are 2 cm or less.", "Stage 2 tumours are 5 cm or less.")
    False
    """
    told = _telling(one)
    if len(told) < _LEAST or told != _telling(other) or designations(one) != designations(other):
        return False
    numbers, others = (frozenset(_NUMBER.findall(text)) for text in (one, other))
    by_number = bool(numbers) and bool(others) and numbers != others
    return by_number or bool(_DENIES.search(one)) != bool(_DENIES.search(other))


def _telling(text: str) -> frozenset[str]:
    """What tells of what a sentence speaks: stems, or Chinese characters."""
    plain = _NUMBER.sub(" ", text)
    if any(is_han(run) for run in symbol_runs(plain)):
        return frozenset(character for character in _DENIES.sub("", plain) if character.isalnum())
    words = frozenset(content_terms(plain)) - _DENYING
    return words - stop_names() - frame_stems()
