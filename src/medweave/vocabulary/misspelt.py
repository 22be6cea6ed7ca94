"""What misspelt words of a text are linked to: "diarhea", "stomache ache", "bloodpressure".

A word is taken for misspelt if it is no word of any name and no plain English, and a word of a name
lies within a slip or two of it (`language.slips`). The text is then read once more with that word
in its place. Where two different things are equally near, none is meant. **A drug is never taken
for another**: its word must be long, one slip away, and no word of another drug's name near at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

from medweave.language.data import shipped_yaml
from medweave.language.folding import singular
from medweave.language.plain_english import is_plain_english
from medweave.language.slips import (
    LONGEST,
    MOST,
    SHORTEST,
    Spelling,
    may_mean,
    name_words,
    opposites_of,
)
from medweave.language.stems import stem_of
from medweave.model.question import FINDINGS, SUBSTANCES
from medweave.ports import GraphStore
from medweave.vocabulary.lay_terms import shipped_lay
from medweave.vocabulary.lexicon import Lexicon
from medweave.vocabulary.readings import MISSPELT, Reading

if TYPE_CHECKING:
    from medweave.vocabulary.dictionary import Named

Hit = tuple[Reading, "tuple[Named, ...]"]

_WORD = re.compile(rf"(?<![\w'])[a-z]{{{SHORTEST},{LONGEST}}}(?!\w)(?!'(?!s\b))")
"""Letters alone, with an 's or without; the beginning of "doesn't" is no word."""
_AROUND = re.compile(r"\S+")
_WORDS_AROUND = 6
_SPLIT_FROM = 7
_LEAST_PART = 3
_LONG_NAME = 7
"""What is no finding is only meant by words of so many letters: brands and genes are like much."""
_MOST_CANDIDATES = 6
_MOST_WORDS = 12
"""So many unknown words of a text are looked at; one with more is in another language."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """What a word may mean; a space in it stands where two words are run together."""

    meant: str
    slips: int


@dataclass(frozen=True, slots=True)
class _Unknown:
    """A word of a folded text that is known to nobody, and what it may mean, the likeliest first."""

    start: int
    end: int
    candidates: tuple[_Candidate, ...]
    near: frozenset[str]
    """All words of names that are near, likely or not."""


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
    store: GraphStore,
    lexicon: Lexicon,
) -> Iterator[Hit]:
    """What the misspelt words of a folded text are linked to, as further hits.

    `linked` is what the text is linked to as it stands; `read` links another folded text.
    """
    unknown = list(_unknown(text, linked, store, lexicon))
    found = [hit for word in unknown for hit in _hits(text, word, unknown, read, store, lexicon)]
    found.sort(key=lambda hit: (hit[0].start, hit[0].end, hit[0].slips))
    for _, same in groupby(found, key=lambda hit: (hit[0].start, hit[0].end)):
        best, *others = same
        if not any(_disagree(best, other) for other in others):
            yield best


def _disagree(hit: Hit, other: Hit) -> bool:
    """Whether a stretch may as well mean something else."""
    (reading, named), (another, meant) = hit, other
    return reading.slips == another.slips and named[0].entity not in {n.entity for n in meant}


def _unknown(
    text: str, linked: Iterable[Hit], store: GraphStore, lexicon: Lexicon
) -> Iterator[_Unknown]:
    """The words of a text that are not linked, not known and not plain, if they may mean any."""
    taken = bytearray(len(text))
    for reading, _ in linked:
        taken[reading.start : reading.end] = b"\x01" * (reading.end - reading.start)
    looked_at = 0
    for found in _WORD.finditer(text):
        written = found.group()
        if any(taken[found.start() : found.end()]) or is_plain_english(written):
            continue
        looked_at += 1
        if looked_at > _MOST_WORDS:
            return
        near = _near(written, store, lexicon)
        if written in near or singular(written) in near:
            continue
        candidates = (*_likely(written, near), *_apart(written, store, lexicon))
        if candidates:
            yield _Unknown(found.start(), found.end(), candidates, near)


def _near(written: str, store: GraphStore, lexicon: Lexicon) -> frozenset[str]:
    """All words of names, and of lay wordings for them, that lie near a word or its singular."""
    forms = {written, singular(written)}
    near = {word for some in store.words_like(forms, slips=MOST).values() for word in some}
    for words in (lexicon.spelling, _words_of_wordings()):
        near.update(word for form in forms for word in words.like(form, MOST))
    return frozenset(near)


def _likely(written: str, near: frozenset[str]) -> tuple[_Candidate, ...]:
    found = []
    for word in sorted(near):
        counted = [n for n in (may_mean(written, word), may_mean(singular(written), word)) if n]
        if counted and near.isdisjoint(opposites_of(word)):
            found.append(_Candidate(word, min(counted)))
    return tuple(sorted(found, key=lambda c: (c.slips, c.meant))[:_MOST_CANDIDATES])


def _apart(written: str, store: GraphStore, lexicon: Lexicon) -> Iterator[_Candidate]:
    """Two words of names that are run together."""
    if len(written) < _SPLIT_FROM:
        return
    pairs = [(written[:i], written[i:]) for i in range(_LEAST_PART, len(written) - _LEAST_PART + 1)]
    parts = {part for pair in pairs for part in pair}
    held = store.words_like(parts, slips=0)
    known = {part for part in parts if part in held or part in lexicon.spelling}
    known |= {part for part in parts if len(part) == _LEAST_PART}
    yield from (_Candidate(" ".join(pair), 1) for pair in pairs if known.issuperset(pair))


def _hits(
    text: str,
    word: _Unknown,
    unknown: Sequence[_Unknown],
    read: Callable[[str], Iterable[Hit]],
    store: GraphStore,
    lexicon: Lexicon,
) -> Iterator[Hit]:
    """What is linked once a word is read as each of what it may mean."""
    begin, end = _window(text, word)
    others = [w for w in unknown if begin <= w.start and w.end <= end and w is not word]
    for candidate in word.candidates:
        meant = {word: candidate, **{w: w.candidates[0] for w in others if len(w.candidates) == 1}}
        corrected, puts = _corrected(text[begin:end], begin, meant)
        for reading, named in read(corrected):
            inside = [p for p in puts if p.start < reading.end and reading.start < p.end]
            whole = all(reading.start <= p.start and p.end <= reading.end for p in inside)
            if not (named and inside and whole and reading.how != MISSPELT):
                continue
            slips = sum(put.candidate.slips for put in inside)
            if slips <= MOST and _is_safe(named[0], inside, store, lexicon):
                start = begin + _before(reading.start, puts)
                stop = begin + _before(reading.end, puts)
                keys, read_as = reading.keys, corrected[reading.start : reading.end]
                yield (
                    Reading(start, stop, MISSPELT, keys, read_as, slips),
                    tuple(replace(bearer, how=MISSPELT) for bearer in named),
                )


def _window(text: str, word: _Unknown) -> tuple[int, int]:
    """Some words before and behind a word, as far as a name may reach."""
    before = [found.start() for found in _AROUND.finditer(text, 0, word.start)]
    behind = [found.end() for found in _AROUND.finditer(text, word.end)]
    begin = before[-_WORDS_AROUND:][0] if before else word.start
    return begin, behind[:_WORDS_AROUND][-1] if behind else word.end


def _corrected(
    text: str, begin: int, meant: Mapping[_Unknown, _Candidate]
) -> tuple[str, list[_Put]]:
    """A stretch of a text, which begins there, with other words in the place of some."""
    made, at, puts = "", 0, []
    for word in sorted(meant, key=lambda word: word.start):
        made += text[at : word.start - begin]
        puts.append(_Put(len(made), len(made) + len(meant[word].meant), word, meant[word]))
        made += meant[word].meant
        at = word.end - begin
    return made + text[at:], puts


def _before(place: int, puts: Iterable[_Put]) -> int:
    """Where a place of a corrected text, which is in no word that was put in, was before."""
    return place - sum(
        (put.end - put.start) - (put.word.end - put.word.start) for put in puts if put.end <= place
    )


def _is_safe(named: Named, puts: Sequence[_Put], store: GraphStore, lexicon: Lexicon) -> bool:
    """Whether what is meant is a finding, or there is hardly anything else that it could be."""
    if named.concept in FINDINGS:
        return True
    if len(puts) > 1 or puts[0].candidate.slips > 1:
        return False
    meant, near = puts[0].candidate.meant, puts[0].word.near
    if len(meant) < _LONG_NAME:
        return False
    rivals = {word for word in near if word != meant and stem_of(word) != stem_of(meant)}
    if not lexicon.words_of_drugs.isdisjoint(rivals):
        return False
    stems = {stem_of(word) for word in rivals} - {""}
    return not (stems and store.count_by_word(stems, SUBSTANCES))


@cache
def _words_of_wordings() -> Spelling:
    """The English words in which findings are told otherwise."""
    content = shipped_yaml("vocabulary", "composition", "en.yaml")
    told = [said for row in content["parts"] for said in row["said"]]
    told += [str(value) for row in content["complaints"] for value in row.values()]
    return Spelling(word for key in (*shipped_lay("en"), *told) for word in name_words(key))
