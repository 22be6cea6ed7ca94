"""What a guideline says beside an answer, in words: what stands, what to do, what to ask next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from medweave.faces.texts import page_texts
from medweave.faces.texts.treatment import steps_in_words
from medweave.model.assessment import STANDS, ClassificationResult
from medweave.model.guideline_answer import GuidelineAnswer


@dataclass(frozen=True, slots=True)
class Told:
    """A line: what begins it, what it says, and what helps at a command line alone."""

    text: str
    head: str = ""
    colour: str = ""
    step: bool = False
    """Whether it is a thing to do."""
    at_a_terminal: str = ""


def what_stands(found: GuidelineAnswer, language: str = "en") -> Iterator[Told]:
    """What stands, what to do and what to ask next, without the reasons."""
    assessment, texts = found.assessment, page_texts(language)["guideline"]
    for warning in (*assessment.warnings, *assessment.contradictions):
        yield Told(warning, texts["check"])
    if assessment.refer:
        yield Told(assessment.refer, texts["refer"], "pink")
    if found.way_on:
        yield Told(texts["lead"])
    for result in assessment.classifications:
        if result.status in STANDS:
            yield _result(result, language)
            rows = [row for row in assessment.treatments if row.classification == result.id]
            done = () if found.goes_now else steps_in_words(rows, language)
            yield from (Told(step, step=True) for step in done)
    if found.goes_now and assessment.treatments:
        yield Told(texts["before_journey"], at_a_terminal=texts["before_journey_more"])
    elif any(row.drug for row in assessment.treatments):
        yield Told(texts["before_drugs"])
    if assessment.follow_up_days is not None and not assessment.refer:
        yield Told(texts["back"].format(n=assessment.follow_up_days))
    if assessment.next_question:
        rest = "" if found.way_on else texts["rest"]
        yield Told(assessment.next_question.text, texts["next"], at_a_terminal=rest)


def _result(result: ClassificationResult, language: str) -> Told:
    texts = page_texts(language)["guideline"]
    colour = f"{texts['colours'][result.colour]}: " if result.colour else ""
    return Told(
        f"({texts['statuses'][result.status]})", f"{colour}{result.label}", result.colour or ""
    )
