"""A dictionary of the spans that training texts have labelled, exactly as they are written there.

The plainest thing that learns: what it has seen it finds, the longest form first from the left,
with the class that it was given most often.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from medweave.evaluation.items import Found, Item, Ranked

WORD = re.compile(r"\w+|[^\w\s]")
"""Words and single signs: a span begins and ends with one."""


class TrainingDictionary:
    """Forms of training texts, each with a class.

    >>> from medweave.evaluation.items import GoldMention
    >>> case = Item("1", (), "lung cancer", mentions=(GoldMention(0, 11, "disease"),))
    >>> TrainingDictionary([case]).rank(Item("2", (), "no lung cancer")).found
    (Found(start=3, end=14, concept='disease', how='trained', things=()),)
    """

    def __init__(self, cases: Sequence[Item]) -> None:
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for case in cases:
            for mention in case.mentions:
                votes[case.text[mention.start : mention.end]][mention.concept] += 1
        self._classes = {
            form: max(sorted(some), key=some.__getitem__) for form, some in votes.items()
        }
        self._longest = max((len(WORD.findall(form)) for form in self._classes), default=0)

    def rank(self, item: Item) -> Ranked:
        """No labels, but what stands where."""
        words = [match.span() for match in WORD.finditer(item.text)]
        found: list[Found] = []
        for at, (start, _) in enumerate(words):
            if found and start < found[-1].end:
                continue
            for _, end in reversed(words[at : at + self._longest]):
                name = self._classes.get(item.text[start:end])
                if name:
                    found.append(Found(start, end, name, "trained"))
                    break
        return Ranked(recognised=bool(found), found=tuple(found))
