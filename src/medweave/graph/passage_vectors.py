"""Vectors of passages: one for each stretch of a text, by which it is found without its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from medweave.model.document import Document, Extraction
from medweave.model.passage import HEADING, NOTED, passage_of
from medweave.model.vectors import VectorEntry
from medweave.ports import Embedder, Progress, StoreView, VectorView, no_progress

AT_ONCE = 256
"""So many passages are embedded at a time."""


def note_passages(store: StoreView, made: Iterable[Extraction]) -> None:
    """Remember that there are passages, where any of these documents is one.

    A question to a base without them asks for this note and for nothing else.
    """
    if any(passage_of(each.document) for each in made) and store.note(NOTED) is None:
        store.set_note(NOTED, "1")


def make_passage_vectors(
    store: StoreView, index: VectorView, embedder: Embedder, *, progress: Progress = no_progress
) -> int:
    """Keep a vector for every passage that has none and that the model reads; how many.

    It may be stopped at any moment and goes on from there. Raises `VectorError` and
    `EmbeddingError`.
    """
    if store.note(NOTED) is None:
        return 0
    known = {key for table in index.tables("passage") for key in table.keys}
    waiting = [each for each in _passages(store) if each not in known]
    made = 0
    for start in range(0, len(waiting), AT_ONCE):
        documents = store.documents(waiting[start : start + AT_ONCE])
        entries = [_entry(each) for each in documents if embedder.model.reads(each.language)]
        if entries:
            index.put(entries, embedder.embed([entry.text for entry in entries]))
        made += len(entries)
        progress(min(start + AT_ONCE, len(waiting)), len(waiting), "vectors of passages")
    return made


def _passages(store: StoreView) -> Iterator[str]:
    """The ids of all passages: a source whose first document is none has none."""
    for source in store.sources():
        held = list(store.build_keys(source))
        if any(passage_of(document) for document in store.documents(held[:1])):
            yield from held


def _entry(document: Document) -> VectorEntry:
    return VectorEntry("passage", document.id, document.id, passage_in_words(document))


def passage_in_words(document: Document) -> str:
    """What is embedded of a passage: what stands above it, and itself."""
    passage = passage_of(document)
    text = passage.text if passage else document.words()
    return "\n".join(filter(None, (document.text(HEADING), text)))
