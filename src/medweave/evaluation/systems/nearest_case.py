"""The nearest case: the class of the training case that shares most with the item.

    similarity = |x and y| / |x or y|        (Jaccard)

Document K's case-based baseline. Each class is ranked by its nearest case.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from medweave.evaluation.items import Item, Ranked


class NearestCase:
    """Keeps all cases, with an index from features to the cases that have them.

    >>> flu = Item("1", ("flu",), present=("fever", "cough"))
    >>> cold = Item("2", ("cold",), present=("cough",))
    >>> NearestCase([flu, cold], lambda i: i.present).rank(Item("3", (), present=("cough",))).labels
    ('cold', 'flu')
    """

    def __init__(self, cases: Sequence[Item], features: Callable[[Item], Iterable[str]]) -> None:
        self._features = features
        self._labels = [case.expected for case in cases]
        self._sizes: list[int] = []
        self._having: dict[str, list[int]] = defaultdict(list)
        for number, case in enumerate(cases):
            held = set(features(case))
            self._sizes.append(len(held))
            for feature in held:
                self._having[feature].append(number)

    def rank(self, item: Item) -> Ranked:
        """Classes by their nearest case."""
        held = {feature for feature in self._features(item) if feature in self._having}
        shared: Counter[int] = Counter()
        for feature in held:
            shared.update(self._having[feature])
        nearest: dict[str, float] = {}
        for number, common in shared.items():
            similarity = common / (len(held) + self._sizes[number] - common)
            for label in self._labels[number]:
                nearest[label] = max(nearest.get(label, 0.0), similarity)
        return Ranked.by_score(nearest)
