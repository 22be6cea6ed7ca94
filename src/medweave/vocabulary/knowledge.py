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

    def same(self, entity: str) -> tuple[str, ...]:
        """An entity and all others of its family that share a name with it.

        One thing has several identifiers where one source names it by an identifier of its own and
        others by name alone; what is known of any of them is known of the thing.
        """
        resolved = self.entities.get(entity)
        family = self.vocabulary.family(resolved.concept)
        found = dict.fromkeys([entity])
        for name in resolved.all_names():
            term = self.lexicon.find(name, [family])
            named = [term.id] if term else []
            named += [
                other.entity
                for other in self.dictionary.names(name)
                if self.vocabulary.family(other.concept) == family
                and {other.concept, resolved.concept} != {"drug", "drug_class"}
            ]
            found.update(dict.fromkeys(named))
        return tuple(found)


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
