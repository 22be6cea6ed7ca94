"""Whatever is asked: each sentence leads to statements, evidence, documents, quotes in place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medweave import Answer, KnowledgeBase, QuestionError

QUESTIONS = """
What are the symptoms of influenza?
how do i know if it is measles
What causes peptic ulcers?
Why do people get asthma?
How is tuberculosis treated?
What can be done against migraine?
how can i avoid catching the flu
Is there a vaccine that prevents measles or chickenpox?
What should I eat with iron deficiency anemia?
diet for type 2 diabetes
Which medicines are given for malaria?
What is omeprazole used for?
what does salbutamol do
Who must not take warfarin?
contraindications of metformin
Side effects of amlodipine
Does ciprofloxacin interact with antacids?
Can I mix ibuprofen and aspirin?
Which tests are done for pneumonia?
How is appendicitis diagnosed?
What complications can chickenpox have?
What is pre-eclampsia?
tell me about COPD
I have heartburn and regurgitation after meals, what is it?
My daughter has a rash, fever and a runny nose. What could it be?
wheezing at night and a tight chest, what might this be?
symptoms and treatment of a urinary tract infection
aspirin or paracetamol in pregnancy?
Is doxycycline safe for a ten year old with acne?
My grandmother with heart failure wants ibuprofen for her knee.
does gastroesophageal reflux disease cause fever
What is the dose of amoxicillin?
流感有什么症状
怎么预防高血压
2型糖尿病吃什么好
偏头痛是什么原因引起的
阿莫西林能治什么
布洛芬有什么副作用
华法林和阿司匹林能一起吃吗
缺铁性贫血要做什么检查
肺炎有哪些并发症
哮喘是什么
我头痛、恶心，是什么病
孕妇感冒了能吃什么药
胃炎的症状、病因和饮食
高血压不能吃什么药
What medicines should people with asthma avoid?
Which drugs interact with simvastatin?
antibiotics for a common cold?
What is the capital of France?
""".strip().splitlines()


def check(answer: Answer) -> None:
    """Everything an answer promises of itself."""
    for sentence in answer.sentences:
        assert sentence.text.strip()
        assert sentence.statements
        for statement in sentence.statements:
            assert answer.evidence_of(statement)
    for supported in answer.statements.values():
        for item in supported.evidence:
            text = answer.documents[item.document].text(item.place.field)
            assert text[item.place.start : item.place.end] == item.quote
    excluded = {s.entity.id for s in answer.stops if s.status == "applies" and s.hard}
    for candidate in answer.candidates:
        assert candidate.status == "excluded" or candidate.entity.id not in excluded
    assert (answer.status == "abstained") == (not answer.sentences)
    assert answer.status != "abstained" or answer.missing or answer.stops
    check_json(json.loads(json.dumps(answer.to_json(), ensure_ascii=False)))


def check_json(form: dict) -> None:  # type: ignore[type-arg]
    """The JSON form is closed: every key it names is in it."""
    statements, evidence = form["statements"], form["evidence"]
    used = [
        key for part in ("sentences", "stops") for item in form[part] for key in item["statements"]
    ]
    used += [key for candidate in form["candidates"] for key in candidate["why"]]
    used += [key for conflict in form["conflicts"] for side in conflict["sides"] for key in side]
    assert set(used) <= set(statements)
    for statement in statements.values():
        assert statement["evidence"]
        assert set(statement["evidence"]) <= set(evidence)
    for sentence in form["sentences"]:
        assert sentence["evidence"]
        assert set(sentence["evidence"]) <= set(evidence)


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_sentence_rests_on_a_quote_in_its_place(base: KnowledgeBase, question: str) -> None:
    check(base.ask(question))


def test_most_of_them_are_answered(base: KnowledgeBase) -> None:
    unanswered = [q for q in QUESTIONS if not base.ask(q).sentences]
    assert set(unanswered) <= {
        "What is the dose of amoxicillin?",
        "What is the capital of France?",
        "wheezing at night and a tight chest, what might this be?",  # too close to call
        "我头痛、恶心，是什么病",  # too close to call
    }, unanswered


@pytest.mark.parametrize(
    "text",
    [
        "😷",
        "???",
        "\u202eسعال",
        "fever\x00cough",
        "\x1b[31mred",
        "a" * 20_000,
        "咳" * 5_000,
        "fever " * 300,
    ],
)
def test_odd_questions_get_a_sane_answer(base: KnowledgeBase, text: str) -> None:
    check(base.ask(text))


@pytest.mark.parametrize("text", ["", "   ", "\n", "x" * 1_000_000])
def test_impossible_questions_are_refused_with_a_remedy(base: KnowledgeBase, text: str) -> None:
    with pytest.raises(QuestionError) as caught:
        base.ask(text)
    assert caught.value.remedy


@settings(max_examples=settings().max_examples // 2)
@given(text=st.text(min_size=1, max_size=120).filter(str.strip))
def test_any_text_at_all(base: KnowledgeBase, text: str) -> None:
    check(base.ask(text))


@settings(max_examples=settings().max_examples // 3)
@given(words=st.lists(st.sampled_from(" ".join(QUESTIONS).split()), min_size=1, max_size=15))
def test_any_shuffle_of_real_words(base: KnowledgeBase, words: list[str]) -> None:
    check(base.ask(" ".join(words)))
