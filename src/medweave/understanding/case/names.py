"""Names of a guideline's observations in the text of a case: where, and whose finding each is.

A name is found where all of its stems stand together, in any order, with nothing between them that
tells something else: "skin pinch", "pinching the skin". The name with the most words wins; then
the one that stands closest. Names of the lexicon, lay terms and misspelt words count as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from medweave.language.folding import lower, name_key
from medweave.language.numbers import find_numbers
from medweave.language.people import People
from medweave.language.plain_english import is_plain_english
from medweave.language.slips import MOST, SHORTEST, may_mean
from medweave.understanding.case.observation_names import CaseName, ObservationNames
from medweave.understanding.case.places import is_elsewhere, is_of_place
from medweave.understanding.case.words import (
    CaseWord,
    case_rules,
    stem_of_word,
    word_set,
)
from medweave.vocabulary.lay_terms import LayTerms
from medweave.vocabulary.lexicon import Lexicon

_REACH = 6
"""Words beyond its own among which the stems of a name are looked for."""
_POSSESSIVES = ("my", "our")
_ONE_MORE = 3
"""A name of so many stems may have one other word within."""
_LONGEST_RUN = 5


@dataclass(frozen=True, slots=True)
class Named:
    """A name in a text: its words (by number), what it may name, and whether it is denied within.

    `names` all have the same stems; one of them is of each observation.
    """

    first: int
    last: int
    start: int
    end: int
    names: tuple[CaseName, ...]
    denied: bool = False
    how: str = "name"
    """name, lexicon, lay or spelling."""


@dataclass(frozen=True, slots=True)
class _Hit:
    first: int
    last: int
    taken: tuple[int, ...]
    name: CaseName
    denied: bool
    lay: bool = False
    """It is a lay wording, which means something only where no name stands."""

    @property
    def claim(self) -> tuple[int, int, int, bool, bool, str]:
        """The most words first, then the closest; what names nothing comes last."""
        nothing = not self.name.observation
        return (
            -len(self.taken),
            self.last - self.first,
            self.first,
            nothing,
            self.lay,
            self.name.observation,
        )


def find_names(
    text: str, words: list[CaseWord], names: ObservationNames, lexicon: Lexicon
) -> tuple[Named, ...]:
    """All names in a text, in its order; none overlaps another."""
    corrected, slipped = _disambiguated(words, names)
    hits = [*_hits(corrected, names), *_placed(corrected, names)]
    blocked = list(_other_things(text, corrected, names, lexicon))
    chosen: list[tuple[_Hit, list[CaseName]]] = []
    by_words: dict[tuple[int, ...], tuple[_Hit, list[CaseName]]] = {}
    taken = bytearray(len(words))
    for found in sorted([*hits, *blocked], key=lambda hit: hit.claim):
        spot = range(found.first, found.last + 1)
        same = by_words.get(found.taken)
        if same is not None and found.name.observation:
            known = [name.observation for name in same[1]]
            if found.name.observation not in known and found.lay == same[0].lay:
                same[1].append(found.name)
            continue
        if any(taken[at] for at in spot):
            continue
        for at in spot:
            taken[at] = 1
        if found.name.observation:
            by_words[found.taken] = (found, [found.name])
            chosen.append(by_words[found.taken])
    made = [
        Named(
            hit.first,
            hit.last,
            words[hit.first].start,
            words[hit.last].end,
            tuple(some),
            hit.denied,
            "spelling" if slipped & set(hit.taken) else "name",
        )
        for hit, some in chosen
    ]
    return tuple(sorted(made, key=lambda named: named.start))


def _disambiguated(
    words: list[CaseWord], names: ObservationNames
) -> tuple[list[CaseWord], frozenset[int]]:
    """The words with those misspelt as they are meant; and which these are."""
    made, slipped = [], set()
    for number, word in enumerate(words):
        corrected = _corrected_name(word.written, names)
        if corrected:
            slipped.add(number)
            word = replace(word, written=corrected, stem=stem_of_word(corrected))  # noqa: PLW2901
        made.append(word)
    return made, frozenset(slipped)


def _corrected_name(written: str, names: ObservationNames) -> str:
    """The one word of the names that a misspelt word may mean."""
    if len(written) < SHORTEST or written in names.words or not written.isascii():
        return ""
    if not written.isalpha() or is_plain_english(written):
        return ""
    counted = [
        (may_mean(written, word), word)
        for word in names.words
        if abs(len(word) - len(written)) <= MOST
    ]
    likely = sorted(pair for pair in counted if pair[0])
    if not likely:
        return ""
    stems = {stem_of_word(word) for slips, word in likely if slips == likely[0][0]}
    return likely[0][1] if len(stems) == 1 else ""


def _hits(words: list[CaseWord], names: ObservationNames) -> Iterator[_Hit]:
    for number, word in enumerate(words):
        for name in names.by_stem.get(word.stem, ()):
            if name.says == "resource":
                continue
            found = window(words, number, name)
            place = names.place_of.get(name.observation, "")
            if found is None or _is_counted(words, found):
                continue
            if not is_elsewhere(words, found.last, name.stems, place):
                yield found


def _is_counted(words: list[CaseWord], hit: _Hit) -> bool:
    """Whether a name's time is the unit of a number: in "3 days of cough", cough is the name."""
    before = words[hit.first - 1].written if hit.first else ""
    is_number = before.isdigit() or any(find_numbers(before, "en"))
    return is_number and words[hit.first].written in word_set("duration_words")


