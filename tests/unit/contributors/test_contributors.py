"""One more contributor is heard, and what it says is closed over like everything else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medweave import KnowledgeBase
from medweave.answering.draft import Draft
from medweave.contributors.contributor import QuestionState
from medweave.pipeline import ask


class Remembers:
    """Says the first statement that the others looked up once more, in its own words."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def find(self, asked: QuestionState) -> None:
        self.found = [s.statement.id for item in asked.material.looked for s in item.statements]

    def say(self, draft: Draft, asked: QuestionState) -> None:
        supported = asked.knowledge.store.statements(self.found[:1])
        draft.add_sentence("it is so", supported)
        draft.add_sentence("this rests on nothing", [])


@pytest.fixture
def base(tmp_path: Path) -> KnowledgeBase:
    path = tmp_path / "diseases.json"
    path.write_text(
        json.dumps([{"name": "zorn fever", "concept": "disease", "symptoms": ["blue spots"]}])
    )
    opened = KnowledgeBase.open("memory:")
    opened.build([path])
    return opened


def test_a_further_contributor_is_heard(base: KnowledgeBase) -> None:
    text = "What are the symptoms of zorn fever?"
    answer = ask(text, base.knowledge, beside_statements=[Remembers()])
    said = [sentence.text for sentence in answer.sentences]
    assert "It is so" in said
    assert "This rests on nothing" not in said
    named = {identifier for s in answer.sentences for identifier in s.statements}
    assert named <= answer.statements.keys()
    assert {e.document for s in answer.statements.values() for e in s.evidence} == set(
        answer.documents
    )
