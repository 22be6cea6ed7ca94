"""The learned reader of danger: what a message weighs, and which words weigh.

The score of a text is that of `weights`, with the blocks of `danger_features`. A message of n
sentences, where n is not small, is as dangerous as its most dangerous one, less what the best of n
is by chance: max s - c ln n.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cache
from math import log, sqrt
from typing import ClassVar

from medweave.language.data import shipped
from medweave.language.passage import Passage, Span
from medweave.ports import SentenceVectors
from medweave.understanding.danger.features import CLASS, Blocks, danger_features, sentences, shares
from medweave.understanding.danger.meaning import meaning_score
from medweave.understanding.danger.network import network_score
from medweave.understanding.danger.weights import BlockWeights, confidence_of
from medweave.understanding.danger.word_classes import Heard, frame, heard
from medweave.understanding.model_files import model_in

RAISED = 0.25
"""A score above which a message may describe an emergency; how it was chosen: decision 25."""
SLIGHT = 1.0
"""A score up to which what names a medicine is asked about, below its answer: decision 495."""
LIKE_ENOUGH, UNLIKE_ALL = -3.25, -4.0
"""Scores of words and meaning below which what the table sees in a sentence is asked about, and
below which it is asked about in one line below the answer."""
LIKE_ALONE = -1.0
"""A score of the words alone, without what else the sentence says, from which on it is told; how
these were chosen: decision 509."""
LIKE_BY_WORDS = 0.0
"""Words that weigh so much are like messages in danger, whatever they mean together."""
MANY = 4
"""A message of so many sentences is weighed by them: as a whole, its words would drown each other
in a letter of one who is in danger, and add up in a letter of one who is not."""
STORY, STORY_TELLS = 12, {"en": 18, "zh": 24}
"""A message of up to so many sentences and of so many words, or Chinese characters, is weighed as a
whole, too, by words and a network: a shorter one tells one thing."""
STORY_SHARE = 0.4
"""How much the network counts beside the words."""
STORY_RAISED, STORY_LET_BE, STORY_UNLIKE = 0.25, -1.0, -2.0
"""A score of both above which it may describe an emergency; up to which it is not raised for one of
its sentences; and below which what the table sees in it is asked about: decision 563."""
FEW = 0.5
"""How much more a shorter message must weigh; chosen as decision 368 says."""
CHANCE = 1.35
"""c: how much higher the best of more sentences is by chance; chosen as decision 320 says."""
WORTH_READING = -1.5
"""What words must weigh for the meaning to be asked for."""
SHARE = 0.7
"""How much the meaning counts beside the words."""
RAISED_BY_BOTH, RAISED_BY_BOTH_IN_A_LETTER = 0.75, 0.0
"""A score of both above which a message, or a letter, may describe an emergency; how these were
chosen: decisions 400 and 494."""
PLACES = 40
"""So many places of a text are told; more weigh in no message."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What a message weighs, above 0 where it is like messages in danger."""

    score: float
    places: tuple[tuple[int, int, float], ...] = ()
    """Of a message that may be raised: where words weigh for danger, and how much; the most first.
    """
    stretch: Span | None = None
    """Of a letter, its most dangerous sentence."""

    @property
    def raised(self) -> bool:
        """Whether it may describe an emergency."""
        return self.score > RAISED

    @property
    def slight(self) -> bool:
        """Whether it is little above what is not raised."""
        return self.score <= SLIGHT

    @property
    def confidence(self) -> float:
        """Between 0 and 1; of texts like those it was trained on, not of all that are written.

        >>> Weighed(0.5).confidence
        0.62
        """
        return confidence_of(self.score)


