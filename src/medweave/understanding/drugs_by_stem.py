"""Unknown names as the class of drugs that their endings suggest: piperacillin, a penicillin."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from medweave.model.question import Link, Mention, Unread
from medweave.vocabulary.drug_stems import class_by_stem
from medweave.vocabulary.lexicon import Lexicon

BY_STEM = Link("stem", 0.5)


def drugs_by_stem(words: tuple[Unread, ...], lexicon: Lexicon) -> tuple[Mention, ...]:
    """The names that end as those of a class do, each as that class, asked about.

    >>> from medweave.vocabulary.lexicon import shipped_lexicon
    >>> found = drugs_by_stem((Unread(3, 15, "piperacillin"),), shipped_lexicon())
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
