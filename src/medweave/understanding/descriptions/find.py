"""Clauses of a text that may describe what somebody has, takes or does not bear.

A clause is read without the medicines and illnesses that it names: "the TB clinic has me on
capsules that turn my water orange" describes a medicine beside a name, "I have gout" nothing. What
is read is asked about and never taken as said: one in five is not so (decisions 271 and 310).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from medweave.language.cues import read_mention
from medweave.language.folding import blotted
from medweave.language.passage import Passage, Span
from medweave.language.people import people_of
from medweave.model.question import SUBSTANCES, Described, DescribedKind, Mention
from medweave.model.value import Value
from medweave.understanding.descriptions.model import shipped_descriptions

ASK_THRESHOLD = 0.1
"""The certainty from which it is asked about; how it was chosen: decision 271."""
BESIDE_NAMES_FROM = 0.2
"""The certainty from which it is asked about what is left of a clause that names something."""
_NAMED = (*SUBSTANCES, "disease")
_MOST = 3
"""So many are asked about; of a longer text the surest."""
_CLAUSES = 40
"""So many clauses are read."""
_PART_FROM = 0.3
"""The certainty from which it is asked about a part of a clause: decision 383."""
_SHORTEST_PART = 3
"""Words of such a part: "my HIV" is none."""
_JOINS = re.compile(
    r"\b(?:and|but|where|which|who|whose|who's|because|so that|so|since|with|when|whenever|while"
    r"|that|for)\b",
    re.I,
)
"""What joins parts of a clause that each may describe something."""
_LONGEST = 160
_SHORTEST = {"zh": 2}
_FEW = 6
"""Characters of a clause that tells something."""
_ONE_WORD_FROM = 0.5
"""The certainty from which one word alone is asked about: "do they get along?" is no pregnancy."""
_AROUND = " ,.;:?!，。？！；、"
_OF_NO_STATE = frozenset(("", "dose", "duration", "onset"))
"""What a number may be besides a measurement."""
_KINDS: dict[str, DescribedKind] = {"has": "condition", "takes": "drug", "allergy": "allergy"}


def find_descriptions(
    passage: Passage, mentions: Sequence[Mention], values: Sequence[Value] = ()
) -> tuple[Described, ...]:
    """What a text may describe, the surest first; a clause with one of its `values` was read.

    >>> from medweave.language.passage import passage_of
    >>> found = find_descriptions(passage_of("I use a spray under the tongue for my chest."), ())
    >>> [(one.kind, one.entity, one.text) for one in found]
    [('drug', 'mw.substance:nitrates', 'spray under the tongue for my chest')]
    """
    best: dict[str, Described] = {}
    named = [(m.start, m.end) for m in mentions if m.concept in _NAMED]
    measured = [v.start for v in values if v.quantity not in _OF_NO_STATE]
    for one in _read(passage, named, measured):
        if one.entity not in best or best[one.entity].confidence < one.confidence:
            best[one.entity] = one
    return tuple(sorted(best.values(), key=lambda one: -one.confidence)[:_MOST])


def _read(passage: Passage, named: Sequence[Span], measured: Sequence[int]) -> Iterator[Described]:
    language = passage.language
    model = shipped_descriptions(language)
    unnamed = blotted(passage.text, [*named, *_relatives(passage)], " ")
    for start, end, least in _stretches(passage, measured):
        within = [span for span in named if start <= span[0] < end]
        found = model.read(unnamed[start:end], language)
        if found is None or found.confidence < max(least, BESIDE_NAMES_FROM if within else least):
            continue
        span = (start + found.start, start + found.end)
        if language == "en" and " " not in passage.text[slice(*span)]:
            if found.confidence < _ONE_WORD_FROM:
                continue
            span = _all_of(passage.text, start, end)  # one word alone tells nobody what is meant
        reading = read_mention(passage, *span)
        if reading.status == "absent" or reading.experiencer == "other" or reading.family:
            continue
        kind, _, entity = found.label.partition(" ")
        if within and kind == "allergy":
            continue  # "allergic to": what it is to is named
        yield Described(*span, passage.text[slice(*span)], _KINDS[kind], entity, found.confidence)


def _relatives(passage: Passage) -> list[Span]:
    """Words for relatives: a grandmother (奶奶) nurses nobody."""
    return [(p.start, p.end) for p in people_of(passage).all if p.role == "relative"]


def _all_of(text: str, start: int, end: int) -> Span:
    """A clause but for the marks and blanks around it."""
    bare = text[start:end].strip(_AROUND)
    first = text.index(bare, start)
    return first, first + len(bare)


def _stretches(passage: Passage, measured: Sequence[int]) -> Iterator[tuple[int, int, float]]:
    """What is read, and from which certainty it counts: clauses, and the parts of English ones.

    What else a clause says is weighed with what describes something, and hides it.
    """
    for start, end in _unread(passage, measured):
        yield start, end, ASK_THRESHOLD
        joins = [] if passage.language == "zh" else list(_JOINS.finditer(passage.text, start, end))
        borders = [start, *(place for join in joins for place in join.span()), end]
        for first, last in zip(borders[::2], borders[1::2], strict=True):
            if joins and len(passage.text[first:last].split()) >= _SHORTEST_PART:
                yield first, last, _PART_FROM


def _unread(passage: Passage, measured: Sequence[int]) -> Iterator[Span]:
    """The clauses in which nothing is measured that is a state."""
    least = _SHORTEST.get(passage.language, _FEW)
    for start, end in passage.clauses[:_CLAUSES]:
        if least <= len(passage.text[start:end].strip(_AROUND)) <= _LONGEST and not any(
            start <= place < end for place in measured
        ):
            yield start, end
