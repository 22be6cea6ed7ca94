"""Lists with classes: what brings something on, what is left beside an allergy, what spares."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer


def said(answer: Answer) -> list[str]:
    return [sentence.text for sentence in answer.sentences]


def standings(answer: Answer) -> dict[str, str]:
    return {
        drug.entity.name(): group.standing
        for listed in answer.drugs
        for group in listed.groups
        for drug in group.drugs
    }


@pytest.mark.parametrize(
    ("text", "first", "others"),
    [
        ("which medicines cause a dry cough?", "ACE inhibitors", ("ramipril", "enalapril")),
        ("哪些药会引起干咳", "血管紧张素转换酶抑制剂", ("雷米普利", "卡托普利")),
        ("what medicines raise potassium", "potassium-sparing diuretics", ("amiloride",)),
    ],
)
def test_a_class_that_brings_something_on_stands_first_with_its_others(
    base: KnowledgeBase, text: str, first: str, others: tuple[str, ...]
) -> None:
    listed, *more = said(base.ask(text))
    drugs = ("lisinopril", "赖诺普利")
    places = [listed.index(drug) for drug in drugs if drug in listed]
    assert listed.index(first) < min(places, default=len(listed))
    assert all(any(other in sentence for sentence in (listed, *more)) for other in others)


def test_drugs_without_their_class_have_no_others_named(base: KnowledgeBase) -> None:
    assert len(said(base.ask("which drugs colour the urine orange?"))) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "青霉素过敏能用哪些抗生素",
        "对青霉素过敏，可以吃什么抗生素？",
        "which antibiotics can I take if I'm allergic to penicillin",
    ],
)
def test_beside_an_allergy_the_class_is_listed(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    standing = standings(answer)
    assert standing["amoxicillin"] == "stopped"
    assert standing["cefalexin"] == "with_care"
    assert standing["doxycycline"] == "not_stopped"
    assert not any("过敏" in text for text in answer.missing)


@pytest.mark.parametrize(
    "text", ["想要不犯困的花粉症药", "求一个吃了不犯困的抗过敏药 去年吃扑尔敏睡着了"]
)
def test_what_spares_is_listed_in_chinese(base: KnowledgeBase, text: str) -> None:
    drugs = standings(base.ask(text))
    assert "loratadine" in drugs
    assert "cetirizine" not in drugs
