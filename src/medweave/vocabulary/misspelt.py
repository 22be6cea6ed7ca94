"""What misspelt words of a text are linked to: "diarhea", "stomache ache", "bloodpressure".

A word is taken for misspelt if it is no word of any name and no plain English, and a word of a name
lies within a slip or two of it (`language.slips`). The text is then read once more with that word
in its place. Where two different things are equally near, none is meant. **A drug is never taken
for another**: its word must be long, one slip away, and no word of another drug's name near at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, groupby
from typing import TYPE_CHECKING

from medweave.language.folding import singular
from medweave.language.plain_english import is_plain_english
from medweave.language.slips import (
    LONGEST,
    MOST,
    SHORTEST,
    Spelling,
    may_mean,
    most_slips,
    name_words,
    opposites_of,
    slips,
)
from medweave.language.stems import stem_of
from medweave.model.question import FINDINGS, SUBSTANCES
from medweave.ports import NameLookup
from medweave.vocabulary.composed import composed_wordings
from medweave.vocabulary.lay_terms import wordings
from medweave.vocabulary.lexicon import Lexicon
from medweave.vocabulary.memo import Memo
from medweave.vocabulary.readings import MISSPELT, SURE, Reading

if TYPE_CHECKING:
    from medweave.vocabulary.dictionary import Named

Hit = tuple[Reading, "tuple[Named, ...]"]

_WORD = re.compile(rf"(?<![\w'])[a-z]{{{SHORTEST},{LONGEST}}}(?!\w)(?!'(?!s\b))")
"""Letters alone, with an 's or without; the beginning of "doesn't" is no word."""
_AROUND = re.compile(r"\S+")
_WORDS_AROUND = 6
_DOUBLED = re.compile(r"(.)\1+")
_SPLIT_FROM = 7
_LEAST_PART = 3
_LONG_NAME = 7
"""What is no finding is only meant by words of so many letters: brands and genes are like much."""
_LONG_FOR_THREE = 8
"""In a shorter word three letters are half of it, and it is like much."""
_MOST_CANDIDATES = 6
_MOST_NEAR = 2
"""So many drugs are named that a word may mean."""
_MOST_WORDS = 12
"""So many unknown words of a text are looked at; one with more is in another language."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """What a word may mean; a space in it stands where two words are run together."""

    meant: str
    slips: int


@dataclass(frozen=True, slots=True)
class _Unknown:
    """A word of a folded text that nobody knows, and what it may mean, the likeliest first."""

    start: int
    end: int
    written: str
    candidates: tuple[_Candidate, ...]


@dataclass(frozen=True, slots=True)
class _Put:
    """A word put in the place of another: where it stands now, and what it is in the place of."""

    start: int
    end: int
    word: _Unknown
    candidate: _Candidate


def misspelt(
    text: str,
    linked: Iterable[Hit],
    read: Callable[[str], Iterable[Hit]],
    words: Words,
) -> Iterator[Hit]:
    """What the misspelt words of a folded text are linked to, as further hits.

    `linked` is what the text is linked to as it stands; `read` links another folded text.
    """
    unknown = list(_unknown(text, ((hit.start, hit.end) for hit, _ in linked), words))
    found = [hit for word in unknown for hit in _hits(text, word, unknown, read, words)]
    found.sort(key=lambda hit: (hit[0].start, hit[0].end, hit[0].slips))
    for _, same in groupby(found, key=lambda hit: (hit[0].start, hit[0].end)):
        best, *others = same
        if not any(_disagree(best, other) for other in others):
            yield best


def _hits(
    text: str,
    word: _Unknown,
    unknown: Iterable[_Unknown],
    read: Callable[[str], Iterable[Hit]],
    words: Words,
) -> Iterator[Hit]:
    """What a word is linked to, read as each of what it may mean.

    What it must not be linked to, since it might be another drug, speaks against all else.
    """
    found = [
        (*hit, _is_safe(hit, puts, words))
        for candidate in word.candidates
        for hit, puts in _intended_names(_corrected(text, word, candidate, unknown), read)
    ]
    unsafe = [(reading, named) for reading, named, safe in found if not safe]
    for reading, named, safe in found:
        if safe and not any(_disagree((reading, named), hit) for hit in unsafe):
            yield reading, named


def misread(text: str, words: Words) -> Iterator[tuple[int, int, str]]:
    """The misspelt words of a folded text, and what each means, where nothing else is as near."""
    for word in _unknown(text, (), words):
        best, *others = word.candidates
        if not others or others[0].slips > best.slips:
            yield word.start, word.end, best.meant


def _disagree(hit: Hit, other: Hit) -> bool:
    """Whether something else is as near."""
    (reading, named), (another, other_named) = hit, other
    return reading.slips >= another.slips and named[0].entity not in {n.entity for n in other_named}


@dataclass(frozen=True)
class Words:
    """The words of all names of a base and of the lexicon, and of lay wordings for them."""

    store: NameLookup
    lexicon: Lexicon

    def candidates(self, written: str) -> tuple[_Candidate, ...]:
        """What a word may mean; nothing for one that is known."""
        return self._candidates.of([written])[written]

    @cached_property
    def _candidates(self) -> Memo[tuple[_Candidate, ...]]:
        def look_up(words: set[str]) -> dict[str, tuple[_Candidate, ...]]:
            near = {written: self.near(written) for written in words}
            return {
                written: () if {written, singular(written)} & some
                else (*_likely(written, some), *_apart(written, self))
                for written, some in near.items()
            }  # fmt: skip

        return Memo(look_up)

    def near(self, written: str) -> frozenset[str]:
        """Those that lie near a word, or its singular."""
        forms, most = {written, singular(written)}, most_slips(written)
        held = self.store.words_like(forms, slips=most)
        near = set().union(*held.values())
        for words in (self.lexicon.spelling, _words_of_wordings()):
            near.update(word for form in forms for word in words.like(form, most))
        return frozenset(near)

    def known(self, words: Iterable[str]) -> set[str]:
        """Those of some words that are words of names."""
        held = self.store.words_like(words, slips=0)
        return {word for word in words if word in held or word in self.lexicon.spelling}

    def drugs_near(self, written: str) -> tuple[str, ...]:
        """The words of drugs' names that a word may be a slip or two away from, the nearest first.

        What is only like a drug is not taken for it, but it may be asked whether it is meant.

        >>> from medweave.stores.memory import MemoryStore
        >>> from medweave.vocabulary.lexicon import shipped_lexicon
        >>> Words(MemoryStore(), shipped_lexicon()).drugs_near("simvastin")
        ('simvastatin',)
        """
        if len(written) < _LONG_NAME:
            return ()
        near = self.lexicon.spelling.like(written, MOST) & self.lexicon.drugs_of_words.keys()
        chosen: list[str] = []
        for word in sorted(near, key=lambda word: (slips(written, word), word)):
            if not any(self._same_drug(word, other) for other in chosen):
                chosen.append(word)
        return tuple(chosen[:_MOST_NEAR])

    def mistakable(self, written: str, drug: str) -> bool:
        """Whether a word that may be the name of a drug may be that of another drug as well.

        It may be with two slips, or with three if it is long, begins and ends as that other, and
        is the drug in more than a doubled letter. Of brands one slip alone counts: there are
        thousands, and two letters make one of nearly every short word.
        """
        held = self.store.words_like([written], slips=MOST + 1)
        brands_apart = (
            word
            for word in self.lexicon.spelling.like(written, MOST + 1)
            if word in self.lexicon.words_of_drugs or slips(written, word) == 1
        )
        near = {*brands_apart, *chain.from_iterable(held.values())}
        doubled = _plain(written) == _plain(drug)
        others = {
            word
            for word in near
            if not self._same_drug(singular(word), singular(drug))
            and (slips(written, word) <= MOST or (not doubled and _is_like(word, written, drug)))
        }
        stems = {stem_of(word) for word in others} - {""}
        of_drugs = self.store.count_by_word(stems, SUBSTANCES) if stems else {}
        return bool(of_drugs) or not self.lexicon.drugs_of_words.keys().isdisjoint(others)

    def _same_drug(self, word: str, other: str) -> bool:
        """Whether all drugs of one word are among those of the other: "amoxicillin" is a word of
        compounds, too, and "amoxycillin" of none."""
        same = self.lexicon.is_same_drug
        return same(word, other) or same(other, word)


def _plain(word: str) -> str:
    """A word without doubled letters and a last "e": "amoxicilin" is "amoxicillin"."""
    return _DOUBLED.sub(r"\1", word).removesuffix("e")


def _is_like(other: str, written: str, drug: str) -> bool:
    """Whether one who has three letters wrong may have meant another drug."""
    return len(written) >= _LONG_FOR_THREE and _ends(other) in (_ends(written), _ends(drug))


def _ends(word: str) -> tuple[str, str]:
    return word[:2], word[-2:]


def _unknown(text: str, linked: Iterable[tuple[int, int]], words: Words) -> Iterator[_Unknown]:
    """The words of a text that are not linked, not known and not plain, if they may mean any."""
    taken = bytearray(len(text))
    for start, end in linked:
        taken[start:end] = b"\x01" * (end - start)
    looked_at = 0
    for found in _WORD.finditer(text):
        written = found.group()
        if any(taken[found.start() : found.end()]) or is_plain_english(written):
            continue
        looked_at += 1
        if looked_at > _MOST_WORDS:
            return
        candidates = words.candidates(written)
        if candidates:
            yield _Unknown(found.start(), found.end(), written, candidates)


def _likely(written: str, near: frozenset[str]) -> tuple[_Candidate, ...]:
    """The nearest of the words that are near."""
    found = []
    for word in sorted(near):
        counted = [n for n in (may_mean(written, word), may_mean(singular(written), word)) if n]
        if counted and near.isdisjoint(opposites_of(word)):
            found.append(_Candidate(word, min(counted)))
    fewest = min((candidate.slips for candidate in found), default=0)
    return tuple(candidate for candidate in found if candidate.slips == fewest)[:_MOST_CANDIDATES]


def _apart(written: str, words: Words) -> Iterator[_Candidate]:
    """Two words of names that are run together."""
    if len(written) < _SPLIT_FROM:
        return
    pairs = [(written[:i], written[i:]) for i in range(_LEAST_PART, len(written) - _LEAST_PART + 1)]
    parts = {part for pair in pairs for part in pair}
    known = words.known(parts) | {part for part in parts if len(part) == _LEAST_PART}
    yield from (_Candidate(" ".join(pair), 1) for pair in pairs if known.issuperset(pair))


@dataclass(frozen=True, slots=True)
class _Corrected:
    """Some words of a text around one that is misspelt, with others in the place of some."""

    text: str
    begin: int
    """Where it stands in the text as given."""
    puts: tuple[_Put, ...]

    def puts_in(self, start: int, end: int) -> tuple[_Put, ...]:
        """The words that were put into a stretch; none if one is not whole in it."""
        inside = tuple(put for put in self.puts if put.start < end and start < put.end)
        whole = all(start <= put.start and put.end <= end for put in inside)
        return inside if whole else ()

    def before(self, place: int) -> int:
        """Where a place that is in no word that was put in stands in the text as given."""
        puts = (put for put in self.puts if put.end <= place)
        longer = sum((put.end - put.start) - (put.word.end - put.word.start) for put in puts)
        return self.begin + place - longer


def _corrected(
    text: str, word: _Unknown, candidate: _Candidate, unknown: Iterable[_Unknown]
) -> _Corrected:
    """A word read as one of what it may mean; others around as what they mean, if it is clear."""
    begin, end = _window(text, word)
    corrections = {w: w.candidates[0] for w in unknown if len(w.candidates) == 1}
    made, at, puts = "", begin, []
    for put, instead in sorted(
        {**corrections, word: candidate}.items(), key=lambda item: item[0].start
    ):
        if begin <= put.start and put.end <= end:
            made += text[at : put.start]
            puts.append(_Put(len(made), len(made) + len(instead.meant), put, instead))
            made += instead.meant
            at = put.end
    return _Corrected(made + text[at:end], begin, tuple(puts))


def _window(text: str, word: _Unknown) -> tuple[int, int]:
    """Some words before and behind a word, as far as a name may reach."""
    before = [found.start() for found in _AROUND.finditer(text, 0, word.start)]
    behind = [found.end() for found in _AROUND.finditer(text, word.end)]
    begin = before[-_WORDS_AROUND:][0] if before else word.start
    return begin, behind[:_WORDS_AROUND][-1] if behind else word.end


def _intended_names(
    corrected: _Corrected, read: Callable[[str], Iterable[Hit]]
) -> Iterator[tuple[Hit, tuple[_Put, ...]]]:
    """What is linked in a corrected text by words that were put in; the surest of each stretch."""
    found = sorted(read(corrected.text), key=lambda hit: list(SURE).index(hit[0].how))
    seen = set()
    for reading, named in found:
        span = (reading.start, reading.end)
        puts = corrected.puts_in(*span)
        counted = sum(put.candidate.slips for put in puts)
        if named and 0 < counted <= MOST and reading.how != MISSPELT and span not in seen:
            seen.add(span)
            start, end = map(corrected.before, span)
            read_as = corrected.text[reading.start : reading.end]
            misread = Reading(start, end, MISSPELT, reading.keys, read_as, counted)
            yield (misread, tuple(replace(bearer, how=MISSPELT) for bearer in named)), puts


def _is_safe(hit: Hit, puts: Sequence[_Put], words: Words) -> bool:
    """Whether what is meant is a finding, or there is hardly anything else that it could be."""
    concept = hit[1][0].concept
    if concept in FINDINGS:
        return True
    [put, *others] = puts
    correction = put.candidate.meant
    if others or put.candidate.slips > 1 or len(correction) < _LONG_NAME:
        return False
    if concept == "drug" and " " not in correction and not may_mean(put.word.written, correction):
        return False  # only its singular is near, and a drug has none
    return not words.mistakable(put.word.written, correction)


@cache
def _words_of_wordings() -> Spelling:
    """The English words in which findings are told otherwise."""
    words = {
        word for text in (*wordings("en"), *composed_wordings("en")) for word in name_words(text)
    }
    return Spelling({*words, *map(singular, words)})
