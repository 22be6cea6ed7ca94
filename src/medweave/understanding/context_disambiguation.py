"""Which of several things a name means, by what the whole question is nearest to.

Nearest neighbours of a name alone confuse what shares an abbreviation; the name together with its
question tells them apart ("aligning entities in context", system Z). What a thing is said to be
here are its other names and what the base records of it, so no model has to know it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from medweave.language.folding import name_key
from medweave.model.question import Meaning, Mention
from medweave.model.statement import Literal
from medweave.understanding.disambiguation import means
from medweave.vocabulary.knowledge import Knowledge

Nearness = Callable[[str, Sequence[str]], Sequence[float]]
"""How near a text is to each of some others: cosines, or nothing where there is no saying."""
LEAD = 0.05
"""So much nearer than all others a thing must be; see decision 27."""
_NAMES = 3
_RECORDED = 12
"""So many statements say what a thing is."""


@dataclass(frozen=True, slots=True)
class ContextDisambiguation:
    """Weighs what names may mean against the text they stand in."""

    text: str
    language: str
    wanted: Collection[str]
    """Concepts that can have what is asked for; only meanings of these are weighed, if any."""
    knowledge: Knowledge
    nearness: Nearness

    def of(self, mention: Mention) -> Mention:
        """The mention with the meaning that the text is clearly nearest to.

        Where a name means one thing, or the same thing twice, it stays as it is.
        """
        meanings = [Meaning(mention.entity, mention.concept), *mention.alternatives]
        possible = [m for m in meanings if m.concept in self.wanted] or meanings
        if len(possible) == 1 or not self._differ(mention, possible):
            return mention
        best = self._clearly_nearest(mention, possible)
        if best is None or best == meanings[0]:
            return mention
        return means(mention, best, self.knowledge.entities.get(best.entity).name(self.language))

    def _clearly_nearest(self, mention: Mention, meanings: Sequence[Meaning]) -> Meaning | None:
        descriptions = [self._description(meaning, mention) for meaning in meanings]
        scores = self.nearness(self.text, descriptions)
        if not scores:
            return None
        (first, best), (second, _), *_ = sorted(
            zip(scores, meanings, strict=True), key=lambda scored: -scored[0]
        )
        return best if first - second >= LEAD else None

    def _differ(self, mention: Mention, meanings: Sequence[Meaning]) -> bool:
        """Whether these are different things: each has names of its own, and shares none."""
        seen: set[str] = set()
        for meaning in meanings:
            own = {name_key(name) for name in self._other_names(meaning, mention)}
            if not own or own & seen:
                return False
            seen |= own
        return True

    def _other_names(self, meaning: Meaning, mention: Mention) -> Iterator[str]:
        written = name_key(mention.text)
        for name in self.knowledge.entities.get(meaning.entity).all_names():
            if name_key(name) != written:
                yield name

    def _description(self, meaning: Meaning, mention: Mention) -> str:
        """A thing by its other names and what is recorded of it."""
        recorded = self.knowledge.store.match(meaning.entity, limit=_RECORDED)
        objects = [
            supported.statement.object
            for supported in recorded
            if supported.affirmed and not isinstance(supported.statement.object, Literal)
        ]
        named = self.knowledge.entities.all(objects)
        about = "; ".join(dict.fromkeys(named[thing].name(self.language) for thing in objects))
        others = dict.fromkeys(self._other_names(meaning, mention))
        names = ", ".join(islice(others, _NAMES))  # more would outweigh what is recorded
        return f"{names} ({about})" if about else names
