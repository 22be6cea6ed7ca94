"""Whatever is known of a child, what the sample guideline says of it is wholly in Chinese."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from medweave.assessment.session import Session
from medweave.errors import FindingsError
from medweave.faces.terminal.assessing import print_end, print_explanation, print_question
from medweave.guideline.loading import graph_in
from medweave.guideline.logic.evaluation import evaluate
from medweave.guideline.logic.graph import Graph
from medweave.guideline.logic.status import assess
from medweave.guideline.wording import Words
from medweave.model.assessment import Assessment
from medweave.model.findings import UNAVAILABLE, Findings, FindingValue
from medweave.model.guideline import answers_of

WORD = re.compile(r"[A-Za-z]{2,}")
KNOWN = {
    "HIV", "PCR", "RUTF", "ReSoMal", "IU", "mg", "mL", "kg", "mm", "cm", "mmol", "dL", "mmHg",
    "sample", "child", "health", "medweave", "amoxicillin", "oximeter", "penicillin",
}  # fmt: skip


@cache
def graph() -> Graph:
    return graph_in("sample")


def child(seed: int) -> Findings:
    """A child of whom a part is known, at random."""
    drawn = random.Random(seed)
    age = drawn.choice([3, 20, 70, 200, 400, 900, 1500, None])
    values: dict[str, FindingValue] = {}
    for name, observation in graph().observations.items():
        if observation.derived is not None or drawn.random() < drawn.choice([0.3, 0.7]):
            continue
        if drawn.random() < 0.05:
            values[name] = UNAVAILABLE
        elif observation.kind == "number":
            low, high = observation.range
            values[name] = round(drawn.uniform(low or 0, high or 50), 1)
        elif options := answers_of(observation):
            values[name] = drawn.choice(options).id
    return Findings(
        age_days=age,
        weight_kg=drawn.choice([None, 3.0, 6.0, 12.0]),
        values=values,
        allergies=drawn.choice([(), ("penicillin",)]),
        resources=drawn.choice([{}, {"amoxicillin": False}, {"oximeter": False}]),
    )


def texts(found: Assessment) -> Iterator[str]:
    yield from (each.label for each in found.classifications)
    yield from (each.why for each in found.classifications)
    for row in found.treatments:
        yield from (row.label, row.text, row.formulation, row.route, row.duration, row.note)
    if found.next_question:
        yield from (found.next_question.text, found.next_question.why)
    yield from (found.refer or "", *found.warnings, *found.contradictions)
    yield from (row.when for row in found.follow_ups)


def in_english(told: str) -> list[str]:
    return [word for word in WORD.findall(told) if word not in KNOWN]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_an_assessment_is_told_in_chinese(seed: int) -> None:
    findings = child(seed)
    try:
        state = evaluate(graph(), findings)
    except FindingsError:
        return
    for told in texts(Words(graph(), "zh").told(assess(state))):
        assert not in_english(told), told


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_a_talk_is_in_chinese(seed: int) -> None:
    drawn, words = random.Random(seed), Words(graph(), "zh")
    shown = io.StringIO()
    console = Console(file=shown, width=200)
    session = Session.of(graph()).answer("age", drawn.choice([10, 200, 900]))
    for _ in range(12):
        question = session.next_question()
        if question is None:
            break
        print_question(session, question, console, words)
        before = shown.tell()
        print_explanation(session, question, console, words)
        source = shown.getvalue()[before:].rpartition("来源")[2]
        assert not in_english(shown.getvalue()[before:].replace(source, ""))
        about = graph().observations.get(question.observation)
        options = answers_of(about) if about else ()
        value = drawn.choice(options).id if options else 30 if about else 8
        try:
            session = session.answer(question.observation, value)
        except FindingsError:
            break
    shown.truncate(0)
    print_end(session, words.told(session.assessment()), "", console, words)
    assert not in_english(shown.getvalue())


def test_every_text_of_the_guideline_is_in_chinese() -> None:
    guideline, words = graph().guideline, Words(graph(), "zh")
    texts = set[str]()
    for each in guideline.observations:
        texts |= {each.label, each.question, each.help, *(a.label for a in each.answers)}
    for classification in guideline.classifications:
        texts.add(classification.label)
        for step in classification.treatments:
            texts |= {step.label, step.text, step.duration, *(f.when for f in step.follow_ups)}
            for form in step.formulations:
                texts |= {form.label, form.instructions, form.route}
    assert not [text for text in texts if in_english(words(text))]
