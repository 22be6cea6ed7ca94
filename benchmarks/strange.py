"""How long the strangest texts take: `python -m benchmarks.strange [COUNT] [BASE]`.

Prints, for each family of `benchmarks.strange_texts`, the median and the slowest, and how
long the slowest text is; an exception ends it.
"""

from __future__ import annotations

import sys
from contextlib import closing, suppress
from statistics import median
from time import process_time

from benchmarks.strange_texts import FAMILIES, strange_texts
from medweave import KnowledgeBase
from medweave.errors import QuestionError


def main(count: int, path: str) -> None:
    """Every family, so many texts in all."""
    with closing(KnowledgeBase.open(path) if path else KnowledgeBase.sample()) as base:
        base.understand("fever")  # what is loaded once is not of the first text
        for family in FAMILIES:
            taken = []
            for text in strange_texts(family, count // len(FAMILIES)):
                start = process_time()
                with suppress(QuestionError):  # empty
                    base.understand(text)
                taken.append((process_time() - start, len(text)))
            seconds, length = max(taken)
            middle = median(each for each, _ in taken) * 1000
            print(
                f"{family:24} {len(taken):6} texts, median {middle:6.1f} ms, "
                f"slowest {seconds * 1000:8.1f} ms ({length:,} characters)"
            )


if __name__ == "__main__":
    _, *given = sys.argv
    main(int(given[0]) if given else 10_000, given[1] if len(given) > 1 else "")
