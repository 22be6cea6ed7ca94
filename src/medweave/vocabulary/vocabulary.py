"""The vocabulary: which concepts there are, and what each predicate means.

The files in `vocabulary/terms/` are all of it; a user's own file adds to them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from typing import Any

from medweave.errors import StatementError, VocabularyError
from medweave.language.data import read_yaml, shipped
from medweave.model.identifiers import digest, normalise_name

TEXT = "text"
"""The range of predicates whose object is a literal."""
OPEN = "rel:"
"""How the names of predicates begin that no vocabulary declares: a graph's own relations."""


@dataclass(frozen=True, slots=True)
class Concept:
    """What kind of thing something can be. Things of one family share their names."""

    name: str
    family: str
    priority: int
    biolink: str
    labels: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Predicate:
    """What a relation means: see the head of `terms/medical.yaml` for each part."""

    name: str
    valence: int
    domain: tuple[str, ...]
    range: tuple[str, ...]
    strength: float
    biolink: str
    labels: Mapping[str, str]
    inverse: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    symmetric: bool = False
    graded: bool = False
    """Whether its statements tell how grave they are; see `INTERACTION_GRADES`."""
    importance: float | None = None
    """How much a link of this kind counts between dialogues, from 0 to 1; None for all others."""

    def words(self, language: str) -> str:
        """What it is called in a language: its own name where nobody gave it another."""
        return self.labels.get(language) or self.labels.get("en") or self.name.replace("_", " ")

    @property
    def takes_text(self) -> bool:
        """Whether the object is a literal."""
        return self.range == (TEXT,)


@dataclass(frozen=True, slots=True)
class PredicateUse:
    """A predicate found under some name; `inverted` where that name reads it backwards."""

    predicate: Predicate
    inverted: bool


@dataclass(frozen=True)
class Vocabulary:
    """All concepts and predicates in force."""

    concepts: Mapping[str, Concept]
    predicates: Mapping[str, Predicate]
    version: str
    _by_name: Mapping[str, PredicateUse] = field(repr=False, default_factory=dict)

    def concept(self, name: str) -> Concept:
        """The concept of this name; `VocabularyError` names those there are."""
        if name not in self.concepts:
            raise VocabularyError(
                f"unknown concept '{name}'",
                remedy=f"use one of {', '.join(sorted(self.concepts))}, or add it to a vocabulary",
            )
        return self.concepts[name]

    def family(self, concept: str) -> str:
        """The family of a concept."""
        return self.concept(concept).family

    def find(self, name: str) -> PredicateUse | None:
        """The predicate meant by a name, alias or inverse, or None.

        >>> found = shipped_vocabulary().find("symptom of")
        >>> found.predicate.name, found.inverted
        ('has_symptom', True)
        """
        if name.startswith(OPEN):
            return PredicateUse(_open_predicate(name), inverted=False)
        return self._by_name.get(relation_key(name))

    def asked_by(self, name: str) -> PredicateUse | None:
        """The predicate that somebody asks for, who need not know its exact name: in the plural or
        the singular, or by its word in any language.

        >>> found = shipped_vocabulary().asked_by("risk factors")
        >>> found.predicate.name, shipped_vocabulary().asked_by("症状").predicate.name
        ('has_risk_factor', 'has_symptom')
        """
        key = relation_key(name)
        forms = (
            key,
            key.removesuffix("s"),
            f"{key}s",
            f"has_{key}",
            f"has_{key.removesuffix('s')}",
        )
        found = (self.find(form) for form in forms if form)
        by_word = (
            PredicateUse(each, inverted=False)
            for each in self.predicates.values()
            if key in map(relation_key, each.labels.values())
        )
        return next((use for use in found if use), None) or next(by_word, None)

    def predicate(self, name: str) -> Predicate:
        """The predicate of this canonical name; one that is not declared is a source's own."""
        if name.startswith(OPEN):
            return _open_predicate(name)
        return self.predicates.get(name) or self.own_predicate(name)

    def own_predicate(self, name: str) -> Predicate:
        """A relation that only some source has: neutral, between any things, under its own name.

        >>> found = shipped_vocabulary().own_predicate("Treated-By")
        >>> found.name, found.valence, found.words("zh")
        ('treated_by', 0, 'treated by')
        """
        key = relation_key(name)
        things = ("thing", *sorted(set(self.concepts) - {"thing"}))
        return Predicate(key, 0, things, things, 1.0, "biolink:related_to",
                         {"en": key.replace("_", " ")})  # fmt: skip

    def nearest(self, name: str, among: Collection[str] | None = None) -> str:
        """The known name of a predicate that is spelled most like this one, '' for none.

        `among` are the predicates that may be named: then the nearest of them, however far it is.

        >>> shipped_vocabulary().nearest("treated_by")
        'treated_with'
        """
        key = relation_key(name)
        if among is None:
            found = get_close_matches(key, sorted(self._by_name), 1)
        else:
            others = (n for n, use in self._by_name.items() if use.predicate.name in among)
            found = get_close_matches(key, sorted({*among, *others}), 1, cutoff=0.0)
        return found[0] if found else ""

    def of_valence(self, valence: int) -> tuple[str, ...]:
        """The names of all predicates of one valence, sorted."""
        return tuple(sorted(p.name for p in self.predicates.values() if p.valence == valence))

    def check(self, subject_concept: str, predicate: Predicate, object_concept: str) -> None:
        """Refuse a statement outside domain or range, with the reason (`StatementError`)."""
        for concept, allowed, part in (
            (subject_concept, predicate.domain, "subject"),
            (object_concept, predicate.range, "object"),
        ):
            if concept not in allowed:
                raise StatementError(
                    f"'{predicate.name}' does not take a {concept} as its {part}",
                    remedy=f"it takes {', '.join(allowed)}",
                )


