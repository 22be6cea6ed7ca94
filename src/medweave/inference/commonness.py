"""How common diseases are, where a base states it: the rarer one is, the more must speak for it.

A walk weighs findings alone, so of diseases that show the same it takes any. What is common is
common: the evidence `e` for a disease, in nats, is weighed as `e² / (e + r)`, where `r` is the
negative logarithm of how often it is met (`commonness.yaml`). For much evidence that is `e - r`, as
in Bayes' rule; for little it stays above nothing, so that nothing is ever hidden. A base that
states no commonness is ranked as without it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache

from medweave.language.data import shipped_yaml
from medweave.model.edge import statement_number, thing_number
from medweave.model.statement import Literal
from medweave.vocabulary.knowledge import Knowledge

PREDICATE = "how_common"


@dataclass(frozen=True, slots=True)
class Commonness:
    """What a base states of how common its diseases are, by their numbers."""

    rarities: Mapping[int, float] = field(default_factory=dict)
    stated: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The statements, by number, that say so."""
    unstated: float = 0.0

    def rarity(self, numbers: Iterable[int]) -> float:
        """How rare a disease is by all its numbers; where sources differ, the more common."""
        stated = [self.rarities[number] for number in numbers if number in self.rarities]
        return min(stated, default=self.unstated)

    def statements(self, numbers: Iterable[int]) -> tuple[int, ...]:
        """The statements by which that is known."""
        return tuple(one for number in numbers for one in self.stated.get(number, ()))

    def weighing(
        self, fit: Callable[[tuple[int, ...]], float], nat: float, showing: Collection[int]
    ) -> Callable[[tuple[int, ...]], float]:
        """How well a disease fits, given how common it is; a `nat` is what one of evidence adds.

        One that is not among those `showing` a finding is only met by single words, which are no
        reason to hold it common.
        """
        if not self.rarities or not nat:
            return fit

        def weighed(numbers: tuple[int, ...]) -> float:
            score, rarity = fit(numbers), self.rarity(numbers)
            if not any(number in showing for number in numbers):
                rarity = max(rarity, self.unstated)
            return score * score / (score + nat * rarity) if score > 0 else score

        return weighed


NOTHING_STATED = Commonness()


@lru_cache(maxsize=2)
def commonness_in(knowledge: Knowledge) -> Commonness:
    """How common the diseases of a base are; read once for a revision."""
    if not knowledge.holds_relation(PREDICATE):
        return NOTHING_STATED
    by_word, unstated = _levels()
    rarities: dict[int, float] = {}
    stated: dict[int, tuple[int, ...]] = {}
    for supported in knowledge.store.match(predicate=PREDICATE):
        word = supported.statement.object
        rarity = by_word.get(str(word.value).strip().lower()) if isinstance(word, Literal) else None
        if rarity is None or not supported.affirmed:
            continue
        number = thing_number(supported.statement.subject)
        rarities[number] = min(rarity, rarities.get(number, rarity))
        stated[number] = (*stated.get(number, ()), statement_number(supported.statement.id))
    return Commonness(rarities, stated, unstated)


@cache
def _levels() -> tuple[Mapping[str, float], float]:
    """How rare what is called by each word is, and what is called by none."""
    held = shipped_yaml("inference", "commonness.yaml")
    levels = held["levels"].values()
    by_word = {word: level["rarity"] for level in levels for word in level["words"]}
    return by_word, held["levels"][held["unstated"]]["rarity"]
