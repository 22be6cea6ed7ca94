"""How near an answer in words comes to a right one, and whether its passages hold the evidence.

ROUGE is that of the package `rouge-score`, with its stemmer; Chinese is taken by characters.
Source: Lin, "ROUGE: a package for automatic evaluation of summaries" (2004).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from medweave.errors import ConfigurationError
from medweave.evaluation.measures.classification import Measure
from medweave.language.segmentation import is_chinese
from medweave.language.stems import bare_stem

BUDGET = 1000
"""So many words of the passages are read for evidence."""
_WORD = re.compile(r"[a-z0-9]+|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_EMPTY_WORDS = (
    "a an the of in on to for and or is are was were be been by with as at from that this these "
    "those it its it may can which who what when how does do did not have has had will would "
    "should could into than then also such if but their there your you"
)
_EMPTY = frozenset(_EMPTY_WORDS.split())
"""Words that are no evidence of anything."""
ROUGE = ("rouge_l", "rouge_l_precision", "rouge_l_recall")


class Rouge:
    """ROUGE-L of answers, each counted once. Raises `ConfigurationError` without the package."""

    def __init__(self) -> None:
        try:
            from rouge_score.rouge_scorer import RougeScorer
        except ImportError as error:
            raise ConfigurationError(
                "rouge-score is not installed",
                where="evaluate answers",
                remedy="pip install 'medweave[evaluate]'",
            ) from error
        self._make: Any = RougeScorer
        self._known: dict[tuple[tuple[str, ...], str], dict[str, float]] = {}

    def scores(self, references: tuple[str, ...], answer: str) -> Mapping[str, float]:
        """`ROUGE` against the reference that the answer comes nearest to; 0 for no answer.

        >>> found = Rouge().scores(("Gout is a kind of arthritis.",), "It is arthritis.")
        >>> round(found["rouge_l"], 2)
        0.44
        """
        key = (references, answer)
        if key not in self._known:
            each = (self._against(reference, answer) for reference in references)
            self._known[key] = max(each, key=lambda found: found["rouge_l"])
        return self._known[key]

    def _against(self, reference: str, answer: str) -> dict[str, float]:
        scorer = self._by_characters if is_chinese(reference) else self._by_words
        found = scorer.score(reference, answer)["rougeL"]
        return dict(zip(ROUGE, (found.fmeasure, found.precision, found.recall), strict=True))

    @cached_property
    def _by_words(self) -> Any:
        return self._make(["rougeL"], use_stemmer=True)

    @cached_property
    def _by_characters(self) -> Any:
        return self._make(["rougeL"], tokenizer=_Characters())


class _Characters:
    """Chinese by characters, other words whole, as `rouge-score` asks for it."""

    def tokenize(self, text: str) -> list[str]:
        """The characters and words of a text."""
        return _WORD.findall(text.lower())


def evidence_recall(evidence: Sequence[str], passages: Iterable[str]) -> float | None:
    """The share of the words of a piece of evidence that stand in the first 1,000 words of the
    passages, as the mean over pieces; None where there is no evidence to find.

    Words are compared by their stems, without those that say nothing; Chinese by characters.

    >>> evidence_recall(["Rest helps against colds"], ["A cold gets better with rest."])
    0.5
    """
    read = [word for text in passages for word in _words(text)][:BUDGET]
    found = _stems(read)
    wanted = [stems for piece in evidence if (stems := _stems(_words(piece)))]
    if not wanted:
        return None
    return sum(len(stems & found) / len(stems) for stems in wanted) / len(wanted)


def words_cited(answer: str, cited: Iterable[str]) -> float | None:
    """The share of an answer's words that stand in what it cites; None where it has none.

    >>> words_cited("Rest helps", ["Rest is best."])
    0.5
    """
    told = _words(answer)
    there = {word for text in cited for word in _words(text)}
    return sum(word in there for word in told) / len(told) if told else None


def mean_of_known(values: Sequence[float | None]) -> Measure:
    """The mean over the items of which something is known.

    >>> mean_of_known([0.5, None, 1.0])([0, 1, 2])
    0.75
    """
    known = [(0.0, 0) if value is None else (value, 1) for value in values]

    def measure(draw: Sequence[int]) -> float:
        drawn = [known[at] for at in draw]
        count = sum(one for _, one in drawn)
        return sum(value for value, _ in drawn) / count if count else 0.0

    return measure


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(bare_stem(word) for word in words if word not in _EMPTY)
