"""Clauses of a text that may describe what somebody has, takes or does not bear.

Only clauses are read in which no medicine and no illness was named and nothing measured. What is
read is asked about and never taken as said: one in five is not so (decision 271).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from medweave.language.cues import read_mention
from medweave.language.passage import Passage, Span
from medweave.model.question import SUBSTANCES, Described, DescribedKind, Mention
from medweave.model.value import Value
from medweave.understanding.descriptions.model import shipped_descriptions

ASKED_FROM = 0.1
"""The certainty from which it is asked about; how it was chosen: decision 271."""
_NAMED = (*SUBSTANCES, "disease")
_MOST = 3
"""So many are asked about; of a longer text the surest."""
_CLAUSES = 40
"""So many clauses are read."""
_LONGEST = 160
_SHORTEST = {"zh": 2}
_FEW = 6
"""Characters of a clause that tells something."""
_ONE_WORD_FROM = 0.5
"""The certainty from which one word alone is asked about: "do they get along?" is no pregnancy."""
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
    known = [m.start for m in mentions if m.concept in _NAMED] + [v.start for v in values]
    for one in _read(passage, known):
        if one.entity not in best or best[one.entity].confidence < one.confidence:
            best[one.entity] = one
    return tuple(sorted(best.values(), key=lambda one: -one.confidence)[:_MOST])


def _read(passage: Passage, known: Sequence[int]) -> Iterator[Described]:
    language = passage.language
    model = shipped_descriptions(language)
    for start, end in _unread(passage, known):
        found = model.read(passage.text[start:end], language)
        if found is None or found.confidence < ASKED_FROM:
            continue
        span = (start + found.start, start + found.end)
        one_word = language == "en" and " " not in passage.text[slice(*span)]
        if one_word and found.confidence < _ONE_WORD_FROM:
            continue
        reading = read_mention(passage, *span)
        if reading.status == "absent" or reading.experiencer == "other" or reading.family:
            continue
        kind, _, entity = found.label.partition(" ")
        yield Described(*span, passage.text[slice(*span)], _KINDS[kind], entity, found.confidence)


def _unread(passage: Passage, known: Sequence[int]) -> Iterator[Span]:
    """The clauses in which nothing is named or measured that a state could be."""
    least = _SHORTEST.get(passage.language, _FEW)
    for start, end in passage.clauses[:_CLAUSES]:
        if least <= len(
            passage.text[start:end].strip(" ,.;:?!，。？！；、")
        ) <= _LONGEST and not any(start <= place < end for place in known):
            yield start, end