@dataclass(frozen=True, slots=True)
class DangerModel(BlockWeights):
    """Weights of what is like messages in danger."""

    of: ClassVar[str] = "danger"

    def weigh(self, passage: Passage) -> Weighed:
        """What a text weighs, and where; its names weigh nothing."""
        plain_text, classes = passage.hidden, heard(passage)
        spans = sentences(plain_text)
        if len(spans) < MANY:
            return self._weigh_classes(plain_text, classes, less=FEW)
        less = CHANCE * log(len(spans))
        span, best = max(
            (
                (span, self._weigh_classes(plain_text[slice(*span)], _within(classes, *span)))
                for span in spans
            ),
            key=lambda pair: pair[1].score,
        )
        score, first = best.score - less, span[0]
        places = ((start + first, end + first, worth) for start, end, worth in best.places)
        return Weighed(score, tuple(places), span)

    def weigh_story(self, passage: Passage, vectors: SentenceVectors | None) -> Weighed | None:
        """What a message weighs as a whole, by its words and, where these leave it open, by a
        network over its vector; None where it is long, or no vector is to be had.

        Who tells of several ordinary signs tells them in several sentences.
        """
        if vectors is None or not is_story(passage):
            return None
        words = self._weigh_classes(passage.hidden, heard(passage))
        if words.score <= WORTH_READING:
            return words
        told = network_score(passage.text, passage.language, vectors)
        return None if told is None else replace(words, score=words.score + STORY_SHARE * told)

    def is_another_story(self, passage: Passage, vectors: SentenceVectors | None) -> bool:
        """Whether a message as a whole is unlike messages in danger, by words and network."""
        if vectors is None or not is_story(passage):
            return False
        words = self._weigh_classes(passage.hidden, heard(passage)).score
        told = network_score(passage.text, passage.language, vectors)
        return told is not None and words + STORY_SHARE * told < STORY_UNLIKE

    def likeness(self, passage: Passage, vectors: SentenceVectors | None) -> float:
        """What a sentence weighs by its words, and by what it means where these leave it open."""
        words = self.weigh(passage).score
        if words > LIKE_BY_WORDS:
            return words
        meaning = meaning_score(passage.text, passage.language, vectors, "danger")
        return words if meaning is None else words + SHARE * meaning

    def _weigh_classes(self, plain_text: str, classes: list[Heard], less: float = 0.0) -> Weighed:
        blocks = danger_features(plain_text, classes)
        score = self.score(blocks) - less
        places = self._places(classes, blocks) if score > WORTH_READING else ()
        return Weighed(score, places)

    def _places(self, classes: list[Heard], blocks: Blocks) -> tuple[tuple[int, int, float], ...]:
        """The places whose classes, and pairs of classes, weigh for danger, apart of each other."""
        worth: dict[str, float] = defaultdict(float)
        for block in blocks[1:]:
            for feature in block:
                weight = self.weights.get(feature, 0) / sqrt(len(block))
                for name in shares(feature):
                    worth[name] += weight
        found: dict[tuple[int, int], float] = defaultdict(float)
        for one in classes:
            if not one.denied and one.name not in frame():
                found[one.start, one.end] += worth[f"{CLASS}{one.name}"]
        best: list[tuple[int, int, float]] = []
        for start, end in sorted(found, key=lambda place: (-found[place], place)):
            if found[start, end] <= 0 or len(best) == PLACES:
                break
            if all(end <= first or last <= start for first, last, _ in best):
                best.append((start, end, found[start, end]))
        return tuple(best)


def is_story(passage: Passage) -> bool:
    """Whether a text tells several things, and is no long letter."""
    text = passage.text
    told = len("".join(text.split())) if passage.language == "zh" else len(text.split())
    least = STORY_TELLS.get(passage.language, STORY_TELLS["en"])
    return told >= least and len(sentences(passage.hidden)) <= STORY


def with_meaning(weighed: Weighed, passage: Passage, vectors: SentenceVectors | None) -> Weighed:
    """What a message weighs with the meaning of it, or of the sentence of a letter that weighs
    most; as it is where its words weigh too little, or no vector is to be had."""
    if weighed.score <= WORTH_READING:
        return weighed
    text = passage.text[slice(*weighed.stretch)] if weighed.stretch else passage.text
    meaning = meaning_score(text, passage.language, vectors, "danger")
    if meaning is None:
        return weighed
    limit = RAISED_BY_BOTH_IN_A_LETTER if weighed.stretch else RAISED_BY_BOTH
    return replace(weighed, score=weighed.score + SHARE * meaning - limit + RAISED)


def _within(classes: list[Heard], start: int, end: int) -> list[Heard]:
    """The words of a stretch, their places counted from where it begins."""
    return [
        replace(one, start=one.start - start, end=one.end - start)
        for one in classes
        if start <= one.start and one.end <= end
    ]


@cache
def shipped_danger_model() -> DangerModel:
    """The model that ships, trained on the messages that ship."""
    place = shipped("understanding", "danger", "weights.json")
    return DangerModel.from_text(place.read_text("utf-8"), where=place.name)


def danger_model_for(file: str) -> DangerModel:
    """The model in a file, read again when the file changes; for '' the one that ships.

    Raises `SourceError` where there is none.
    """
    if not file:
        return shipped_danger_model()
    return model_in(file, DangerModel.from_text)
