"""A name that several things bear is what the question can be asked of."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from medweave import KnowledgeBase

RECORDS = [
    {
        "name": "morbus scriptoris",
        "concept": "disease",
        "synonyms": ["MSX"],
        "symptoms": ["numb fingers", "headache"],
        "url": "https://example.org/disease",
    },
    {
        "name": "mitezol sulfate",
        "concept": "drug",
        "synonyms": ["MSX"],
        "indications": ["headache"],
        "side_effects": ["dizziness"],
    },
]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("ambiguous")
    (folder / "all.json").write_text(json.dumps(RECORDS), "utf-8")
    with KnowledgeBase.open(str(folder / "all.db")) as base:
        base.build([folder / "all.json"])
        yield base


@pytest.mark.parametrize(
    ("question", "name", "concept"),
    [
        ("What are the symptoms of MSX?", "morbus scriptoris", "disease"),
        ("What are the complications of MSX?", "morbus scriptoris", "disease"),
        ("What are the side effects of MSX?", "mitezol sulfate", "drug"),
        ("What is MSX used for?", "mitezol sulfate", "drug"),
    ],
)
def test_by_what_is_asked(base: KnowledgeBase, question: str, name: str, concept: str) -> None:
    mention = base.understand(question).mentions[0]
    assert (mention.name, mention.concept) == (name, concept)
    assert len(mention.entities) == 2


def test_the_link_says_that_the_question_decided(base: KnowledgeBase) -> None:
    links = {
        base.understand(question).mentions[0].link.how
        for question in ("What are the symptoms of MSX?", "What are the side effects of MSX?")
    }
    assert "context" in links


def test_the_answer_is_of_what_was_meant(base: KnowledgeBase) -> None:
    said = base.ask("What are the side effects of MSX?").to_json()
    assert any("dizziness" in sentence["text"] for sentence in said["sentences"])
    said = base.ask("What are the symptoms of MSX?").to_json()
    assert any("numb fingers" in sentence["text"] for sentence in said["sentences"])


def test_what_serves_already_stays(base: KnowledgeBase) -> None:
    question = base.understand("What are the symptoms of morbus scriptoris if I take MSX?")
    assert [mention.link.how for mention in question.mentions].count("context") == 0
