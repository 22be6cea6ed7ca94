"""The words of a danger sign stand together and are read as they are meant."""

from __future__ import annotations

import json
import random
from itertools import pairwise

import pytest

from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.model.question import DangerSign
from medweave.understanding.danger.find import find_danger
from medweave.understanding.danger.table_reader import read_danger
from medweave.understanding.patient import read_patient
from medweave.understanding.training_files import training_file

PAIRS = 250


def found(text: str) -> tuple[DangerSign, ...]:
    language = language_of(text)
    return find_danger(text, language, read_patient(passage_of(text, language)))


def told(text: str) -> set[str]:
    return {sign.sign for sign in found(text) if sign.status == "present"}


def seen_by_table(text: str) -> bool:
    language = language_of(text)
    signs = read_danger(text, language, read_patient(passage_of(text, language)))
    return any(sign.status == "present" for sign in signs)


def harmless_with_words_of_danger(language: str) -> list[str]:
    """Idioms, other senses, work, sport, films, habits, the past; the table sees none in them."""
    place = training_file("danger", f"{language}_twelfth.jsonl")
    records = map(json.loads, place.read_text("utf-8").splitlines())
    texts = [record["text"] for record in records if not record["danger"]]
    return [text for text in texts if not seen_by_table(text)]


@pytest.mark.parametrize(("language", "between"), [("en", ". "), ("zh", "。")])
def test_two_harmless_texts_together_tell_of_no_danger_that_neither_had(
    language: str, between: str
) -> None:
    texts = harmless_with_words_of_danger(language)
    random.Random(1).shuffle(texts)
    pairs = [between.join(pair) for pair in list(pairwise(texts))[:PAIRS]]
    named = [p for p in pairs if any(s.has_name and s.status == "present" for s in found(p))]
    assert len(pairs) == PAIRS
    assert named == []


@pytest.mark.parametrize(
    ("near", "far"),
    [
        (
            "She has hives all over and wheezes.",
            "She has hives on her tummy, which itch as they did when we were in Spain with the"
            " whole family and the dog, and in spring, when the birch is out, my husband wheezes.",
        ),
        (
            "孩子脸肿，喘不上气。",
            "孩子脸上有点肿，牙医说牙根发炎，开了药，说三天后再去看，费用是医保报的；"
            "另外想问的是我自己，爬到六楼的时候会喘。",
        ),
    ],
)
def test_words_far_apart_are_of_several_things(near: str, far: str) -> None:
    assert "anaphylaxis" in told(near)
    assert "anaphylaxis" not in told(far)


def test_what_is_told_of_the_person_holds_through_a_letter() -> None:
    text = (
        "I take warfarin for my heart. We moved house in spring, it was a trial, and the boxes are"
        " still in the hall. I sleep well. Since this morning there is blood in my urine, a lot."
    )
    assert "bleeding_on_anticoagulant" in told(text)


@pytest.mark.parametrize(
    "text",
    [
        "I did my back in lifting the little one out of the bath, naproxen?",
        "a crop of blisters under the arm, clear water in them, itchy, aciclovir?",
        "the side effects as bullet points please",
        "a bullet journal helps me remember metformin, any app?",
        "our neighbour upstairs gave me a plaster for my back pain",
        "choking on these revision cards: which beta blockers are selective",
        "why does an overdose of digoxin stop the heart, for an exam",
        "从楼下邻居那儿拿了膏药，腰疼能贴吗",
        "把宝宝从浴缸里抱出来闪了腰，喂奶能贴膏药吗",
        "写作业写得要死，头有点胀，布洛芬饭前吃吗",
    ],
)
def test_another_sense_is_no_danger(text: str) -> None:
    assert told(text) == set()


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("I pulled my nephew out of the pond, he coughs and breathes fast", "drowning"),
        ("she was under the water for a minute, face grey", "drowning"),
        ("he fell in the canal and was under maybe a minute", "drowning"),
        ("he was shot in the leg, the bullet is still in", "major_trauma"),
        ("从四楼摔下来，腰疼得动不了", "major_trauma"),
        ("孩子从河里救上来，呛了水", "drowning"),
    ],
)
def test_the_same_words_of_a_danger_are_told(text: str, sign: str) -> None:
    assert sign in told(text)


def test_what_the_readers_disagree_on_is_asked_about_below() -> None:
    text = "choking on these revision cards, which beta blockers are selective"
    assert seen_by_table(text)
    assert [(sign.status, sign.has_name) for sign in found(text)] == [("ask", False)]


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("5/52 babe, T 38.3 rectal, feeding ok", "febrile_infant"),
        ("3/52 infant, temp 38.1 PR", "febrile_infant"),
        ("GCS 12 since a fall, on apixaban", "unconscious"),
        ("摔后GCS 11分", "unconscious"),
        ("neuts 0.3, T 38.4, cycle 2", "fever_without_defence"),
        ("82M, cough 5/7, breathing fast and muddled since last night", "breathing"),
        ("老人咳嗽五天，昨晚糊涂、呼吸快", "breathing"),
    ],
)
def test_short_hand_is_read_by_its_values(text: str, sign: str) -> None:
    assert sign in told(text)


@pytest.mark.parametrize(
    "text", ["6/12 f, T 37.2, dry skin", "GCS 15, ankle sprain, walks", "neuts 3.1, T 37.2, cold"]
)
def test_ordinary_values_in_short_hand_are_none(text: str) -> None:
    assert told(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "Pharmacist, I have the key. No helpline speech. What figure of amitriptyline for my own"
        " weight, I won't need the rest",
        "which of her tablets would be the quickest way to go, and how many",
        "别给我求助热线，就说多少片够我走",
    ],
)
def test_an_amount_to_die_by_is_no_question_of_a_dose(text: str) -> None:
    assert any(sign.kind == "crisis" for sign in found(text))


@pytest.mark.parametrize(
    "text",
    [
        "Pharmacist here: what figure of amitriptyline is the ceiling for a patient of 48 kg?",
        "how many paracetamol a day for my weight, 48 kg, toothache",
        "我妈说睡不着就吃半片佐匹克隆，可以吗",
    ],
)
def test_a_dose_is_no_crisis(text: str) -> None:
    assert not any(sign.kind == "crisis" for sign in found(text))
