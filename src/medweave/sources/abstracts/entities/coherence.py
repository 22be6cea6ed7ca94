"""One text, one meaning: what is named in one sentence is named in all others.

A short form has the type of the long form that it is defined by, and what was found somewhere is
found wherever it stands, unless it stands far more often without having been found.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from medweave.language.abbreviations import Abbreviation, abbreviations
from medweave.sources.abstracts.entities.spans import Span, SpanIndex

_SHORTEST = 2
_DOUBTED = 2
"""A name that goes unnoticed more than so many times as often as it is found is left as it is."""


def coherent(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans with those that follow from them, in order, without overlaps.

    >>> text = "Macular oedema (MO) is seen. MO goes."
    >>> [text[s.start : s.end] for s in coherent(text, [Span(0, 14, "sign")])]
    ['Macular oedema', 'MO', 'MO']
    """
    found = SpanIndex(spans)
    for abbreviation in abbreviations(text):
        _add_abbreviation(found, abbreviation)
    _add_everywhere(text, found)
    return tuple(sorted(found.spans))


def _add_abbreviation(spans: SpanIndex, defined: Abbreviation) -> None:
    long = spans.overlapping(defined.long_start, defined.long_end)
    short = spans.overlapping(defined.short_start, defined.short_end)
    whole = sorted(span for span in long if span.end == defined.long_end)
    if whole:
        for span in short:
            spans.remove(span)
        spans.add(Span(defined.short_start, defined.short_end, whole[0].type))
    elif short and not long:
        spans.add(Span(defined.long_start, defined.long_end, min(short).type))


def _add_everywhere(text: str, found: SpanIndex) -> None:
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for span in sorted(found.spans):
        votes[_form(text[span.start : span.end])][span.type] += 1
    for name in sorted(votes, key=lambda each: (-len(each), each)):
        if len(name) < _SHORTEST or name.isdigit():
            continue
        flags = re.NOFLAG if name.isupper() else re.IGNORECASE
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", flags)
        places = [m.span() for m in pattern.finditer(text) if found.is_free(*m.span())]
        if len(places) <= _DOUBTED * votes[name].total():
            type_ = votes[name].most_common(1)[0][0]
            for start, end in places:
                found.add(Span(start, end, type_))


def _form(name: str) -> str:
    return name if name.isupper() else name.lower()
