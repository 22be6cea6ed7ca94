"""Finding names in text: Aho-Corasick over all names of a base and the lexicon.

The longest name wins where names overlap. Latin names match whole words only, in singular or
plural; a short abbreviation in capitals matches only in capitals ("ME" is never "me").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from medweave.language.folding import Folded, fold, plural, singular
from medweave.language.segmentation import stop_names
from medweave.model.question import Link
from medweave.vocabulary.lexicon import Lexicon
from medweave.vocabulary.vocabulary import Vocabulary

_ABBREVIATION = 5
"""Names in capitals of at most this many characters are abbreviations."""


@dataclass(frozen=True, slots=True)
class Named:
    """A name as the dictionary knows it."""

    entity: str
    name: str
    concept: str
    how: str = "exact"
    present: bool = True
    """Whether the base has it; the lexicon knows of more."""


@dataclass(frozen=True, slots=True)
class Match:
    """A name found in a text: its span, and everything that bears it, the best choice first."""

    start: int
    end: int
    named: tuple[Named, ...]

    @property
    def link(self) -> Link:
        """How the text was linked."""
        return Link(self.named[0].how, 1.0)


@dataclass
class Dictionary:
    """All names, ready to be looked for in a text."""

    _automaton: Any
    _names: dict[str, list[Named]] = field(default_factory=dict)

    def find(self, text: str) -> tuple[Match, ...]:
        """The names in a text, the longest first where they overlap, in the order of the text."""
        if not self._names:
            return ()
        folded = fold(text)
        chosen: list[tuple[int, int, tuple[Named, ...]]] = []
        taken = bytearray(len(folded.text))
        hits = list(self._hits(text, folded))
        for start, end, named in sorted(hits, key=lambda hit: _claim(hit[0], hit[1], folded)):
            if not any(taken[start:end]):
                taken[start:end] = b"\x01" * (end - start)
                chosen.append((*folded.span(start, end), named))
        return tuple(Match(*found) for found in sorted(chosen, key=lambda found: found[0]))

    def names(self, text: str) -> tuple[Named, ...]:
        """Everything that is called exactly this."""
        key = fold(text.strip()).text
        found = self._names.get(key) or self._names.get(singular(key)) or []
        return tuple(found)

    def _hits(self, text: str, folded: Folded) -> Iterator[tuple[int, int, tuple[Named, ...]]]:
        for last, key in self._automaton.iter(folded.text):
            start, end = last + 1 - len(key), last + 1
            if not _whole_words(folded.text, start, end):
                continue
            span = folded.span(start, end)
            written = text[span[0] : span[1]]
            named = [n for n in self._names[key] if _case_fits(n.name, written)]
            to_the_letter = [n for n in named if fold(n.name).text.strip() == key]
            if named:
                yield start, end, tuple(to_the_letter or named)


def build_dictionary(names: Iterable[Named], vocabulary: Vocabulary) -> Dictionary:
    """A dictionary of these names; names too short or too common to mean anything are left out."""
    import ahocorasick

    stop = stop_names()
    known: dict[str, dict[str, Named]] = {}
    for named in names:
        for key in _keys(named.name):
            if _usable(key, named.name, stop):
                known.setdefault(key, {}).setdefault(named.entity, named)
    automaton = ahocorasick.Automaton()
    ordered: dict[str, list[Named]] = {}
    for key, by_entity in known.items():
        ordered[key] = sorted(by_entity.values(), key=lambda n: _preference(n, vocabulary))
        automaton.add_word(key, key)
    automaton.make_automaton()
    return Dictionary(automaton, ordered)


def lexicon_names(lexicon: Lexicon, entities: Iterable[str]) -> Iterator[Named]:
    """All names of the lexicon.

    Things the base does not hold are heard as well: an allergy to one drug stops another of its
    class, whether the base has a monograph of the first or not.
    """
    held = set(entities)
    for term in lexicon.terms.values():
        for names in term.names.values():
            for place, name in enumerate(names):
                how = "synonym" if place else "exact"
                yield Named(term.id, name, term.concept, how, term.id in held)


def _preference(named: Named, vocabulary: Vocabulary) -> tuple[bool, bool, int, str]:
    """What the base holds first, then whose own name it is, then the concept of higher priority."""
    concept = vocabulary.concepts.get(named.concept)
    priority = concept.priority if concept else 0
    return (not named.present, named.how != "exact", -priority, named.entity)


def _claim(start: int, end: int, folded: Folded) -> tuple[bool, int, int]:
    """Which of overlapping names comes first: the longest.

    A name that begins like a question ("symptoms of bladder") comes after those that do not.
    """
    first_word = folded.text[start:end].split(" ", 1)[0]
    return (first_word in stop_names(), start - end, start)


def _keys(name: str) -> set[str]:
    """The folded forms of a name: as it is, and with its last word in the other number."""
    key = fold(name.strip()).text.strip()
    forms = {key, singular(key)}
    if key.isascii() and key[-1:].isalpha() and len(key) > _ABBREVIATION - 1:
        forms |= {plural(form) for form in forms}
    return {form for form in forms if form}


def _usable(key: str, name: str, stop: frozenset[str]) -> bool:
    if key in stop and not _is_abbreviation(name):
        return False
    if key.isascii():
        return len(key) > 1 and any(character.isalpha() for character in key)
    return len(key) > 1


def _is_abbreviation(name: str) -> bool:
    return len(name) <= _ABBREVIATION and name.isascii() and name.isupper() and len(name) > 1


def _case_fits(name: str, written: str) -> bool:
    return not _is_abbreviation(name) or written.rstrip("s").isupper()


def _whole_words(text: str, start: int, end: int) -> bool:
    """Whether no Latin word or number is cut in two. Chinese has no word boundaries to respect."""
    before = start > 0 and _joins(text[start - 1], text[start])
    after = end < len(text) and _joins(text[end - 1], text[end])
    return not before and not after


def _joins(left: str, right: str) -> bool:
    return _latin(left) and _latin(right)


def _latin(character: str) -> bool:
    return character.isalnum() and not "\u3400" <= character <= "\u9fff"
