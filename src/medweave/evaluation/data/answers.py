"""Questions with answers in words: the records of the task `answers`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from medweave.evaluation.items import Item
from medweave.language.segmentation import language_of


def answer_item(record: Mapping[str, Any], identifier: str) -> Item | str:
    """A question with its right answer, or several of which any is right, and where it stands.

    >>> record = {"question": "What is gout?", "answer": "A kind of arthritis.", "type": "fact"}
    >>> answer_item(record, "1").groups
    ('type=fact', 'language=en')
    """
    question = record.get("question")
    if not isinstance(question, str) or not question.strip():
        return "no question"
    answers = _texts(record.get("answer")) or _texts(record.get("answers"))
    if not answers:
        return "no answer"
    kind = record.get("question_type", record.get("type"))
    typed = (f"type={kind}",) if isinstance(kind, str) and kind else ()
    return Item(
        identifier,
        answers,
        question.strip(),
        evidence=_texts(record.get("evidence")),
        groups=(*typed, f"language={language_of(question)}"),
    )


def _texts(value: Any) -> tuple[str, ...]:
    given = value if isinstance(value, list) else [value]
    return tuple(text for text in given if isinstance(text, str) and text.strip())
