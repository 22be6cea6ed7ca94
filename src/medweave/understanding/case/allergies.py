"""Allergies that the text of a case tells, by the names the lexicon has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from medweave.language.folding import name_key
from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.model.question import SUBSTANCES, Mention
from medweave.understanding.patient import read_patient
from medweave.understanding.substances import with_roles
from medweave.vocabulary.lexicon import Lexicon

_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_LONGEST = 4
"""Names of drugs have no more words."""


def allergies_in(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The drugs, and classes of drugs, that a text says somebody is allergic to.

    >>> from medweave.vocabulary.lexicon import shipped_lexicon
    >>> allergies_in("Cough; allergic to penicillin. Amoxicillin?", shipped_lexicon())
    ('penicillins',)
    """
    language = language_of(text)
    mentions = tuple(_mentions(text, language, lexicon))
    if not mentions:
        return ()
    passage = passage_of(text, language, [(m.start, m.end) for m in mentions])
    found = read_patient(passage, with_roles(passage, mentions)).allergies
    return tuple(lexicon.terms[each].preferred(language) for each in found)


def _mentions(text: str, language: str, lexicon: Lexicon) -> Iterator[Mention]:
    """The substances a text names, the longest name at a place."""
    reached = 0
    for start, end in _places(text, language, lexicon):
        terms = lexicon.by_key.get(name_key(text[start:end]), ())
        term = next((each for each in terms if each.concept in SUBSTANCES), None)
        if term is not None and start >= reached:
            reached = end
            name = term.preferred(language)
            yield Mention(start, end, text[start:end], term.id, name, term.concept)


def _places(text: str, language: str, lexicon: Lexicon) -> Iterator[tuple[int, int]]:
    """Where a name may stand: runs of words, the longest first; in Chinese, runs of characters."""
    if language == "zh":
        longest = max(map(len, lexicon.keys), default=0)
        for start in range(len(text)):
            for end in range(min(start + longest, len(text)), start, -1):
                yield start, end
        return
    words = [found.span() for found in _WORD.finditer(text)]
    for at, (start, _) in enumerate(words):
        for _, end in reversed(words[at : at + _LONGEST]):
            yield start, end
