"""Entities that the dictionary of a base finds, by the class that their concept is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from medweave.evaluation.items import Found, Item, Ranked
from medweave.vocabulary.knowledge import Knowledge


class EntityDictionary:
    """What the dictionary finds that is of a class; `exactly`: only names as they are written."""

    def __init__(
        self, knowledge: Knowledge, classes: Mapping[str, str], *, exactly: bool = False
    ) -> None:
        """`classes` says of which class a concept is; other concepts are none."""
        self._dictionary, self._exactly = knowledge.dictionary, exactly
        self._classes = classes

    def find(self, text: str) -> Iterator[Found]:
        """The spans of a text that name something of a class."""
        for match in self._dictionary.find(text, exactly=self._exactly):
            named = (self._classes.get(named.concept) for named in match.named)
            name = next(filter(None, named), None)
            if name:
                yield Found(match.start, match.end, name, match.link.how)

    def rank(self, item: Item) -> Ranked:
        """No labels, but what stands where."""
        found = tuple(self.find(item.text))
        return Ranked(recognised=bool(found), found=found)
