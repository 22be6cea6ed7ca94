"""Finding names in text: every stretch of it that could be a name is looked up.

What is no name as it is written may be one in another spelling, a lay wording for one, or one
said apart ("my knee is swollen"); see `vocabulary.readings`. All of it is looked up at once.

The names of a base are looked up where they are stored, by the key they are indexed under
(`language.folding.name_key`), so there is nothing to be made when a base is opened, and nothing
that could lag behind it. The longest name wins where names overlap. Latin names match whole words
only, in singular or plural; a short abbreviation in capitals matches only in capitals ("ME" is
never "me"; those of small_letters.yaml are no words), and not where it is a word of a sentence all
in capitals ("TELL ME").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial

from medweave.language.data import shipped_yaml
from medweave.language.folding import Folded, blotted, fold, name_key, simplified
from medweave.language.segmentation import (
    is_abbreviation,
    is_capitalised,
    is_shouted,
    stop_keys,
    stop_names,
)
from medweave.model.question import FINDINGS, SUBSTANCES, Link
from medweave.ports import MentionCount, NameLookup
from medweave.vocabulary.lay_terms import LayTerms
from medweave.vocabulary.lexicon import Lexicon, Term
from medweave.vocabulary.memo import Memo
from medweave.vocabulary.misspelt import Words, misread, misspelt
from medweave.vocabulary.readings import EXACT, SURE, Reading, readings
from medweave.vocabulary.shorthand_names import is_shorthand, tells_medicine
from medweave.vocabulary.sound_alikes import NamesBySound
from medweave.vocabulary.stretches import Stretch, begins_any, stretches, words_of
from medweave.vocabulary.vocabulary import Vocabulary

_JOINING = "-/+"


@dataclass(frozen=True, slots=True)
class Named:
    """A name as the dictionary knows it."""

    entity: str
    name: str
    concept: str
    how: str = "exact"
    present: bool = True
    """Whether the base has it; the lexicon knows of more."""
    documents: int = 0
    """How many documents of the base call it so."""


@dataclass(frozen=True, slots=True)
class Match:
    """A name found in a text: its span, and everything that bears it, the best choice first."""

    start: int
    end: int
    named: tuple[Named, ...]
    read_as: str = ""
    """What is meant by a text that is misspelt."""
    slips: int = 0

    @property
    def link(self) -> Link:
        """How the text was linked."""
        how = self.named[0].how
        return Link(how, round(SURE[how] ** max(1, self.slips), 2), self.read_as, self.slips)


@dataclass(frozen=True)
class Dictionary:
    """All names of a base, as it stands at one revision, and of the lexicon.

    Things of the lexicon that the base does not hold are heard as well: an allergy to one drug
    stops another of its class, whether the base has a monograph of the first or not.
    """

    store: NameLookup
    vocabulary: Vocabulary
    lexicon: Lexicon
    lay: LayTerms = field(default_factory=LayTerms)

    def find(self, text: str, *, exactly: bool = False) -> tuple[Match, ...]:
        """The names in a text, the longest first where they overlap, in the order of the text.

        `exactly`: only as they are written.
        """
        folded = fold(text)
        chosen: list[Match] = []
        taken = bytearray(len(folded.text))
        hits = list(self._hits(text, folded, exactly=exactly))
        plain = text if exactly else simplified(text)
        if plain != text:  # one for one, so that all places are the same
            hits += self._hits(plain, fold(plain), exactly=False)
        if not exactly:
            unknown = misspelt(folded.text, hits, self._read_anew, self._words)
            hits += [hit for hit in unknown if not _is_part_of_product(hit, folded, text)]
        for reading, named in sorted(hits, key=lambda hit: _claim(hit[0], folded)):
            start, end = reading.start, reading.end
            if not any(taken[start:end]):
                taken[start:end] = b"\x01" * (end - start)
                if named:
                    span = folded.span(start, end)
                    chosen.append(Match(*span, named, reading.read_as, reading.slips))
        return tuple(sorted(chosen, key=lambda match: match.start))

    def misread(self, text: str, but: Iterable[tuple[int, int]]) -> dict[tuple[int, int], str]:
        """What is meant by the misspelt words of a text, by where they stand.

        `but` are places that are not looked at: those of names as they are written.
        """
        folded = fold(blotted(text, but, "0"))
        found = misread(folded.text, self._words)
        return {folded.span(start, end): named for start, end, named in found}

    def drugs_near(self, word: str) -> tuple[str, ...]:
        """The words of drugs' names that an unknown word may be a slip or two away from."""
        return self._words.drugs_near(fold(word).text)

    def names(self, text: str) -> tuple[Named, ...]:
        """Everything that is called exactly this."""
        key = name_key(text)
        return self.bearers([key]).get(key, ())

    def _read_anew(self, text: str) -> Iterator[tuple[Reading, tuple[Named, ...]]]:
        return self._hits(text, fold(text), exactly=False)

    def _hits(
        self, text: str, folded: Folded, *, exactly: bool
    ) -> Iterator[tuple[Reading, tuple[Named, ...]]]:
        """Every stretch that is linked, with what it is linked to; with nothing, it blocks others.

        What is a name as it is written is nothing else.
        """
        words = words_of(folded.text)
        lay = () if exactly else self.lay.terms(folded.text)
        begun = partial(self._begun, lay=sorted(key for terms in lay for key in terms))
        made = list(stretches(folded.text, words, begun))
        read = [] if exactly else list(readings(folded.text, words, made, lay, begun))
        if not exactly:
            read += self._sounds.readings(folded.text)
        wanted = {key for _, _, key in made}
        found = self.bearers(wanted.union(*(reading.keys for reading in read)))
        for stretch in made:
            start, end, key = stretch
            if key not in found:
                continue
            named = _as_written(found[key], stretch, text, folded)
            named = self._told(named, start, end, folded.text)
            if named:
                yield Reading(start, end, EXACT, (key,)), named
        for reading in read:
            named = _as_read(reading, found)
            if named or not reading.keys:
                yield reading, named

    def _told(self, named: tuple[Named, ...], start: int, end: int, text: str) -> tuple[Named, ...]:
        """Without the short names that are words as well, where nothing tells of a medicine."""
        if not any(is_shorthand(bearer.name) for bearer in named):
            return named
        if tells_medicine(text, start, end, self._names_drug):
            return named
        return tuple(bearer for bearer in named if not is_shorthand(bearer.name))

    def _names_drug(self, word: str) -> bool:
        return any(term.concept in SUBSTANCES for term in self.lexicon.by_key.get(word, ()))

    @cached_property
    def _sounds(self) -> NamesBySound:
        terms = self.lexicon.by_key.items()
        return NamesBySound.of({key: some[0].id for key, some in terms if len(some) == 1})

    def _begun(self, beginnings: set[str], lay: Sequence[str]) -> set[str]:
        """With which of some beginnings a name of the base, the lexicon or a lay term goes on."""
        lay_ones = {beginning for beginning in beginnings if begins_any(beginning, lay)}
        return lay_ones.union(self._beginnings.of(beginnings))

    @cached_property
    def _beginnings(self) -> Memo[bool]:
        """With which beginnings a name of the base or the lexicon goes on."""

        def look_up(beginnings: set[str]) -> dict[str, bool]:
            held = self.store.begun(beginnings)
            return {b: True for b in beginnings if b in held or begins_any(b, self.lexicon.keys)}

        return Memo(look_up)

    @cached_property
    def _words(self) -> Words:
        return Words(self.store, self.lexicon)

    @cached_property
    def _findings(self) -> Memo[int]:
        return Memo(lambda stems: self.store.count_by_word(stems, FINDINGS))

    def count_findings(self, stems: Iterable[str]) -> dict[str, int]:
        """How many findings of the base have a name with a word of this stem; none are left out."""
        return self._findings.of(stems)

    def bearers(self, keys: Iterable[str]) -> dict[str, tuple[Named, ...]]:
        """What bears names of these keys, the best choice first.

        Names too short or too common to mean anything are left out.
        """
        return self._bearers.of(keys)

    @cached_property
    def _bearers(self) -> Memo[tuple[Named, ...]]:
        return Memo(self._look_up)

    def _look_up(self, wanted: set[str]) -> dict[str, tuple[Named, ...]]:
        counts = self.store.named(wanted)
        terms = [term for key in sorted(wanted) for term in self.lexicon.by_key.get(key, ())]
        held = {count.mention.entity for count in counts}
        held |= {m.mention.entity for m in self.store.mentions({t.id for t in terms} - held)}
        found: dict[str, dict[str, Named]] = {}
        for named in (*_lexicon_names(terms, held), *map(_named, counts)):
            key = name_key(named.name)
            if key in wanted and _usable(key, named.name, stop_keys()):
                bearers = found.setdefault(key, {})
                known = bearers.get(named.entity)
                bearers[named.entity] = _both(known, named) if known else named
        return {
            key: tuple(sorted(by_entity.values(), key=lambda n: _preference(n, self.vocabulary)))
            for key, by_entity in found.items()
        }


