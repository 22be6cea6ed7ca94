"""Ours: diseases ranked over the base, as `medweave ask` does, in every mode of ranking."""

from __future__ import annotations

from medweave.evaluation.data.cases import FindingsReader
from medweave.evaluation.data.labels import Labels
from medweave.evaluation.items import Item, Ranked
from medweave.inference.differential import differential
from medweave.model.ranking import Ranking
from medweave.vocabulary.knowledge import Knowledge


class GraphDiagnosis:
    """The differential of `medweave ask`; it answers where one disease leads clearly."""

    def __init__(
        self, knowledge: Knowledge, reader: FindingsReader, ranking: Ranking | None = None
    ) -> None:
        self._knowledge, self._reader = knowledge, reader
        self._ranking = ranking or Ranking()
        self._labels = Labels(knowledge)

    def rank(self, item: Item) -> Ranked:
        """Labels of the diseases, the best first; those ruled out last."""
        found = self._reader.findings(item)
        ranked = differential(
            found.present,
            found.absent,
            self._knowledge,
            self._ranking,
            words=found.words,
            loose=found.loose,
        )
        if not found.present and not ranked.ranked:
            return Ranked(answered=False, recognised=False)
        labels = self._labels.of_entities(disease.entity for disease in ranked.ranked)
        joined = ranked.ranked[0].findings if ranked.ranked else 0
        return Ranked(labels, joined + ranked.margin, answered=ranked.clear)
