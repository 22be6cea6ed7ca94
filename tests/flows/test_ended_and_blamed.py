"""Medicines that are ended, and complaints that are laid to a medicine."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer


@pytest.fixture(scope="module")
def sample() -> KnowledgeBase:
    return KnowledgeBase.sample()


def _words(answer: Answer) -> str:
    return " ".join((*(s.text for s in answer.sentences), *answer.missing))


@pytest.mark.parametrize(
    "asked",
    [
        "I've been on prednisolone for two months, can I just stop it?",
        "Coming off diazepam after a year, how?",
        "Is it dangerous to quit propranolol overnight?",
        "sertraline withdrawal",
        "How do I wean my mother off sertraline?",
        "My metoprolol makes me tired. Is it safe to stop cold turkey?",
        "吃泼尼松两个月了能直接停吗",
        "舍曲林怎么停",
        "突然停用普萘洛尔会怎样",
    ],
)
def test_how_a_medicine_is_ended_is_not_in_the_base(sample: KnowledgeBase, asked: str) -> None:
    answer = sample.ask(asked)
    assert answer.question.aside == "ending"
    assert {m.role for m in answer.question.of_concept("drug")} <= {"taken"}
    assert "on your own" in _words(answer) or "自行停用" in _words(answer)


@pytest.mark.parametrize(
    "asked",
    [
        "I stopped phenelzine last week. Can I take sertraline?",
        "Can I take aspirin if I stop warfarin?",
        "How long after stopping fluoxetine can I take phenelzine?",
        "The ibuprofen didn't stop the pain, can I take paracetamol too?",
        "Can loperamide stop diarrhoea?",
        "How can I stop smoking?",
        "氟西汀停药多久可以怀孕",
        "月经停了两个月，能吃布洛芬吗",
        "华法林上个月就停了，那布洛芬可以吗？",
    ],
)
def test_what_else_stops_is_no_ending(sample: KnowledgeBase, asked: str) -> None:
    assert sample.ask(asked).question.aside != "ending"


def test_a_stop_is_told_beside_the_ending(sample: KnowledgeBase) -> None:
    answer = sample.ask("I take ramipril and I'm pregnant. Should I stop it?")
    assert [s.entity.id for s in answer.stops if s.status == "applies"] == ["mw.substance:ramipril"]


@pytest.mark.parametrize(
    ("asked", "effect"),
    [
        ("My mum takes amlodipine and her ankles are swollen. The tablet?", "ankle swelling"),
        ("Since starting ramipril I have a dry cough. Is it the drug?", "cough"),
        ("I've had heartburn since I began taking naproxen for my knees", "heartburn"),
        ("Could fluoxetine be why I can't sleep?", "insomnia"),
        ("I have hypertension and take lisinopril, why am I coughing?", "dry cough"),
        ("I take prednisolone for asthma, always hungry. Is that from it?", "increased hunger"),
        ("他吃辛伐他汀，肌肉酸痛，跟药有关系吗？", "肌肉酸痛"),
        ("吃了氨氯地平脚踝肿，是不是副作用", "脚踝肿胀"),
    ],
)
def test_a_complaint_laid_to_a_medicine_is_held_against_it(
    sample: KnowledgeBase, asked: str, effect: str
) -> None:
    answer = sample.ask(asked)
    assert effect in answer.sentences[0].text
    held = [answer.statements[key].statement for s in answer.sentences[1:] for key in s.statements]
    assert {each.predicate for each in held} <= {"practical_advice"}  # what to do about it
    first = ("next dose", "on your own", "下一次", "自行停用")
    assert any(words in line for words in first for line in answer.missing)


def test_who_only_supposes_to_take_it_is_not_asked_to_go_on(sample: KnowledgeBase) -> None:
    answer = sample.ask("If I took ramipril, would I cough?")
    assert "cough is a side effect of ramipril" in answer.sentences[0].text
    assert not any("next dose" in line for line in answer.missing)


def test_all_side_effects_are_told_to_who_asks_for_them(sample: KnowledgeBase) -> None:
    answer = sample.ask("I have osteoporosis. What are the side effects of prednisolone?")
    assert any("weight gain" in sentence.text for sentence in answer.sentences)


@pytest.mark.parametrize(
    ("asked", "never", "listed"),
    [
        (
            "Which painkillers do not upset the stomach?",
            "ibuprofen naproxen aspirin",
            "paracetamol",
        ),
        ("Which painkillers do not cause stomach ulcers?", "ibuprofen naproxen", "paracetamol"),
        ("Which antidepressants don't make you gain weight?", "mirtazapine", "fluoxetine"),
        (
            "Which blood pressure tablets do not make you cough?",
            "ramipril lisinopril",
            "amlodipine",
        ),
        ("Painkiller that doesn't hurt the kidneys?", "ibuprofen naproxen", "paracetamol"),
        ("哪些止痛药不伤胃", "ibuprofen naproxen aspirin", "paracetamol"),
        ("不会引起咳嗽的降压药有哪些", "ramipril lisinopril", "amlodipine"),
    ],
)
def test_what_brings_it_on_is_not_among_what_does_not(
    sample: KnowledgeBase, asked: str, never: str, listed: str
) -> None:
    """Nor is that of whose side effects nothing is recorded."""
    found = {d.entity.id for some in sample.ask(asked).drugs for g in some.groups for d in g.drugs}
    assert f"mw.substance:{listed}" in found
    assert found.isdisjoint(f"mw.substance:{name}" for name in never.split())
    assert "mw.substance:captopril" not in found
    assert "mw.substance:indomethacin" not in found


@pytest.mark.parametrize("asked", ["took Plan B and threw up about an hour later"])
def test_a_dose_that_was_vomited_is_a_question_of_how_it_is_taken(
    sample: KnowledgeBase, asked: str
) -> None:
    assert any("taken again" in sentence.text for sentence in sample.ask(asked).sentences)
