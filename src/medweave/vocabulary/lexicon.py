"""The lexicon: names that are known to mean one thing, in each language.

Extraction may use it because it is named and versioned: what a document yields depends on the
document and this, never on what else is in a base.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from medweave.errors import VocabularyError
from medweave.language.data import LANGUAGES, read_yaml, shipped
from medweave.language.folding import name_key, singular
from medweave.language.slips import Spelling, name_words
from medweave.model.identifiers import digest, local_curie, normalise_name
from medweave.model.question import SUBSTANCES
from medweave.vocabulary.salts import without_salt
from medweave.vocabulary.vocabulary import Vocabulary, shipped_vocabulary

_Entry = dict[str, Any]
"""A term as a file has it."""
_SUBSTANCE = "substance"
_IMPLIED = ("condition", "population")
"""The families of what a condition may imply."""


@dataclass(frozen=True, slots=True)
class Term:
    """One thing with all its names; the first of each language is the preferred one."""

    id: str
    concept: str
    names: Mapping[str, tuple[str, ...]]
    classes: tuple[str, ...] = ()
    """What it is a kind of, by identifier: a drug's classes, a disease's wider disease."""
    ingredients: tuple[str, ...] = ()
    """What a product of several drugs is made of, by identifier."""
    implies: tuple[str, ...] = ()
    """What else is true of whoever has it, by identifier: pre-eclampsia implies pregnancy, and
    pregnancy does not imply pre-eclampsia."""
    grades: tuple[str, ...] = ()
    """Grades that the wider condition has by this kind of it: end-stage kidney disease is severe
    kidney disease. The codes are those of the qualifier `severity`."""
    age_max_days: int | None = None
    """Whoever is no older and has the wider condition has this one: jaundice of a newborn."""
    xrefs: tuple[str, ...] = ()

    @property
    def inherits(self) -> tuple[str, ...]:
        """Whatever holds for these holds for it: its classes and its ingredients."""
        return self.classes + self.ingredients

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
    def _below(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for term in self.terms.values():
            for above in term.classes:
                found.setdefault(above, []).append(term.id)
        return {above: tuple(some) for above, some in found.items()}

    def directly_below(self, terms: Iterable[str]) -> frozenset[str]:
        """The kinds of these that are kinds of nothing between."""
        return frozenset(kind for term in terms for kind in self._below.get(term, ()))

    def narrower(self, terms: Iterable[str], *, concept: str = "") -> frozenset[str]:
        """All kinds of these, and kinds of them in turn; those of one `concept` alone, if any.

        >>> found = shipped_lexicon().narrower(["mw.substance:antihypertensives"])
        >>> "mw.substance:amlodipine" in found
        True
        """
        frontier, reached = list(terms), set[str]()
        while frontier:
            below = self.directly_below([frontier.pop()]) - reached
            new = {one for one in below if concept in ("", self.terms[one].concept)}
            reached |= new
            frontier += sorted(new)
        return frozenset(reached)

    @cached_property
    def keys(self) -> list[str]:
        """All keys of names, sorted."""
        return sorted(self.by_key)

    @cached_property
    def spelling(self) -> Spelling:
        """The words of all names."""
        return Spelling(word for key in self.by_key for word in name_words(key))

    @cached_property
    def drugs_of_words(self) -> dict[str, frozenset[str]]:
        """The words of the names of what is taken, each with what it names."""
        found: dict[str, set[str]] = {}
        for key, terms in self.by_key.items():
            named = {term.id for term in terms if term.concept in SUBSTANCES}
            for word in name_words(key) if named else ():
                found.setdefault(word, set()).update(named)
        return {word: frozenset(some) for word, some in found.items()}

    @cached_property
    def words_of_drugs(self) -> frozenset[str]:
        """The words of the first names of what is taken: no brands where there are others."""
        taken = (term for term in self.terms.values() if term.concept in SUBSTANCES)
        firsts = (names[0] for term in taken for names in term.names.values() if names)
        return frozenset(word for name in firsts for word in name_words(name_key(name)))

    def is_same_drug(self, word: str, other: str) -> bool:
        """Whether two words of names name the same, as far as this lexicon knows.

        >>> shipped_lexicon().is_same_drug("amoxycillin", "amoxicillin")
        True
        """
        named = self.drugs_of_words.get(word, frozenset())
        others = self.drugs_of_words.get(other, frozenset())
        return word == other or (bool(named) and named <= others)

    def find(self, name: str, families: Iterable[str]) -> Term | None:
        """The term of this name, in singular or plural, in the first of `families` that has one.

        >>> found = shipped_lexicon().find("Pectoralgia", ["condition"])
        >>> found.preferred("zh")
        '胸痛'

        A medicine is found behind its salt, and behind the form that it is sold in:

        >>> shipped_lexicon().find("Metformin hydrochloride tablets", ["substance"]).names["en"][0]
        'metformin'
        """
        families = tuple(families)
        key = normalise_name(name)
        salts = (_SUBSTANCE,) if _SUBSTANCE in families else ()
        for form, of in ((key, families), (singular(key), families), (without_salt(key), salts)):
            for family in of:
                identifier = self.by_name.get((family, form))
                if identifier:
                    return self.terms[identifier]
        return self._spelled_otherwise(name, families)

    def _spelled_otherwise(self, name: str, families: tuple[str, ...]) -> Term | None:
        """The one term of these families that differs by its hyphens alone ("wet-AMD")."""
        beginnings = tuple(f"mw.{family}:" for family in families)
        terms = self.by_key.get(name_key(name), ())
        found = [term for term in terms if term.id.startswith(beginnings)]
        return found[0] if len(found) == 1 else None


def load_lexicon(texts: Iterable[tuple[str, str]], vocabulary: Vocabulary) -> Lexicon:
    """A lexicon from (name, YAML text) pairs; one name cannot mean two things of one family."""
    entries: dict[str, _Entry] = {}
    by_name: dict[tuple[str, str], str] = {}
    versions = []
    for where, text in texts:
        versions.append([where, text])
        for entry in read_yaml(text, where=where).get("terms", ()):
            _add_entry(entry, where, vocabulary, entries, by_name)
    for identifier, entry in entries.items():
        family = identifier.partition(":")[0].partition(".")[2]
        also = [n for n in _as_said(entry) if (family, normalise_name(n)) not in by_name]
        by_name.update({(family, normalise_name(name)): identifier for name in also})
        if also:
            entries[identifier] = {**entry, "zh": [*entry["zh"], *also]}
    resolver = _Resolver(by_name)
    terms = {
        identifier: _term(identifier, entry, resolver) for identifier, entry in entries.items()
    }
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


def _add_entry(
    entry: _Entry,
    where: str,
    vocabulary: Vocabulary,
    entries: dict[str, _Entry],
    by_name: dict[tuple[str, str], str],
) -> None:
    names = [name for language in LANGUAGES for name in _names(entry, language)]
    if not names:
        raise VocabularyError(f"a term without names: {entry}", where=where)
    family = vocabulary.family(entry["concept"])
    identifier = local_curie(family, names[0])
    for name in names:
        known = by_name.setdefault((family, normalise_name(name)), identifier)
        if known != identifier:
            raise VocabularyError(
                f"'{name}' means both {known} and {identifier}",
                where=where,
                remedy="keep the name in one of them",
            )
    entries[identifier] = entry


def _as_said(entry: _Entry) -> list[str]:
    """How classes of drugs are spoken of in Chinese, too: 大环内酯类 as 大环内酯, 降脂药 as
    降脂的药."""
    if entry["concept"] != "drug_class":
        return []
    names = [str(name) for name in entry.get("zh", ())]
    kinds = [name for name in names if name.endswith("类") and len(name) >= _TELLING]
    drugs = [name[:-1] for name in names if name.endswith("药") and len(name) >= _TELLING]
    said = [form for name in kinds for form in (name[:-1], f"{name}药", f"{name}药物")]
    return list(dict.fromkeys([*said, *(f"{name}的药" for name in drugs)]))


_TELLING = 3
"""Characters that the name of a class has at least where a part of it says as much."""


def _names(entry: _Entry, language: str) -> tuple[str, ...]:
    """The names of a term, those with an apostrophe without it too: people leave it out, as they
    do the hyphen behind a short first part ("cocodamol", "antiinflammatories")."""
    written = tuple(map(str, entry.get(language, ())))
    if not any("'" in name or "-" in name for name in written):  # most
        return tuple(dict.fromkeys(written))
    shorter = (name.replace("'", "") for name in written)
    joined = (name.replace("-", "", 1) for name in written if _BEGUN_SHORT.match(name))
    return tuple(dict.fromkeys((*written, *shorter, *joined)))


_BEGUN_SHORT = re.compile(r"(?:co|anti|non|pip|beta|alpha|amox|[a-z])-[a-z]{4,}", re.IGNORECASE)


def _term(identifier: str, entry: _Entry, resolver: _Resolver) -> Term:
    family = identifier.partition(":")[0].partition(".")[2]
    return Term(
        identifier,
        entry["concept"],
        {lang: _names(entry, lang) for lang in LANGUAGES if entry.get(lang)},
        resolver.all(entry.get("classes") or entry.get("kinds") or (), (family,)),
        resolver.all(entry.get("ingredients", ()), (family,)),
        resolver.all(entry.get("implies", ()), _IMPLIED),
        tuple(entry.get("grades", ())),
        entry.get("age_max_days"),
        tuple(entry.get("xref", ())),
    )


class _Resolver:
    """Identifiers for the names by which the files refer to other terms."""

    def __init__(self, by_name: Mapping[tuple[str, str], str]) -> None:
        self._by_name = by_name
        self._known: dict[tuple[str, tuple[str, ...]], str] = {}

    def all(self, names: Iterable[str], families: tuple[str, ...]) -> tuple[str, ...]:
        """The terms of these names, of the first of `families` that has one of the name."""
        return tuple(self._one(str(name), families) for name in names)

    def _one(self, name: str, families: tuple[str, ...]) -> str:
        """A name that no file has stands for itself."""
        known = self._known.get((name, families))
        if known is None:
            key = normalise_name(name)
            found = (self._by_name.get((family, key)) for family in families)
            known = next(filter(None, found), None) or local_curie(families[0], name)
            self._known[name, families] = known
        return known
