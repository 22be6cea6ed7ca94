"""From a name in a document to the thing it names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from medweave.model.entity import NameMention
from medweave.model.identifiers import local_curie, normalise_name
from medweave.model.ontology import Ontology
from medweave.sources.conformity import Conformity
from medweave.vocabulary.lexicon import Lexicon
from medweave.vocabulary.vocabulary import Vocabulary

_PARENTHESES = re.compile(r"^(?P<name>[^()]+?)\s*\((?P<other>[^()]+)\)\s*$")
_SPACES = re.compile(r"\s+")
MAX_NAME = 200
"""Longer texts are no names."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing as one document means it: identifier, concept, and the names used."""

    id: str
    concept: str
    mentions: tuple[NameMention, ...]


@dataclass(frozen=True)
class Naming:
    """Decides, from a document alone and the lexicon, what its names mean."""

    vocabulary: Vocabulary
    lexicon: Lexicon
    ontology: Ontology | None = None
    """What statements are held against, where somebody named one."""

    @cached_property
    def conformity(self) -> Conformity | None:
        """How statements stand to the ontology that somebody named."""
        return Conformity(self.ontology, self.vocabulary) if self.ontology else None

    def thing(
        self,
        name: str,
        concept: str,
        language: str,
        *,
        allowed: Iterable[str] = (),
        identifier: str = "",
        synonyms: Iterable[str] = (),
        xrefs: Iterable[str] = (),
        parentheses: str = "keep",
    ) -> Thing:
        """The thing called `name`, of `concept` unless the lexicon knows better.

        `allowed` are the concepts that may stand here: a name the lexicon knows as one of them is
        taken as that one ("diabetes" among the symptoms is a disease).
        """
        shown, others = _split_name(name, parentheses)
        term = self.lexicon.find(shown, self._families(concept, allowed))
        found = term.concept if term and term.concept in (concept, *allowed) else concept
        if identifier:
            entity = identifier
        elif term:
            entity = term.id
        else:
            entity = local_curie(self.vocabulary.family(found), shown)
        mentions = [NameMention(entity, shown, language, found)]
        mentions += [
            NameMention(entity, other, language, found, preferred=False)
            for other in (*others, *(clean_name(text) for text in synonyms))
            if other and normalise_name(other) != normalise_name(shown)
        ]
        mentions += [
            NameMention(entity, shown, language, found, xref=xref)
            for xref in xrefs
            if xref != entity
        ]
        return Thing(entity, found, tuple(dict.fromkeys(mentions)))

    def _families(self, concept: str, allowed: Iterable[str]) -> list[str]:
        families = [self.vocabulary.family(concept)]
        families += [self.vocabulary.family(other) for other in allowed]
        return list(dict.fromkeys(families))


def clean_name(name: str) -> str:
    """A name as people would write it: no underscores, no doubled spaces, no full stop behind.

    >>> clean_name("Chest_pain .")
    'Chest pain'
    """
    return _SPACES.sub(" ", name.replace("_", " ")).strip(" .;；。,，")


def _split_name(name: str, parentheses: str) -> tuple[str, list[str]]:
    """A name, and what stands in parentheses behind it if that is another name.

    >>> _split_name("Alprazolam_(Xanax)", "synonym")
    ('Alprazolam', ['Xanax'])
    """
    cleaned = clean_name(name)
    match = _PARENTHESES.match(cleaned) if parentheses == "synonym" else None
    if match is None or not normalise_name(match["name"]):
        return cleaned, []
    return match["name"], [match["other"].strip()]
