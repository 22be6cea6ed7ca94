"""Names of the lexicon in a text, as written, in another spelling, in lay wording, or said apart.

`Dictionary` finds the names of a base. What a document yields must not depend on a base, so
extraction finds those of the lexicon alone; it also reads whole dialogues, so this one looks only
where a name can begin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from medweave.language.data import LANGUAGES, shipped
from medweave.language.folding import Folded, fold, name_key, singular
from medweave.language.segmentation import is_abbreviation, is_capitalised, language_of, stop_keys
from medweave.language.spelling import other_spellings
from medweave.model.identifiers import digest
from medweave.model.question import FINDINGS
from medweave.vocabulary.composed import composed
from medweave.vocabulary.lay_terms import LayTerms
from medweave.vocabulary.lexicon import Lexicon, shipped_lexicon
from medweave.vocabulary.shorthand_names import is_shorthand
from medweave.vocabulary.stretches import WORD

_WORD = re.compile(WORD)
_MOST_WORDS = 24
_PLURAL = 2
"""Letters that a plural may have more than its name."""


class LexiconName(NamedTuple):
    """A name found in a text: its span, and what it names."""

    start: int
    end: int
    entity: str
    concept: str


@dataclass(frozen=True)
class LexiconNames:
    """Finds the names of a lexicon in texts."""

    lexicon: Lexicon
    _keys: dict[str, tuple[LexiconName, ...]] = field(default_factory=dict, repr=False)
    """By key, what bears it."""
    _capitals: frozenset[str] = frozenset()
    """Keys of abbreviations, which are names only in capitals."""
    _longest: dict[str, int] = field(default_factory=dict, repr=False)
    """By the first word of a key, how many characters those keys have at most."""

    def find(self, text: str) -> tuple[LexiconName, ...]:
        """The names in a text, the longest first where they overlap, in the order of the text.

        >>> [n.entity for n in lexicon_names().find("My head aches, I threw up and took aspirin.")]
        ['mw.condition:headache', 'mw.condition:vomiting', 'mw.substance:aspirin']
        """
        folded = fold(text)
        taken = bytearray(len(folded.text))
        found: list[LexiconName] = []
        hits = sorted(self._hits(folded, text), key=lambda hit: (hit[0] - hit[1], hit[0]))
        for start, end, named in hits:
            if any(taken[start:end]):
                continue
            taken[start:end] = b"\x01" * (end - start)
            if named:
                first, last = folded.span(start, end)
                found.append(LexiconName(first, last, named[0].entity, named[0].concept))
        return tuple(sorted(found))

    def _hits(
        self, folded: Folded, text: str
    ) -> Iterator[tuple[int, int, tuple[LexiconName, ...]]]:
        lay = self._lay(folded.text)
        longest = _reaches(lay)
        for start, ends in _words(folded.text):
            word = folded.text[start : ends[0]]
            one = singular(word)
            reach = max(
                self._longest.get(word, 0),
                self._longest.get(one, 0),
                longest.get(word, 0),
                longest.get(one, 0),
            )
            for end in ends:
                if end - start > reach + _PLURAL:
                    break
                key = singular(folded.text[start:end])
                named = self._keys.get(key, lay.get(key))
                if named is None:
                    continue
                first, last = folded.span(start, end)
                if key not in self._capitals or is_capitalised(text[first:last]):
                    yield start, end, named
        for complaint in composed(folded.text, language_of(text)):
            known = next(filter(None, map(self._named, complaint.names)), ())
            if known and known[0].concept in FINDINGS:
                yield complaint.start, complaint.end, known

    def _named(self, key: str) -> tuple[LexiconName, ...]:
        """What bears a key, or is meant by a wording of it."""
        return self._keys[key] if key in self._keys else self._lay(key).get(key, ())

    def _lay(self, text: str) -> dict[str, tuple[LexiconName, ...]]:
        """By key of a wording that a folded text may have, the finding that it stands for.

        It is nothing where a wording only keeps a shorter one from being heard.
        """
        found: dict[str, tuple[LexiconName, ...]] = {}
        for terms in LayTerms().terms(text):
            for wording, clinical in terms.items():
                known = next((self._keys[name] for name in clinical if name in self._keys), ())
                known = known if known and known[0].concept in FINDINGS else ()
                if known or not clinical:
                    found.setdefault(wording, known)
        return found


@cache
def lexicon_names() -> LexiconNames:
    """Finds the names of the lexicon that ships."""
    lexicon = shipped_lexicon()
    keys: dict[str, tuple[LexiconName, ...]] = {}
    capitals: set[str] = set()
    for key, terms in lexicon.by_key.items():
        names = [name for t in terms for some in t.names.values() for name in some]
        written = [name for name in names if name_key(name) == key]
        if all(map(is_shorthand, written)):  # what is published writes them out
            continue
        short = all(is_abbreviation(name) for name in written)
        if len(key) < 2 or (key in stop_keys() and not short):  # noqa: PLR2004 - one letter
            continue
        keys[key] = tuple(LexiconName(0, 0, term.id, term.concept) for term in terms)
        if short:
            capitals.add(key)
    for key in list(keys):
        for other in other_spellings(key):
            keys.setdefault(other, keys[key])
    return LexiconNames(lexicon, keys, frozenset(capitals), _reaches(keys))


@cache
def lexicon_names_version() -> str:
    """Changes whenever what is found may change."""
    files = [
        shipped("vocabulary", folder, f"{name}.yaml")
        for folder in ("lay", "composition")
        for name in LANGUAGES
    ]
    return digest([shipped_lexicon().version, *(file.read_text("utf-8") for file in files)], 6)


def _reaches(keys: dict[str, tuple[LexiconName, ...]]) -> dict[str, int]:
    longest: dict[str, int] = {}
    for key in keys:
        first = _WORD.search(key)
        word = first.group() if first else ""
        longest[word] = max(longest.get(word, 0), len(key))
    return longest


def _words(text: str) -> Iterator[tuple[int, list[int]]]:
    """Where each word of a folded text begins, and where a name that begins there may end."""
    words = [match.span() for match in _WORD.finditer(text)]
    ends = [end for _, end in words]
    for number, (start, _) in enumerate(words):
        yield start, ends[number : number + _MOST_WORDS]
