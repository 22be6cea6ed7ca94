"""How soon somebody must be seen: every sign has a grade, and is told in the tone of it."""

from __future__ import annotations

import pytest

from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.model.question import DangerSign
from medweave.understanding.danger.find import find_danger
from medweave.understanding.danger.table import Sign, danger_signs, though_passed
from medweave.understanding.patient import read_patient

LATER = [sign for sign in danger_signs() if sign.grade != "now"]
CALLS = {"en": ("emergency number", "ambulance"), "zh": ("急救电话", "救护车")}


def present(text: str) -> list[DangerSign]:
    language = language_of(text)
    found = find_danger(text, language, read_patient(passage_of(text, language)))
    return [sign for sign in found if sign.status == "present"]


@pytest.mark.parametrize("sign", LATER, ids=lambda sign: sign.id)
def test_nobody_who_can_wait_until_today_is_told_to_call_an_ambulance(sign: Sign) -> None:
    for language, calls in CALLS.items():
        assert not any(call in sign.advice[language] for call in calls)


@pytest.mark.parametrize(
    "sign", [sign for sign in LATER if sign.grade == "today"], ids=lambda sign: sign.id
)
def test_who_is_to_be_seen_today_is_told_so_and_what_would_make_it_now(sign: Sign) -> None:
    assert "today" in sign.advice["en"] and "今天" in sign.advice["zh"]
    told_when = "at once" in sign.advice["en"] and "立即" in sign.advice["zh"]
    assert told_when or sign.id == "tooth_knocked_out"  # there is nothing worse to wait for


def test_signs_that_hold_though_passed_are_signs() -> None:
    assert though_passed() <= {sign.id for sign in danger_signs()}


@pytest.mark.parametrize(
    ("text", "sign", "grade"),
    [
        ("My calf is swollen and sore since the long flight", "deep_vein_thrombosis", "today"),
        ("上周坐了长途飞机，左小腿肿了，按着疼", "deep_vein_thrombosis", "today"),
        ("There is a streak of blood in what I cough up", "coughing_blood", "today"),
        ("I cough up blood and can hardly breathe", "much_blood_coughed", "now"),
        ("My son is 9, drinks all day, wets the bed again and is losing weight", "new_diabetes",
         "today"),
        ("弟弟一直口渴、尿特别多，人还瘦了", "new_diabetes", "today"),
        ("My eyes have turned yellow this week", "jaundice", "today"),
        ("这两天眼白发黄", "jaundice", "today"),
        ("Pain in my side, it burns to pee, fever of 38.9", "kidney_infection", "today"),
        ("I have a kidney stone and now a fever with shivers", "kidney_infection_blocked", "now"),
        ("BP 205/112, feels well", "pressure_without_complaints", "today"),
        ("BP 205/112 with chest pain", "high_blood_pressure", "now"),
        ("带状疱疹长到眼皮上了", "shingles_of_the_eye", "today"),
        ("I found a lump in my breast last month", "lump_or_change", "soon"),
        ("上个月摸到乳房有个硬块", "lump_or_change", "soon"),
    ],
)  # fmt: skip
def test_a_sign_has_the_grade_that_is_due(text: str, sign: str, grade: str) -> None:
    assert (sign, grade) in {(each.sign, each.grade) for each in present(text)}


@pytest.mark.parametrize(
    "text",
    [
        "My calf is swollen and sore since the flight, and now I cannot breathe",
        "My eyes have turned yellow and he says I am confused",
    ],
)
def test_beside_what_is_now_nothing_is_told_that_would_wait(text: str) -> None:
    assert {sign.grade for sign in present(text)} == {"now"}


def test_two_signs_in_the_same_words_are_told_once() -> None:
    assert len(present("I took 30 paracetamol last night")) == 1


@pytest.mark.parametrize(
    ("event", "none"),
    [
        ("室友吃蘑菇中毒了", "室友说两个药一起吃会中毒，真的吗"),
        ("他一把吞了二十片安定", "优甲乐我都是早上跟钙片一把吞的，对不对"),
        ("Baby makes a crowing noise with every breath", "A crowing noise, only when she cries"),
        ("孩子安静时吸气有哨音", "孩子吸气有哨音，只有哭的时候才有"),
        ("I took an extra amlodipine by mistake", "Can he take an extra amlodipine?"),
        ("My mum's words come out wrong", "Lips and tongue swelling and her speech is slurred"),
    ],
)
def test_what_is_said_may_happen_or_is_explained_is_no_such_sign(event: str, none: str) -> None:
    of_event, of_none = ({sign.sign for sign in present(text)} for text in (event, none))
    assert of_event - of_none


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("Simvastatin, sore thighs, and my pee looked like flat cola", "muscle_breakdown"),
        ("他汀吃了两个月，全身肌肉酸痛，小便像茶色", "muscle_breakdown"),
        ("肝硬化，昨天起定向力差", "liver_failure"),
        ("Cirrhosis, and since last night he doesn't know where he is", "liver_failure"),
        ("On digoxin, off his food, sick all day, and the lamp has a yellow ring",
         "digoxin_toxicity"),
    ],
)  # fmt: skip
def test_a_danger_in_the_words_of_a_case_is_seen(text: str, sign: str) -> None:
    assert sign in {each.sign for each in present(text)}
