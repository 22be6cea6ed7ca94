"""Which sentences of a text ask, by their words, as learned from messages in which that is marked.

Few messages ask with a mark of question or a word that asks: "just wondering about driving", "need
to know re alcohol". The words alone tell it as often as words and vectors do (decision 562).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from medweave.language.passage import Span
from medweave.understanding.intents.features import QuestionText
from medweave.understanding.text_model import shipped_text_model

ASKS, TELLS = "asks", "tells"
SURELY_ASKS = 0.9
"""Above this chance a sentence asks: beside rules, of a hand left out, .91 and .92 of what asks is
found instead of .86 and .78 (English, Chinese), and as much of what is found asks."""


_LIKELY = 0.5


def asking_sentence(text: str, language: str, sentences: Sequence[Span]) -> Span:
    """Where the sentence of a text stands that most surely asks; the last of several alike.

    >>> text = "I take warfarin. Just wondering about driving. Thank you."
    >>> asking_sentence(text, "en", [(0, 16), (17, 46), (47, 57)])
    (17, 46)
    """
    return max(sentences, key=lambda s: (chance_to_ask(text[s[0] : s[1]], language), s))


def surely_asks(sentence: str, language: str) -> bool:
    """Whether a sentence asks, as it was learned.

    >>> surely_asks("Want to know if he can drive", "en"), surely_asks("I take warfarin.", "en")
    (True, False)
    """
    return chance_to_ask(sentence, language) > SURELY_ASKS


def likely_asks(text: str, language: str, sentences: Sequence[Span]) -> bool:
    """Whether a sentence of a text more likely asks than tells, of a language that was learned.

    >>> likely_asks("Gout, 74, on furosemide.", "en", [(0, 24)])
    False
    """
    return any(chance_to_ask(text[start:end], language) > _LIKELY for start, end in sentences)


@lru_cache(maxsize=512)
def chance_to_ask(sentence: str, language: str) -> float:
    """How likely a sentence asks something, of a language that was learned.

    >>> chance_to_ask("is it safe to drive on it", "en") > 0.9
    True
    """
    model = shipped_text_model("asked", "asking", language)
    return model.by_words(model.scores(QuestionText(sentence)))[ASKS]
