"""Signs whose place was named before: "ear pain, and pus coming out" tells of pus from the ear.

What is left of a name without its place ("pus" of "pus from the ear") names the sign where the
place named last, before it in its sentence, is that one, and nothing beside it says another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from medweave.understanding.case.words import CaseWord, case_rules, stem_of_word, word_set

_BESIDE = 4


@cache
def place_stems() -> dict[str, str]:
    """Which place a stem names: its words in the rules are the same place."""
    return {
        stem_of_word(word): place
        for place, words in case_rules()["places"].items()
        for word in (place, *words)
    }


def without_place(stems: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """What is left of a name without its place, and the place; nothing where it has not just one.

    >>> without_place(("pus", "ear")), without_place(("ear", "problem")), without_place(("cough",))
    ((('pus',), 'ear'), ((), ''), ((), ''))
    """
    known = place_stems()
    places = {known[stem] for stem in stems if stem in known}
    rest = tuple(stem for stem in stems if stem not in known)
    vague = {stem_of_word(word) for word in word_set("vague")}
    return (rest, places.pop()) if len(places) == 1 and set(rest) - vague else ((), "")


def places_before(words: list[CaseWord]) -> list[str]:
    """The place named last before each word in its sentence; '' where none is."""
    known, found, last, sentence = place_stems(), [], "", -1
    for word in words:
        if word.sentence != sentence:
            last, sentence = "", word.sentence
        found.append(last)
        last = known.get(word.stem, last)
    return found


def is_by_no_other_place(words: list[CaseWord], first: int, last: int, place: str) -> bool:
    """Whether no other place than this, which was named before, stands by these words."""
    if first and not _is_idle(words[first - 1]) and words[first - 1].clause == words[first].clause:
        return False
    beside = _part(words, range(last + 1, len(words)), words[last])
    return not any(place_stems().get(word.stem, place) != place for word in beside)


def is_elsewhere(words: list[CaseWord], last: int, stems: tuple[str, ...], place: str) -> bool:
    """Whether a name without its place is followed by another: "itching in the ear"."""
    if not place or any(stem in place_stems() for stem in stems):
        return False
    for word in words[last + 1 : last + 1 + _BESIDE]:
        if word.clause != words[last].clause or word.written in word_set("connectors"):
            return False
        named = place_stems().get(word.stem, "")
        if named:
            return named != place
        if word.written not in word_set("fillers") | word_set("between"):
            return False
    return False


def _is_idle(word: CaseWord) -> bool:
    """Whether a word before a sign leaves open where it is."""
    idle = ("fillers", "between", "connectors", "negations", "child", "degrees")
    return any(word.written in word_set(rule) for rule in idle) or word.stem in place_stems()


def _part(words: list[CaseWord], order: Iterable[int], of: CaseWord) -> Iterator[CaseWord]:
    """Words of a clause up to where another thing is joined."""
    for number in order:
        word = words[number]
        if word.clause != of.clause or word.written in word_set("connectors"):
            return
        yield word
