"""Measures as people read them."""

from __future__ import annotations

_NAMES = {"macro_f1": "macro F1", "no_entity": "nothing recognised"}


def measure_name(measure: str) -> str:
    """A measure in words.

    >>> measure_name("accuracy_when_answered"), measure_name("macro_f1")
    ('accuracy when answered', 'macro F1')
    """
    return _NAMES.get(measure, measure.replace("_", " "))
