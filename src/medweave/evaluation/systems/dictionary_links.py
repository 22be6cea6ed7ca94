"""What the dictionary of a base finds in a text, and where."""

from __future__ import annotations

from medweave.evaluation.items import Found, Item, Ranked
from medweave.vocabulary.knowledge import Knowledge


class DictionaryLinks:
    """The links of a text; `exactly`: only names as they are written."""

    def __init__(self, knowledge: Knowledge, *, exactly: bool = False) -> None:
        self._dictionary, self._exactly = knowledge.dictionary, exactly

    def rank(self, item: Item) -> Ranked:
        """No labels, but what stands where."""
        found = tuple(
            Found(
                match.start,
                match.end,
                match.named[0].concept,
                match.link.how,
                tuple(dict.fromkeys(named.entity for named in match.named)),
            )
            for match in self._dictionary.find(item.text, exactly=self._exactly)
        )
        return Ranked(recognised=bool(found), found=found)
