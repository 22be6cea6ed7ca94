"""Answers from texts of a base: verbatim, cited, and silent where the texts hold nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.configuration import Configuration
from medweave.model.embedder import EmbedderName
from medweave.retrieval.passages import PassageSearch

HANDBOOK = """Ward handbook

Sickle cell crisis
A sickle cell crisis is painful and begins when sickled cells block small vessels.
Warm fluids and rest are given during a painful sickle cell crisis.

Lumbar puncture
A lumbar puncture is done to look for infection of the cerebrospinal fluid.
It takes about half an hour.

Storage of insulin
Insulin vials are stored in the refrigerator between 2 and 8 degrees.
"""


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    path = tmp_path / "handbook.txt"
    path.write_text(HANDBOOK, "utf-8")
    by_words = Configuration(embedder=EmbedderName("none"))
    with KnowledgeBase.open(str(tmp_path / "kb.db"), configuration=by_words) as opened:
        opened.build([path])
        yield opened


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Why is a lumbar puncture done?", "infection of the cerebrospinal fluid"),
        ("Where are insulin vials stored?", "refrigerator"),
    ],
)
def test_sentence_of_a_text_answers_and_is_cited(
    base: KnowledgeBase, question: str, said: str
) -> None:
    answer = base.ask(question)
    assert said in answer.text
    assert answer.status == "answered"
    form = answer.to_json()
    for evidence in form["evidence"].values():
        place = evidence["place"]
        [document] = base.documents_called(evidence["document"])
        assert document.text(place["field"])[place["start"] : place["end"]] == evidence["quote"]
        assert evidence["quote"] in HANDBOOK


@pytest.mark.parametrize(
    "question",
    [
        "What are the symptoms of malaria?",
        "How high is Mount Everest?",
        "Can I take insulin with warfarin?",
        "I want to kill myself, what does the handbook say about insulin?",
    ],
)
def test_nothing_of_a_text_is_said(base: KnowledgeBase, question: str) -> None:
    assert all(sentence.intent != "passages" for sentence in base.ask(question).sentences)


def test_first_passages_together_hold_what_is_asked(base: KnowledgeBase) -> None:
    found = base.passages("insulin storage and lumbar puncture", k=2)
    assert {term for one in found.passages for term in one.adds} >= {"insulin", "lumbar"}


def test_passages_are_found_by_another_name(base: KnowledgeBase) -> None:
    search = PassageSearch(base._store, None, None)
    [first] = search.find("spinal tap", k=1, also={"spinal tap": ["lumbar puncture"]}).passages
    assert "lumbar puncture" in first.passage.text


def test_base_without_texts_is_not_searched(tmp_path: Path) -> None:
    with KnowledgeBase.open(str(tmp_path / "empty.db")) as empty:
        kinds = [type(each).__name__ for each in empty._contributors("")]
    assert "Passages" not in kinds


def test_removed_text_is_said_no_more(base: KnowledgeBase, tmp_path: Path) -> None:
    base.remove(str(tmp_path / "handbook.txt"))
    assert base.passages("Where are insulin vials stored?").passages == ()
    assert not base.ask("Where are insulin vials stored?").sentences
