"""Words that could name a drug or a condition, and that nothing here knows.

An English word is suspected that is no plain English, or ends as the names of a class of drugs do;
a Chinese one by such an ending alone. What is suspected is named to the person who asked, so that
nobody takes the answer for one about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from medweave.language.plain_english import is_plain_english
from medweave.model.question import Link, Mention, Unread
from medweave.vocabulary.drug_stems import class_by_stem
from medweave.vocabulary.lexicon import Lexicon

BY_STEM = Link("stem", 0.5)
_WORD = re.compile(r"(?<![\w.@'’-])[A-Za-z][a-z]{4,}(?![\w@'’-])")
_CHINESE = re.compile(
    r"头孢[\u4e00-\u9fff]{2}|[\u4e00-\u9fff]{1,4}"
    r"(?:西林|沙星|霉素|环素|普利|他汀|洛尔|沙坦|拉唑|替丁|地平|曲坦|格列净|列汀|单抗|替尼)"
)


def unread(text: str, language: str, mentions: tuple[Mention, ...]) -> tuple[Unread, ...]:
    """The words of a text that could be a name, and are not among its mentions.

    >>> [each.text for each in unread("Is piperacillin safe with this?", "en", ())]
    ['piperacillin']
    """
    taken = {place for m in mentions for place in range(m.start, m.end)}
    pattern = _CHINESE if language == "zh" else _WORD
    words = pattern.finditer(text) if language == "zh" else _english(text)
    return tuple(
        Unread(match.start(), match.end(), match.group())
        for match in words
        if taken.isdisjoint(range(*match.span()))
    )


def _english(text: str) -> Iterator[re.Match[str]]:
    for match in _WORD.finditer(text):
        word = match.group().lower()
        inside = match.group()[0].isupper() and match.start() > 0  # the name of somebody
        if class_by_stem(word) or not (inside or is_plain_english(word)):
            yield match


def by_stem(words: tuple[Unread, ...], lexicon: Lexicon) -> tuple[Mention, ...]:
    """Unknown names as the class of drugs that their endings suggest: piperacillin, a penicillin.

    >>> from medweave.vocabulary.lexicon import shipped_lexicon
    >>> found = by_stem((Unread(3, 15, "piperacillin"),), shipped_lexicon())
    >>> [(each.text, each.name, each.role) for each in found]
    [('piperacillin', 'penicillins', 'asked')]
    """
    return tuple(chain.from_iterable(_mention(word, lexicon) for word in words))


def _mention(word: Unread, lexicon: Lexicon) -> Iterator[Mention]:
    name = class_by_stem(word.text)
    term = lexicon.find(name, ["substance"]) if name else None
    if term is not None:
        yield Mention(
            word.start,
            word.end,
            word.text,
            term.id,
            term.preferred("en"),
            term.concept,
            link=BY_STEM,
            role="asked",
        )
