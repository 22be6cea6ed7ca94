"""The idf vote: every finding votes for the diseases that show it, the rarer the louder.

    score(d) = sum over findings f of  ln(1 + D / D(f)) * strength(d, f)

One step over the graph and no walk: the baseline that a walk has to beat.
"""

from __future__ import annotations

from collections import defaultdict
from math import log

from medweave.evaluation.data.cases import FindingsReader
from medweave.evaluation.data.labels import Labels
from medweave.evaluation.items import Item, Ranked
from medweave.inference.differential import walked
from medweave.model.edge import thing_number
from medweave.vocabulary.knowledge import Knowledge

_RANKED = 50


class IdfVote:
    """Votes over the edges of a base."""

    def __init__(self, knowledge: Knowledge, reader: FindingsReader) -> None:
        self._knowledge, self._reader = knowledge, reader
        self._labels = Labels(knowledge)
        self._diseases = knowledge.mentioned_as("disease")
        self._predicates = walked(knowledge)

    def rank(self, item: Item) -> Ranked:
        """Diseases by votes."""
        present = self._reader.findings(item).present
        if not present:
            return Ranked(answered=False, recognised=False)
        own = {thing_number(entity) for group in present for entity in group}
        votes: dict[int, float] = defaultdict(float)
        for group in present:
            for disease, vote in self._votes({thing_number(e) for e in group}).items():
                if disease not in own:
                    votes[disease] += vote
        order = sorted(votes, key=lambda disease: (-votes[disease], disease))[:_RANKED]
        names = self._knowledge.store.identifiers(order)
        resolved = self._knowledge.entities.all(names.values())
        diseases = [names[n] for n in order if "disease" in resolved[names[n]].concepts]
        labels = self._labels.of_entities(diseases)
        return Ranked(labels, votes[order[0]] if order else 0.0)

    def _votes(self, finding: set[int]) -> dict[int, float]:
        """The vote of one finding, by disease."""
        strengths: dict[int, float] = {}
        for edge in self._knowledge.store.edges(finding, self._predicates, cap=10_000):
            if edge.object in finding and edge.weight > 0:
                strengths[edge.subject] = max(strengths.get(edge.subject, 0.0), edge.weight)
        if not strengths:
            return {}
        idf = log(1 + max(self._diseases, len(strengths)) / len(strengths))
        return {disease: idf * strength for disease, strength in strengths.items()}
