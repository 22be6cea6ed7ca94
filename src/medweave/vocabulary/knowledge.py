"""A base as questions see it: its statements, what things are called, what words mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from medweave.language.folding import name_key
from medweave.model.entity import Entity
from medweave.ports import StoreView
from medweave.vocabulary.dictionary import Dictionary, Named
from medweave.vocabulary.entities import KEPT, Entities
from medweave.vocabulary.identity import contradict, identifiers_of
from medweave.vocabulary.lay_terms import LayTerms
from medweave.vocabulary.lexicon import Lexicon
from medweave.vocabulary.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class Knowledge:
    """Everything that understanding, retrieval, inference and answering read from.

    Nothing is read before it is asked for: a question costs what it touches, not what a base holds.
    """

    store: StoreView
    vocabulary: Vocabulary
    lexicon: Lexicon
    dictionary: Dictionary
    entities: Entities
    _mentioned_as: dict[str, int] = field(default_factory=dict, repr=False)
    _alike: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    _all_relations: list[str] = field(default_factory=list, repr=False)
    _relations: dict[str, bool] = field(default_factory=dict, repr=False)

    def holds(self, entities: Iterable[str]) -> set[str]:
        """Which of these things the base mentions."""
        return {count.mention.entity for count in self.store.mentions(entities)}

    def holds_relation(self, predicate: str) -> bool:
        """Whether the base has any statement of a predicate: one is looked for, none counted."""
        if predicate not in self._relations:
            self._relations[predicate] = bool(self.store.with_statements([predicate]))
        return self._relations[predicate]

    def relations(self) -> frozenset[str]:
        """All predicates that the base has statements of; counted once, as long as it is open."""
        if not self._all_relations:
            self._all_relations.extend(sorted(self.store.tally().predicates))
        return frozenset(self._all_relations)

    def mentioned_as(self, concept: str) -> int:
        """How many things the base mentions as this concept."""
        if concept not in self._mentioned_as:
            self._mentioned_as[concept] = self.store.count_mentioned_as(concept)
        return self._mentioned_as[concept]

    def same(self, entity: str) -> tuple[str, ...]:
        """An entity and all others that are the same thing; see `alike`."""
        return self.alike([entity])[entity]

    def alike(self, entities: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Each of these entities with all others that are the same thing.

        One thing has several identifiers where sources name it differently. Two are the same if
        they share an identifier, or if they share a name within their family and no identifiers of
        theirs contradict each other. What is known of any of them is known of the thing.
        """
        asked = list(dict.fromkeys(entities))
        if len(self._alike) > KEPT:
            self._alike.clear()
        known = {entity: self._alike.get(entity) for entity in asked}
        joined = self._joined([entity for entity, same in known.items() if same is None])
        self._alike.update(joined)  # another thread may forget all of it at any time
        return {entity: same or joined[entity] for entity, same in known.items()}

    def _joined(self, wanted: list[str]) -> dict[str, tuple[str, ...]]:
        if not wanted:
            return {}
        wanted = self.store.beside(wanted, self._alike)
        resolved = self.entities.all(wanted)
        keys = {e: {name_key(name) for name in resolved[e].all_names()} for e in wanted}
        self.holds(self._about_to_be_asked(resolved, keys))
        bearers = self.dictionary.bearers(key for some in keys.values() for key in some)
        self.entities.all({b.entity for some in bearers.values() for b in some})
        linked = self._linked(resolved)
        return {
            e: tuple(
                dict.fromkeys([e, *linked[e], *self._namesakes(resolved[e], keys[e], bearers)])
            )
            for e in wanted
        }

    def _about_to_be_asked(
        self, resolved: Mapping[str, Entity], keys: Mapping[str, set[str]]
    ) -> set[str]:
        """What joining asks for one after the other, to be read in one turn."""
        terms = self.lexicon.by_key
        named = {term.id for some in keys.values() for key in some for term in terms.get(key, ())}
        return named.union(*(identifiers_of(entity) for entity in resolved.values()))

    def _linked(self, resolved: dict[str, Entity]) -> dict[str, list[str]]:
        """For each entity, those that share an identifier with it."""
        identifiers = {e: identifiers_of(entity) for e, entity in resolved.items()}
        everything = {i for some in identifiers.values() for i in some}
        by_cross_reference = self.store.by_cross_reference(everything) if everything else {}
        held = self.holds(everything) if everything else set()
        return {
            e: [
                other
                for identifier in sorted(identifiers[e])
                for other in (*([identifier] if identifier in held else []),
                              *by_cross_reference.get(identifier, ()))
            ]
            for e in resolved
        }  # fmt: skip

    def _namesakes(
        self, entity: Entity, keys: set[str], bearers: Mapping[str, Sequence[Named]]
    ) -> list[str]:
        """Those of its family that share a name with it, where that is enough.

        Another name of one disease is often the name of a wider or narrower one; so conditions must
        share what is a main name of both, or what the lexicon knows. Of anything else it must be a
        main name of one: a product of two ingredients is another name of each, and does not make
        them one, but what speaks against an ingredient must not be lost for a brand's name.
        """
        family = self.vocabulary.family(entity.concept)
        enough = all if family == "condition" else any
        found = []
        for key in sorted(keys):
            some = bearers.get(key, ())
            own = next((b for b in some if b.entity == entity.id), None)
            for other in some:
                if (
                    self.vocabulary.family(other.concept) == family
                    and {other.concept, entity.concept} != {"drug", "drug_class"}
                    and enough(self._main(bearer, key) for bearer in (own, other))
                    and not contradict(entity, self.entities.get(other.entity))
                ):
                    found.append(other.entity)
        return found

    def _main(self, named: Named | None, key: str) -> bool:
        """Whether a name is the thing's own, or one that the lexicon knows."""
        if named is None or named.how == "exact":
            return True
        return any(term.id == named.entity for term in self.lexicon.by_key.get(key, ()))


def knowledge_of(
    store: StoreView, vocabulary: Vocabulary, lexicon: Lexicon, lay: LayTerms | None = None
) -> Knowledge:
    """The view of a store as it stands now; make a new one when its revision has moved.

    `lay` are the lay terms that are heard; without them, those that ship.
    """
    return Knowledge(
        store=store,
        vocabulary=vocabulary,
        lexicon=lexicon,
        dictionary=Dictionary(store, vocabulary, lexicon, lay or LayTerms()),
        entities=Entities(store, vocabulary, lexicon),
    )
