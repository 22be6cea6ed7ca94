"""What a long text asks, apart from what it tells.

A letter tells of treatments and tests, diets and causes; what it wants to know stands in the
sentences that ask. So it is with a few words on somebody and a medicine ("Ulcer last year, seen at
the test. They started naproxen. Comments?"). Other short texts are read whole: each of their words
may say what is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from medweave.language.data import rule_in_any
from medweave.language.passage import Passage
from medweave.model.question import BY_HABIT, SUBSTANCES, Mention
from medweave.understanding.asked.asking import surely_asks
from medweave.understanding.intents.find import is_question
from medweave.understanding.rule_files import INTENT_RULES

_VACCINE = "vaccine"
"""In the identifiers of all vaccines."""
_A_LETTER = 4
"""From so many sentences on."""
_OF_A_MEDICINE = 2
"""From so many sentences on, where one of them names a medicine."""


def asking_part(passage: Passage, mentions: Sequence[Mention]) -> tuple[str, tuple[Mention, ...]]:
    """The sentences of a letter that ask, joined, with the mentions in them; all of a short text,
    and of one that asks nothing in words. Where a medicine is named that is from the last one on:
    what was told before says nothing of it.

    >>> from medweave.language.passage import passage_of
    >>> letter = "I am 60. I had a treatment. My test was fine. I smoke. What causes gout?"
    >>> asking_part(passage_of(letter), ())[0].strip()
    'What causes gout?'
    """
    text = passage.text
    taken = any(names_medicine(m) and not _is_allergen(m, text) for m in mentions)
    fewest = _OF_A_MEDICINE if taken else _A_LETTER
    if len(passage.sentences) < fewest:
        return text, tuple(mentions)
    asking = [
        (start, end) for start, end in passage.sentences if _asks(passage, start, end, mentions)
    ]
    if not asking:
        last = max((m.start for m in mentions if names_medicine(m)), default=0)
        asking = [(start, end) for start, end in passage.sentences if end > last]
    if len(asking) == len(passage.sentences):
        return text, tuple(mentions)
    return _joined(text, asking, mentions)


def _asks(passage: Passage, start: int, end: int, mentions: Sequence[Mention]) -> bool:
    sentence = passage.text[start:end].rstrip()
    language = passage.language
    by_rule = is_question(sentence, language, _within(start, end, mentions))
    return by_rule or surely_asks(sentence, language)


def _within(start: int, end: int, mentions: Sequence[Mention], to: int = 0) -> tuple[Mention, ...]:
    """The mentions that begin in a stretch, with their places counted from there, and from `to`."""
    return tuple(
        replace(m, start=m.start - start + to, end=m.end - start + to)
        for m in mentions
        if start <= m.start < end
    )


def _joined(
    text: str, stretches: Sequence[tuple[int, int]], mentions: Sequence[Mention]
) -> tuple[str, tuple[Mention, ...]]:
    """Stretches of a text as one, with the mentions in them."""
    joined, moved = "", list[Mention]()
    for start, end in stretches:
        moved += _within(start, end, mentions, to=len(joined))
        joined += text[start:end].rstrip() + " "
    return joined.rstrip(), tuple(moved)


def _is_allergen(mention: Mention, text: str) -> bool:
    """Whether a substance is named as what is not borne: nobody asks to have it."""
    # No role tells this. Roles are read once names mean what is asked for, and know an allergy by
    # what a medicine did, too: of "阿莫西林吃了嘴唇肿。鼻窦炎呢？" all would be read then, and side
    # effects taken as asked for.
    before, after = text[: mention.start].lower(), text[mention.end :].lower()
    allergic_to = rule_in_any("allergic_to", *INTENT_RULES).search(before)
    return bool(allergic_to or rule_in_any("allergy_behind", *INTENT_RULES).match(after))


def is_vaccine(mention: Mention) -> bool:
    """Whether what is named is what people ask for at a surgery or clinic itself."""
    return _VACCINE in mention.entity


def names_medicine(mention: Mention) -> bool:
    """Whether a medicine is named, and not what people eat or drink."""
    return mention.concept in SUBSTANCES and mention.entity not in BY_HABIT
