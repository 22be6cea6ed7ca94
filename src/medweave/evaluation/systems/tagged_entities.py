"""Entities that the tagger finds, learned as `medweave extract --train` learns it."""

from __future__ import annotations

from collections.abc import Sequence

from medweave.evaluation.items import Found, Item, Ranked
from medweave.sources.abstracts.entities.spans import Labelled, Span
from medweave.sources.abstracts.entities.tagger import EntityTagger, Teller


class TaggedEntities:
    """What the tagger finds after some labelled texts, with what a teller knows of any text."""

    def __init__(self, cases: Sequence[Item], teller: Teller) -> None:
        labelled = [
            Labelled(case.text, [Span(m.start, m.end, m.concept) for m in case.mentions])
            for case in cases
        ]
        self._tagger = EntityTagger.learn(labelled, teller)

    def rank(self, item: Item) -> Ranked:
        """No labels, but what stands where."""
        spans = self._tagger.find(item.text)
        found = tuple(Found(span.start, span.end, span.type, "trained") for span in spans)
        return Ranked(recognised=bool(found), found=found)
