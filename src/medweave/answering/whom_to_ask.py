"""Whom to ask where nothing that is held answers a question: who looks after what it is about."""

from __future__ import annotations

import re
from functools import cache

from medweave.language.data import rules_in
from medweave.language.folding import lower
from medweave.model.question import SUBSTANCES, Question

_ANYONE, _MEDICINE = "anyone", "medicine"


def whom_to_ask(question: Question) -> str:
    """Who can tell more, by the words of a question, and of a medicine that it names a pharmacist.

    >>> whom_to_ask(Question("May I have an MRI with my pacemaker?", "en"))
    'the clinic that looks after the device, and the department that does the scan or the operation'
    >>> whom_to_ask(Question("Who won the match?", "en"))
    'a doctor, nurse or pharmacist'
    """
    text, table = lower(question.as_written or question.text), _table(question.language)
    found = next(kind for kind, (words, _) in table.items() if words.search(text))
    if found == _ANYONE and question.of_concept(*SUBSTANCES):
        found = _MEDICINE
    return table[found][1]


@cache
def _table(language: str) -> dict[str, tuple[re.Pattern[str], str]]:
    rules = rules_in(language, "answering", "whom_to_ask.yaml")
    return {kind: (re.compile(one["words"]), one["whom"]) for kind, one in rules.items()}
