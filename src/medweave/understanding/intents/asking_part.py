"""What a long text asks, apart from what it tells.

A letter tells of treatments and tests, diets and causes; what it wants to know stands in the
sentences that ask. So it is with a few words on somebody and a medicine ("Ulcer last year, seen at
the test. They started naproxen. Comments?"). Other short texts are read whole: each of their words
may say what is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from medweave.language.passage import Passage
from medweave.model.question import BY_HABIT, SUBSTANCES, Mention
from medweave.understanding.intents.find import is_question

_A_LETTER = 4
"""From so many sentences on."""
_OF_A_MEDICINE = 2
"""From so many sentences on, where one of them names a medicine."""


def asking_part(passage: Passage, mentions: Sequence[Mention]) -> tuple[str, tuple[Mention, ...]]:
    """The sentences of a letter that ask, joined, with the mentions in them; all of a short text,
    and of one that asks nothing in words.

    >>> from medweave.language.passage import passage_of
    >>> letter = "I am 60. I had a treatment. My test was fine. I smoke. What causes gout?"
    >>> asking_part(passage_of(letter), ())[0].strip()
    'What causes gout?'
    """
    text = passage.text
    fewest = _OF_A_MEDICINE if any(map(names_medicine, mentions)) else _A_LETTER
    if len(passage.sentences) < fewest:
        return text, tuple(mentions)
    parts: list[str] = []
    shifted: list[Mention] = []
    length = 0
    for start, end in passage.sentences:
        within = tuple(m for m in mentions if start <= m.start < end)
        local = tuple(replace(m, start=m.start - start, end=m.end - start) for m in within)
        sentence = text[start:end].rstrip()
        if is_question(sentence, passage.language, local):
            parts.append(sentence)
            shifted += [replace(m, start=m.start + length, end=m.end + length) for m in local]
            length += len(sentence) + 1
    return (" ".join(parts), tuple(shifted)) if parts else (text, tuple(mentions))


def names_medicine(mention: Mention) -> bool:
    """Whether a medicine is named, and not what people eat or drink."""
    return mention.concept in SUBSTANCES and mention.entity not in BY_HABIT
