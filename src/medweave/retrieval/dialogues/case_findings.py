"""Whether a past case meets a person on what is present: a finding denied there is none of it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from medweave.language.cues import read_mention
from medweave.language.passage import passage_of
from medweave.model.question import FINDINGS, Mention, Question


def meets(reported: Iterable[str], question: Question) -> bool:
    """Whether what was told in a case denies nothing that the question tells as present.

    A finding that the case does not speak of in these words is left open: it was compared by
    meaning.

    >>> fever = Mention(0, 5, "fever", "x:fever", "fever", "symptom", status="present")
    >>> asked = Question("fever", "en", (fever,))
    >>> meets(["No fever, no chest pain."], asked), meets(["A high fever since Monday."], asked)
    (False, True)
    """
    texts = list(reported)
    names = {frozenset((m.text.lower(), m.name.lower())) for m in _present(question)}
    return not any(_denied(some, texts, question.language) for some in names)


def _present(question: Question) -> list[Mention]:
    return [
        mention
        for mention in question.of_concept(*FINDINGS)
        if mention.status == "present" and mention.experiencer == "patient"
    ]


def _denied(names: Iterable[str], texts: list[str], language: str) -> bool:
    """Whether the texts speak of a finding, by any of its names, only to deny it."""
    statuses = []
    for text in texts:
        passage = passage_of(text, language)
        for name in names:
            for found in re.finditer(re.escape(name), text.lower()):
                statuses.append(read_mention(passage, *found.span()).status)
    return bool(statuses) and all(status == "absent" for status in statuses)
