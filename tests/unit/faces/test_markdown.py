"""An answer as Markdown: each line leads to its sources, or says that nobody can open them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from medweave.faces.texts.markdown import NO_REFERENCE, answer_markdown, markdown_so_far
from medweave.knowledge_base import KnowledgeBase

_ROWS = """subject,predicate,object,subject_concept,object_concept,document
smoking,aggravates,age-related macular degeneration,risk_factor,disease,NCT00001615
smoking,aggravates,age-related macular degeneration,risk_factor,disease,pub.1001234567
obesity,aggravates,age-related macular degeneration,risk_factor,disease,my [own] notes
"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder: Path = tmp_path_factory.mktemp("papers")
    (folder / "papers.csv").write_text(_ROWS, "utf-8")
    with KnowledgeBase.open("memory:") as made:
        made.build([folder / "papers.csv"])
        yield made


def test_a_sentence_has_its_references_as_links(base: KnowledgeBase) -> None:
    said = answer_markdown(base.ask("Does smoking aggravate AMD?"))
    assert "[NCT00001615](https://clinicaltrials.gov/study/NCT00001615)" in said
    assert "[pub.1001234567](https://app.dimensions.ai/details/publication/pub.1001234567)" in said


def test_trials_can_be_shown_elsewhere(base: KnowledgeBase) -> None:
    said = answer_markdown(base.ask("Does smoking aggravate AMD?"), "dimensions")
    assert "(https://app.dimensions.ai/details/clinical_trial/NCT00001615)" in said
    assert "(https://app.dimensions.ai/details/publication/pub.1001234567)" in said


def test_what_has_no_public_reference_says_so(base: KnowledgeBase) -> None:
    said = answer_markdown(base.ask("Does obesity aggravate AMD?"))
    assert NO_REFERENCE in said
    assert not re.search(r"\]\(", said)


def test_stops_come_first_and_a_crisis_alone() -> None:
    with KnowledgeBase.sample() as sample:
        said = answer_markdown(sample.ask("Can I give ibuprofen to a patient on warfarin?"))
        assert said.startswith("**")
        assert said.rstrip().endswith("*")
        crisis = sample.ask("I want to kill myself, is aspirin enough?")
        assert "aspirin" not in answer_markdown(crisis)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Can I give ibuprofen to a patient on warfarin?", "**AVOID** ibuprofen"),
        ("My chest hurts and I cannot breathe. What are the symptoms of gout?", "**"),
        ("What drugs for migraine if I have a stomach ulcer?", ""),
        ("痛风有什么症状？", ""),
    ],
)
def test_what_has_come_of_an_answer_is_how_the_whole_begins(question: str, first: str) -> None:
    with KnowledgeBase.sample() as sample:
        *pieces, last = sample.ask_piecewise(question)
    whole = answer_markdown(last.answer, "numbers")
    said = [piece.sentence for piece in pieces if piece.sentence]
    for piece in pieces:
        so_far = said[: said.index(piece.sentence) + 1] if piece.sentence else []
        text = markdown_so_far(piece.answer, so_far)
        assert whole.startswith(text)
        assert text.startswith(first)
    assert len(text) < len(whole)
