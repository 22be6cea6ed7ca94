"""Other names of what a question names: those that are known, and those the texts themselves give.

A text says "nasopharyngeal carcinoma (NPC)" once and NPC ever after; who asks for the one means the
other. So whatever stands for a name of the question counts as that name, in a passage and in a
sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from medweave.language.abbreviations import abbreviations
from medweave.retrieval.passages.question_kinds import content_terms

NamesOf = Mapping[str, Collection[str]]
"""Further names of things, by the name in a question."""
_SHORT = re.compile(r"\b(?=(?:\w*[A-Z]){2})[A-Za-z][\w/-]{1,9}\b")
_MOST = 6
"""So many further names of one thing are looked for."""


@dataclass(frozen=True, slots=True)
class OtherNames:
    """Names of a question with what stands for them, all by their stems."""

    stems: tuple[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]], ...] = ()

    @staticmethod
    def of(names: NamesOf) -> OtherNames:
        """The stems of names, and of the first few names that stand for each."""
        held = []
        for name, others in names.items():
            own = tuple(content_terms(name))
            stems = dict.fromkeys(tuple(content_terms(other)) for other in others)
            told = tuple(s for s in stems if s and s != own)[:_MOST]
            if own and told:
                held.append((own, told))
        return OtherNames(tuple(held))

    def filled(self, terms: Sequence[str]) -> Sequence[str]:
        """The stems of a text, with those of a name in the place of another that stands for it.

        >>> OtherNames.of({"spinal tap": ["lumbar puncture"]}).filled(["lumbar", "punctur", "hurt"])
        ['spinal', 'tap', 'lumbar', 'punctur', 'hurt']
        """
        if not self.stems:
            return terms
        filled, present = list(terms), set(terms)
        for own, others in self.stems:
            if present.issuperset(own):
                continue
            for other in others:
                if present.issuperset(other):
                    _put_before(filled, own, other[0])
                    break
        return filled


def _put_before(terms: list[str], name: Sequence[str], place: str) -> None:
    for at in reversed([at for at, term in enumerate(terms) if term == place]):
        terms[at:at] = name


def short_names(question: str) -> frozenset[str]:
    """What is written as abbreviations are: with two capitals or more.

    >>> sorted(short_names("Is CLL or uFL worse than flu?"))
    ['CLL', 'uFL']
    """
    return frozenset(_SHORT.findall(question))


def defined_names(question: str, texts: Iterable[str]) -> dict[str, list[str]]:
    """What texts say that abbreviations of a question stand for, and how they shorten its names.

    The usual meaning of an abbreviation is the one that most often stands with it.

    >>> defined_names("What is NPC?", ["Nasopharyngeal carcinoma (NPC) is rare."])
    {'NPC': ['Nasopharyngeal carcinoma']}
    >>> defined_names("Is nasopharyngeal carcinoma rare?", ["Nasopharyngeal carcinoma (NPC) is."])
    {'Nasopharyngeal carcinoma': ['NPC']}
    """
    shorts, low = short_names(question), question.casefold()
    found: dict[str, Counter[str]] = {}
    spelling: dict[str, str] = {}
    for long, short in _definitions(texts):
        written = spelling.setdefault(long.casefold(), long)
        if short in shorts:
            found.setdefault(short, Counter())[written] += 1
        elif long.casefold() in low:
            found.setdefault(written, Counter())[short] += 1
    return {name: [other for other, _ in counted.most_common(1)] for name, counted in found.items()}


def _definitions(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    for text in texts:
        for found in abbreviations(text):
            yield (
                text[found.long_start : found.long_end],
                text[found.short_start : found.short_end],
            )


def in_full(question: str, names: NamesOf) -> str:
    """A question with its abbreviations written out, as a model of meaning reads it best.

    >>> in_full("What is NPC?", {"NPC": ["nasopharyngeal carcinoma"]})
    'What is nasopharyngeal carcinoma?'
    """
    for short in short_names(question):
        for other in tuple(names.get(short, ()))[:1]:
            question = re.sub(rf"\b{re.escape(short)}\b", other.replace("\\", ""), question)
    return question
