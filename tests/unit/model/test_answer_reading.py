"""An answer out of its JSON form is the answer again, as far as the form tells it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import BaseVersion, Sentence, StoreAnswer
from medweave.model.answer_reading import answer_from_json

QUESTIONS = (
    "Can I take ibuprofen with warfarin?",
    "What are the symptoms of gout?",
    "Which painkiller can a pregnant woman take?",
    "I have a fever, a cough and no rash. What can it be?",
    "crushing chest pain and sweating",
    "ibuprofen or paracetamol with a stomach ulcer?",
    "怀孕能吃布洛芬吗",
    "my 10 month old has a cough and fast breathing",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_it_says_what_it_said(base: KnowledgeBase, question: str) -> None:
    answer = base.ask(question)
    form = json.loads(json.dumps(answer.to_json()))
    read = answer_from_json(form)
    assert read.to_json() == form
    assert (read.text, read.status, read.base) == (answer.text, answer.status, answer.base)
    assert read.sentences == answer.sentences and read.missing == answer.missing
    assert [s.statements for s in read.stops] == [s.statements for s in answer.stops]
    assert [d.text for d in read.danger or ()] == [d.text for d in answer.danger or ()]
    assert [c.entity.id for c in read.candidates] == [c.entity.id for c in answer.candidates]
    assert list(read.statements) == list(answer.statements)
    for identifier, supported in read.statements.items():
        assert supported.statement == answer.statements[identifier].statement
        quotes = [each.quote for each in supported.evidence]
        assert quotes == [each.quote for each in answer.statements[identifier].evidence]
        assert all(each.document in read.documents for each in read.evidence_of(identifier))
    assert [m.entity for m in read.question.mentions] == [
        m.entity for m in answer.question.mentions
    ]


def test_several_stores_and_what_nothing_supports_are_read(base: KnowledgeBase) -> None:
    heard = StoreAnswer("wards", "answered", milliseconds=2.5, base=base.version)
    late = StoreAnswer("clinic", "late", "it took too long")
    answer = replace(
        base.ask(QUESTIONS[1]),
        base=BaseVersion("clinic", 0, "", in_place=True),
        stores=(heard, late),
        strategy="bm25",
        sentences=(Sentence("Gout is kind.", (), "model", unsupported=True),),
    )
    read = answer_from_json(json.loads(json.dumps(answer.to_json())))
    for name in ("base", "stores", "strategy", "sentences"):
        assert getattr(read, name) == getattr(answer, name), name
