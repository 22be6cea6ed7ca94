"""Beside a diagnosis and a stop it is told when a doctor is needed, in the words of sources."""

import pytest

from medweave import KnowledgeBase


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My big toe is hot, red and swollen, what could it be?", "hot, swollen joint"),
        ("My skin has gone yellow and my pee is dark, what is it?", "doctor the same day"),
        ("这几天眼白发黄，尿像浓茶，没胃口，会是什么？", "当天就要看医生"),
        ("My boy is 9 and has loose stools. Imodium?", "Oral rehydration solution"),
        ("登革热发烧，布洛芬和扑热息痛哪个好？", "立即去医院"),
        ("I had unprotected sex four days ago, which morning after pill?", "a copper coil"),
        ("Do all diabetics need insulin?", "Type 2 diabetes is treated with weight loss"),
        ("得了糖尿病是不是都得打胰岛素？", "2型糖尿病靠减重"),
    ],
)
def test_what_calls_for_a_doctor_and_what_matters_more_is_told(
    base: KnowledgeBase, text: str, told: str
) -> None:
    assert told in base.ask(text).text


@pytest.mark.parametrize(
    ("text", "untold"),
    [
        (
            "四天前没戴套，我有重度哮喘天天吃泼尼松，毓婷和ellaOne选哪个？",
            "醋酸乌利司他在无保护性行为后",
        ),
        ("What is used for gout?", "hot, swollen joint"),
        ("I have high blood pressure and a headache. Can I take ibuprofen?", "urgent care"),
    ],
)
def test_nothing_is_told_that_names_what_is_stopped_or_is_of_no_purpose(
    base: KnowledgeBase, text: str, untold: str
) -> None:
    answer = base.ask(text)
    assert answer.sentences
    assert untold not in answer.text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My heart sank when I saw my blood sugar: 6.4 fasting. How bad is it?", "prediabetes"),
        ("空腹血糖6.4算高吗？", "糖尿病前期"),
        ("Is a blood pressure of 135/85 normal?", "what lies between is raised"),
    ],
)
def test_a_value_is_held_against_what_sources_say(
    base: KnowledgeBase, text: str, told: str
) -> None:
    answer = base.ask(text)
    assert told in answer.text
    assert not answer.drugs


def test_a_value_beside_something_else_that_is_asked_is_not_the_answer(base: KnowledgeBase) -> None:
    assert "prediabetes" not in base.ask("My HbA1c is 6.0, what should I eat?").text
    assert "prediabetes" not in base.ask("Fasting sugar 6.4, can I take prednisolone?").text


@pytest.mark.parametrize(
    ("turns", "reason"),
    [
        (("My dad takes warfarin.", "He also has gout.", "Sorry, it isn't warfarin, it's aspirin.",
          "Can he have ibuprofen?"), "interacts with aspirin"),
        (("我爸吃华法林。", "记错了，不是华法林，是利伐沙班。", "他能吃布洛芬吗？"),
         "与利伐沙班有相互作用"),
        (("I'm allergic to penicillin.", "Sorry, not penicillin, it was sulfa.",
          "Is co-trimoxazole ok?"), "allergy to sulfonamides"),
    ],
)  # fmt: skip
def test_what_is_named_in_the_place_of_what_was_told_is_held_as_that(
    base: KnowledgeBase, turns: tuple[str, ...], reason: str
) -> None:
    *earlier, last = turns
    held = [s.reason for s in base.ask(last, history=earlier).stops if s.status == "applies"]
    assert any(reason in each for each in held)
    assert not any("warfarin" in each or "华法林" in each for each in held)
