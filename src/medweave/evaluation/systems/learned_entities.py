"""Entities by the base and by what training texts have labelled, as far as these bear both out.

A form that training texts hold is of the class that it has there most often, and none where it
mostly goes unlabelled; of any other form the base tells. The longest form wins, and of one stretch
what was learned.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from medweave.evaluation.items import Found, GoldMention, Item, Ranked
from medweave.evaluation.systems.entity_dictionary import EntityDictionary
from medweave.evaluation.systems.training_dictionary import WORD
from medweave.language.folding import name_key

_ABBREVIATION = 5
"""A form in capitals of at most so many characters is found in capitals only."""
_NONE = ""
"""The class of what goes unlabelled."""


class LearnedEntities:
    """What the base finds and what was learned, together."""

    def __init__(self, cases: Sequence[Item], base: EntityDictionary) -> None:
        self._base = base
        forms = [c.text[m.start : m.end] for c in cases for m in c.mentions]
        self._longest = max((len(_words(form)) for form in forms), default=0)
        self._known = frozenset(map(_key, forms))
        self._first = frozenset(
            name_key(form[start:end]) for form in forms for start, end in _words(form)[:1]
        )
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for case in cases:
            for key, name in self._labelled(case):
                votes[key][name] += 1
        self._classes = {key: _most(some) for key, some in votes.items()}

    def rank(self, item: Item) -> Ranked:
        """No labels, but what stands where."""
        found: list[Found] = []
        taken = bytearray(len(item.text))
        for one in sorted(self._spans(item.text), key=lambda f: (f.start - f.end, f.start)):
            key = _key(item.text[one.start : one.end])
            name = self._classes.get(key, one.concept)
            if name != _NONE and not any(taken[one.start : one.end]):
                taken[one.start : one.end] = b"\x01" * (one.end - one.start)
                how = "trained" if key in self._classes else one.how
                found.append(Found(one.start, one.end, name, how))
        found.sort(key=lambda one: one.start)
        return Ranked(recognised=bool(found), found=tuple(found))

    def _labelled(self, case: Item) -> Iterator[tuple[str, str]]:
        """The forms of a training text with their classes; parts of longer ones tell nothing."""
        labelled = {(m.start, m.end): m.concept for m in case.mentions}
        spans = {(one.start, one.end) for one in self._spans(case.text)} | set(labelled)
        for start, end in spans:
            name = labelled.get((start, end), _NONE)
            if name != _NONE or not _is_part(start, end, case.mentions):
                yield _key(case.text[start:end]), name

    def _spans(self, text: str) -> Iterator[Found]:
        """All that may be named in a text, by the base or by a form that was labelled."""
        yield from self._base.find(text)
        words = _words(text)
        for at, (start, first_end) in enumerate(words):
            if name_key(text[start:first_end]) not in self._first:
                continue
            for _, end in words[at : at + self._longest]:
                if _key(text[start:end]) in self._known:
                    yield Found(start, end, _NONE)


def _words(text: str) -> list[tuple[int, int]]:
    """Where words and signs stand; a hyphen is neither, so that no span begins or ends with it."""
    return [match.span() for match in WORD.finditer(text) if name_key(match[0])]


def _key(form: str) -> str:
    return form if len(form) <= _ABBREVIATION and form.isupper() else name_key(form)


def _most(votes: Counter[str]) -> str:
    """What most say; of as many, that it is labelled."""
    return max(sorted(votes), key=lambda name: (votes[name], name != _NONE))


def _is_part(start: int, end: int, mentions: Sequence[GoldMention]) -> bool:
    return any(m.start <= start and end <= m.end for m in mentions)
