"""What a question asks, in words of several hands: what is told beside it says nothing of it."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase


def asked(base: KnowledgeBase, question: str) -> list[str]:
    return [intent.label for intent in base.ask(question).question.intents]


@pytest.mark.parametrize(
    ("question", "stopped"),
    [
        ("Old stomach ulcer. My physio handed me ibuprofen. Sensible?", "ibuprofen"),
        ("CrCl 18, seen at the test. They started nitrofurantoin. Comments?", "nitrofurantoin"),
        ("I have sleep apnoea and was given zolpidem.", "zolpidem"),
        ("妈妈有消化性溃疡，做了检查。骨科开了布洛芬。", "布洛芬"),
    ],
)
def test_a_medicine_that_was_given_is_weighed(
    base: KnowledgeBase, question: str, stopped: str
) -> None:
    answer = base.ask(question)
    assert [i.label for i in answer.question.intents] == ["contraindication"]
    assert stopped in {stop.entity.name(answer.question.language) for stop in answer.stops}


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("My mum is on metformin for her sugar. What is it used for?", "indication"),
        ("He started amlodipine last month. Which side effects are common?", "side_effect"),
        ("I was diagnosed with gout, and take warfarin. Any thoughts?", "drug"),
        ("朋友从日本带了布洛芬，说头疼能吃。它一般都治哪些疼？", "indication"),
    ],
)
def test_a_question_asks_of_what_is_named_before_it(
    base: KnowledgeBase, question: str, label: str
) -> None:
    assert label in asked(base, question)


@pytest.mark.parametrize(
    "question",
    [
        "What ought to be kept away from a man with myasthenia gravis?",
        "With a history of peptic ulcer, which pain tablets wouldn't you touch?",
        "My gran has Parkinson's. Which sickness tablets can't she have?",
        "which meds shouldn't be used in glaucoma",
        "Which drugs must people with asthma never have?",
        "癫痫病人吃不得的药有哪些",
        "哮喘患者不能用什么药",
    ],
)
def test_what_may_not_be_taken_is_a_list_the_other_way_round(
    base: KnowledgeBase, question: str
) -> None:
    assert asked(base, question) == ["avoid"]


@pytest.mark.parametrize(
    "question",
    [
        "Is there a treatment for arthritis?",
        "Which antibiotic can I take in pregnancy so that it does no harm?",
        "an antidepressant, I do not have glaucoma",
        "What helps with gout? She does not take anything.",
    ],
)
def test_a_no_of_something_else_asks_for_no_such_list(base: KnowledgeBase, question: str) -> None:
    assert "avoid" not in asked(base, question)


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("How do I get my cholesterol down?", "treatment"),
        ("What will clear up my acne?", "treatment"),
        ("How is an overactive thyroid brought under control?", "treatment"),
        ("what pills turn urine orange", "side_effect_of"),
        ("what illness leaves you with yellow skin", "shown_by"),
        ("哪些病会让人消瘦", "shown_by"),
    ],
)
def test_lists_in_plain_words(base: KnowledgeBase, question: str, label: str) -> None:
    assert label in asked(base, question)


@pytest.mark.parametrize(
    "question", ["naproxen v paracetamol with a stomach ulcer", "gout v arthritis, how to tell?"]
)
def test_a_single_letter_compares(base: KnowledgeBase, question: str) -> None:
    assert base.ask(question).question.form.kind == "comparison"


def test_an_unknown_name_asked_about_for_a_complaint_is_told(base: KnowledgeBase) -> None:
    answer = base.ask("any point in fezolinetant for hot flushes?")
    assert not answer.question.intents
    assert [unread.text for unread in answer.question.not_understood] == ["fezolinetant"]