@cache
def _open_predicate(name: str) -> Predicate:
    """A relation that is known by its name alone, between any things."""
    things = ("thing",)
    label = name.removeprefix(OPEN)
    return Predicate(name, 1, things, things, 1.0, "biolink:related_to", {"en": label})


def relation_key(name: str) -> str:
    """The form under which two spellings of the name of a relation are one."""
    return normalise_name(name.replace("-", "_")).replace(" ", "_")


def load_vocabulary(texts: Iterable[tuple[str, str]]) -> Vocabulary:
    """A vocabulary from (name, YAML text) pairs; later ones add to and override earlier ones."""
    concepts: dict[str, Concept] = {}
    predicates: dict[str, Predicate] = {}
    versions: list[list[str]] = []
    for where, text in texts:
        content = read_yaml(text, where=where)
        versions.append([where, digest(content)])
        for name, entry in _entries(content, "concepts", where):
            concepts[name] = _concept(name, entry, where)
        for name, entry in [*_entries(content, "predicates", where), *_predicate_set(content)]:
            predicates[name] = _predicate(name, entry, where)
    _check_references(concepts, predicates)
    return Vocabulary(concepts, predicates, digest(versions, 6), _names(predicates))


@cache
def shipped_texts() -> tuple[tuple[str, str], ...]:
    """The vocabulary files that ship, by name."""
    folder = shipped("vocabulary", "terms")
    found = sorted(
        (entry.name, entry) for entry in folder.iterdir() if entry.name.endswith(".yaml")
    )
    return tuple((name, entry.read_text("utf-8")) for name, entry in found)


@cache
def shipped_vocabulary() -> Vocabulary:
    """The vocabulary that ships."""
    return load_vocabulary(shipped_texts())


def _entries(content: dict[str, Any], part: str, where: str) -> list[tuple[str, dict[str, Any]]]:
    entries = content.get(part) or {}
    if not isinstance(entries, dict) or not all(isinstance(e, dict) for e in entries.values()):
        raise VocabularyError(f"'{part}' must map names to their parts", where=where)
    return list(entries.items())


def _predicate_set(content: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    found = content.get("predicate_set")
    if not found:
        return []
    prefix = found.get("prefix", "")
    return [
        (prefix + relation_key(name), {**found["defaults"], "en": name.replace("_", " ")})
        for name in found["names"]
    ]


def _concept(name: str, entry: dict[str, Any], where: str) -> Concept:
    try:
        return Concept(
            name, entry["family"], int(entry.get("priority", 0)), entry["biolink"], _labels(entry)
        )
    except KeyError as error:
        raise VocabularyError(
            f"concept '{name}' lacks {error}",
            where=where,
            remedy="give its family and biolink name",
        ) from error


def _predicate(name: str, entry: dict[str, Any], where: str) -> Predicate:
    try:
        valence = int(entry["valence"])
        domain, range_ = tuple(entry["domain"]), tuple(entry["range"])
    except (KeyError, TypeError, ValueError) as error:
        raise VocabularyError(
            f"predicate '{name}' is incomplete",
            where=where,
            remedy="give valence (-1, 0 or 1), domain and range",
        ) from error
    if valence not in (-1, 0, 1):
        raise VocabularyError(f"valence of '{name}' must be -1, 0 or 1", where=where)
    return Predicate(
        name,
        valence,
        domain,
        range_,
        float(entry.get("strength", 1.0)),
        entry.get("biolink", "biolink:related_to"),
        _labels(entry),
        tuple(entry.get("inverse", ())),
        tuple(entry.get("aliases", ())),
        bool(entry.get("symmetric", False)),
        bool(entry.get("graded", False)),
        _importance(name, entry.get("importance"), where),
    )


def _importance(name: str, value: Any, where: str) -> float | None:
    if value is None:
        return None
    if not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise VocabularyError(f"importance of '{name}' must lie between 0 and 1", where=where)
    return float(value)


def _labels(entry: dict[str, Any]) -> dict[str, str]:
    return {language: entry[language] for language in ("en", "zh") if language in entry}


def _check_references(concepts: dict[str, Concept], predicates: dict[str, Predicate]) -> None:
    for predicate in predicates.values():
        for concept in (*predicate.domain, *predicate.range):
            if concept != TEXT and concept not in concepts:
                raise VocabularyError(
                    f"predicate '{predicate.name}' names the unknown concept '{concept}'",
                    remedy="declare the concept beside it",
                )


def _names(predicates: dict[str, Predicate]) -> dict[str, PredicateUse]:
    found: dict[str, PredicateUse] = {}
    for predicate in predicates.values():
        for name in predicate.inverse:
            found[relation_key(name)] = PredicateUse(predicate, inverted=True)
        for name in predicate.aliases:
            found[relation_key(name)] = PredicateUse(predicate, inverted=False)
    for predicate in predicates.values():
        found[relation_key(predicate.name)] = PredicateUse(predicate, inverted=False)
    return found
