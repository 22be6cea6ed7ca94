"""The words by which a turn of a conversation refers to what was said: rules/conversation.yaml."""

from __future__ import annotations

import re

from medweave.language.data import rule_in, rules_in
from medweave.language.folding import lower
from medweave.language.people_rules import people_rules
from medweave.model.question import Question
from medweave.understanding.rule_files import CONVERSATION_RULES


def written(question: Question) -> str:
    """What was written, in lower case, and not what it asks in full."""
    return lower(question.as_written or question.text)


def says(rule: str, question: Question) -> bool:
    """Whether a rule fits what was written."""
    return pattern(rule, question.language).search(written(question)) is not None


def asking(language: str) -> re.Pattern[str]:
    """Where a clause asks something."""
    return people_rules(language).asking.compiled


def asks_in_words(question: Question) -> bool:
    """Whether what was written asks something in words of asking, or with a mark."""
    return asking(question.language).search(written(question)) is not None


def words(language: str) -> dict[str, str]:
    """Words to make a whole question of parts."""
    found: dict[str, str] = rules_in(language, *CONVERSATION_RULES)["words"]
    return found


def pattern(rule: str, language: str) -> re.Pattern[str]:
    """A rule of a language."""
    return rule_in(language, rule, *CONVERSATION_RULES)
