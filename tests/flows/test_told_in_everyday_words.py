"""Complaints in everyday words, and what of the person orders the diseases that fit them."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer


def weighed(answer: Answer) -> list[str]:
    assert answer.weighing is not None
    return [disease.entity.name() for disease in answer.weighing.diseases]


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("my toe joint is swollen, red and burning hot", "gout"),
        ("crusty yellow scabs around my son's nose and mouth", "impetigo"),
        ("eye is pink, gunky and stuck shut in the morning", "conjunctivitis"),
        ("ear pain and discharge, fever", "otitis media"),
        ("need to pee every ten minutes and it burns, no fever", "cystitis"),  # the kind of it
        ("heart is racing, hands shaky, losing weight though I eat loads", "hyperthyroidism"),
        ("腰上起了一圈水泡，火辣辣地疼，像针扎", "shingles"),
        ("脚拇指关节红肿发烫，疼得下不了地", "gout"),
    ],
)
def test_everyday_words_lead_to_what_fits(base: KnowledgeBase, said: str, first: str) -> None:
    assert weighed(base.ask(said))[0] == first


def test_diseases_that_fit_alike_are_both_told(base: KnowledgeBase) -> None:
    found = weighed(base.ask("孩子鼻子下面起水泡，破了结黄痂，很痒"))
    assert found[0] == "impetigo"
    assert set(found) >= {"impetigo", "scabies"}


def test_every_complaint_of_one_part_is_heard(base: KnowledgeBase) -> None:
    found = {m.name for m in base.understand("my big toe is red, hot and swollen").mentions}
    assert found >= {"joint redness", "joint warmth", "joint swelling"}
    apart = {m.name for m in base.understand("stomach pain and swollen legs").mentions}
    assert "abdominal swelling" not in apart


def test_a_kind_is_told_in_place_of_what_it_is_a_kind_of(base: KnowledgeBase) -> None:
    assert "arthritis" not in weighed(base.ask("my big toe is red, hot and swollen"))
    assert "thyroid disease" not in weighed(base.ask("weight loss, can't stand heat, shaky"))


def test_age_orders_what_fits_and_says_how_soon(base: KnowledgeBase) -> None:
    told = "very thirsty, peeing all the time"
    child = base.ask(f"my son is 12, {told}")
    assert weighed(child)[0] == "type 1 diabetes"
    assert any("type 1 diabetes" in line and "today" in line for line in child.missing)
    assert weighed(base.ask(f"I am 58, {told}"))[0] == "type 2 diabetes"


def test_pregnancy_is_nobodys_of_whom_nothing_tells_of_it(base: KnowledgeBase) -> None:
    told = "headache, nausea and sensitivity to light"
    assert "pre-eclampsia" not in weighed(base.ask(told))
    assert all("pregnan" not in c.entity.name() for c in base.ask("frequent urination").candidates)


def test_a_denied_finding_that_is_not_typical_is_no_argument(base: KnowledgeBase) -> None:
    answer = base.ask("painful urination and frequent urination, no fever")
    assert weighed(answer)[0] == "cystitis"  # a urinary tract infection
    assert answer.weighing is not None
    assert not answer.weighing.diseases[0].speaks_against


def test_names_of_medicines_are_no_signs_of_danger(base: KnowledgeBase) -> None:
    for text in (
        "gran takes edoxaban and the doctor gave her doxycycline for her chest, is that fine?",
        "81M on apixaban and bisoprolol, shoulder sore, which painkiller",
    ):
        assert not base.understand(text).in_danger, text
    assert base.understand("took 40 of my mum's propranolol tablets").in_danger