def _both(known: Named, other: Named) -> Named:
    """One of two names that differ in capitals alone: that which fits small letters, too."""
    only_capitals = is_abbreviation(known.name) and not is_abbreviation(other.name)
    name = other.name if only_capitals else known.name
    return replace(known, name=name, documents=known.documents + other.documents)


def _as_written(
    bearers: Sequence[Named], stretch: Stretch, text: str, folded: Folded
) -> tuple[Named, ...]:
    """Those whose name a stretch is, to the letter where there are such."""
    first, last, _ = stretch
    start, end = folded.span(first, last)
    named = [bearer for bearer in bearers if _case_fits(bearer.name, text[start:end])]
    if any(is_abbreviation(bearer.name) for bearer in named) and is_shouted(text, start, end):
        named = [bearer for bearer in named if not is_abbreviation(bearer.name)]
    written = folded.text[first:last]
    to_the_letter = [bearer for bearer in named if fold(bearer.name).text.strip() == written]
    return tuple(to_the_letter or named)


def _as_read(reading: Reading, found: Mapping[str, Sequence[Named]]) -> tuple[Named, ...]:
    """What bears the first of the names that the base holds; else the first anything bears.

    What is said apart is put together by us: it counts only where the base has it.
    """
    known: tuple[Named, ...] = ()
    for key in reading.keys:
        named = tuple(
            replace(bearer, how=reading.how)
            for bearer in found.get(key, ())
            if (reading.names_anything or bearer.concept in FINDINGS)
            and not is_abbreviation(bearer.name)
        )
        if not named and reading.how == "lay":  # a medicine told by its use: "my reliever"
            bearers = (b for b in found.get(key, ()) if b.concept in SUBSTANCES)
            named = tuple(replace(bearer, how=reading.how) for bearer in bearers)
        if named and named[0].present:
            return named
        known = known or named
    return () if reading.how == "composed" else known


