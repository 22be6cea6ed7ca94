"""A class in somebody's hands is one medicine whose name is not said, and not all of the class."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from medweave.knowledge_base import KnowledgeBase


@pytest.fixture(scope="module")
def base() -> Iterator[KnowledgeBase]:
    """The base that ships."""
    with KnowledgeBase.sample() as found:
        yield found


@pytest.mark.parametrize(
    ("question", "taken"),
    [
        ("his blood thinner makes me worried: can he take naproxen?", "anticoagulants"),
        ("My mum's water tablet and ibuprofen, is that safe?", "diuretics"),
        ("Do her regular blood pressure tablets go with ibuprofen?", "antihypertensives"),
        ("my antidepressant and tramadol?", "antidepressants"),
        ("他的抗凝药和布洛芬能一起吃吗", "anticoagulants"),
        ("我妈吃的降压药和布洛芬冲突吗", "antihypertensives"),
    ],
)
def test_what_is_somebodys_is_taken(base: KnowledgeBase, question: str, taken: str) -> None:
    understood = base.understand(question)
    classes = [m for m in understood.mentions if m.concept == "drug_class"]
    assert [(mention.name, mention.role) for mention in classes] in (
        [(taken, "taken")],
        [(base.show(taken).entity.name(understood.language), "taken")],
    )
    assert 1 <= len(base.ask(question).sentences) <= 3


@pytest.mark.parametrize(
    "question",
    ["Which antibiotic is safe in pregnancy?", "Can he take an anticoagulant with naproxen?"],
)
def test_what_is_wanted_is_asked_about(base: KnowledgeBase, question: str) -> None:
    classes = [m for m in base.understand(question).mentions if m.concept == "drug_class"]
    assert {mention.role for mention in classes} == {"asked"}


@pytest.mark.parametrize(
    ("question", "stopped"),
    [
        ("Is my antibiotic safe in pregnancy?", "doxycycline"),
        ("Are my painkillers ok? I have an ulcer.", "ibuprofen"),
        ("is her blood thinner ok while breastfeeding", "rivaroxaban"),
    ],
)
def test_a_class_in_hand_is_answered_by_its_members_at_once(
    base: KnowledgeBase, question: str, stopped: str
) -> None:
    answer = base.ask(question)
    assert len(answer.drugs) == 1
    assert stopped in {stop.to_json("en")["name"] for stop in answer.stops if stop.level == "stop"}
    assert len(answer.sentences) <= 3
