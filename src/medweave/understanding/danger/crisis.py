"""The learned reader of crises: whether somebody tells, in whatever words, of not wanting to live.

A model of its own beside that of danger (`weights`): the words that tell of it are those of all
else in life, so what it hears is what is said around them too: words, one to three in a row;
pieces of words, for all who misspell; and two sets of classes of words, of which its own is
`rules/crisis_classes.LANGUAGE.yaml`.

A short message is weighed as a whole, a letter by its sentences, less what the best of many is by
chance. Where there are vectors of sentences, what weighs most is weighed by its meaning too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, pairwise
from math import log
from operator import attrgetter
from typing import ClassVar
from typing import Literal as OneOf

from medweave.language.data import shipped
from medweave.language.passage import Passage, Span
from medweave.language.segmentation import is_han, symbol_runs
from medweave.ports import SentenceVectors
from medweave.understanding.danger.features import CLASS, DENIED, Blocks, sentences
from medweave.understanding.danger.meaning import meaning_score
from medweave.understanding.danger.weights import BlockWeights, confidence_of
from medweave.understanding.danger.word_classes import WORDS, heard
from medweave.understanding.danger.word_classes import Heard as HeardWord

SURE = 1.75
"""A score above which a crisis is met."""
LIKELY = 0.4
"""A score above which it is asked about; how both were chosen: decisions 330 and 494."""
WORTH_READING = -4.0
"""What words must weigh for the meaning to be asked for: most questions weigh far less."""
FEWEST_WORDS, FEWEST_CHARACTERS = 3, 4
"""A text of fewer words, or of fewer Chinese characters, is not read by its meaning."""
SHARE = 2.0
"""How much the meaning counts beside the words."""
SURE_OF_BOTH = 2.5
"""A score of words and meaning above which a crisis is met."""
SURE_OF_BOTH_IN_A_LETTER = 3.5
"""The same of a letter, whose best sentence means more by chance: decision 454."""
LIKELY_OF_BOTH = -0.5
"""A score of both above which it is asked about; chosen as decisions 400 and 494 say."""
AGAINST_ALONE = -1.0
"""A weight of words below which a letter is not met as a crisis, whatever its best sentence means;
it is asked about. Who cares for others writes much that means like one: decision 494. A few words,
as of a turn of a conversation ("and when I've started?"), mean nothing so by themselves."""
FEW_WORDS, FEW_CHARACTERS = 6, 8
UNHEARD = -1.0
"""A score below which what the table sees in a short message is asked about: decision 453."""
WHOLE = 2
"""A message longer than so many stretches is weighed by each of them alone."""
CHANCE = 1.35
"""How much higher the best of more is by chance."""
LETTER = 2.0
"""What a letter must weigh more: what troubles somebody is told at length there."""
_LONGEST, _LONGEST_ZH = 120, 45
"""Characters of a stretch of a sentence: who writes without stops is read in such."""
_BETWEEN = (" ", ",", "，", "、")
_CLASSES = "crisis_classes"
_OWN = "%"
_PIECE = "#"
_PIECES = (3, 4, 5)
"""Letters of a piece of a word."""


@dataclass(frozen=True, slots=True)
class Heaviest:
    """What a message weighs, and where it weighs most."""

    score: float
    place: Span

    @property
    def confidence(self) -> float:
        """Between 0 and 1; of texts like those it was trained on.

        >>> Heaviest(0.5, (0, 0)).confidence
        0.62
        """
        return confidence_of(self.score)


@dataclass(frozen=True, slots=True)
class CrisisModel(BlockWeights):
    """Weights of what is like messages of people in a crisis."""

    of: ClassVar[str] = "crisis"

    def weigh(self, passage: Passage) -> Heaviest:
        """What a text weighs, and the sentence that weighs most, where it is worth reading."""
        spans = stretches(passage)
        if not is_long(passage):
            whole = (0, len(passage.hidden))
            score = self._weigh(passage, whole)
            if len(spans) == 1 or score <= WORTH_READING:  # then nobody asks for the place
                return Heaviest(score, spans[0] if len(spans) == 1 else whole)
            return Heaviest(score, self._heaviest(passage, spans)[1])
        score, place = self._heaviest(passage, spans)
        return Heaviest(score - LETTER - CHANCE * log(len(spans)), place)

    def _heaviest(self, passage: Passage, spans: list[Span]) -> tuple[float, Span]:
        return max((self._weigh(passage, span), span) for span in spans)

    def _weigh(self, passage: Passage, span: Span) -> float:
        return self.score(crisis_features(passage, span))


Heard = OneOf["present", "ask", ""]


def hear_crisis(passage: Passage, vectors: SentenceVectors | None = None) -> tuple[Heaviest, Heard]:
    """What a text weighs, and whether a crisis is met in it, asked about, or not heard.

    Where the words are sure of one and the meaning is not, it is asked about.

    >>> from medweave.language.passage import passage_of
    >>> hear_crisis(passage_of("nobody would miss me, I wish I could vanish for good"))[1]
    'present'
    >>> hear_crisis(passage_of("I wish my cough would vanish for good"))[1]
    ''
    """
    words = shipped_crisis_model().weigh(passage)
    if words.score <= WORTH_READING:
        return words, ""
    long = is_long(passage)
    text = passage.text[slice(*words.place)] if long else passage.text
    few = _is_short(text, passage.language)  # one word alone means many things
    meaning = None if few else meaning_score(text, passage.language, vectors, "crisis")
    if meaning is None:
        return words, _status(words.score, SURE, LIKELY)
    both = Heaviest(words.score + SHARE * meaning, words.place)
    sure = SURE_OF_BOTH_IN_A_LETTER if long else SURE_OF_BOTH
    status = _status(both.score, sure, LIKELY_OF_BOTH)
    if words.score < AGAINST_ALONE:
        if long and status == "present":
            status = "ask"
        elif _is_short(text, passage.language, FEW_WORDS, FEW_CHARACTERS):
            status = ""
    return both, status or ("ask" if words.score > SURE else "")


def _is_short(
    text: str, language: str, words: int = FEWEST_WORDS, characters: int = FEWEST_CHARACTERS
) -> bool:
    return len(text) < characters if language == "zh" else len(text.split()) < words


def _status(score: float, sure: float, likely: float) -> Heard:
    return "present" if score > sure else "ask" if score > likely else ""


def crisis_features(passage: Passage, span: Span | None = None) -> Blocks:
    """The features of a passage, or of a stretch of it, counted.

    >>> from medweave.language.passage import passage_of
    >>> words, pieces, _, own = crisis_features(passage_of("not live"))
    >>> sorted(words), sorted(own)
    (['live', 'not', 'not live'], ['%live~'])
    >>> sorted(pieces)[:3]
    ['#<li', '#<liv', '#<live']
    """
    start, end = span or (0, len(passage.hidden))
    symbols = [
        symbol
        for run in symbol_runs(passage.hidden[start:end])
        for symbol in (run if is_han(run) else (run,))
    ]
    words = Counter(symbols)
    words.update(map(" ".join, pairwise(symbols)))
    words.update(map(" ".join, zip(symbols, symbols[1:], symbols[2:], strict=False)))
    pieces = Counter(chain.from_iterable(map(_pieces, symbols)))
    return (
        words,
        pieces,
        *(
            _classes(mark, heard(passage, of), start, end)
            for mark, of in ((CLASS, WORDS), (_OWN, _CLASSES))
        ),
    )


def stretches(passage: Passage) -> list[Span]:
    """The sentences of a passage, long ones in parts of whole words: who writes without stops is
    read in such.

    >>> from medweave.language.passage import passage_of
    >>> stretches(passage_of("So it is. " + "and so on " * 20))
    [(0, 9), (10, 130), (130, 210)]
    """
    text = passage.hidden
    longest = _longest(passage)
    found: list[Span] = []
    for start, end in sentences(text) or [(0, len(text))]:
        start += len(text[start:end]) - len(text[start:end].lstrip())  # noqa: PLW2901 - no blanks
        while end - start > longest:
            space = max(text.rfind(m, start + longest // 2, start + longest) for m in _BETWEEN)
            middle = space + 1 if space > 0 else start + longest
            found.append((start, middle))
            start = middle  # noqa: PLW2901 - what is left of the sentence
        found.append((start, end))
    return found


def is_long(passage: Passage) -> bool:
    """Whether a passage is weighed by its stretches alone: a letter."""
    return len(" ".join(passage.hidden.split())) > WHOLE * _longest(passage)


def _longest(passage: Passage) -> int:
    return _LONGEST_ZH if passage.language == "zh" else _LONGEST


def _classes(mark: str, some: Sequence[HeardWord], start: int, end: int) -> Counter[str]:
    first, behind = (bisect_left(some, at, key=attrgetter("start")) for at in (start, end))
    return Counter(
        f"{mark}{one.name}{DENIED if one.denied else ''}"
        for one in some[first:behind]
        if one.end <= end
    )


@lru_cache(maxsize=1 << 14)  # the same words are met again and again
def _pieces(word: str) -> tuple[str, ...]:
    if not word.isascii():
        return ()
    marked = f"<{word}>"
    return tuple(
        f"{_PIECE}{marked[at : at + size]}"
        for size in _PIECES
        for at in range(len(marked) - size + 1)
    )


@cache
def shipped_crisis_model() -> CrisisModel:
    """The model that ships, trained on the messages that ship."""
    place = shipped("understanding", "danger", "crisis_weights.json")
    return CrisisModel.from_text(place.read_text("utf-8"), where=place.name)
