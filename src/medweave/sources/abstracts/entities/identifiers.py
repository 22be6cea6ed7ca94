"""By which identifier a name is known, learned from documents in which somebody wrote identifiers.

A name is looked up as it is written, then by its words in any order and number, then by the thing
of the lexicon that it names, so that another name of a known thing leads to it, then by what its
words begin with ("ischemic" and "ischemia"), then by words that mean the same ("cardiac failure"
and "heart failure"), and last without its first or last words: those that could be left off in the
documents without another thing being meant ("acute", not "hepatic"). An abbreviation is what its
text defines it as.

Where documents are labelled with MeSH, what none of them names has the identifier of the heading of
MeSH that it is, or that another name of the same thing of the lexicon is.

Headings of MeSH (U.S. National Library of Medicine) come with the identifiers they have there.
The file is that of `scripts/mesh_headings.py`, which says where it is from: headings of diseases,
findings and chemicals in Biomappings 0.6.0 (CC0), and what other catalogues call the same, read on
2026-11-27.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from medweave.language.abbreviations import abbreviations
from medweave.language.data import shipped, shipped_yaml
from medweave.language.folding import singular
from medweave.language.spelling import other_spellings
from medweave.sources.abstracts.entities.spans import Span
from medweave.sources.abstracts.entities.tokens import name_key
from medweave.sources.abstracts.labelled.documents import LabelledDocument
from medweave.sources.abstracts.relations.things import keys_in
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.lexicon_names import lexicon_names

_EMPTY = frozenset({"the", "of", "a", "an", "in", "-", ",", "'", "s", "(", ")", "/"})
_FEW = 5
"""Things whose identifiers tell nothing of where all are taken from."""
_ENDING = re.compile(
    r"(?:ization|ation|ity|ia|ical|ic|al|ous|ive|ed|ing|ion|es|is|us|um|s|y|e|a|i)$"
)
_BEGINNING = 5
"""Letters of a word that are no ending."""
_SURE = 0.5
"""Words are left off a name that more often than this could be left off others."""
_SEEN = 2
"""How many times a word must be seen until it says more than others of it do."""
_SHORT = 5
"""Letters of an abbreviation, whose letters are not those of a word in the plural."""


class Without(NamedTuple):
    """A name without some of its words."""

    name: str
    words: tuple[str, ...]
    """What was left off, each word with the end at which it stood."""


@dataclass(frozen=True)
class LearnedIdentifiers:
    """Identifiers by type and form of a name, and which words may be left off a name."""

    by_form: Mapping[tuple[str, str], str]
    headings: Mapping[str, str] = field(default_factory=dict)
    """By form what a catalogue calls a name that was not learned, whatever its type."""
    needless: Mapping[str, float] = field(default_factory=dict)
    """For each word at an end of a name how often the same was meant without it; by "" for all."""

    @classmethod
    def learn(cls, documents: Iterable[LabelledDocument]) -> LearnedIdentifiers:
        """For each form of each name the identifier that it was given most often."""
        named = [
            (span.type, document.text[span.start : span.end], identifier)
            for document in documents
            for span in document.spans
            if (identifier := document.keys.get(span))
        ]
        votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for type_, name, identifier in named:
            for form in name_forms(name):
                votes[type_, form][identifier] += 1
        found = {form: min(some, key=lambda i: (-some[i], i)) for form, some in votes.items()}
        learned = cls(found, _headings_of(found))
        return replace(learned, needless=_needless(learned, named))

    @cached_property
    def all(self) -> frozenset[str]:
        """All identifiers that any name may lead to."""
        several = (key for keys in self.by_form.values() for key in keys_in(keys))
        return frozenset(several).union(self.headings.values())

    def keys(self, text: str, spans: Sequence[Span]) -> dict[Span, str]:
        """What each span of a text is known by: an identifier, or the form of its name.

        >>> span = Span(0, 9, "disease")
        >>> known = LabelledDocument("1", "nosebleed", (span,), {span: "D1"})
        >>> learned = LearnedIdentifiers.learn([known])
        >>> learned.keys("Epistaxis", [span])[span], learned.keys("Lung pain", [span])[span]
        ('D1', 'lung pain')
        """
        long_forms = {
            text[each.short_start : each.short_end]: text[each.long_start : each.long_end]
            for each in abbreviations(text)
        }
        return {span: self._key(span, text, long_forms) for span in spans}

    def _key(self, span: Span, text: str, long_forms: Mapping[str, str]) -> str:
        written = text[span.start : span.end]
        name = long_forms.get(written, written)
        for each in (name, written):
            if known := self.known(span.type, each):
                return known
        return self._without_some(span.type, name) or name_forms(name)[1]

    def known(self, type_: str, name: str) -> str | None:
        """The identifier of a name, by the surest of its forms that is known."""
        found = (
            self.by_form.get((type_, form)) or self.headings.get(form) for form in name_forms(name)
        )
        return next(filter(None, found), None)

    def _without_some(self, type_: str, name: str) -> str | None:
        """The identifier of a name by the surest of its parts, where none is left off in vain."""
        usual = self.needless.get("", 0.0)
        best, found = _SURE, None
        for part in _parts(name):
            sure = min(self.needless.get(word, usual) for word in part.words)
            if sure > best and (known := self.known(type_, part.name)):
                best, found = sure, known
        return found


def _needless(
    learned: LearnedIdentifiers, named: Iterable[tuple[str, str, str]]
) -> dict[str, float]:
    """How often a name without a word means the same; words that are seldom seen are as others."""
    right: Counter[str] = Counter()
    all_: Counter[str] = Counter()
    for type_, name, identifier in named:
        for part in _parts(name):
            if known := learned.known(type_, part.name):
                words = ("", *part.words)
                all_.update(words)
                right.update(words if known == identifier else ())
    usual = right[""] / max(all_[""], 1)
    return {word: (right[word] + _SEEN * usual) / (n + _SEEN) for word, n in all_.items()}


def _headings_of(labelled: Mapping[tuple[str, str], str]) -> dict[str, str]:
    """What MeSH calls things, if that is how they are labelled, behind whichever prefix."""
    headings = _mesh() if labelled else {}
    before: Counter[str | None] = Counter()
    for (_, form), identifier in labelled.items():
        heading = headings.get(form)
        if heading:
            fits = identifier.endswith(heading)
            before[identifier.removesuffix(heading) if fits else None] += 1
    prefix, times = before.most_common(1)[0] if before else (None, 0)
    if prefix is None or times < max(_FEW, before.total() / 2):
        return {}
    return {form: prefix + heading for form, heading in headings.items()}


@cache
def _mesh() -> Mapping[str, str]:
    return mesh_headings(as_written)


def _parts(name: str) -> Iterator[Without]:
    """A name without its first words ("acute", "drug-induced"), or without its last ("maleate")."""
    words = name.split()
    keys = [name_key(word) for word in words]
    for number in range(1, len(words)):
        first = tuple(f"{key} …" for key in keys[:number])
        yield Without(" ".join(words[number:]), first)
    for number in range(1, len(words)):
        last = tuple(f"… {key}" for key in keys[-number:])
        yield Without(" ".join(words[:-number]), last)


@lru_cache(maxsize=100_000)
def name_forms(name: str) -> tuple[str, ...]:
    """The forms under which a name is known, the surest first.

    >>> name_forms("Failure of kidneys")[:2]
    ('failure of kidneys', 'failure kidney')
    """
    return tuple(_forms(name))


def _forms(name: str) -> Iterator[str]:
    yield from as_written(name)
    for found in lexicon_names().find(name):
        if (found.start, found.end) == (0, len(name)):
            yield found.entity
    if not _is_short(name):
        words = _words(name)
        yield " ".join(sorted(f"{_beginning(word)}-" for word in words))
        yield " ".join(sorted(f"~{_meant(word)}" for word in words))


def as_written(name: str) -> tuple[str, str]:
    """A name, and its words in any order and number, without those that mean nothing.

    >>> as_written("Failure, of Kidneys")
    ('failure , of kidneys', 'failure kidney')
    """
    key = name_key(name)
    words = [key] if _is_short(name) else _words(name)
    return key, " ".join(sorted(words)) or key


def _is_short(name: str) -> bool:
    return len(name) <= _SHORT and name.isupper()


def _words(name: str) -> list[str]:
    return [singular(word) for word in name_key(name).split() if word not in _EMPTY]


@lru_cache(maxsize=1 << 15)
def _meant(word: str) -> str:
    """The word that stands for all that mean the same, in the shortest spelling."""
    same = _same_words().get(word, word)
    return min((same, *other_spellings(same)), key=lambda each: (len(each), each))


@cache
def _same_words() -> Mapping[str, str]:
    same = shipped_yaml("sources", "abstracts", "rules", "same_words.yaml")["same"]
    return {word: words[0] for words in same for word in words}


def _beginning(word: str) -> str:
    for _ in range(2):
        cut = _ENDING.sub("", word)
        word = cut if len(cut) >= _BEGINNING else word
    return word


Forms = Callable[[str], Iterable[str]]


def mesh_headings(forms: Forms) -> dict[str, str]:
    """By form of a name, and by thing of the lexicon, the one heading that it may be.

    What several headings fit has none.
    """
    fitting: dict[str, set[str]] = defaultdict(set)
    packed = shipped("sources", "abstracts", "rules", "mesh.tsv.gz")
    for line in gzip.decompress(packed.read_bytes()).decode().splitlines():
        identifier, _, heading = line.partition("\t")
        for form in forms(heading):
            fitting[form].add(identifier)
    found = {form: next(iter(some)) for form, some in fitting.items() if len(some) == 1}
    return {**_of_the_lexicon(found, forms), **found}


def _of_the_lexicon(headings: Mapping[str, str], forms: Forms) -> dict[str, str]:
    """By thing of the lexicon the heading that its names are."""
    found = {}
    for term in shipped_lexicon().terms.values():
        names = term.names.get("en", ())
        fitting = {headings[form] for name in names for form in forms(name) if form in headings}
        if len(fitting) == 1:
            found[term.id] = fitting.pop()
    return found
