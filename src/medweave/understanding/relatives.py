"""Whose a finding is where somebody tells of a relative and of themselves.

"My mother has diabetes" may be asked for her, and counts as of the person the question is about.
"My mother has diabetes and I have a headache" is not: her diabetes is somebody else's.
Danger signs are read apart from this: whoever is in danger counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from medweave.language.folding import lower, simplified
from medweave.language.needed import expression
from medweave.model.question import FINDINGS, Mention
from medweave.understanding.patient import patient_rules

_NEAR = 60
"""How many characters before a finding say whose it is."""
_CLAUSE_END = re.compile(r"[.!?;\n。！？；]")


def of_relatives(text: str, language: str, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """The mentions, with what relatives have as another person's where the writer reports too."""
    rules = patient_rules(language)
    lowered = simplified(lower(text)) if language == "zh" else lower(text)
    if not expression(rules["relative"]).search(lowered):
        return mentions
    findings = [m for m in mentions if m.concept in FINDINGS and m.experiencer == "patient"]
    theirs = {m.start for m in findings if _said_with(rules["relative_before"], lowered, m)}
    own = (m for m in findings if m.start not in theirs)
    if not theirs or not _any_own(own, rules["own_before"], lowered):
        return mentions
    if expression(rules["relative_again"]).search(lowered[min(theirs) :]):
        return mentions  # more is told of the relative, so it may be asked for them
    return tuple(replace(m, experiencer="other") if m.start in theirs else m for m in mentions)


def _any_own(findings: Iterable[Mention], pattern: str, text: str) -> bool:
    return any(m.status != "unknown" and _said_with(pattern, text, m) for m in findings)


def _said_with(pattern: str, text: str, mention: Mention) -> bool:
    before = _CLAUSE_END.split(text[max(0, mention.start - _NEAR) : mention.start])[-1]
    return expression(pattern).search(before) is not None
