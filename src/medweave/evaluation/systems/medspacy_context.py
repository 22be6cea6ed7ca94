"""medspacy: ConText (Harkema et al. 2009) for spaCy, at its defaults, where it is installed."""

from __future__ import annotations

from medweave.evaluation.items import Item, Ranked
from medweave.evaluation.systems.spacy_mention import SpacyMention


class MedspacyContext:
    """Raises `ConfigurationError` without medspacy."""

    def __init__(self) -> None:
        self._mention = SpacyMention("medspacy", "medspacy.context", "medspacy_context")

    def rank(self, item: Item) -> Ranked:
        """One label, and the time."""
        read = self._mention.read(item)._
        label = "Negated" if read.is_negated else "Affirmed"
        label = "Possible" if label == "Affirmed" and read.is_uncertain else label
        return Ranked((label,), 1.0, temporality="Historical" if read.is_historical else "Recent")
