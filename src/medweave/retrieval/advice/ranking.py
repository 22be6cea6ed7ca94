"""How likely a text of advice answers a question: what speaks for it in numbers, and weights.

    p = 1 / (1 + exp(-(b + sum over f of w_f x_f)))

A logistic regression over what is asked for (the chance of the aspect that a text is of), shared
words, and, where an embedder is installed, the cosine of a text with the question. Learned from
messages whose answer is known, against all other texts on what they name (decision 0582). Most
texts are left out by words and aspect alone: only a few are read for their meaning.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log
from operator import mul

from medweave.language.data import shipped
from medweave.language.stems import stem_texts
from medweave.language.typed import as_read
from medweave.ports import SentenceVectors
from medweave.retrieval.advice.texts import AdviceText

BY_WORDS = ("aspect", "words", "words below best", "how to take", "urgent", "class", "kind",
            "told before")  # fmt: skip
"""What speaks for a text without an embedder."""
BY_ALL = (*BY_WORDS, "meaning", "meaning below best")
COMPARED = 6
"""So many of the best by words and aspect are compared by meaning: each is read for it."""
_LEAST = 1e-4
"""The chance that any aspect has."""
_STRETCH = 10
"""Cosines lie near each other: multiplied by this they move as much as the rest."""
_WITHOUT_NAMES = ("zh",)
"""Languages whose texts are compared as they are; in others the name of what they are of is put
before them, for "It turns the stools dark" does not say that it is on iron."""

Row = dict[str, float]


@dataclass(frozen=True, slots=True)
class Weights:
    """What each number weighs."""

    bias: float
    of: Mapping[str, float]

    def chance(self, row: Mapping[str, float]) -> float:
        """How likely a text answers, between 0 and 1."""
        score = self.bias + sum(weight * row[name] for name, weight in self.of.items())
        return 1 / (1 + exp(-score))


def chances(
    asked: str,
    language: str,
    aspects: Mapping[str, float],
    texts: Sequence[AdviceText],
    vectors: SentenceVectors | None,
    *,
    compared: int = COMPARED,
) -> list[tuple[AdviceText, float]]:
    """The texts with the chance that each answers what is `asked`, the best first.

    `aspects` holds the chance of each aspect that is asked for. Without vectors all are ranked by
    words and aspect; with them so many of the best of these by meaning, too, as are `compared`.
    """
    if not texts:
        return []
    rows = rows_by_words(asked, aspects, texts)
    ranked = _ranked(texts, rows, weights_of(language, "words"))
    made = _meaning(asked, language, [text for text, _, _ in ranked[:compared]], vectors)
    if made is None:
        return [(text, chance) for text, _, chance in ranked]
    best = ranked[: len(made)]
    more = [row | own for (_, row, _), own in zip(best, made, strict=True)]
    again = _ranked([text for text, _, _ in best], more, weights_of(language, "all"))
    return [(text, chance) for text, _, chance in again]


def rows_by_words(
    asked: str, aspects: Mapping[str, float], texts: Sequence[AdviceText]
) -> list[Row]:
    """`BY_WORDS` of each text. A word tells the more, the fewer of the texts have it; the names of
    what they are of tell nothing."""
    names = stem_texts(" ".join({text.called for text in texts}).lower())
    words = stem_texts(asked.lower()) - names
    held = [stem_texts(text.words.lower()) for text in texts]
    counted = Counter(stem for stems in held for stem in stems)
    telling = {stem: log((len(texts) + 1) / (counted[stem] + 0.5)) for stem in words & {*counted}}
    shared = [sum(telling[stem] for stem in words & stems) / 3 for stems in held]
    most = max(shared)
    return [
        {
            "aspect": log(aspects.get(text.aspect, 0.0) + _LEAST),
            "words": share,
            "words below best": share - most,
            "how to take": float(text.supported.statement.predicate == "use_advice"),
            "urgent": float(text.supported.statement.predicate == "urgent_care_advice"),
            "class": float(text.of == "class"),
            "kind": float(text.of == "kind"),
            "told before": float(text.told_before),
        }
        for text, share in zip(texts, shared, strict=True)
    ]


def rows_by_meaning(near: Sequence[float]) -> list[Row]:
    """What is added to `BY_WORDS` by the cosines of texts with what is asked."""
    best = max(near)
    return [
        {"meaning": _STRETCH * cosine, "meaning below best": _STRETCH * (cosine - best)}
        for cosine in near
    ]


def compared_words(text: AdviceText, language: str) -> str:
    """A text as it is compared."""
    known = language in _WITHOUT_NAMES or text.called.lower() in text.words.lower()
    return text.words if known else f"{text.called}: {text.words}"


def _meaning(
    asked: str, language: str, texts: Sequence[AdviceText], vectors: SentenceVectors | None
) -> list[Row] | None:
    """None where nothing reads them."""
    if vectors is None:
        return None
    read = [as_read(asked, language), *(compared_words(text, language) for text in texts)]
    made = vectors(read, language)  # other readers have the vector of the question made
    if made is None:
        return None
    return rows_by_meaning([sum(map(mul, made[0], made[at])) for at in range(1, len(read))])


def _ranked(
    texts: Sequence[AdviceText], rows: Sequence[Row], weights: Weights
) -> list[tuple[AdviceText, Row, float]]:
    found = [(text, row, weights.chance(row)) for text, row in zip(texts, rows, strict=True)]
    return sorted(found, key=lambda each: -each[2])


@cache
def weights_of(language: str, by: str) -> Weights:
    """The weights that ship: of a language, by "words" or by "all"."""
    held = json.loads(shipped("retrieval", "advice", "weights.json").read_text("utf-8"))
    of = held.get(language, held["en"])[by]
    return Weights(of["bias"], of["of"])
