"""Finding names in text: every stretch of it that could be a name is looked up.

The names of a base are looked up where they are stored, by the key they are indexed under
(`language.folding.name_key`), so there is nothing to be made when a base is opened, and nothing
that could lag behind it. The longest name wins where names overlap. Latin names match whole words
only, in singular or plural; a short abbreviation in capitals matches only in capitals ("ME" is
never "me").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from medweave.language.folding import Folded, fold, name_key, singular
from medweave.language.segmentation import stop_keys, stop_names
from medweave.model.question import Link
from medweave.ports import GraphStore, MentionCount
from medweave.vocabulary.lexicon import Lexicon, Term
from medweave.vocabulary.vocabulary import Vocabulary

_ABBREVIATION = 5
"""Names in capitals of at most this many characters are abbreviations."""
LONGEST_NAME = 24
"""Names of more words, or Chinese characters, are not looked for in texts."""


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

    @property
    def link(self) -> Link:
        """How the text was linked."""
        return Link(self.named[0].how, 1.0)


@dataclass(frozen=True)
class Dictionary:
    """All names of a base and of the lexicon.

    Things of the lexicon that the base does not hold are heard as well: an allergy to one drug
    stops another of its class, whether the base has a monograph of the first or not.
    """

    store: GraphStore
    vocabulary: Vocabulary
    lexicon: Lexicon

    def find(self, text: str) -> tuple[Match, ...]:
        """The names in a text, the longest first where they overlap, in the order of the text."""
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
        key = name_key(text)
        return tuple(self.bearers([key]).get(key, ()))

    def _hits(self, text: str, folded: Folded) -> Iterator[tuple[int, int, tuple[Named, ...]]]:
        stretches = list(_stretches(folded.text))
        found = self.bearers({singular(folded.text[start:end]) for start, end in stretches})
        for start, end in stretches:
            written_folded = folded.text[start:end]
            candidates = found.get(singular(written_folded))
            if not candidates:
                continue
            span = folded.span(start, end)
            written = text[span[0] : span[1]]
            named = [n for n in candidates if _case_fits(n.name, written)]
            to_the_letter = [n for n in named if fold(n.name).text.strip() == written_folded]
            if named:
                yield start, end, tuple(to_the_letter or named)

    def bearers(self, keys: Iterable[str]) -> dict[str, list[Named]]:
        """What bears names of these keys, the best choice first.

        Names too short or too common to mean anything are left out.
        """
        wanted = set(keys)
        counts = self.store.named(wanted)
        terms = [term for key in sorted(wanted) for term in self.lexicon.by_key.get(key, ())]
        held = {count.mention.entity for count in counts}
        held |= {m.mention.entity for m in self.store.mentions({t.id for t in terms} - held)}
        found: dict[str, dict[str, Named]] = {}
        for named in (*_lexicon_names(terms, held), *map(_named, counts)):
            key = name_key(named.name)
            if key in wanted and _usable(key, named.name, stop_keys()):
                bearers = found.setdefault(key, {})
                known = bearers.get(named.entity, replace(named, documents=0))
                bearers[named.entity] = replace(known, documents=known.documents + named.documents)
        return {
            key: sorted(by_entity.values(), key=lambda n: _preference(n, self.vocabulary))
            for key, by_entity in found.items()
        }


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


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Every stretch of a folded text that could be a name, by start and end.

    It begins and ends where no Latin word or number is cut in two; Chinese has no word boundaries
    to respect, so there every character counts as a word.
    """
    borders = [0, *(i for i in range(1, len(text)) if not _joins(text[i - 1], text[i])), len(text)]
    words = [(start, end) for start, end in pairwise(borders) if not text[start:end].isspace()]
    for first, (start, _) in enumerate(words):
        for _, end in words[first : first + LONGEST_NAME]:
            yield start, end


def _preference(named: Named, vocabulary: Vocabulary) -> tuple[bool, bool, int, int, str]:
    """What the base holds first, then whose own name it is, then what it is called more often.

    Ten times as often outweighs the priority of a concept: a stray "cough" among the drugs of one
    record is no drug where a hundred records have it as a symptom.
    """
    concept = vocabulary.concepts.get(named.concept)
    priority = concept.priority if concept else 0
    often = len(str(named.documents))
    return (not named.present, named.how != "exact", -often, -priority, named.entity)


def _claim(start: int, end: int, folded: Folded) -> tuple[bool, int, int]:
    """Which of overlapping names comes first: the longest.

    A name that begins like a question ("symptoms of bladder") comes after those that do not.
    """
    first_word = folded.text[start:end].split(" ", 1)[0]
    return (first_word in stop_names(), start - end, start)


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


def _joins(left: str, right: str) -> bool:
    return _latin(left) and _latin(right)


def _latin(character: str) -> bool:
    return character.isalnum() and not "\u3400" <= character <= "\u9fff"
