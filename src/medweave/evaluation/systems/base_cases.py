"""The base as training cases: every disease is one case of itself.

So naive Bayes, the nearest case and BM25 can be run where there are no patients to learn from.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from medweave.evaluation.data.cases import FindingsReader
from medweave.evaluation.data.labels import Labels
from medweave.evaluation.items import Item, Ranked, System
from medweave.inference.differential import walked
from medweave.model.edge import thing_number
from medweave.vocabulary.knowledge import Knowledge

_RANKED = 50


class BaseCases:
    """Every disease of a base with its findings, their strengths, and all its words."""

    def __init__(self, knowledge: Knowledge) -> None:
        strengths: dict[int, dict[int, float]] = defaultdict(dict)
        for edge in knowledge.store.all_edges(walked(knowledge)):
            if edge.weight > 0:
                held = strengths[edge.subject]
                held[edge.object] = max(held.get(edge.object, 0.0), edge.weight)
        names: dict[int, str] = {}
        identifiers: dict[int, str] = {}
        for count in knowledge.store.all_names():
            number = thing_number(count.mention.entity)
            names.setdefault(number, count.mention.name)
            identifiers[number] = count.mention.entity
        diseases = {
            entity for entity, votes in knowledge.store.concept_votes() if "disease" in votes
        }
        self._strengths = {
            n: held for n, held in strengths.items() if identifiers.get(n) in diseases
        }
        self._names, self._identifiers = names, identifiers

    def items(self) -> list[Item]:
        """A case for each disease; its facts are its findings by number."""
        return [
            Item(str(number), (self._identifiers[number],), facts=tuple(map(str, sorted(held))))
            for number, held in sorted(self._strengths.items())
        ]

    def strength(self, item: Item, finding: str) -> float:
        """How strongly a disease shows a finding."""
        return self._strengths[int(item.id)][int(finding)]

    def texts(self) -> list[tuple[str, str]]:
        """Each disease with its name and the names of its findings."""
        return [
            (
                self._identifiers[number],
                " ".join(self._names.get(n, "") for n in (number, *sorted(held))),
            )
            for number, held in sorted(self._strengths.items())
        ]

    def said(self, case: Item) -> str:
        """The words of a case: its text, or the names of its findings."""
        return case.text or " ".join(self._names.get(int(n), "") for n in case.facts)

    def by_size(self) -> list[Item]:
        """Cases whose numbers are the sizes of the diseases: the majority names the largest."""
        return [
            Item(f"{number}/{at}", (self._identifiers[number],))
            for number, held in sorted(self._strengths.items())
            for at in range(len(held))
        ]


class OnBase:
    """A system trained on a base's cases: items go in as such cases, labels come out."""

    def __init__(self, system: System, knowledge: Knowledge, reader: FindingsReader) -> None:
        self._system, self._labels, self._reader = system, Labels(knowledge), reader

    def rank(self, item: Item) -> Ranked:
        """The same ranking with labels in place of identifiers."""
        present = self._reader.findings(item).present
        numbers = dict.fromkeys(str(thing_number(e)) for group in present for e in group)
        found = self._system.rank(replace(item, facts=tuple(numbers)))
        labels = self._labels.of_entities(found.labels[:_RANKED])
        return Ranked(labels, found.confidence, found.answered, found.recognised)


def facts_of(case: Item) -> tuple[str, ...]:
    """The findings of a case of a base, by number."""
    return case.facts
