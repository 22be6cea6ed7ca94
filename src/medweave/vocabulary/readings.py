"""What a stretch of text may stand for when it is no name as it is written.

Each reading is a list of keys of names to look for, the best first; only the dictionary knows
which of them are names of anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from medweave.language.folding import singular
from medweave.language.segmentation import is_chinese
from medweave.language.spelling import is_spelled_two_ways, other_spellings
from medweave.vocabulary.composed import composed
from medweave.vocabulary.lay_terms import Terms
from medweave.vocabulary.stretches import Begun, Place, Stretch, stretches

EXACT = "exact"
MISSPELT = "misspelt"
SURE = {EXACT: 1.0, "synonym": 1.0, "spelling": 0.95, "lay": 0.9, "composed": 0.9, MISSPELT: 0.9}
"""How sure a link is, by how it was made; of what is misspelt, for each slip. The order is that in
which readings of one and the same stretch are tried."""
_SHORTEST_JOINED = 7
_SHORTEST_PART = 3


@dataclass(frozen=True, slots=True)
class Reading:
    """A stretch and the keys of names it may stand for; without keys it stands for nothing."""

    start: int
    end: int
    how: str
    keys: tuple[str, ...]
    read_as: str = ""
    """What is meant by a stretch that is misspelt."""
    slips: int = 0
    """How many slips it has."""

    @property
    def names_anything(self) -> bool:
        """Whether it may be a drug or a test as well, and not findings alone."""
        return self.how in (EXACT, "spelling", MISSPELT)


def readings(
    text: str, words: Sequence[Place], made: Iterable[Stretch], lay: Sequence[Terms], begun: Begun
) -> Iterator[Reading]:
    """All readings of a folded text but the exact ones.

    `made` are its stretches as it is written; `lay` are the terms of which it may have some;
    `begun` tells with which beginnings names go on.
    """
    yield from _spelled(text, words, begun)
    yield from _joined(text, words)
    for start, end, key in made if any(lay) else ():
        for some in lay:
            if key in some:
                yield Reading(start, end, "lay", _in_all_spellings(some[key]))
                break
    for found in composed(text, "zh" if is_chinese(text) else "en"):
        yield Reading(found.start, found.end, "composed", _in_all_spellings(found.names))


def _spelled(text: str, words: Sequence[Place], begun: Begun) -> Iterator[Reading]:
    """Stretches with a word in them that is spelled in two ways, spelled the other way."""
    places = [start for start, end in words if is_spelled_two_ways(text[start:end])]
    if not places:
        return

    def begun_otherwise(beginnings: set[str]) -> set[str]:
        spelled = {beginning: other_spellings(beginning) for beginning in beginnings}
        held = begun(beginnings.union(*spelled.values()))
        return {one for one, others in spelled.items() if not held.isdisjoint((one, *others))}

    for start, end, key in stretches(text, words, begun_otherwise):
        if any(start <= place < end for place in places):
            spelled = other_spellings(key)
            if spelled:  # without, it would stand for nothing, and what is in it was not heard
                yield Reading(start, end, "spelling", spelled)


def _joined(text: str, words: Sequence[Place]) -> Iterator[Reading]:
    """Two words that are one together: "head ache"."""
    for (start, end), (behind, last) in pairwise(words):
        if behind != end + 1 or end - start < _SHORTEST_PART or last - behind < _SHORTEST_PART:
            continue
        key = singular(text[start:last])
        if len(key) > _SHORTEST_JOINED and key.isascii() and key.replace(" ", "", 1).isalpha():
            joined = key.replace(" ", "")
            yield Reading(start, last, MISSPELT, (joined,), joined, 1)


@lru_cache(maxsize=1 << 10)  # the same parts of the body are told of again and again
def _in_all_spellings(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(spelled for name in names for spelled in (name, *other_spellings(name)))
