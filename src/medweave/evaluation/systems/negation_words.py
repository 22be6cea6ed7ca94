"""The plainest rule: a mention is negated where a negation word stands shortly before it."""

from __future__ import annotations

import re
from functools import cache

from medweave.evaluation.items import Item, Ranked
from medweave.language.data import shipped_yaml

WITHIN = 5
_WORDS = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]|[^\W_]+(?:['’][^\W_]+)*")


class NegationWords:
    """Looks at five words (Chinese: characters) before the mention, across all punctuation.

    >>> NegationWords().rank(Item("1", (), "no fever, but a cough", span=(16, 21))).labels
    ('Negated',)
    """

    def rank(self, item: Item) -> Ranked:
        """One label; it does not tell the time."""
        start = item.span[0] if item.span else 0
        before = _WORDS.findall(item.text[:start].lower())[-WITHIN:]
        return Ranked(("Negated" if _negation_words() & set(before) else "Affirmed",), 1.0)


@cache
def _negation_words() -> frozenset[str]:
    return frozenset(shipped_yaml("evaluation", "systems", "negation_words.yaml")["words"])
