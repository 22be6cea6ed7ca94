"""Which aspects of practical advice may answer a question, by what was learned.

"Must I worry?" asks how serious a thing is, "can I still go running?" for sport. Each text of
advice is of one aspect; a question seldom asks for one alone, so each has a chance (`TextModel`).
"""

from __future__ import annotations

from medweave.language.passage import passage_of
from medweave.model.question import Question
from medweave.ports import SentenceVectors
from medweave.understanding.asked.reading import LONGEST, READ, chances_by, names_in
from medweave.understanding.intents.features import QuestionText, only_names
from medweave.understanding.text_model import TextModel, shipped_text_model

LEAST = 0.002
"""Aspects with a smaller chance than that are none that is asked for."""


def aspects_of(question: Question, vectors: SentenceVectors | None) -> dict[str, float]:
    """The aspects of advice that may answer a question, each with its chance; none in a language
    or of a length that was not learned. They are read where advice is looked for, and not of each
    question of a letter that is read on the way.

    >>> found = aspects_of(Question("can I catch it from my son", "en"), None)
    >>> max(found, key=lambda aspect: found[aspect])
    'contagious'
    """
    text, language = question.text, question.language
    if language not in READ or len(text) > LONGEST:
        return {}
    whole = QuestionText(text, names_in(question.mentions))
    if only_names(whole):
        return {}
    sentences = passage_of(text, language).sentences
    found = chances_by(shipped_aspects(language), whole, language, vectors, sentences=sentences)
    return {aspect: round(chance, 4) for aspect, chance in found.items() if chance >= LEAST}


def shipped_aspects(language: str) -> TextModel:
    """The model that ships for a language."""
    return shipped_text_model("advice", "aspects", language)