def _placed(words: list[CaseWord], names: ObservationNames) -> Iterator[_Hit]:
    """Signs that go without their place, which was named before."""
    for number, word in enumerate(words):
        for name, place in names.placed.get(word.stem, ()):
            found = window(words, number, name)
            if found is not None and is_of_place(words, found.first, found.last, place):
                yield replace(found, lay=True)


def window(words: list[CaseWord], at: int, name: CaseName) -> _Hit | None:
    """The closest words around one that are all of a name."""
    reach = len(name.stems) + _REACH
    places = {words[at].stem: at}
    low = max(0, at - reach)
    clause, sentence = words[at].clause, words[at].sentence
    near = sorted(
        range(low, min(len(words), at + reach + 1)),
        key=lambda n: (words[n].clause != clause, abs(n - at), n),
    )
    for stem in name.stems:
        if stem in places:
            continue
        place = next(
            (n for n in near if words[n].stem == stem and words[n].sentence == sentence), None
        )
        if place is None:
            return None
        places[stem] = place
    taken = tuple(sorted(places.values()))
    first, last = taken[0], taken[-1]
    denied = _fits_within(words, taken, name)
    return None if denied is None else _Hit(first, last, taken, name, denied)


def _fits_within(words: list[CaseWord], taken: tuple[int, ...], name: CaseName) -> bool | None:
    """Whether it is denied within; None where other things stand between its words."""
    idle = word_set("fillers") | word_set("between") | word_set("child")
    ends, no = word_set("connectors"), word_set("negations")
    others, denied = 0, False
    if not name.joined and words[taken[0]].clause != words[taken[-1]].clause:
        return None
    for at in range(taken[0], taken[-1]):
        if at in taken:
            continue
        written = words[at].written
        if written in no:
            denied = True
        elif written in ends:
            if not name.joined:
                return None
        elif written not in idle:
            others += 1
    return None if others > (len(name.stems) >= _ONE_MORE) else denied


def _other_things(
    text: str, words: list[CaseWord], names: ObservationNames, lexicon: Lexicon
) -> Iterator[_Hit]:
    """Runs of words that are lay terms, or names of something else ("yellow fever")."""
    yield from _named_otherwise(text, words)
    lay = LayTerms().terms(lower(text))
    for first in range(len(words)):
        for last in range(first, min(len(words), first + _LONGEST_RUN)):
            if words[last].clause != words[first].clause:
                break
            key = name_key(text[words[first].start : words[last].end])
            known = _observations_of(key, names, lay)
            if last > first:
                known = known or _of_same_thing(key, names, lexicon)
            taken = tuple(range(first, last + 1))
            telling = (at for at in taken if words[at].written not in word_set("fillers"))
            taken = tuple(telling) or taken
            if known:
                for observation in known:
                    yield _Hit(first, last, taken, _lay_name(key, observation), False, True)
            elif last > first and _is_another_thing(key, lexicon):
                yield _Hit(first, last, taken, _lay_name(key, ""), False)


def _named_otherwise(text: str, words: list[CaseWord]) -> Iterator[_Hit]:
    """Words that are a sign's name elsewhere: bouts of coughing are no convulsions."""
    for pattern in _other_words():
        for match in pattern.finditer(lower(text)):
            at = [n for n, word in enumerate(words) if match.start() <= word.start < match.end()]
            # as many words as the longest name, so that no name goes before it
            if at:
                taken = tuple(at) * _LONGEST_RUN
                yield _Hit(at[0], at[-1], taken, _lay_name(match.group(), ""), denied=False)


@cache
def _other_words() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(each) for each in case_rules()["other_things"])


def _observations_of(
    key: str, names: ObservationNames, lay: Iterable[Mapping[str, tuple[str, ...]]]
) -> tuple[str, ...]:
    for terms in lay:
        for name in terms.get(key, ()):
            if name in names.by_key:
                return names.by_key[name]
    return ()


def _of_same_thing(key: str, names: ObservationNames, lexicon: Lexicon) -> tuple[str, ...]:
    """The observations that another name of the same thing means: "diarrhea with blood"."""
    for term in lexicon.by_key.get(key, ()):
        for name in (name for some in term.names.values() for name in some):
            if name_key(name) != key and name_key(name) in names.by_key:
                return names.by_key[name_key(name)]
    return ()


def _is_another_thing(key: str, lexicon: Lexicon) -> bool:
    return any(term.concept in ("symptom", "disease") for term in lexicon.by_key.get(key, ()))


def _lay_name(key: str, observation: str) -> CaseName:
    return CaseName((key,), observation, "name", "", key)


def whose_finding(people: People, named: Named) -> str:
    """Who is spoken of: "mother", "child", "other"; "" for nobody, or whom a mother tells of."""
    person = people.bearer(named.start, named.end)
    if person is None:
        teller = people.reporter(named.start)
        return "reporting" if teller and teller.kind == "mother" else ""
    if person.kind == "mother":
        return "mother"
    if person.role == "writer" and people.word(person) in _POSSESSIVES:
        return ""  # "my chld": whoever is misspelt is the writer's, and most likely the child
    return "other" if person.role in ("writer", "relative") else "child"
