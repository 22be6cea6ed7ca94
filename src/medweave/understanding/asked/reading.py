"""What a text asks, by what was learned: by its words, and by what it means where an embedder is
(`TextModel`). Without vectors the words alone decide, and are sure of less.

A message tells much and asks little. So what a text of several sentences asks is read of the whole,
of the sentence that most surely asks (`asking.py`), and of that with the sentence before it; what
one of the questions of a message asks, of that question, of it with the sentence before it, and of
the whole message. The parts, each with its weight w, are mixed:

    ln p(label) = sum over parts of w ln p(label | part) + constant
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod

from medweave.language.data import shipped, shipped_yaml
from medweave.language.passage import Span, passage_of
from medweave.model.question import FINDINGS, SUBSTANCES, UNNAMED, Asked, Mention
from medweave.model.vectors import Vectors
from medweave.ports import SentenceVectors
from medweave.understanding.asked.asking import asking_sentence
from medweave.understanding.intents.features import Name, QuestionText, only_names
from medweave.understanding.roles.model import RoleModel, names_apart
from medweave.understanding.sentence_vectors import vectors_by
from medweave.understanding.text_model import TextModel, shipped_text_model

READ = ("en", "zh")
"""The languages whose questions were learned from."""
SURE_BY_WORDS = 0.9
"""From this certainty on the words decide alone, and no embedder is loaded for them."""
OF_A_TEXT = (0.5, 0.3, 0.2)
"""What a text weighs, its sentence that asks, and that with the one before it; by authors left out
(decision 565)."""
OF_A_QUESTION = (0.5, 0.3, 0.2)
"""What a question of a message weighs, it with the sentence before it, and the whole message."""
LONGEST = 1200
"""Characters: longer texts ask several things."""
_LEAST = 1e-9
"""What any label has at least, whatever the other of the two says."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What answers each label: an intent, or an aspect of a medicine."""

    intents: dict[str, str]
    aspects: dict[str, str]
    of_no_use: tuple[str, ...]
    """Labels that ask nothing of the use of a medicine."""
    effects: tuple[str, ...]
    """Labels that ask whether medicines bring something on."""
    chosen: tuple[str, ...]
    """Labels that ask for one of several, perhaps by what it brings on."""
    alike: tuple[frozenset[str], ...]
    """Intents that are answered alike."""


@dataclass(frozen=True, slots=True)
class Around:
    """What one of the questions of a message stands in."""

    behind: QuestionText
    """The question with the sentence before it."""
    message: QuestionText


@cache
def answered() -> Answered:
    """The table of labels."""
    held = shipped_yaml("understanding", "asked", "labels.yaml")
    alike = tuple(map(frozenset, held["alike"]))
    of_no_use, effects, chosen = (tuple(held[n]) for n in ("of_no_use", "effects", "chosen"))
    return Answered(held["intents"], held["aspects"], of_no_use, effects, chosen, alike)


def what_is_asked(
    text: str,
    language: str,
    mentions: Sequence[Mention],
    vectors: SentenceVectors | None,
    sentences: Sequence[Span] = (),
    *,
    around: Around | None = None,
) -> Asked:
    """What a text most likely asks; `Asked()` of a language or a length that was not learned.
    `sentences` says where its sentences stand: without, it is read as one. `around` is what it
    stands in, where it is one of the questions of a message.

    >>> what_is_asked("what time does the clinic open", "en", (), None).label
    'none'
    """
    if language not in READ or len(text) > LONGEST:
        return Asked()
    whole = QuestionText(text, names_in(mentions))
    if only_names(whole):
        return Asked()
    chances = chances_by(
        shipped_asked(language), whole, language, vectors, sentences=sentences, around=around
    )
    label = max(chances, key=lambda one: (chances[one], one))
    return Asked(label, round(chances[label], 4))


def chances_by(
    model: TextModel,
    whole: QuestionText,
    language: str,
    vectors: SentenceVectors | None,
    *,
    sentences: Sequence[Span] = (),
    around: Around | None = None,
) -> dict[str, float]:
    """The chance of every label of a model, of a text that was learned from as what is asked was:
    read whole, with its sentence that asks, or with what it stands in."""
    weighed = _parts(whole, language, sentences, around)
    parts, weights = list(weighed), list(weighed.values())
    scores = [model.scores(part) for part in parts]
    chances = _mixed([model.by_words(each) for each in scores], weights)
    if max(chances.values()) >= SURE_BY_WORDS:
        return chances
    read = [t for part in parts for t in (unnamed(part.text, language, part.names), part.text)]
    made = vectors_by(lambda: model.embedder, read, language, vectors)
    if made is None:
        return chances
    pairs = [Vectors.of(made.model, (made[at], made[at + 1])) for at in range(0, len(made), 2)]
    by_all = [model.by_all(*each) for each in zip(scores, pairs, strict=True)]
    return _mixed(by_all, weights)


