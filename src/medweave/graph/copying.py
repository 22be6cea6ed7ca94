"""A base copied into another store, some documents at a time.

A copy that is not whole says so itself, in a note that goes with its last step; whoever opens it is
refused, and the same copying goes on from what is there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

from medweave.errors import StoreError
from medweave.graph.contents import NOTES
from medweave.graph.copying_vectors import (
    check_vectors,
    copy_completeness,
    copy_links,
    copy_vectors,
)
from medweave.model.answer import BaseVersion
from medweave.model.batches import batches
from medweave.model.passage import NOTED
from medweave.ports import Counts, Progress, StoreView, no_progress

UNFINISHED = "copy"
"""The note of a copy that is not whole: of which base it is, at which hash."""
_AT_ONCE = 100
"""Documents in one step."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What copying did."""

    source: BaseVersion
    target: BaseVersion
    counts: Counts
    already_there: int
    """Documents that were there before."""
    seconds: float


def refuse_unfinished(store: StoreView, where: str) -> None:
    """Raises `StoreError` for a copy that is not whole."""
    if store.note(UNFINISHED):
        raise StoreError(
            "this base is an unfinished copy",
            where=where,
            remedy="run the same `medweave copy` again, and it goes on",
        )


def copy_base(
    source: StoreView,
    target: StoreView,
    *,
    where: str = "",
    force: bool = False,
    progress: Progress = no_progress,
) -> Copied:
    """Make of `target` (shown as `where`) a base equal to `source`, with its vectors.

    Vectors go with their documents; they and their links are left out where one of the two stores
    keeps none or cannot hand them on. It may be stopped at any moment and goes on from there.
    Raises `StoreError` where the target holds another base and `force` is not given, and where the
    two differ at the end.
    """
    begun = perf_counter()
    with source.snapshot(), target.writing():
        version = source.version()
        there = _begin(version, target, where, force=force)
        for key in (*NOTES, NOTED):
            if note := source.note(key):
                target.set_note(key, note)
        wanted = dict.fromkeys(_documents(source))
        target.remove(there.keys() - wanted.keys())
        missing = [one for one in wanted if one not in there]
        done = len(wanted) - len(missing)
        for part in batches(missing, _AT_ONCE):
            with target.transaction():
                target.put(source.contributions(part))
                copy_vectors(source, target, part)
            done += len(part)
            progress(done, len(wanted), "documents")
        same = check_vectors(source, target, list(wanted))
        copy_links(source, target)
        if target.version().hash != version.hash or not same:
            raise StoreError(
                "the copy differs from its source", where=where, remedy="copy again with --force"
            )
        target.set_note(UNFINISHED, "")
        copy_completeness(source, target)
        kept = len(wanted) - len(missing)
        found, counts = target.version(), target.counts()
    return Copied(version, found, counts, kept, perf_counter() - begun)


def _begin(version: BaseVersion, target: StoreView, where: str, *, force: bool) -> dict[str, None]:
    """Mark the target as unfinished; the documents that it holds of the source as it is now."""
    note = {"of": version.id, "hash": version.hash}
    held = json.loads(target.note(UNFINISHED) or "{}")
    there = dict.fromkeys(_documents(target))
    if held == note:
        return there
    if there and held.get("of") != version.id and not force:
        raise StoreError(
            "there is another base already", where=where, remedy="name another, or give --force"
        )
    target.set_note(UNFINISHED, json.dumps(note))
    if vectors := target.vectors():
        vectors.forget()  # those that no document gave, too
    for part in batches(there, _AT_ONCE):  # of another base, or of another state of this one
        target.remove(part)
    return {}


def _documents(store: StoreView) -> Iterator[str]:
    for path in store.sources():
        yield from store.build_keys(path)
