"""Readers of abstracts: by rules, or by what labelled documents have taught."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Protocol

from medweave.model.ontology import Ontology
from medweave.ontology.loading import ontology_in
from medweave.sources.abstracts.entities.identifiers import LearnedIdentifiers
from medweave.sources.abstracts.entities.known_names import KnownNames, Lender
from medweave.sources.abstracts.entities.spans import Labelled, Span
from medweave.sources.abstracts.entities.tagger import EntityTagger
from medweave.sources.abstracts.labelled.documents import LabelledDocument
from medweave.sources.abstracts.relations.certainty import certainty
from medweave.sources.abstracts.relations.learner import FoundRelation, RelationLearner
from medweave.sources.abstracts.relations.rules import TextRelation, relations_in_text
from medweave.sources.abstracts.relations.things import ReadText
from medweave.sources.names import Naming

LEARNED = "learned"


class AbstractReader(Protocol):
    """Finds what a text names and what it says of that."""

    def entities(self, text: str) -> Sequence[Span]:
        """What it names, in its order, without overlaps."""

    def preferred(self, name: str) -> str:
        """The name that stands for all that mean the same."""

    def relations(self, text: str, spans: Sequence[Span]) -> Iterable[TextRelation]:
        """What it says of these."""


@dataclass(frozen=True)
class RuleReader:
    """By known names and patterns of words, for the types and relations of an ontology."""

    names: KnownNames
    predicates: frozenset[str]

    @classmethod
    def of(cls, ontology: Ontology, lender: Lender | None = None) -> RuleReader:
        """A reader for an ontology; a lender finds names besides those that ship."""
        return cls(KnownNames.of(ontology, lender), frozenset(ontology.predicate_by_term))

    def entities(self, text: str) -> Sequence[Span]:
        """What known names and forms of words tell."""
        return self.names.find(text)

    def preferred(self, name: str) -> str:
        """The first of the known names that mean the same."""
        return self.names.preferred(name)

    def relations(self, text: str, spans: Sequence[Span]) -> Iterable[TextRelation]:
        """What patterns of words tell, of the relations that the ontology has."""
        return (
            each for each in relations_in_text(text, spans) if each.predicate in self.predicates
        )


@lru_cache(maxsize=4)
def rule_reader(ontology: Ontology) -> RuleReader:
    """The rules for an ontology, made once."""
    return RuleReader.of(ontology)


def abstract_ontology(naming: Naming) -> Ontology:
    """What abstracts are read by: the ontology that somebody named, or the one that ships."""
    return naming.ontology or _shipped()


@cache
def _shipped() -> Ontology:
    return ontology_in()


@dataclass(frozen=True)
class LearnedReader:
    """By models learned from labelled documents, whose types and relations it has."""

    tagger: EntityTagger
    learner: RelationLearner | None
    names: KnownNames
    identifiers: LearnedIdentifiers

    @classmethod
    def learn(cls, documents: Sequence[LabelledDocument], names: KnownNames) -> LearnedReader:
        """A reader from labelled documents; known names are told to it, not believed."""
        labelled = [Labelled(each.text, each.spans) for each in documents]
        related = [each.related() for each in documents]
        learner = RelationLearner.learn(related) if any(r.relations for r in related) else None
        identifiers = LearnedIdentifiers.learn(documents)
        return cls(EntityTagger.learn(labelled, names.find), learner, names, identifiers)

    def entities(self, text: str) -> Sequence[Span]:
        """What the tagger finds."""
        return self.tagger.find(text)

    def preferred(self, name: str) -> str:
        """The first of the known names that mean the same."""
        return self.names.preferred(name)

    def relations(self, text: str, spans: Sequence[Span]) -> Iterable[TextRelation]:
        """What the learner finds, with how surely the text says it."""
        keys = self.identifiers.keys(text, spans)
        read = ReadText.of(text, spans, keys.__getitem__)
        found = self.learner.find(read) if self.learner else ()
        return (_as_relation(each, read) for each in found)


def _as_relation(found: FoundRelation, read: ReadText) -> TextRelation:
    first, second = sorted((found.subject, found.object))
    start = read.sentence_spans[read.sentence(first.start)][0]
    end = read.sentence_spans[read.sentence(second.start)][1]
    before, behind = read.text[start : first.start], read.text[second.end : end]
    surely = certainty(read.text[first.end : second.start], before, behind)
    return TextRelation(
        found.subject, found.predicate, found.object, start, end, surely, found.confidence, LEARNED
    )
