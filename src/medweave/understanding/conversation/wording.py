"""The words by which a turn of a conversation refers to what was said: rules/conversation.yaml."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.folding import lower
from medweave.model.question import Question


def written(question: Question) -> str:
    """What was written, in lower case, and not what it asks in full."""
    return lower(question.as_written or question.text)


def says(rule: str, question: Question) -> bool:
    """Whether a rule fits what was written."""
    return pattern(rule, question.language).search(written(question)) is not None


def words(language: str) -> dict[str, str]:
    """Words to make a whole question of parts."""
    found: dict[str, str] = _rules(language)["words"]
    return found


@cache
def pattern(rule: str, language: str) -> re.Pattern[str]:
    """A rule of a language."""
    return re.compile(_rules(language)[rule])


def _rules(language: str) -> dict[str, Any]:
    found: dict[str, dict[str, Any]] = shipped_yaml("understanding", "rules", "conversation.yaml")
    return found[language_with_rules(language)]
