"""Practical advice: kept whole, found by what is asked, told where no list answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from medweave import Answer, KnowledgeBase
from tests.record_bases import base_of

RECORDS = [
    {
        "name": "ferrous sulfate",
        "concept": "drug",
        "side_effects": ["black stools"],
        "practical_advice": [
            {
                "text": "It turns the stools dark, which is no harm. Tarry ones are seen at once.",
                "aspect": "passing_effects",
            },
            {"text": "It is taken for three months after the blood is normal.", "aspect": "course"},
            {"text": "A forgotten one is left out at night.", "aspect": "missed_dose"},
        ],
    },
    {
        "name": "asthma",
        "concept": "disease",
        "symptoms": ["cough"],
        "practical_advice": [
            {"text": "Sport is good where it is well controlled.", "aspect": "sport"},
            "It often begins in childhood.",
        ],
        "urgent_care": [{"text": "Call an ambulance if the reliever fails.", "aspect": "urgent"}],
    },
]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    yield from base_of(RECORDS, tmp_path_factory.mktemp("practical"))


def said(answer: Answer) -> str:
    return " ".join(sentence.text for sentence in answer.sentences)


def test_a_text_is_one_statement_with_its_aspect(base: KnowledgeBase) -> None:
    [iron] = base.knowledge.dictionary.names("ferrous sulfate")
    held = base.knowledge.store.match(iron.entity, "practical_advice")
    texts = {s.statement.text: dict(s.statement.qualifiers).get("aspect") for s in held}
    whole = RECORDS[0]["practical_advice"][0]["text"]  # type: ignore[index]
    assert texts[whole] == "passing_effects"
    assert len(texts) == 3


def test_a_text_without_an_aspect_is_kept_too(base: KnowledgeBase) -> None:
    [asthma] = base.knowledge.dictionary.names("asthma")
    held = base.knowledge.store.match(asthma.entity, "practical_advice")
    assert "It often begins in childhood." in {s.statement.text for s in held}


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("I missed my ferrous sulfate yesterday, what now?", "left out at night"),
        ("How long do I have to take ferrous sulfate?", "three months"),
        ("Can I go running with asthma?", "Sport is good"),
        ("When should somebody with asthma call an ambulance?", "reliever fails"),
        ("My stools are black since the ferrous sulfate, is that normal?", "no harm. Tarry"),
    ],
)
def test_what_is_asked_is_told_in_words(base: KnowledgeBase, question: str, told: str) -> None:
    assert told in said(base.ask(question))


def test_advice_is_no_answer_to_something_else(base: KnowledgeBase) -> None:
    for question in ("Can I take ferrous sulfate?", "What are the symptoms of asthma?"):
        assert "Sport" not in said(base.ask(question))
        assert "left out" not in said(base.ask(question))


def test_each_sentence_rests_on_its_record(base: KnowledgeBase) -> None:
    answer = base.ask("Can I go running with asthma?")
    [sentence] = [s for s in answer.sentences if "Sport" in s.text]
    [statement] = sentence.statements
    assert answer.statements[statement].evidence[0].quote in sentence.text