def names_in(mentions: Sequence[Mention]) -> tuple[Name, ...]:
    """The names that a text has, as it was learned from texts: not what it measures or implies."""
    return tuple(Name(m.start, m.end, m.concept) for m in mentions if m.link.how not in UNNAMED)


def standing_in(message: QuestionText, language: str, start: int, end: int) -> Around | None:
    """What one of the questions of a message stands in; None of a message that is too long."""
    if len(message.text) > LONGEST:
        return None
    sentences = passage_of(message.text, language).sentences
    return Around(with_sentence_before(message, sentences, start, end), message)


def with_sentence_before(
    whole: QuestionText, sentences: Sequence[Span], start: int, end: int
) -> QuestionText:
    """A stretch of a text with the sentence before it, or from where its own begins.

    >>> told = QuestionText("I have gout. I take aspirin. Is that safe?")
    >>> with_sentence_before(told, [(0, 12), (13, 28), (29, 42)], 29, 42).text
    'I take aspirin. Is that safe?'
    """
    before = [first for first, last in sentences if last <= start + 1]
    own = [first for first, last in sentences if first < end - 1 and start < last - 1]
    return stretch_of(whole, before[-1] if before else min((start, *own)), end)


def _parts(
    whole: QuestionText, language: str, sentences: Sequence[Span], around: Around | None
) -> dict[QuestionText, float]:
    """What is read of a text, and the weight of each."""
    if around is not None:
        found, weights = [whole, around.behind, around.message], OF_A_QUESTION
    elif len(sentences) > 1:
        start, end = asking_sentence(whole.text, language, sentences)
        asking = stretch_of(whole, start, end)
        found = [whole, asking, with_sentence_before(whole, sentences, start, end)]
        weights = OF_A_TEXT
    else:
        return {whole: 1.0}
    weighed = dict[QuestionText, float]()
    for part, weight in zip(found, weights, strict=True):
        weighed[part] = weighed.get(part, 0.0) + weight
    return weighed


def stretch_of(whole: QuestionText, start: int, end: int) -> QuestionText:
    """A stretch of a text, with the names in it.

    >>> stretch_of(QuestionText("Hello. Is it gout?", (Name(13, 17, "disease"),)), 7, 18)
    QuestionText(text='Is it gout?', names=(Name(start=6, end=10, concept='disease'),))
    """
    within = (n for n in whole.names if start <= n.start and n.end <= end)
    names = tuple(Name(n.start - start, n.end - start, n.concept) for n in within)
    return QuestionText(whole.text[start:end], names)


def _mixed(read: Sequence[Mapping[str, float]], weights: Sequence[float]) -> dict[str, float]:
    """The chances of what a text asks, of those read of its parts."""
    mixed = {
        label: prod((one[label] + _LEAST) ** w for one, w in zip(read, weights, strict=True))
        for label in read[0]
    }
    total = sum(mixed.values())
    return {label: chance / total for label, chance in mixed.items()}


def effect_scores(text: str, mentions: Sequence[Mention]) -> dict[Mention, float]:
    """How surely each condition that is named is asked about as an effect; above 0 rather than
    not."""
    named = names_apart(mentions)
    names = {Name(m.start, m.end, m.concept): m for m in named}
    return {names[name]: s for name, s in shipped_effects().scores(text, list(names)).items()}


def unnamed(text: str, language: str, names: Sequence[Name]) -> str:
    """A text with what each name stands for in its place.

    >>> unnamed("gout on aspirin", "en", [Name(0, 4, "disease"), Name(8, 15, "drug")])
    'this illness on this medicine'
    """
    said = shipped_yaml("understanding", "asked", "names.yaml")[language]
    parts, end = list[str](), 0
    for name in sorted(names, key=lambda n: (n.start, -n.end)):
        if name.start >= end and name.concept in (*SUBSTANCES, *FINDINGS):
            parts += text[end : name.start], said[name.concept]
            end = name.end
    return "".join((*parts, text[end:]))


@cache
def shipped_effects() -> RoleModel:
    """The reader of effects that ships."""
    place = shipped("understanding", "asked", "effects.json")
    return RoleModel.of_json(json.loads(place.read_text("utf-8")))


def shipped_asked(language: str) -> TextModel:
    """The model that ships for a language."""
    return shipped_text_model("asked", "asked", language)
