"""Links between vectors that are near each other, as an index keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class VectorLink(NamedTuple):
    """Two keys of a space that are near; which of them comes first means nothing."""

    first: str
    second: str
    cosine: float
    """Rounded to six digits."""


class LinkMark(NamedTuple):
    """Up to where somebody knows the links of a space; only the index it is of can read it."""

    least: float
    after: int
    last: int


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
    mark: LinkMark | None = field(default=None, compare=False)
    """What `VectorView.links_since` is asked with; None where it can tell nothing."""


NOT_LINKED = VectorLinks(2.0, frozenset(), ())
"""Of a space in which nothing was linked."""


@dataclass(frozen=True, slots=True)
class LinkState:
    """How far the links of a space have come."""

    least: float
    """As in `VectorLinks`."""
    waiting: Sequence[str]
    """The keys that are still to be compared, in their order; none where nothing was linked."""
    links: int


def link_of(first: str, second: str, cosine: float) -> VectorLink:
    """A link with its lesser key first.

    >>> link_of("b", "a", 0.5)
    VectorLink(first='a', second='b', cosine=0.5)
    """
    return VectorLink(min(first, second), max(first, second), cosine)
