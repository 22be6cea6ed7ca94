"""The most frequent class, always."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from medweave.evaluation.items import Item, Ranked


class Majority:
    """Ranks classes by how many training cases they have.

    >>> cases = [Item("1", ("flu",)), Item("2", ("flu",)), Item("3", ("cold",))]
    >>> Majority(cases).rank(Item("4", ())).labels
    ('flu', 'cold')
    """

    def __init__(self, cases: Sequence[Item]) -> None:
        counted = Counter(label for case in cases for label in case.expected)
        self._labels = tuple(sorted(counted, key=lambda label: (-counted[label], label)))
        self._share = max(counted.values(), default=0) / max(1, sum(counted.values()))

    def rank(self, item: Item) -> Ranked:  # noqa: ARG002 - it looks at nothing
        """The same for every item."""
        return Ranked(self._labels, self._share)
