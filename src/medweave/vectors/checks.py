"""What every index of vectors refuses, with what to do about it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from medweave.errors import StoreError, VectorError
from medweave.model.vectors import SPACES, Space, VectorEntry, VectorModel, Vectors, check_unit


def check_model(stored: VectorModel | None, given: VectorModel, where: str) -> None:
    """Raises `VectorError` where a base has the vectors of another model."""
    if stored is None or stored == given:
        return
    if stored.id == given.id:
        what = f"{given.id} makes vectors of {given.dimension} numbers now, not {stored.dimension}"
    else:
        what = f"this base has vectors by {stored.id}, and these are by {given.id}"
    raise VectorError(
        what,
        where=where,
        remedy=f"set the embedder that made the base's, or take them out with"
        f" `medweave vectors forget --kb {where}` and make them anew",
    )


def check_vectors(vectors: Vectors, wanted: int) -> None:
    """Raises `VectorError` unless there are so many, of length 1."""
    if len(vectors) != wanted:
        raise VectorError(
            f"{len(vectors)} vectors for {wanted} texts",
            where=vectors.model.id,
            remedy="give one for each",
        )
    check_unit(vectors)


def check_spaces(spaces: Sequence[Space]) -> None:
    """Raises `VectorError` for a space that does not exist."""
    for space in spaces:
        if space not in SPACES:
            raise VectorError(
                f"there is no space '{space}'", remedy=f"use one of {', '.join(SPACES)}"
            )


def check_entries(entries: Sequence[VectorEntry], vectors: Vectors) -> None:
    """Raises `VectorError` unless each entry has its vector."""
    check_spaces([entry.space for entry in entries])
    check_vectors(vectors, len(entries))


def check_documents(missing: Collection[str], where: str) -> None:
    """Raises `StoreError` where vectors are of documents that are missing."""
    if missing:
        raise StoreError(
            f"vectors of a document that is not in the base: {min(missing)}",
            where=where,
            remedy="put the document first",
        )


def check_search(space: Space, queries: Vectors, stored: VectorModel | None, where: str) -> None:
    """Raises `VectorError` for what cannot be searched: a space that does not exist, queries that
    are not of length 1, or by another model than the base's."""
    check_spaces([space])
    check_unit(queries)
    check_model(stored, queries.model, where)
