"""negspacy: NegEx (Chapman et al. 2001) for spaCy, at its defaults, where it is installed."""

from __future__ import annotations

from medweave.evaluation.items import Item, Ranked
from medweave.evaluation.systems.spacy_mention import SpacyMention


class NegspacyNegex:
    """Raises `ConfigurationError` without negspacy."""

    def __init__(self) -> None:
        self._mention = SpacyMention("negspacy", "negspacy.negation", "negex")

    def rank(self, item: Item) -> Ranked:
        """One label; it does not tell the time."""
        read = self._mention.read(item)
        return Ranked(("Negated" if read._.negex else "Affirmed",), 1.0)
