"""Cases as the base reads them: which findings are present and absent, and the gold diagnoses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from medweave.evaluation.data.labels import Labels
from medweave.evaluation.data.reading import diagnosis_item
from medweave.evaluation.items import Item
from medweave.inference.infer import findings, loosely_linked
from medweave.model.question import Word
from medweave.understanding.question import understand
from medweave.vocabulary.knowledge import Knowledge

NAMED = "the question names the answer"
_DIAGNOSIS = "diagnosis"
Groups = tuple[tuple[str, ...], ...]
"""Findings, each by all entities that it may be."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What of a case the base knows."""

    present: Groups
    absent: Groups
    words: tuple[Word, ...] = ()
    """The words of its text that names of findings share."""
    loose: frozenset[str] = frozenset()
    """Findings that its text tells in other words only."""


class FindingsReader:
    """Reads cases with the names of one base; what was read is kept."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._labels = Labels(knowledge)
        self._read: dict[Item, Findings] = {}

    def findings(self, item: Item) -> Findings:
        """The findings of a case: those it lists, and those its text reports."""
        if item not in self._read:
            self._read[item] = self._findings(item)
        return self._read[item]

    def _findings(self, item: Item) -> Findings:
        present, absent = self._named(item.present), self._named(item.absent)
        listed = {entity for group in present for entity in group}
        words: tuple[Word, ...] = ()
        loose: frozenset[str] = frozenset()
        if item.text:
            question = understand(item.text, self._knowledge, asking=_DIAGNOSIS)
            present += findings(question, "present")
            absent += findings(question, "absent")
            words, loose = question.words, loosely_linked(question) - listed
        return Findings(tuple(dict.fromkeys(present)), tuple(dict.fromkeys(absent)), words, loose)

    def _named(self, names: tuple[str, ...]) -> Groups:
        groups: list[tuple[str, ...]] = []
        for name in names:
            if self._knowledge.holds([name]):
                groups.append((name,))
                continue
            some = [named.entity for named in self._knowledge.dictionary.names(name)]
            held = [entity for entity in some if self._knowledge.holds([entity])]
            if held:
                groups.append(tuple(held))
        return tuple(groups)

    def maker(self) -> Callable[[Mapping[str, Any], str], Item | str]:
        """Makes items of records, their diagnoses as labels; `input` with `output` is a dialogue
        whose gold labels are the diseases that the output names."""
        return self._item

    def _item(self, record: Mapping[str, Any], identifier: str) -> Item | str:
        if "diagnosis" not in record and isinstance(record.get("output"), str):
            return self._dialogue(record, identifier)
        item = diagnosis_item(record, identifier)
        return item if isinstance(item, str) else self._labelled(item)

    def _labelled(self, item: Item) -> Item:
        expected = [label for name in item.expected for label in self._labels.of_name(name)]
        limited = [label for name in item.candidates for label in self._labels.of_name(name)]
        return replace(item, expected=tuple(expected), candidates=tuple(limited))

    def _dialogue(self, record: Mapping[str, Any], identifier: str) -> Item | str:
        text = str(record.get("input", "")).strip()
        gold = self._diseases(record["output"])
        if not text:
            return "no text"
        if not gold:
            return "the answer names no disease of the base"
        named = set(gold) & set(self._diseases(text))
        return Item(identifier, gold, text, slice=NAMED if named else "")

    def _diseases(self, text: str) -> tuple[str, ...]:
        found = [
            named.entity
            for match in self._knowledge.dictionary.find(text, exactly=True)
            for named in match.named
            if named.concept == "disease" and named.present
        ]
        return self._labels.of_entities(found)
