"""Diagnoses as labels: one and the same label for one disease, by whatever name or source."""

from __future__ import annotations

from collections.abc import Iterable

from medweave.language.folding import name_key
from medweave.vocabulary.knowledge import Knowledge

_UNKNOWN = "name:"


class Labels:
    """From names and identifiers to labels, and from labels to names people read."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    def of_entities(self, entities: Iterable[str]) -> tuple[str, ...]:
        """The label of each thing: the first identifier of all that are the same."""
        alike = self._knowledge.alike(entities)
        return tuple(dict.fromkeys(min(same) for same in alike.values()))

    def of_name(self, name: str) -> tuple[str, ...]:
        """All things a name may mean; the name itself where the base knows none."""
        dictionary = self._knowledge.dictionary
        if self._knowledge.holds([name]):
            return self.of_entities([name])
        found = [named.entity for named in dictionary.names(name) if named.present]
        return self.of_entities(found) if found else (_UNKNOWN + name_key(name),)

    def known(self, label: str) -> bool:
        """Whether the base has the disease."""
        return not label.startswith(_UNKNOWN)

    def name(self, label: str) -> str:
        """A label as people read it."""
        if not self.known(label):
            return label.removeprefix(_UNKNOWN)
        return self._knowledge.entities.get(label).name("en")
