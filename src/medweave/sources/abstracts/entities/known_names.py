"""Names that are known before anything is read: the lexicon's, those of abstracts, an ontology's.

What is known by how it ends ("-itis") or by its last word ("… therapy") is found as well, where no
known name stands, and people of an age ("adults over 50"), who are a risk factor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.language.sentences import sentences
from medweave.model.identifiers import digest
from medweave.model.ontology import Ontology
from medweave.sources.abstracts.entities.coherence import coherent
from medweave.sources.abstracts.entities.spans import Span, SpanIndex
from medweave.sources.abstracts.entities.tokens import Token, name_key, tokenised_sentences
from medweave.vocabulary.lexicon_names import lexicon_names, lexicon_names_version

TYPES_OF_CONCEPTS = {
    "disease": "disease", "symptom": "symptom", "drug": "treatment", "drug_class": "treatment",
    "treatment": "treatment", "test": "test", "body_part": "body_part", "gene": "gene",
    "biomarker": "biomarker", "risk_factor": "risk_factor", "organism": "risk_factor",
    "food": "risk_factor",
}  # fmt: skip
"""As which type of an abstract's things a concept of the vocabulary counts."""
_LONGEST = 8
"""Tokens of a known name."""
_MODIFIERS = 2
"""Words before a last word that may belong to it."""
_ABBREVIATION = 5
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_SHORTEST = 6
"""Letters of a word that is known by its ending."""


Lender = Callable[[str], Iterable[Span]]
"""Finds names in a text that somebody else knows, with their types."""


def _nothing(_text: str) -> Iterable[Span]:
    return ()


@dataclass(frozen=True, slots=True)
class KnownName:
    """What a name stands for: the type, and the first of the names that mean the same."""

    type: str
    preferred: str
    written: str


@dataclass(frozen=True)
class KnownNames:
    """Finds names of an ontology's types in texts."""

    names: Mapping[str, KnownName]
    """By `name_key`."""
    types: frozenset[str]
    lender: Lender = _nothing

    @classmethod
    def of(cls, ontology: Ontology, lender: Lender | None = None) -> KnownNames:
        """The names for the types of an ontology, besides what a lender finds."""
        types = frozenset(ontology.class_by_term)
        found = dict(_shipped())
        for entry in ontology.classes:
            for name in entry.examples:
                found.setdefault(name_key(name), KnownName(entry.term, name, name))
        fitting = {key: name for key, name in found.items() if name.type in types}
        return cls(fitting, types, lender or _nothing)

    def find(self, text: str) -> tuple[Span, ...]:
        """What a text names, in its order, without overlaps.

        >>> from medweave.ontology.loading import ontology_in
        >>> text = "Ranibizumab in wet AMD."
        >>> [text[s.start : s.end] for s in KnownNames.of(ontology_in()).find(text)]
        ['Ranibizumab', 'wet AMD']
        """
        found = SpanIndex()
        named = [*self._listed(text), *self._of_lexicon(text), *self.lender(text), *_phrases(text)]
        for spans in (named, [*_by_form(text)]):
            for span in sorted(spans, key=lambda each: (each.start - each.end, each.start)):
                if span.type in self.types and found.is_free(span.start, span.end):
                    found.add(span)
        return coherent(text, found.spans)

    def preferred(self, name: str) -> str:
        """The name that all names of a thing share.

        >>> from medweave.ontology.loading import ontology_in
        >>> KnownNames.of(ontology_in()).preferred("ARMD")
        'age-related macular degeneration'
        """
        known = self.names.get(name_key(name))
        return known.preferred if known else name

    def _listed(self, text: str) -> Iterator[Span]:
        for tokens in tokenised_sentences(text):
            for at, first in enumerate(tokens):
                for last in tokens[at : at + _LONGEST]:
                    yield from self._known(text, first, last)

    def _known(self, text: str, first: Token, last: Token) -> Iterator[Span]:
        written = text[first.start : last.end]
        known = self.names.get(name_key(written))
        if known and (not _is_abbreviation(known.written) or written.isupper()):
            yield Span(first.start, last.end, known.type)

    def _of_lexicon(self, text: str) -> Iterator[Span]:
        for start, end, _ in sentences(text):
            for name in lexicon_names().find(text[start:end]):
                type_ = TYPES_OF_CONCEPTS.get(name.concept)
                if type_:
                    yield Span(start + name.start, start + name.end, type_)


def _is_abbreviation(name: str) -> bool:
    return name.isupper() and len(name) <= _ABBREVIATION


@cache
def _shipped() -> Mapping[str, KnownName]:
    content: dict[str, list[list[str]]] = shipped_yaml(
        "sources", "abstracts", "rules", "names.yaml"
    )
    return {
        name_key(name): KnownName(type_, names[0], name)
        for type_, things in content.items()
        for names in things
        for name in names
    }


def _forms() -> Mapping[str, Mapping[str, list[str]]]:
    return shipped_yaml("sources", "abstracts", "rules", "forms.yaml")


@cache
def _stop_words() -> frozenset[str]:
    words: list[str] = _words_of_form()["stop"]
    return frozenset(words)


def _words_of_form() -> Any:
    return shipped_yaml("sources", "abstracts", "rules", "form_words.yaml")


def _by_form(text: str) -> Iterator[Span]:
    """Words known by their ending, and last words with what stands before them."""
    for start, end, _ in sentences(text):
        words = list(_WORD.finditer(text, start, end))
        for at, word in enumerate(words):
            small = word[0].lower()
            for type_, form in _forms().items():
                if small in form.get("heads", ()):
                    first = _first_of(words, at, text)
                    if first < at:
                        yield Span(words[first].start(), word.end(), type_)
                elif len(small) >= _SHORTEST and small.endswith(tuple(form.get("ends", ()))):
                    yield Span(*word.span(), type_)


def _phrases(text: str) -> Iterator[Span]:
    """What is said of people in words of one form: how old they are."""
    small = text.lower() if len(text.lower()) == len(text) else text
    for type_, form in _forms().items():
        for pattern in form.get("phrases", ()):
            for match in re.finditer(pattern, small):
                yield Span(*match.span(), type_)


def _first_of(words: list[re.Match[str]], at: int, text: str) -> int:
    """Where the words begin that a last word takes along."""
    first = at
    while first > 0 and at - first < _MODIFIERS:
        before = words[first - 1]
        joined = text[before.end() : words[first].start()] == " "
        if not joined or before[0].lower() in _stop_words():
            break
        first -= 1
    return first


@cache
def names_version() -> str:
    """Changes whenever what is found may change."""
    listed = [[key, name.type, name.preferred] for key, name in _shipped().items()]
    return digest([lexicon_names_version(), listed, _forms(), _words_of_form()], 6)
