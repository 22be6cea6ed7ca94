"""Names of a guideline's observations in the text of a case: where, and whose finding each is.

A name is found where all of its stems stand together, in any order, with nothing between them that
tells something else: "skin pinch", "pinching the skin". The name with the most words wins; then
the one that stands closest. Names of the lexicon, lay terms and misspelt words count as well.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from medweave.language.folding import lower
from medweave.language.numbers import find_numbers
from medweave.language.people import People
from medweave.model.question import FINDINGS
from medweave.understanding.case.observation_names import CaseName, ObservationNames
from medweave.understanding.case.places import is_by_no_other_place, is_elsewhere, places_before
from medweave.understanding.case.words import (
    CaseWord,
    case_rules,
    stem_of_word,
    word_set,
)
from medweave.vocabulary.dictionary import Dictionary

_REACH = 6
"""Words beyond its own among which the stems of a name are looked for."""
_POSSESSIVES = ("my", "our")
_ONE_MORE = 3
"""A name of so many stems may have one other word within."""
_LONGEST_RUN = 5
_NOT_AS_WRITTEN = ("lay", "composed", "misspelt")


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
    """name or spelling."""


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
    text: str, words: list[CaseWord], names: ObservationNames, dictionary: Dictionary
) -> tuple[Named, ...]:
    """All names in a text, in its order; none overlaps another.

    The linker finds what is written, misspelt, in lay words, or a name of something else; what is
    said apart is found by its stems.
    """
    corrected, slipped = _disambiguated(text, words, dictionary)
    hits = [
        *_hits(corrected, names),
        *_placed(corrected, names),
        *_linked(text, corrected, names, dictionary),
    ]
    hits = [_behind_the_denial(hit, hits, corrected) if hit.denied else hit for hit in hits]
    chosen: list[tuple[_Hit, list[CaseName]]] = []
    by_words: dict[tuple[int, ...], tuple[_Hit, list[CaseName]]] = {}
    taken = bytearray(len(words))
    for found in sorted([*hits, *_named_otherwise(text, words)], key=lambda hit: hit.claim):
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


def _behind_the_denial(denied: _Hit, hits: list[_Hit], words: list[CaseWord]) -> _Hit:
    """What is denied within a name, without another finding that stands before the denial.

    "Diarrhoea without blood" denies the blood, and tells of diarrhoea.
    """
    no = word_set("negations")
    place = max(at for at in range(denied.first, denied.last) if words[at].written in no)
    told_before = any(
        hit.name.observation and denied.first <= hit.first and hit.last < place for hit in hits
    )
    behind = [at for at in denied.taken if at > place]
    return replace(denied, first=behind[0], denied=False) if told_before and behind else denied


def _disambiguated(
    text: str, words: list[CaseWord], dictionary: Dictionary
) -> tuple[list[CaseWord], frozenset[int]]:
    """The words with those misspelt as they are meant; and which these are."""
    made, slipped = list(words), set()
    misread = {start: meant for (start, _), meant in dictionary.misread(text, ()).items()}
    for number, word in enumerate(words):
        corrected = misread.get(word.start, "")
        if corrected:
            slipped.add(number)
            made[number] = replace(word, written=corrected, stem=stem_of_word(corrected))
    return made, frozenset(slipped)


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
    return any(
        words[at].written in word_set("duration_words") and _is_number(words[at - 1].written)
        for at in hit.taken
        if at
    )


def _is_number(written: str) -> bool:
    return written.isdigit() or any(find_numbers(written, "en"))


def _placed(words: list[CaseWord], names: ObservationNames) -> Iterator[_Hit]:
    """Signs that go without their place, which was named before."""
    before = places_before(words)
    for number, word in enumerate(words):
        for name, place in names.placed.get(word.stem, ()):
            found = window(words, number, name)
            if found is None or before[found.first] != place:
                continue
            if is_by_no_other_place(words, found.first, found.last, place):
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


def _linked(
    text: str, words: list[CaseWord], names: ObservationNames, dictionary: Dictionary
) -> Iterator[_Hit]:
    """What the linker finds: names of observations, and of something else ("yellow fever")."""
    starts, ends = [word.start for word in words], [word.end for word in words]
    for match in dictionary.find(text):
        inside = list(range(bisect_right(ends, match.start), bisect_left(starts, match.end)))
        how = match.link.how
        if not inside:
            continue
        known = [names.linked[each.entity] for each in match.named if each.entity in names.linked]
        finding = match.named[0].concept in FINDINGS and how not in _NOT_AS_WRITTEN
        another = finding and not known and len(inside) > 1
        if how == "composed":  # one swollen foot is not swelling of both feet
            stems = {words[at].stem for at in inside}
            known = [name for name in known if stems.issuperset(name.stems)]
        for name in known:
            hit = _linked_hit(words, inside, name, lay=how in _NOT_AS_WRITTEN)
            place = names.place_of.get(name.observation, "")
            if not _is_counted(words, hit) and not is_elsewhere(words, hit.last, name.stems, place):
                yield hit
        if another:
            nothing = _of_nothing(text[match.start : match.end])
            yield _linked_hit(words, inside, nothing, lay=False)


def _linked_hit(words: list[CaseWord], inside: list[int], name: CaseName, *, lay: bool) -> _Hit:
    """The words that are the name's own, as the stems find them; else all that tell something.

    What a lay wording denies makes it that: "not feeding" is poor feeding, and denies none.
    """
    own = [at for at in inside if words[at].stem in name.stems]
    if own and lay:
        own = [at for at in inside if at in own or words[at].written in word_set("negations")]
    telling = [at for at in inside if words[at].written not in word_set("fillers")]
    taken = tuple(own or telling or inside)
    return _Hit(taken[0], taken[-1], taken, name, denied=False, lay=lay)


def _named_otherwise(text: str, words: list[CaseWord]) -> Iterator[_Hit]:
    """Words that are a sign's name elsewhere: bouts of coughing are no convulsions."""
    for pattern in _other_words():
        for match in pattern.finditer(lower(text)):
            at = [n for n, word in enumerate(words) if match.start() <= word.start < match.end()]
            # as many words as the longest name, so that no name goes before it
            if at:
                taken = tuple(at) * _LONGEST_RUN
                yield _Hit(at[0], at[-1], taken, _of_nothing(match.group()), denied=False)


@cache
def _other_words() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(each) for each in case_rules()["other_things"])


def _of_nothing(words: str) -> CaseName:
    """Words that keep others from being read, and are of no observation themselves."""
    return CaseName((words,), "", "name", "", words)


def whose_finding(people: People, named: Named) -> str:
    """Who is spoken of: "mother", "child", "other"; "" for nobody, or whom a mother tells of."""
    person = people.bearer(named.start, named.end)
    if person is None:
        teller = people.reporter(named.start)
        return "reporting" if teller and teller.kind == "mother" else ""
    if person.kind == "mother":
        return "mother"
    first, _ = people.passage.sentence_at(named.start)
    if person.role == "writer" and person.end <= first:
        return ""  # "what should I do? No convulsions."
    if person.role == "writer" and people.word(person) in _POSSESSIVES:
        return ""  # "my chld": whoever is misspelt is the writer's, and most likely the child
    return "other" if person.role in ("writer", "relative") else "child"
