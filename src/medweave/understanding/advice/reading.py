"""Which aspects of practical advice may answer a question, by what was learned.

"Must I worry?" asks how serious a thing is, "can I still go running?" for sport. Each text of
advice is of one aspect; a question seldom asks for one alone, so each has a chance (`TextModel`).
"""

from __future__ import annotations

from collections.abc import Sequence

from medweave.language.passage import Span, passage_of
from medweave.model.question import Mention, Question
from medweave.ports import SentenceVectors
from medweave.understanding.asked.reading import LONGEST, READ, chances_by, names_in
from medweave.understanding.intents.features import QuestionText, only_names
from medweave.understanding.text_model import TextModel, shipped_text_model

LEAST = 0.002
"""Aspects with a smaller chance than that are none that is asked for."""

Aspects = tuple[tuple[str, float], ...]


def aspects_wanted(
    text: str,
    language: str,
    mentions: Sequence[Mention],
    vectors: SentenceVectors | None,
    sentences: Sequence[Span] = (),
) -> Aspects:
    """The aspects of advice that may answer a text, each with its chance, the likeliest first; none
    in a language or of a length that was not learned. See `what_is_asked` for what is given.

    >>> aspects_wanted("can I catch it from my son", "en", (), None)[0][0]
    'contagious'
    """
    if language not in READ or len(text) > LONGEST:
        return ()
    whole = QuestionText(text, names_in(mentions))
    if only_names(whole):
        return ()
    model = shipped_aspects(language)
    found = chances_by(model, whole, language, vectors, sentences=sentences)
    likely = ((aspect, round(chance, 4)) for aspect, chance in found.items() if chance >= LEAST)
    return tuple(sorted(likely, key=lambda each: (-each[1], each[0])))


def aspects_of(question: Question, vectors: SentenceVectors | None) -> dict[str, float]:
    """The aspects of advice that may answer a question, each with its chance. They are read where
    advice is looked for, and not of each question of a letter that is read on the way."""
    passage = passage_of(question.text, question.language)
    named = question.mentions
    return dict(aspects_wanted(question.text, question.language, named, vectors, passage.sentences))


def shipped_aspects(language: str) -> TextModel:
    """The model that ships for a language."""
    return shipped_text_model("advice", "aspects", language)
