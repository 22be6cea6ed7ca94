"""Unknown names as the class of drugs that they suggest: piperacillin, by its ending a penicillin.

A Chinese one may end with a known name: 扎托布洛芬 is no ibuprofen, and may be its kin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from medweave.model.question import Link, Mention, Unread
from medweave.vocabulary.drug_stems import class_by_stem, more_of_a_name
from medweave.vocabulary.lexicon import Lexicon

BY_STEM = Link("stem", 0.5)
_NEAR = 8
"""Longer than what a name has before what is known of it, in characters: more is not looked at."""


def parts_of_unknown(
    text: str, mentions: Sequence[Mention], lexicon: Lexicon
) -> tuple[tuple[Mention, ...], tuple[Unread, ...]]:
    """The mentions, those that are only the end of a longer name as the class of what they name,
    and these longer names, which nobody knows."""
    found, unknown = [], []
    for at, mention in enumerate(mentions):
        before = mentions[max(0, at - _NEAR) : at]
        behind = max((m.end for m in before if m.end <= mention.start), default=0)
        behind = max(behind, mention.start - _NEAR)
        more = more_of_a_name().search(text[behind : mention.start])
        term = lexicon.terms.get(mention.entity) if more else None
        start = behind + more.start() if more else mention.start
        is_stem = class_by_stem(text[start : mention.end]) is not None
        if term is None or not (mention.concept == "drug" or is_stem):
            found.append(mention)
            continue
        unknown.append(Unread(start, mention.end, text[start : mention.end]))
        # a class that is named by a stem (普利) is what the longer name is one of
        for above in term.classes[:1] if mention.concept == "drug" else (term.id,):
            wider = lexicon.terms[above]
            found.append(
                replace(
                    mention,
                    start=start,
                    text=text[start : mention.end],
                    entity=wider.id,
                    name=wider.preferred("zh"),
                    concept=wider.concept,
                    link=BY_STEM,
                    alternatives=(),
                )
            )
    return tuple(found), tuple(unknown)


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
