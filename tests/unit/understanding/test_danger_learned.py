"""The learned reader of danger: what it adds to the table, what it must let be, and its model."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from medweave import Configuration, KnowledgeBase
from medweave.errors import ConfigurationError, SourceError
from medweave.language.data import LANGUAGES, shipped_yaml
from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.model.question import UNNAMED_DANGER, DangerSign
from medweave.understanding.danger.find import find_danger
from medweave.understanding.danger.model import DangerModel, danger_model_for, shipped_danger_model
from medweave.understanding.danger.training import DangerMessage, shipped_danger, train_danger
from medweave.understanding.danger.word_classes import heard
from medweave.understanding.patient import read_patient

SMALL = [
    DangerMessage("he went blue and floppy and will not wake", True),
    DangerMessage("she is blue round the lips and floppy", True),
    DangerMessage("floppy and blue, not breathing", True),
    DangerMessage("my knee hurts on the stairs since spring", False),
    DangerMessage("what helps against a runny nose?", False),
    DangerMessage("my nose runs and my knee hurts", False),
]


def found(text: str, model: DangerModel | None = None) -> tuple[DangerSign, ...]:
    language = language_of(text)
    return find_danger(text, language, read_patient(passage_of(text, language)), model)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Grandad slid off his chair, one side of him hangs like a wet cloth", "one side"),
        ("He went all grey and clammy at lunch", "clammy"),
        ("爷爷刚才整个人往一边倒，筷子也拿不住", "拿不住"),
    ],
)
def test_danger_in_words_that_the_table_does_not_hold_is_seen(text: str, word: str) -> None:
    sign = found(text)[0]
    assert (sign.sign, sign.status, sign.how) == (UNNAMED_DANGER, "present", "learned")
    assert any(word in said for said in sign.words)
    assert all(said in text for said in sign.words)
    assert sign.confidence is not None
    assert 0.5 < sign.confidence < 1
    assert sign.sources == ()


def test_words_are_shown_from_where_they_are_told_and_not_where_they_are_denied() -> None:
    now = "He went all grey and clammy at lunch"
    [sign] = found(f"My brother was never grey or clammy before. {now}.")
    assert sign.words == (now,)


@pytest.mark.parametrize(
    "text",
    [
        "I don't have chest pain",
        "My daughter does not have a stiff neck and she drinks well",
        "He had a stroke in 2015 and is fine now. Can he fly?",
        "Would a wasp sting make my tongue itch?",
        "Doctor: Are your lips blue? Patient: No.",
        "I am not suicidal, I just need to sleep",
        "What are the symptoms of a heart attack?",
        "My mother has had multiple sclerosis for ten years. Is there a cure?",
        "昨晚电影里主角吞了一瓶安眠药",
        "我没有胸痛",
        "高血压吃什么好",
    ],
)
def test_what_is_denied_past_asked_or_told_raises_nothing(text: str) -> None:
    assert found(text) == ()


def test_what_is_doubted_is_asked_for() -> None:
    (sign,) = found("not sure if he had a fit")
    assert (sign.sign, sign.status, sign.how) == ("convulsions", "ask", "rule")


def test_what_the_table_names_is_told_by_its_name_and_not_twice() -> None:
    signs = found("His lips are blue and he is floppy and cannot be woken")
    assert {sign.how for sign in signs} == {"rule"}
    assert all(sign.confidence is None for sign in signs)


def test_a_sign_in_a_text_unlike_all_in_danger_is_asked_about_and_not_lost() -> None:
    text = "I've had epilepsy for years, last seizure was 2019. Can I apply for my licence?"
    (sign,) = found(text)
    assert (sign.status, sign.has_name) == ("ask", False)
    assert "seizure" in " ".join(sign.words)


def test_a_long_story_does_not_drown_one_plain_sentence() -> None:
    text = "My son is 5, no fever, 40 °C. He cannot breathe. What is it?"
    assert ("breathing", "present") in {(sign.sign, sign.status) for sign in found(text)}


def test_words_with_one_letter_wrong_are_heard_and_other_words_are_not() -> None:
    assert "fit" in {one.name for one in heard(passage_of("he has a seazure"))}
    assert "fit" not in {one.name for one in heard(passage_of("he has a leisure"))}


def test_the_words_of_both_languages_are_of_the_same_classes_and_as_texts_are_read() -> None:
    held = {
        language: shipped_yaml("understanding", "danger", "rules", f"word_classes.{language}.yaml")
        for language in LANGUAGES
    }
    names = {language: {*some["classes"], *some["patterns"]} for language, some in held.items()}
    assert names["zh"] <= names["en"]
    assert set(held["en"]["frame"]) <= names["en"]
    for language, some in held.items():
        terms = [term for words in some["classes"].values() for term in words]
        assert [term for term in terms if passage_of(term, language).plain != term] == []


@pytest.mark.parametrize(
    "text",
    ["chest pain " * 1800, "胸" * 20_000, "头痛，" * 6000, "no pain. " * 2200, "not " * 5000],
)
def test_long_texts_are_weighed_in_time(text: str) -> None:
    started = process_time()
    found(text)
    assert process_time() - started < 20


@pytest.mark.thorough
def test_the_same_messages_give_the_same_model_and_it_comes_back_from_its_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = {"en": 180, "zh": 90}
    monkeypatch.setattr("medweave.understanding.danger.training._ORDINARY", few)
    made = train_danger(SMALL, trained_on={"messages": len(SMALL)})
    assert train_danger(SMALL, trained_on={"messages": len(SMALL)}).to_text() == made.to_text()
    again = DangerModel.from_text(made.to_text(), where="made")
    assert again.to_text() == made.to_text()
    danger, other = (
        again.weigh(passage_of(text)).score for text in ("blue and floppy", "runny nose")
    )
    assert danger > other


@pytest.mark.thorough
def test_the_model_that_ships_is_made_from_the_messages_that_ship() -> None:
    made = train_danger(shipped_danger())
    ships = shipped_danger_model()
    same = made.weights.keys() & ships.weights.keys()
    assert len(same) > 0.99 * len(ships.weights)  # machines differ in the last place
    assert all(abs(made.weights[name] - ships.weights[name]) <= 5 for name in same)
    assert len(ships.to_text()) < 1_000_000


def test_messages_of_one_kind_teach_nothing() -> None:
    with pytest.raises(ConfigurationError, match="nothing to tell apart"):
        train_danger(SMALL[:3])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": "medweave intents 1"}',
        '{"format": "medweave danger 1", "unit": 0.01, "bias": 0, "trained_on": {}, "features": 3}',
        '{"format": "medweave danger 1", "unit": 0.01, "bias": 0, "trained_on": {}, '
        '"features": {"blue": "1"}}',
    ],
)
def test_what_is_no_model_is_refused_with_its_place(text: str, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(text, "utf-8")
    with pytest.raises(SourceError, match=r"model\.json"):
        danger_model_for(str(path))
    with pytest.raises(SourceError, match=r"none\.json"):
        danger_model_for(str(tmp_path / "none.json"))


def test_a_model_of_ones_own_takes_the_place_of_the_one_that_ships(tmp_path: Path) -> None:
    text = "Grandad slid off his chair, one side of him hangs like a wet cloth"
    path = tmp_path / "danger.json"
    path.write_text(DangerModel({}, -100).to_text(), "utf-8")
    with KnowledgeBase.sample(configuration=Configuration.of(danger=str(path))) as base:
        assert base.understand(text).danger == ()
    with KnowledgeBase.sample() as base:
        assert base.understand(text).in_danger
