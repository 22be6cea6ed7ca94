"""A base as questions see it: its statements, what things are called, what words mean."""

from __future__ import annotations

from dataclasses import dataclass

from medweave.ports import GraphStore
from medweave.vocabulary.dictionary import Dictionary, Named, build_dictionary, lexicon_names
from medweave.vocabulary.entities import Entities
from medweave.vocabulary.lexicon import Lexicon
from medweave.vocabulary.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything that understanding, retrieval, inference and answering read from."""

    store: GraphStore
    vocabulary: Vocabulary
    lexicon: Lexicon
    dictionary: Dictionary
    entities: Entities
    things: frozenset[str]
    """All entities of the base."""
    diseases: int
    """How many of them are mentioned as a disease."""


def knowledge_of(store: GraphStore, vocabulary: Vocabulary, lexicon: Lexicon) -> Knowledge:
    """The view of a store as it stands now; make a new one when its revision has moved."""
    counts = store.mentions()
    present = {count.mention.entity for count in counts}
    names = [
        Named(
            count.mention.entity,
            count.mention.name,
            count.mention.concept,
            "exact" if count.mention.preferred else "synonym",
        )
        for count in counts
    ]
    dictionary = build_dictionary([*lexicon_names(lexicon, present), *names], vocabulary)
    diseases = {c.mention.entity for c in counts if c.mention.concept == "disease"}
    return Knowledge(
        store=store,
        vocabulary=vocabulary,
        lexicon=lexicon,
        dictionary=dictionary,
        entities=Entities(store, vocabulary, lexicon),
        things=frozenset(present),
        diseases=len(diseases),
    )
