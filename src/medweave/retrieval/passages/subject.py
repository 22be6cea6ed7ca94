"""What a question is about, as far as it names it: "rectal cancer", and not any cancer.

A sentence is worded like a question and speaks of something else more often than not: "initial
treatment for anal cancer" is no answer to "the initial treatment for MGZL", nor what is done about
the bladder one to a question about the rectum.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from medweave.language.segmentation import is_han, stop_names
from medweave.retrieval.passages.other_names import NamesOf, short_names
from medweave.retrieval.passages.question_kinds import content_terms, frame_stems, loose_stems

_BESIDE = 2
"""So many words before a name may say which of its kind it is: "small cell" lung cancer."""
_AROUND = 0.6
"""What a name counts that stands in the passage of a sentence alone."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The things that a question names, each by all its names; all by their stems."""

    things: tuple[tuple[frozenset[str], ...], ...] = ()
    kinds: tuple[tuple[str, frozenset[str]], ...] = ()
    """The last word of each name that says which of its kind is meant, and the words that say so.
    """

    @classmethod
    def of(cls, question: str, names: NamesOf) -> Subject:
        """What is named in a question; `names` are further names of things, by that there.

        >>> subject = Subject.of("Which tests find rectal cancer?", {"cancer": ["tumour"]})
        >>> [sorted(name) for name in subject.things[0]]
        [['cancer', 'rectal'], ['rectal', 'tumour']]
        """
        stems, things, kinds = content_terms(question), [], []
        for name in dict.fromkeys((*names, *sorted(short_names(question)))):
            own = tuple(content_terms(name))
            which = _which(stems, own)
            others = (tuple(content_terms(other)) for other in names.get(name, ()))
            every = (own, *others) if own else ()
            held = tuple(dict.fromkeys(frozenset((*which, *each)) for each in every if each))
            if held:
                things.append(held)
            if which:
                kinds.append((own[-1], frozenset((*which, *own[:-1]))))
        return cls(tuple(things), tuple(kinds))

    def held(self, told: Collection[str], around: Collection[str]) -> float:
        """How much of what is named stands in a sentence or above it, or at least around it: from 0
        to 1.

        >>> subject = Subject.of("What is BCC?", {})
        >>> subject.held(["bcc"], []), subject.held(["npc"], ["bcc"])
        (1.0, 0.6)
        """
        if not self.things:
            return 0.0

        def weight(stem: str) -> float:
            return 1.0 if stem in told else _AROUND if stem in around else 0.0

        best = (max(sum(map(weight, n)) / len(n) for n in names) for names in self.things)
        return sum(best) / len(self.things)

    def is_another(self, terms: Sequence[str]) -> bool:
        """Whether a sentence speaks of another one of the same kind, and not of the one named.

        >>> subject = Subject.of("Which tests find rectal cancer?", {"cancer": []})
        >>> subject.is_another(content_terms("Bladder cancer is found by cystoscopy."))
        True
        >>> subject.is_another(content_terms("The cancer is found by colonoscopy."))
        False
        """
        if not self.kinds:
            return False
        with_which = {word for before, word in pairwise(terms) if not _says_nothing(before)}
        return any(last in with_which and which.isdisjoint(terms) for last, which in self.kinds)


def _which(stems: Sequence[str], own: Sequence[str]) -> tuple[str, ...]:
    """The stems right before a name in a question that say which of its kind is meant."""
    for at in _places(stems, own):
        which: list[str] = []
        for stem in reversed(stems[max(0, at - _BESIDE) : at]):
            if _says_nothing(stem):
                break
            which.insert(0, stem)
        return tuple(which)
    return ()


def _places(stems: Sequence[str], own: Sequence[str]) -> Iterator[int]:
    size = len(own)
    if size and not any(map(is_han, own)):
        yield from (
            at for at in range(len(stems) - size + 1) if tuple(stems[at : at + size]) == tuple(own)
        )


@cache
def _says_nothing(stem: str) -> bool:
    """Whether a word before a name does not say which of its kind is meant: "the", "common"."""
    return stem in stop_names() or stem in frame_stems() or stem in loose_stems() or len(stem) == 1
