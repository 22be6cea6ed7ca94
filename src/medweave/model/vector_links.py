"""Links between vectors that are near each other, as an index keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class VectorLink(NamedTuple):
    """Two keys of a space that are near; which of them comes first means nothing."""

    first: str
    second: str
    cosine: float
    """Rounded to six digits."""


@dataclass(frozen=True, slots=True)
class VectorLinks:
    """All links of a space.

    A link rests on both its vectors, and so on both their documents: where one goes, it goes.
    """

    least: float
    """The least cosine of a link; 2 where nothing was ever linked."""
    compared: frozenset[str]
    """The keys that were compared with each other; others are still to be."""
    links: Sequence[VectorLink]
    """In the order of their keys, the lesser key first."""


NOT_LINKED = VectorLinks(2.0, frozenset(), ())
"""Of a space in which nothing was linked."""


def link_of(first: str, second: str, cosine: float) -> VectorLink:
    """A link with its lesser key first.

    >>> link_of("b", "a", 0.5)
    VectorLink(first='a', second='b', cosine=0.5)
    """
    return VectorLink(min(first, second), max(first, second), cosine)
