"""Texts of advice: of what is named, its classes and kinds; ranked by how likely they answer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from medweave import KnowledgeBase
from medweave.retrieval.advice.ranking import BY_ALL, BY_WORDS, chances, weights_of
from medweave.retrieval.advice.texts import texts_on
from tests.record_bases import base_of

RECORDS = [
    {
        "name": "moxifloxacin",
        "concept": "drug",
        "drug_class": ["fluoroquinolones"],
        "practical_advice": [
            {"text": "It is taken with or without food.", "aspect": "food"},
            {"text": "Strong sun burns the skin sooner.", "aspect": "sun"},
        ],
    },
    {
        "name": "fluoroquinolones",
        "concept": "drug_class",
        "practical_advice": [
            {"text": "A painful tendon is rested and shown the same day.", "aspect": "urgent"}
        ],
    },
    {
        "name": "hepatitis B",
        "concept": "disease",
        "practical_advice": [
            {"text": "It does not pass by eating together.", "aspect": "contagious"}
        ],
    },
]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    yield from base_of(RECORDS, tmp_path_factory.mktemp("advice"))


def on(base: KnowledgeBase, name: str, *, told_before: bool = False) -> dict[str, str]:
    [named] = base.knowledge.dictionary.names(name)
    texts = texts_on({named.entity: name}, "en", base.knowledge, told_before=told_before)
    return {text.words: text.of for text in texts}


def test_a_class_is_advised_of_with_its_member(base: KnowledgeBase) -> None:
    found = on(base, "moxifloxacin")
    assert found["Strong sun burns the skin sooner."] == "itself"
    assert found["A painful tendon is rested and shown the same day."] == "class"


def test_a_kind_is_advised_of_with_what_it_is_a_kind_of(base: KnowledgeBase) -> None:
    assert set(on(base, "hepatitis").values()) == {"kind"}
    assert not on(base, "hepatitis", told_before=True)


def test_the_aspect_that_is_asked_for_is_likeliest(base: KnowledgeBase) -> None:
    [named] = base.knowledge.dictionary.names("moxifloxacin")
    texts = texts_on({named.entity: "moxifloxacin"}, "en", base.knowledge)
    for aspect in ("food", "sun", "urgent"):
        ranked = chances("and that?", "en", {aspect: 0.9}, texts, None)
        assert ranked[0][0].aspect == aspect
        assert all(0 < chance < 1 for _, chance in ranked)
        assert [c for _, c in ranked] == sorted((c for _, c in ranked), reverse=True)


def test_without_texts_there_is_no_chance() -> None:
    assert chances("is it safe?", "en", {}, [], None) == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_number_has_its_weight(language: str) -> None:
    assert tuple(weights_of(language, "words").of) == BY_WORDS
    assert tuple(weights_of(language, "all").of) == BY_ALL
    assert weights_of(language, "all").of["aspect"] > 0
    assert weights_of(language, "all").of["meaning below best"] > 0
