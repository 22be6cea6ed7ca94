"""What a free text tells of a child, for a guided assessment: answers, allergies, danger."""

from __future__ import annotations

from dataclasses import dataclass, replace

from medweave.assessment.session import Session
from medweave.guideline.case_reader import CaseReader
from medweave.guideline.danger import signs_in_text
from medweave.language.typed import evened
from medweave.model.assessment import UnderstoodFinding
from medweave.model.findings import FindingValue
from medweave.model.question import DangerSign

UNREAD = "words_not_understood"
"""The sign that words of a text which nothing took may be: the record has it, and not the words."""


@dataclass(frozen=True, slots=True)
class FreeText:
    """What a text tells beside what is known already; doubt in it is left to be asked."""

    answers: tuple[tuple[str, FindingValue], ...]
    """(age, sex, weight or an observation, its value) of what has no answer yet."""
    allergies: tuple[str, ...]
    findings: tuple[UnderstoodFinding, ...]
    """What is taken from it and was not known, to be shown."""
    questionable: tuple[str, ...]
    """What cannot be, or contradicts something."""
    signs: tuple[DangerSign, ...]
    unread: tuple[str, ...]
    """Words that nothing took: one of them may be a danger sign."""

    @property
    def in_crisis(self) -> bool:
        """Whether it speaks of suicide or violence: nothing is asked or told beside that."""
        return any(sign.kind == "crisis" and sign.status == "present" for sign in self.signs)


def read_free_text(session: Session, text: str) -> FreeText:
    """A text as what it tells in an assessment."""
    text = evened(text).text
    before, reader = session.case.findings, CaseReader(session.graph)
    read = reader.with_text(replace(before, text=text))
    found = read.findings
    person = {"age": found.age_days, "sex": found.sex, "weight": found.weight_kg}
    signs = signs_in_text(text, found)
    return FreeText(
        answers=tuple(
            (about, value)
            for about, value in {**person, **found.values}.items()
            if value is not None and not session.is_answered(about)
        ),
        allergies=found.allergies,
        findings=tuple(
            each
            for each in read.understood
            if each.used and each.value is not None and each.observation not in before.values
        ),
        questionable=(*read.warnings, *read.contradictions),
        signs=tuple(signs),
        unread=tuple(each.text for each in reader.unread(text, read, signs)),
    )
