"""Danger that is told in several ordinary signs, and harmless messages that are told alike."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from medweave.embedding.choosing import choose_reader
from medweave.errors import SourceError
from medweave.language.data import LANGUAGES
from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.model.embedder import EmbedderName
from medweave.model.question import DangerSign, Patient
from medweave.model.vectors import Vectors
from medweave.understanding.danger.find import find_danger
from medweave.understanding.danger.meaning_training import digest_of
from medweave.understanding.danger.network import Network, shipped_network
from medweave.understanding.danger.network_training import material_of_network
from medweave.understanding.danger.sign_training import messages_of_signs
from medweave.understanding.danger.table import danger_signs
from medweave.understanding.danger.told_like import READ, shipped_signs, told_like
from medweave.understanding.patient import read_patient


def vectors(texts: Sequence[str], language: str) -> Vectors | None:
    reader = choose_reader(EmbedderName(), language)
    return reader.embed(list(texts)) if reader else None


def found(text: str) -> tuple[DangerSign, ...]:
    language = language_of(text)
    if choose_reader(EmbedderName(), language) is None:
        pytest.skip("its model is not installed (medweave weights install)")
    return find_danger(text, language, read_patient(passage_of(text, language)), vectors=vectors)


def present(text: str) -> set[str]:
    return {sign.sign for sign in found(text) if sign.status == "present"}


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        (
            "My husband came in from the shed with a headache and so have I. The dog was sick on "
            "the rug. We lit the old stove for the first time this year. Is it a bug going round?",
            "smoke_or_gas",
        ),
        (
            "She is 35 weeks. Her rings are stuck, her face is puffy and she sees sparkles when "
            "she stands. Paracetamol does nothing for the headache. Is it just tiredness?",
            "preeclampsia",
        ),
        (
            "Dad takes lithium. He has had the runs for four days, his hands shake so the tea "
            "spills, and he walks as if drunk. Could we give him Imodium?",
            "lithium_toxicity",
        ),
        (
            "宝宝拉了三天水样便，昨晚到现在尿不湿一直是干的，眼窝有点凹，不爱理人。可以喂点果汁吗？",
            "dehydration",
        ),
    ],
)
def test_several_ordinary_signs_are_told_by_the_name_of_what_they_are_together(
    text: str, sign: str
) -> None:
    assert sign in present(text)


@pytest.mark.parametrize(
    "text",
    [
        "In the film the boy swallows a button battery. Which ones are dangerous in real life?",
        "For my OSCE: crushing chest pain, sweating, grey. What do I ask next?",
        "I dreamt my waters broke on the bus at 27 weeks. All is well, she kicks.",
        "My daughter's doll swallowed bleach and needs a plaster. Which plaster is kind to skin?",
        "I felt like I'd been hit by a truck after the first run. Which magnesium is best?",
        "Bit of a sore on my son's knee from football, my husband says leave it.",
        "规培考题：老人突发胸痛大汗，左臂放射痛，第一步做什么检查？",
        "昨天看电视剧里女主一氧化碳中毒，我想问家里的报警器几年换一次",
    ],
)
def test_films_dreams_dolls_and_examinations_are_no_danger(text: str) -> None:
    assert present(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "We were watching a film and his left arm went limp, his words are slurred now",
        "My son had a seizure while he played Minecraft and he is still jerking",
        "She went pale and floppy like a doll and her lips are blue",
        "He thought it was wind, but the crushing chest pain goes into his arm and he sweats",
        "看电影的时候他突然口角歪斜，说话不清楚",
    ],
)
def test_what_happens_beside_a_film_or_a_game_is_a_danger(text: str) -> None:
    assert present(text)


def test_red_flags_of_weeks_are_told_as_soon() -> None:
    for text in (
        "I have been hoarse for five weeks",
        "我抽烟二十年，咳嗽六周了",
        "绝经五年了，这两天下面又出血",
    ):
        assert {sign.grade for sign in found(text) if sign.status == "present"} == {"soon"}
    assert present("I am hoarse since yesterday, which tea helps?") == set()
    assert present("昨天吃了火龙果，小便带点红，没别的不舒服") == set()


def test_no_name_is_given_without_a_vector() -> None:
    assert told_like("crushing pain in my chest, into the left arm", "en", Patient(), None) is None
    assert told_like("dolor en el pecho", "es", Patient(), vectors) is None


@pytest.mark.parametrize("language", READ)
def test_the_signs_that_are_learned_are_of_the_table_and_none_waits_for_days(
    language: str,
) -> None:
    waiting = {sign.id: sign.grade for sign in danger_signs()}
    model = shipped_signs(language)
    assert {waiting[label] for label in model.labels} == {"now", "today"}
    told = len(messages_of_signs(language))  # the table names older messages, and grows
    assert abs(model.trained_on - told) < 0.02 * told


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_network_that_ships_was_learned_from_the_lists_that_ship(language: str) -> None:
    material, ships = material_of_network(language), shipped_network(language)
    assert ships.trained_on == {"texts": len(material), "of": digest_of(material)}
    again = Network.from_text(ships.to_text(), where="made")
    assert (again.units, again.outcome, again.bias) == (ships.units, ships.outcome, ships.bias)


def test_what_is_no_network_is_refused_with_its_place() -> None:
    for text in ("", "[]", '{"format": "medweave danger 1"}'):
        with pytest.raises(SourceError, match=r"made\.json"):
            Network.from_text(text, where="made.json")
