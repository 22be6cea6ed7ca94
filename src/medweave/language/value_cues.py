"""How a value of a text is meant: of the person, denied, over, a norm, or only supposed."""

from __future__ import annotations

import re
from dataclasses import replace

from medweave.language.cues import Reading, read_mention
from medweave.language.folding import lower
from medweave.language.passage import CLAUSE_MARK, Passage
from medweave.language.segmentation import SENTENCE_END
from medweave.language.values import FAR, NEAR, ValueRules, value_rules
from medweave.model.value import Value

_PART = 400
"""Characters before a value in which what stands may deny it."""
_COMMA = re.compile(r"[,，、](?!\d)")
_CLAUSE_END = re.compile(f"{SENTENCE_END.pattern}|{CLAUSE_MARK.pattern}")


def read_value(passage: Passage, value: Value) -> Reading:
    """How a value is meant, as `read_mention` tells it of names; it is always said of somebody.

    A denial reaches no further than a comma or a name: "no fever, 40 °C" denies the fever and not
    the number. What is only a norm, or supposed, is `hypothetical`. Doubt is not heard: "could it
    be flu with 39 °C?" doubts the flu. Under a heading of the past a note gives what was measured
    last: "PMH: eGFR 22" is so now.

    >>> from medweave.language.passage import passage_of
    >>> from medweave.language.values import read_values
    >>> text = "no fever, 40 °C"
    >>> read_value(passage_of(text), read_values(text, "en")[0]).status
    'present'
    """
    rules = value_rules(passage.language)
    before = passage.plain[max(0, value.start - FAR) : value.start]
    since = _own_part(passage, value, rules)
    reading = read_mention(passage, value.start, value.end, since=since, of_a_list=False)
    if rules.fits("reference_before", before) or rules.fits("supposed_before", before):
        return replace(reading, status="hypothetical")
    if reading.status == "unknown":
        return replace(reading, status="present", doubted=False)
    return reading


def cue_near_value(text: str, value: Value, language: str, rule: str) -> bool:
    """Whether a rule ("earlier", "axillary", "activity") fits in the clause of a value."""
    before = _CLAUSE_END.split(lower(text[max(0, value.start - NEAR) : value.start]))[-1]
    after = _CLAUSE_END.split(lower(text[value.end : value.end + NEAR]))[0]
    return value_rules(language).fits(f"{rule}_near", before + "~" + after)


def _own_part(passage: Passage, value: Value, rules: ValueRules) -> int:
    """Where the part of a sentence begins that can deny a value: behind a comma, a name, or the
    heading of a history."""
    first = max(0, value.start - _PART)
    commas = [match.end() for match in _COMMA.finditer(passage.plain, first, value.start)]
    names = [
        end
        for start, end in passage.names
        if first <= end <= value.start and _parts(passage.plain[end : value.start], rules)
    ]
    before = passage.plain[first : value.start]
    headings = [first + match.end() for match in rules.patterns["history"].finditer(before)]
    return max([0, *commas, *names, *headings])


def _parts(between: str, rules: ValueRules) -> bool:
    """Whether a name stands apart from the value behind it, and is not what is measured."""
    return not between.strip() or not rules.patterns["filler"].fullmatch(between)
