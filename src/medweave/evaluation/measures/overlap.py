"""How much of the questions that are evaluated stands word for word in those trained on.

For each item the longest run of words (Chinese: characters) that any training question has too.
A classifier that ships with questions close to a test would do well on it for the wrong reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median
from typing import Any

from medweave.language.segmentation import is_han, symbol_runs

LONGEST = 12
"""Runs are looked for up to this length."""


def overlap(items: Iterable[str], trained_on: Iterable[str]) -> dict[str, Any]:
    """The longest shared run of each item: the median, the greatest, and how many stand whole.

    >>> overlap(["what are the signs of flu"], ["what are the causes of flu"])["longest"]
    3
    """
    runs: set[tuple[str, ...]] = set()
    whole: set[tuple[str, ...]] = set()
    for text in trained_on:
        symbols = _symbols(text)
        whole.add(tuple(symbols))
        for length in range(1, LONGEST + 1):
            runs.update(_runs(symbols, length))
    texts = [_symbols(text) for text in items]
    shared = [_longest(symbols, runs) for symbols in texts]
    shares = [n / len(s) for n, s in zip(shared, texts, strict=True) if s]
    longest = max(range(len(shared)), key=lambda at: shared[at], default=None)
    return {
        "longest": shared[longest] if longest is not None else 0,
        "longest_text": " ".join(texts[longest]) if longest is not None else "",
        "median": median(shared) if shared else 0,
        "median_share": round(median(shares), 4) if shares else 0.0,
        "identical": sum(tuple(symbols) in whole for symbols in texts),
        "up_to": LONGEST,
    }


def _longest(symbols: list[str], runs: set[tuple[str, ...]]) -> int:
    found = 0
    for length in range(1, LONGEST + 1):
        if not any(run in runs for run in _runs(symbols, length)):
            break
        found = length
    return found


def _runs(symbols: list[str], length: int) -> Iterable[tuple[str, ...]]:
    return (tuple(symbols[at : at + length]) for at in range(len(symbols) - length + 1))


def _symbols(text: str) -> list[str]:
    return [s for run in symbol_runs(text) for s in (run if is_han(run) else (run,))]