def _named(count: MentionCount) -> Named:
    mention = count.mention
    how = "exact" if mention.preferred else "synonym"
    return Named(mention.entity, mention.name, mention.concept, how, documents=count.documents)


def _lexicon_names(terms: Iterable[Term], held: set[str]) -> Iterator[Named]:
    """All names of these terms."""
    for term in {term.id: term for term in terms}.values():
        for names in term.names.values():
            for place, name in enumerate(names):
                how = "synonym" if place else "exact"
                yield Named(term.id, name, term.concept, how, term.id in held)


def _preference(named: Named, vocabulary: Vocabulary) -> tuple[bool, bool, int, int, str]:
    """What the base holds first, then whose own name it is, then what it is called more often.

    Ten times as often outweighs the priority of a concept: a stray "cough" among the drugs of one
    record is no drug where a hundred records have it as a symptom.
    """
    concept = vocabulary.concepts.get(named.concept)
    priority = concept.priority if concept else 0
    often = len(str(named.documents))
    return (not named.present, named.how != "exact", -often, -priority, named.entity)


def _claim(reading: Reading, folded: Folded) -> tuple[bool, int, int, int]:
    """Which of overlapping readings comes first: the longest; of one stretch, the surest.

    A name that begins like a question ("symptoms of bladder") comes after those that do not.
    """
    start, end = reading.start, reading.end
    first_word = folded.text[start:end].split(" ", 1)[0]
    like_a_question = reading.names_anything and first_word in stop_names()
    return (like_a_question, start - end, start, list(SURE).index(reading.how))


def _is_part_of_product(hit: tuple[Reading, tuple[Named, ...]], folded: Folded, text: str) -> bool:
    """Whether a drug's name is joined to another word: a product of two drugs is neither."""
    reading, named = hit
    if not named or named[0].concept not in SUBSTANCES:
        return False
    start, end = folded.span(reading.start, reading.end)
    around = (text[max(start - 2, 0) : start], text[end : end + 2][::-1])
    return any(len(two) > 1 and two[1] in _JOINING and two[0].isalpha() for two in around)


def _usable(key: str, name: str, stop: frozenset[str]) -> bool:
    if key in stop and not is_abbreviation(name):
        return False
    if key.isascii():
        return len(key) > 1 and any(character.isalpha() for character in key)
    return len(key) > 1


def _case_fits(name: str, written: str) -> bool:
    if not is_abbreviation(name) or is_capitalised(written):
        return True
    small = name.lower()
    return small in _in_small_letters() or bool(_symbol().fullmatch(small))


@cache
def _symbol() -> re.Pattern[str]:
    """Symbols with a number in them, which are no words in small letters: "gstm2", "top2a"."""
    return re.compile(shipped_yaml("vocabulary", "small_letters.yaml")["symbols"])


@cache
def _in_small_letters() -> frozenset[str]:
    """Abbreviations that mean the same in small letters."""
    return frozenset(shipped_yaml("vocabulary", "small_letters.yaml")["names"])
