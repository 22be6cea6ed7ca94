"""Vectors of what papers say: of things, of publications, and of relations in words (A6).

The keys are the references: a relation's is its statement, whose ends are things and whose evidence
names its publications; an entity's is the thing, a paper's the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from medweave.model.dialogue_tree import HAS_SECTION
from medweave.model.document import Document
from medweave.model.statement import Literal, SupportedStatement
from medweave.model.vectors import Space, VectorEntry
from medweave.ports import Embedder, Progress, StoreView, VectorView, no_progress
from medweave.vocabulary.knowledge import Knowledge

AT_ONCE = 256
"""So many relations are seen to at one time."""
_LONGEST = 1000
"""Characters of a publication that are embedded: a model reads no more."""
_OF_PAPERS = ("publication", "model")
"""Classes of evidence of papers, and of what a model read in them."""
_NAMES = 5
"""So many names of a thing are embedded."""


@dataclass(frozen=True, slots=True)
class ContextMade:
    """How much of what papers say was seen to: what came since the last time."""

    entities: int = 0
    papers: int = 0
    relations: int = 0


def is_paper(document: Document) -> bool:
    """Whether a document is a publication or trial, with its page: also one that a model read."""
    return document.evidence_class in _OF_PAPERS and bool(document.url)


def make_context_vectors(
    knowledge: Knowledge,
    index: VectorView,
    embedder: Embedder,
    *,
    progress: Progress = no_progress,
) -> ContextMade:
    """Keep a vector for every relation that a paper states, its ends, and the paper.

    It goes on from where it was stopped, and looks only at what came since all were made, as
    `make_tree_vectors` does, before which it is called. Raises `VectorError` and `EmbeddingError`.
    """
    store = knowledge.store
    wanted = _wanted(store, index, embedder)
    seen: dict[Space, set[str]] = {"entity": set(), "paper": set(), "relation": set()}
    for start in range(0, len(wanted), AT_ONCE):
        some = wanted[start : start + AT_ONCE]
        entries = [
            entry
            for entry in _entries(store.statements(some), knowledge)
            if entry.space == "relation" or entry.key not in seen[entry.space]
        ]
        if entries:
            index.put(entries, embedder.embed([entry.text for entry in entries]))
        for entry in entries:
            seen[entry.space].add(entry.key)
        progress(min(start + AT_ONCE, len(wanted)), len(wanted), "vectors of what papers say")
    return ContextMade(*(len(seen[space]) for space in ("entity", "paper", "relation")))


def _wanted(store: StoreView, index: VectorView, embedder: Embedder) -> Sequence[str | int]:
    """The statements that may have no vectors yet, and may be those of papers."""
    tally = store.tally()
    if not set(_OF_PAPERS).intersection(tally.evidence_classes):
        return []
    known = index.model() == embedder.model and index.counts().get("relation")
    since = index.complete_revision() if known else None
    changed = None if since is None else store.changes(since)
    if changed is not None:
        return sorted(changed)
    index.set_complete_revision(None)  # what is begun now may be stopped
    predicates = (name for name in tally.predicates if name != HAS_SECTION)
    return [each.statement.id for name in predicates for each in store.match(predicate=name)]


def _entries(found: Sequence[SupportedStatement], knowledge: Knowledge) -> Iterator[VectorEntry]:
    """What is embedded of statements, of those that papers state."""
    cited = {item.document for each in found for item in each.evidence}
    papers = {each.id: each for each in knowledge.store.documents(cited) if is_paper(each)}
    entities = knowledge.entities.all({end for each in found for end in each.statement.entities})
    for each in found:
        of_papers = [item.document for item in each.evidence if item.document in papers]
        if not of_papers:
            continue
        statement, document = each.statement, of_papers[0]
        words = relation_in_words(each, knowledge)
        yield VectorEntry("relation", statement.id, document, words, statement.predicate)
        for name in statement.entities:
            entity = entities[name]
            names = entity.names.get("en") or entity.all_names()
            for text in islice(names, _NAMES):
                yield VectorEntry("entity", name, document, text, entity.concept)
        for paper in dict.fromkeys(of_papers):
            yield VectorEntry("paper", paper, paper, paper_in_words(papers[paper]))


def relation_in_words(supported: SupportedStatement, knowledge: Knowledge) -> str:
    """A statement as a plain sentence in English: "smoking aggravates macular degeneration"."""
    statement, entities = supported.statement, knowledge.entities
    subject = entities.get(statement.subject).name("en")
    held = statement.object
    object_ = str(held.value) if isinstance(held, Literal) else entities.get(held).name("en")
    verb = knowledge.vocabulary.predicate(statement.predicate).words("en")
    denied = "not " if not supported.affirmed else ""
    return f"{subject} {denied}{verb} {object_}"


def paper_in_words(document: Document) -> str:
    """The title of a publication and how it begins."""
    texts = (text for name, text in document.fields if name != "date")
    return "\n".join((document.title, *texts))[:_LONGEST]
