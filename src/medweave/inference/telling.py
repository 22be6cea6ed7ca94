"""Which questions would tell most between diseases that fit what was told.

Of every finding not yet spoken of it is reckoned how much doubt its answer would leave: the entropy
of the diseases that show as many of the findings as the best, each weighed by its score. The
question that leaves least is asked first, then the one that leaves least beside it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import log

from medweave.model.inferred import Differential
from medweave.vocabulary.knowledge import Knowledge

QUESTIONS = 3
"""So many questions are asked."""
LOOKED_AT = 16
"""Between so many diseases, the best by score."""
SHOWN = 0.6
"""How many show a finding that is recorded for their disease without saying of how many, and"""
UNRECORDED = 0.05
"""how many show one that is not recorded for it."""


def most_telling(
    found: Differential, known: Collection[str], knowledge: Knowledge
) -> tuple[str, ...]:
    """The findings to ask about, the most telling first; none of those `known`."""
    fitting = (found.alike if len(found.alike) > 1 else found.near)[:LOOKED_AT]
    total = sum(one.score for one in fitting)
    if len(fitting) < 2 or not total:  # noqa: PLR2004 - two are needed to differ
        return ()
    shows = _shows([one.entity for one in fitting], known, knowledge)
    groups = [[one.score / total for one in fitting]]
    asked: list[str] = []
    for _ in range(min(QUESTIONS, len(shows))):
        doubt = {finding: _doubt(groups, by) for finding, by in shows.items()}
        asked.append(min(doubt, key=lambda finding: (round(doubt[finding], 9), finding)))
        by = shows.pop(asked[-1])
        groups = [part for group in groups for part in _parted(group, by)]
    return tuple(asked)


def _shows(
    diseases: Sequence[str], known: Collection[str], knowledge: Knowledge
) -> dict[str, dict[int, float]]:
    """By finding, which of the diseases show it, and how many of those who have them."""
    shows: dict[str, dict[int, float]] = {}
    names = [knowledge.same(disease) for disease in diseases]
    knowledge.store.expect([(name, "has_symptom", None) for some in names for name in some])
    for at, some in enumerate(names):
        for supported in (s for name in some for s in knowledge.store.match(name, "has_symptom")):
            finding = supported.statement.object_entity
            if finding is not None and supported.affirmed and finding not in known:
                often = max(item.strength for item in supported.affirmed)
                shows.setdefault(finding, {})[at] = often if often < 1 else SHOWN
    return shows


def _doubt(groups: Sequence[Sequence[float]], by: Mapping[int, float]) -> float:
    """What doubt is left on average when one more answer parts the groups."""
    return sum(_entropy(part) for group in groups for part in _parted(group, by))


def _parted(group: Sequence[float], by: Mapping[int, float]) -> Iterator[list[float]]:
    """The weights of those who show a finding, and of those who do not."""
    shown = [weight * by.get(at, UNRECORDED) for at, weight in enumerate(group)]
    yield shown
    yield [weight - part for weight, part in zip(group, shown, strict=True)]


def _entropy(weights: Sequence[float]) -> float:
    """The entropy of weights, times their sum."""
    whole = sum(weights)
    return -sum(weight * log(weight / whole) for weight in weights if weight > 0)
