"""The lexicon: names that are known to mean one thing, in each language.

Extraction may use it because it is named and versioned: what a document yields depends on the
document and this, never on what else is in a base.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from medweave.errors import VocabularyError
from medweave.language.data import read_yaml, shipped
from medweave.language.folding import name_key, singular
from medweave.language.slips import Spelling, name_words
from medweave.model.identifiers import digest, local_curie, normalise_name
from medweave.model.question import SUBSTANCES
from medweave.vocabulary.vocabulary import Vocabulary, shipped_vocabulary


@dataclass(frozen=True, slots=True)
class Term:
    """One thing with all its names; the first of each language is the preferred one."""

    id: str
    concept: str
    names: Mapping[str, tuple[str, ...]]
    classes: tuple[str, ...] = ()
    """What it is a kind of, by identifier: a drug's classes, a disease's wider disease."""
    xrefs: tuple[str, ...] = ()

    def preferred(self, language: str) -> str:
        """The preferred name in `language`, else in any."""
        names = self.names.get(language) or next(iter(self.names.values()))
        return names[0]


@dataclass(frozen=True)
class Lexicon:
    """Terms by identifier and by (family, name)."""

    terms: Mapping[str, Term]
    by_name: Mapping[tuple[str, str], str]
    version: str

    @cached_property
    def by_key(self) -> dict[str, tuple[Term, ...]]:
        """The terms that have a name of this key; see `language.folding.name_key`."""
        found: dict[str, dict[str, Term]] = {}
        for term in self.terms.values():
            for name in (name for names in term.names.values() for name in names):
                found.setdefault(name_key(name), {})[term.id] = term
        return {key: tuple(terms.values()) for key, terms in found.items()}

    @cached_property
    def keys(self) -> list[str]:
        """All keys of names, sorted."""
        return sorted(self.by_key)

    @cached_property
    def spelling(self) -> Spelling:
        """The words of all names."""
        return Spelling(word for key in self.by_key for word in name_words(key))

    @cached_property
    def words_of_drugs(self) -> frozenset[str]:
        """The words of the names of what is taken."""
        return frozenset(
            word
            for key, terms in self.by_key.items()
            if any(term.concept in SUBSTANCES for term in terms)
            for word in name_words(key)
        )

    def find(self, name: str, families: Iterable[str]) -> Term | None:
        """The term of this name, in singular or plural, in the first of `families` that has one.

        >>> found = shipped_lexicon().find("Pectoralgia", ["condition"])
        >>> found.preferred("zh")
        '胸痛'
        """
        key = normalise_name(name)
        for form in (key, singular(key)):
            for family in families:
                identifier = self.by_name.get((family, form))
                if identifier:
                    return self.terms[identifier]
        return None


def load_lexicon(texts: Iterable[tuple[str, str]], vocabulary: Vocabulary) -> Lexicon:
    """A lexicon from (name, YAML text) pairs; one name cannot mean two things of one family."""
    terms: dict[str, Term] = {}
    by_name: dict[tuple[str, str], str] = {}
    versions = []
    for where, text in texts:
        content = read_yaml(text, where=where)
        versions.append([where, digest(content)])
        for entry in content.get("terms", ()):
            _add_term(entry, where, vocabulary, terms, by_name)
    _resolve_classes(terms, by_name)
    return Lexicon(terms, by_name, digest(versions, 6))


@cache
def shipped_lexicon() -> Lexicon:
    """The lexicon that ships."""
    folder = shipped("vocabulary", "lexicon")
    found = sorted(
        (entry.name, entry) for entry in folder.iterdir() if entry.name.endswith(".yaml")
    )
    texts = [(name, entry.read_text("utf-8")) for name, entry in found]
    return load_lexicon(texts, shipped_vocabulary())


def _add_term(
    entry: dict[str, Any],
    where: str,
    vocabulary: Vocabulary,
    terms: dict[str, Term],
    by_name: dict[tuple[str, str], str],
) -> None:
    names = {lang: tuple(map(str, entry[lang])) for lang in ("en", "zh") if entry.get(lang)}
    if not names:
        raise VocabularyError(f"a term without names: {entry}", where=where)
    family = vocabulary.family(entry["concept"])
    identifier = local_curie(family, next(iter(names.values()))[0])
    for name in (name for all_names in names.values() for name in all_names):
        known = by_name.setdefault((family, normalise_name(name)), identifier)
        if known != identifier:
            raise VocabularyError(
                f"'{name}' means both {known} and {identifier}",
                where=where,
                remedy="keep the name in one of them",
            )
    terms[identifier] = Term(
        identifier,
        entry["concept"],
        names,
        tuple(map(str, entry.get("classes") or entry.get("kinds") or ())),
        tuple(map(str, entry.get("xref", ()))),
    )


def _resolve_classes(terms: dict[str, Term], by_name: dict[tuple[str, str], str]) -> None:
    for identifier, term in list(terms.items()):
        if not term.classes:
            continue
        family = identifier.partition(":")[0].partition(".")[2]
        found = tuple(
            by_name.get((family, normalise_name(name)), local_curie(family, name))
            for name in term.classes
        )
        terms[identifier] = Term(term.id, term.concept, term.names, found, term.xrefs)
