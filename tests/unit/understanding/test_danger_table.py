"""The classes of emergencies that the table names, values among them, and what it must let be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.language.values import read_values
from medweave.model.question import DangerSign
from medweave.understanding.danger.amounts import PEAK_FLOW_FALLEN, TOO_MUCH, amounts_beyond
from medweave.understanding.danger.table import danger_limits, danger_signs, danger_words
from medweave.understanding.danger.table_reader import read_danger
from medweave.understanding.patient import read_patient

MESSAGES = [
    json.loads(line)
    for line in (Path(__file__).parent / "danger_classes.jsonl").read_text("utf-8").splitlines()
]


def present(text: str) -> list[DangerSign]:
    language = language_of(text)
    found = read_danger(text, language, read_patient(passage_of(text, language)))
    return [sign for sign in found if sign.status == "present"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_finding_of_a_sign_has_words_or_a_value(language: str) -> None:
    """A sign with a finding that nothing says would never be present."""
    computed = {PEAK_FLOW_FALLEN, TOO_MUCH, *(limit.finding for limit in danger_limits())}
    known = computed | danger_words(language).findings.keys()
    for sign in danger_signs():
        for way in (*sign.present, *sign.ask):
            named = {*way.about, *way.unless, *(name for names in way.findings for name in names)}
            assert named <= known, (sign.id, named - known)


@pytest.mark.parametrize("row", [r for r in MESSAGES if r["sign"]], ids=lambda row: row["text"])
def test_each_class_is_named_and_says_what_to_do(row: dict[str, str]) -> None:
    found = {sign.sign: sign for sign in present(row["text"])}
    assert row["sign"] in found
    assert found[row["sign"]].advice


@pytest.mark.parametrize("row", [r for r in MESSAGES if not r["sign"]], ids=lambda row: row["text"])
def test_what_only_sounds_like_it_is_let_be(row: dict[str, str]) -> None:
    assert present(row["text"]) == []


@pytest.mark.parametrize(
    ("text", "reached"),
    [
        ("my blood sugar is {}", (("2.4", True), ("5.4", False))),
        ("his oxygen is {}%", (("84", True), ("97", False))),
        ("blood pressure {}", (("215/125", True), ("125/80", False))),
        ("my potassium is {}", (("7.0", True), ("4.4", False))),
        ("her sodium is {}", (("112", True), ("139", False))),
        ("haemoglobin {} g/l", (("48", True), ("121", False))),
        ("haemoglobin {} g/dl", (("4.8", True), ("12.1", False))),
        ("his platelets are {}", (("6", True), ("240", False))),
        ("INR {} on warfarin", (("9.4", True), ("2.4", False))),
        ("serum calcium is {}", (("3.7", True), ("2.3", False))),
        ("my lithium level is {}", (("2.3", True), ("0.7", False))),
        ("his glucose meter says {}", (("hi", True), ("high but fine", False), ("lo", True))),
        ("血红蛋白{}g/L", (("45", True), ("130", False))),
        ("her temperature is {} C", (("33.2", True), ("36.6", False))),
        ("血糖{}", (("2.2", True), ("5.6", False))),
        ("血氧{}%", (("82", True), ("98", False))),
    ],
)
def test_a_value_beyond_its_limit_is_danger_and_one_within_is_not(
    text: str, reached: tuple[tuple[str, bool], ...]
) -> None:
    for number, danger in reached:
        assert bool(present(text.format(number))) is danger


@pytest.mark.parametrize(
    ("text", "beyond"),
    [
        ("i took 10 g of paracetamol", True),
        ("i took 1 g of paracetamol four times a day", False),
        ("i took 1 g of paracetamol every 2 hours", True),
        ("i swallowed 20 paracetamol", True),
        ("i took two paracetamol", False),
        ("i took 40 tablets of ibuprofen over 10 days", False),
        ("take at most 10 g of paracetamol", False),
        ("今天吃了20片对乙酰氨基酚，每片0.5克", True),
        ("今天吃了2片对乙酰氨基酚", False),
    ],
)
def test_an_amount_is_mass_by_tablets_by_times_by_days(text: str, beyond: bool) -> None:
    language = language_of(text)
    assert bool(list(amounts_beyond(text, language, read_values(text, language)))) is beyond


def test_a_childs_limit_goes_by_its_weight() -> None:
    text = "i gave him 1 g of paracetamol twice a day"
    values = read_values(text, "en")
    assert list(amounts_beyond(text, "en", values, weight_kg=10))
    assert not list(amounts_beyond(text, "en", values, weight_kg=60))


def test_words_of_one_sentence_are_not_put_together_from_two() -> None:
    assert present("My leg went cold and white, no pulse in it")
    assert not present("My leg aches. The soup was cold. The wall is white. Suddenly it rained")


@pytest.mark.parametrize(
    "text",
    [
        "I don't enjoy anything, and last night I thought about ending it all",
        "No fever, but my chest is being crushed: crushing chest pain",
        "我没有发烧，今天突然胸口剧痛，冒冷汗",
    ],
)
def test_denial_ends_where_a_clause_begins_anew(text: str) -> None:
    assert present(text)


@pytest.mark.parametrize(
    ("figure", "meant"),
    [
        ("The mortgage is suffocating me", "The smoke is suffocating me"),
        ("We laughed until we couldn't breathe", "We ran until we couldn't breathe, lips blue"),
        ("He stabbed me in the back over that promotion", "He stabbed me in the back"),
        ("My laptop died and I can't wake it", "My baby went limp and I can't wake her"),
        ("A bit of salicylic acid lotion on my skin", "Drain acid on my skin"),
        ("论文压得我透不过气", "胸口压得我透不过气"),
        ("气得我要吐血", "我刚才吐血了"),
    ],
)
def test_a_figure_of_speech_is_let_be_and_what_it_is_made_of_is_told(
    figure: str, meant: str
) -> None:
    assert not present(figure)
    assert present(meant)


def test_a_doubt_about_a_number_is_none_about_the_sign() -> None:
    assert present("Pinpoint pupils, he breathes maybe six times a minute")


@pytest.mark.parametrize(
    "text", ["I want to kill myself", "我不想活了", "My husband beats me", "我总有掐死孩子的念头"]
)
def test_despair_and_violence_are_a_crisis(text: str) -> None:
    assert {sign.kind for sign in present(text)} == {"crisis"}
