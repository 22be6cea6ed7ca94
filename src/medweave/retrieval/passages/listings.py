"""Lists in a text: what announces one is said with its items, for alone it tells nothing."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

_MARK = (
    r"(?:[-*\u2022\u00b7\u25aa\u25e6\u2023\u25cf\u25cb\u25a0\u25a1\u27a2\u2713\uf0b7–—][ \t]+"
    r"|(?:\d{1,2}|[a-z])[.)][ \t]+|\d{1,2}[.)、](?=[\u3400-\u9fff]))"
)
_ITEMS = re.compile(rf"(?:^[ \t]*{_MARK}\S[^\n]*(?:\n|\Z))+", re.MULTILINE)
_LONGEST = 900
"""Characters of the items that are said together."""
_ANNOUNCES = re.compile(r"[:：]\W*$")
_ENDS = re.compile(r"[.!?。！？;；,，]\W*$")


@dataclass(frozen=True, slots=True)
class Listings:
    """The lists of a text, by where their items begin and end."""

    text: str
    begins: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    @classmethod
    def of(cls, text: str) -> Listings:
        """The lists of a text: lines one after another that each begin with a mark or a number."""
        found = [match.span() for match in _ITEMS.finditer(text)]
        return cls(text, tuple(a for a, _ in found), tuple(b for _, b in found))

    def announced(self, start: int, end: int) -> int:
        """Where the list ends that a piece announces: by a colon, or as a heading does; else 0.

        Of a long list as many items belong to it as can be said.

        >>> text = "It is treated by:\\n- rest\\n- ibuprofen\\nIt hurts."
        >>> text[: Listings.of(text).announced(0, 17)]
        'It is treated by:\\n- rest\\n- ibuprofen'
        """
        at = bisect_left(self.begins, end)
        if at == len(self.begins) or self.text[end : self.begins[at]].strip():
            return 0
        piece = self.text[start:end]
        if not _ANNOUNCES.search(piece) and _ENDS.search(piece):
            return 0
        last = self.ends[at]
        if last - end > _LONGEST:
            last = self.text.rfind("\n", self.begins[at], end + _LONGEST)
        return end + len(self.text[end : max(last, end)].rstrip())
