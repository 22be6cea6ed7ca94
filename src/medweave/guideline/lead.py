"""A child of whom little is told is led into the assessment, and not answered from one finding."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace

from medweave.guideline.danger import signs_named
from medweave.guideline.logic.evaluation import Evaluated
from medweave.guideline.logic.graph import Graph
from medweave.guideline.logic.questions import next_question
from medweave.guideline.logic.status import is_harmless, outcomes
from medweave.guideline.wording import Words
from medweave.language.passage import passage_of
from medweave.language.people import people_of
from medweave.model.assessment import STANDS, Assessment, ClassificationResult, NextQuestion
from medweave.model.guideline import DAYS_OF_A_MONTH
from medweave.model.question import FINDINGS, Question
from medweave.understanding.case.understood import ReportedCase
from medweave.understanding.intents.find import asks_in_words

_OWN_BY_AGE = re.compile(
    r"\b(?:my|our) [\w-]+[- ](?:year|month|week|day)s?[- ]olds?\b", re.IGNORECASE
)
"""A child who is named by an age alone."""
_SEVERAL = 3
"""Who names so many findings and asks which disease it is has the diseases that fit, too."""
_SHORT = 120
"""A longer text is not typed again."""


def is_complaint(reported: ReportedCase, graph: Graph) -> bool:
    """Whether a main symptom or a danger sign of the guideline is there."""
    return any(
        each.value is True and (observation.main_symptom or observation.danger_sign)
        for each in reported.findings
        if (observation := graph.observations.get(each.observation)) is not None
    )


def is_led(question: Question, reported: ReportedCase, graph: Graph) -> bool:
    """Whether the guideline leads on: it is for a child of this age, or for what it complains of.

    Somebody who names several findings and asks which disease it could be is answered that.
    """
    present = {m.entity for m in question.of_concept(*FINDINGS) if m.status != "absent"}
    asks = asks_in_words(question.text, question.language, "diagnosis")
    if asks and len(present) >= _SEVERAL:
        return False
    if reported.age_days is not None:
        return graph.guideline.ages.has(reported.age_days) is True
    return is_complaint(reported, graph) and is_the_writers(question.text)


def is_the_writers(text: str) -> bool:
    """Whether a text is of a child of the writer's: "is fever in a child dangerous?" is of none.

    >>> is_the_writers("My son has a cough"), is_the_writers("2 year old girl with a cough")
    (True, False)
    >>> is_the_writers("My 2 year old has a cough")
    True
    """
    child = people_of(passage_of(text)).child
    return _OWN_BY_AGE.search(text) is not None or (child is not None and child.of == "writer")


def also_to_ask(question: Question, graph: Graph, unasked: Sequence[str]) -> tuple[str, ...]:
    """Those of the danger signs that the question itself does not raise already."""
    raised = {sign.sign for sign in question.danger or ()}
    return tuple(
        name for name in unasked if not raised & signs_named(graph.observations[name].label)
    )


def awaiting_signs(assessment: Assessment, unasked: Sequence[str], words: Words) -> Assessment:
    """An assessment in which no acute illness stands before danger signs were asked, unless it is
    severe itself. What has no urgent form (exposure to HIV) waits for none."""
    if not unasked:
        return assessment
    known = words.graph.classifications
    urgent = {each.condition for each in known.values() if each.refer}
    waiting = {
        each.id
        for each in assessment.classifications
        if each.status in STANDS and each.severity != "severe"
        if each.condition in urgent or is_harmless(known[each.id])
    }
    why = words.say("signs_first", signs=words.observations(unasked))

    def held_back(each: ClassificationResult) -> ClassificationResult:
        missing = tuple(dict.fromkeys((*unasked, *each.missing)))
        return replace(each, status="possible", why=why, missing=missing)

    follow_ups = tuple(e for e in assessment.follow_ups if e.classification not in waiting)
    return replace(
        assessment,
        classifications=tuple(
            held_back(each) if each.id in waiting else each for each in assessment.classifications
        ),
        treatments=tuple(
            row for row in assessment.treatments if not waiting.issuperset(row.classifications)
        ),
        follow_ups=follow_ups,
        follow_up_days=min((each.days for each in follow_ups), default=None),
    )


def next_of_examination(state: Evaluated, count: int) -> tuple[NextQuestion, ...]:
    """What is asked after the danger signs, in the order of the examination."""
    results = outcomes(state)
    ahead: list[NextQuestion] = []
    passed = {each.id for each in state.graph.danger_signs}
    while len(ahead) < count:
        question = next_question(
            state, results, passed=passed, defaults_count=False, thorough=False
        )
        if question is None:
            break
        ahead.append(question)
        passed.add(question.observation)
    return tuple(ahead)


def way_on(text: str, reported: ReportedCase, guideline: str) -> str:
    """The command that asks the rest of the examination; what was told is not asked again.

    >>> way_on("my son coughs", ReportedCase(age_days=304, sex="male"), "sample")
    "medweave assess --text 'my son coughs'"
    >>> way_on("long " * 50, ReportedCase(age_days=304, sex="male", weight_kg=8.5), "own.yaml")
    'medweave assess --guideline own.yaml --age 10mo --sex male --weight 8.5kg'
    """
    parts = ["medweave", "assess"]
    if guideline != "sample":
        parts += ["--guideline", guideline]
    if len(text) <= _SHORT:
        return shlex.join([*parts, "--text", " ".join(text.split())])
    if reported.age_days is not None:
        months = round(reported.age_days / DAYS_OF_A_MONTH)
        parts += ["--age", f"{months}mo" if months > 1 else f"{reported.age_days}d"]
    if reported.sex:
        parts += ["--sex", reported.sex]
    if reported.weight_kg is not None:
        parts += ["--weight", f"{reported.weight_kg:g}kg"]
    return shlex.join(parts)
