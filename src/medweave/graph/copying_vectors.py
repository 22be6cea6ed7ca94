"""The vectors of a base in its copy: without their texts, which no index keeps."""

from __future__ import annotations

from collections.abc import Sequence

from medweave.model.batches import batches
from medweave.model.vector_links import NOT_LINKED
from medweave.model.vectors import SPACES, VectorEntry, Vectors
from medweave.ports import StoreView, SupportsLinks

_AT_ONCE = 100
"""Documents whose vectors are compared in one step."""


def copy_vectors(source: StoreView, target: StoreView, documents: Sequence[str]) -> None:
    """Put the vectors that these documents gave beside their copies."""
    held, copy = source.vectors(), target.vectors()
    if held is None or copy is None:
        return
    given = held.contributed(documents)
    if given is not None and given[0]:
        copy.put(*given)


def check_vectors(source: StoreView, target: StoreView, documents: Sequence[str]) -> bool:
    """Whether the vectors of a copy are those of its source, number for number; some documents at a
    time."""
    held, copy = source.vectors(), target.vectors()
    if held is None or copy is None or held.contributed(()) is None:
        return True
    for part in batches(documents, _AT_ONCE):
        if _listed(held.contributed(part)) != _listed(copy.contributed(part)):
            return False
    return True


def copy_links(source: StoreView, target: StoreView) -> None:
    """The links between vectors, where the copy keeps any longer than the program runs."""
    held, copy = source.vectors(), target.vectors()
    if held is None or copy is None or not isinstance(getattr(copy, "index", copy), SupportsLinks):
        return
    for space in SPACES:
        links = held.links(space)
        if links is not NOT_LINKED and links.least <= 1:
            copy.unlink(space)
            copy.link(space, links.least, links.compared, links.links)


def copy_completeness(source: StoreView, target: StoreView) -> None:
    """Where all texts of the source have the vectors that they need, those of the copy have."""
    held, copy = source.vectors(), target.vectors()
    if held is not None and copy is not None:
        complete = held.complete_revision() == source.version().revision
        copy.set_complete_revision(target.version().revision if complete else None)


def _listed(given: tuple[list[VectorEntry], Vectors] | None) -> list[tuple[VectorEntry, bytes]]:
    """Entries with their vectors, in an order of their own: stores sort texts differently."""
    if given is None:
        return []
    pairs = zip(*given, strict=True)
    listed = [(entry, vector.tobytes()) for entry, vector in pairs]
    return sorted(listed, key=lambda pair: repr(pair[0]))
