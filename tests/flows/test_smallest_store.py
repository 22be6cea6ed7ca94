"""A base over a store of eight methods answers what a base in a file answers."""

from __future__ import annotations

import json
from pathlib import Path

from medweave import KnowledgeBase
from medweave.stores.derived import view_of
from medweave.testing.smallest_store import SmallestStore
from medweave.vocabulary.vocabulary import load_vocabulary, shipped_texts

RECORDS = [
    {"name": "common cold", "concept": "disease", "symptoms": ["cough", "runny nose", "fever"],
     "description": "A cold is caused by a virus."},
    {"name": "influenza", "concept": "disease", "symptoms": ["fever", "headache", "cough"]},
    {"name": "migraine", "concept": "disease", "symptoms": ["headache", "nausea"]},
]  # fmt: skip
QUESTIONS = (
    "What are the symptoms of a cold?",
    "I have a headache and nausea, what could it be?",
    "What are the symptomps of influenca?",
    "What causes a cold?",
    "偏头痛有什么症状？",
    "What is the difference between a cold and influenza?",
)


def told(base: KnowledgeBase, question: str) -> tuple[str, list[str], tuple[str, ...]]:
    answer = base.ask(question)
    return answer.status, [sentence.text for sentence in answer.sentences], answer.missing


def test_it_answers_like_a_base_in_a_file(tmp_path: Path) -> None:
    source = tmp_path / "some.jsonl"
    source.write_text("".join(json.dumps(record) + "\n" for record in RECORDS), "utf-8")
    smallest = KnowledgeBase(view_of(SmallestStore()), load_vocabulary(shipped_texts()))
    with smallest, KnowledgeBase.open(str(tmp_path / "kb.db")) as in_a_file:
        for base in (smallest, in_a_file):
            base.build([source])
        assert smallest.version.hash == in_a_file.version.hash
        assert smallest.stats()["statements"] == in_a_file.stats()["statements"]
        for question in QUESTIONS:
            assert told(smallest, question) == told(in_a_file, question)
        assert told(smallest, QUESTIONS[0])[1]
        assert smallest.remove(str(source)) == in_a_file.remove(str(source)) == len(RECORDS)
        assert smallest.version.hash == in_a_file.version.hash
