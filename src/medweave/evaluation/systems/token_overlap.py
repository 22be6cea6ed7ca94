"""The plainest gate: a sentence is supported where a record shares enough of its words."""

from __future__ import annotations

from collections.abc import Sequence

from medweave.evaluation.items import Item, Ranked
from medweave.language.segmentation import index_terms
from medweave.model.statement import Literal, SupportedStatement
from medweave.vocabulary.knowledge import Knowledge


class TokenOverlap:
    """The share of a sentence's words that one record of a thing it names has: its names, its
    predicate in words, its qualifiers or its text. The threshold is the best on the items."""

    def __init__(self, knowledge: Knowledge, items: Sequence[Item]) -> None:
        self._knowledge = knowledge
        self._scores = {item.id: self._score(item.text) for item in items}
        labelled = [(self._scores[i.id], i.expected[0] == "supported") for i in items]

        def right(threshold: float) -> int:
            return sum((score >= threshold) == supported for score, supported in labelled)

        thresholds = sorted({score for score, _ in labelled} | {2.0})
        self.threshold = max(thresholds, key=right)

    def rank(self, item: Item) -> Ranked:
        """Supported from the threshold on."""
        score = self._scores[item.id]
        return Ranked(("supported" if score >= self.threshold else "unsupported",), score)

    def _score(self, text: str) -> float:
        words = set(index_terms(text))
        store = self._knowledge.store
        things = {match.named[0].entity for match in self._knowledge.dictionary.find(text)}
        found = [s for thing in sorted(things) for s in store.match(thing)]
        found += [s for thing in sorted(things) for s in store.match(None, None, thing)]
        shares = (len(words & self._words(each)) / len(words) for each in found if words)
        return max(shares, default=0.0)

    def _words(self, supported: SupportedStatement) -> set[str]:
        statement = supported.statement
        said = [statement.predicate.replace("_", " ")]
        if isinstance(statement.object, Literal):
            said.append(str(statement.object.value))
        for entity in statement.entities:
            said += self._knowledge.entities.get(entity).all_names()
        return {word for each in said for word in index_terms(each)}
