"""The words by which sentences of texts are judged: sentence_words.yaml."""

from __future__ import annotations

import re

from medweave.language.data import rule_in_any


def sentence_rule(rule: str) -> re.Pattern[str]:
    """A rule of the file, in all languages."""
    return rule_in_any(rule, "retrieval", "passages", "sentence_words.yaml")
