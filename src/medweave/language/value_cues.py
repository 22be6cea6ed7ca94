"""How a value of a text is meant: of the person, denied, over, a norm, or only supposed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from medweave.language.cues import Reading, read_mention
from medweave.language.folding import lower
from medweave.language.values import FAR, NEAR, ValueRules, value_rules
from medweave.model.value import Value

_SENTENCE = 400
"""How many characters before a value can say how it is meant."""
_CLAUSE_END = re.compile(r"[,.;!?，。；！？\n](?!\d)")


def read_value(
    text: str, value: Value, language: str, named: Iterable[tuple[int, int]] = ()
) -> Reading:
    """How a value is meant, as `read_mention` tells it of names; it is always said of somebody.

    A denial reaches no further than a comma or a name (`named` are the spans of names): "no fever,
    40 °C" denies the fever and not the number. What is only a norm, or supposed, is `hypothetical`.
    Doubt is not heard: "could it be flu with 39 °C?" doubts the flu.

    >>> from medweave.language.values import read_values
    >>> text = "no fever, 40 °C"
    >>> read_value(text, read_values(text, "en")[0], "en").status
    'present'
    """
    rules = value_rules(language)
    before = lower(text[max(0, value.start - FAR) : value.start])
    low, high = max(0, value.start - _SENTENCE), value.end + FAR
    parted = _parted(
        text[low:high], value.start - low, rules, ((s - low, e - low) for s, e in named)
    )
    reading = read_mention(parted, value.start - low, value.end - low, language)
    if rules.fits("reference_before", before) or rules.fits("supposed_before", before):
        return replace(reading, status="hypothetical")
    if reading.status == "unknown":
        return replace(reading, status="present", doubted=False)
    return reading


def said_near(text: str, value: Value, language: str, rule: str) -> bool:
    """Whether a rule ("earlier", "axillary", "activity") fits in the clause of a value."""
    before = _CLAUSE_END.split(lower(text[max(0, value.start - NEAR) : value.start]))[-1]
    after = _CLAUSE_END.split(lower(text[value.end : value.end + NEAR]))[0]
    return value_rules(language).fits(f"{rule}_near", before + "~" + after)


def _parted(text: str, place: int, rules: ValueRules, named: Iterable[tuple[int, int]]) -> str:
    """A text with commas and names before a place made ends of what is denied."""
    head = re.sub(r"[,，、](?![0-9])", ";", text[:place])
    for start, end in named:
        between = text[max(0, end) : place]
        if not 0 <= start < end <= place:
            continue
        if not between.strip() or not rules.patterns["filler"].fullmatch(lower(between)):
            head = head[:start] + ";" * (end - start) + head[end:]
    return head + text[place:]
