"""Facts that were lost or given to somebody else: opinions, exclusions, counts, verdicts."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase


def roles(base: KnowledgeBase, text: str) -> dict[str, str]:
    """What each medicine is to the person."""
    return {
        m.entity.partition(":")[2]: m.role
        for m in base.understand(text).of_concept("drug", "drug_class")
    }


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("im nursing my 6 wk old. They gave me codeine, my mum says bin it. Is she right?",
         "breastfeeding"),
        ("I'm pregnant. My sister says ibuprofen is fine. Is she right?", "pregnant"),
    ],
)  # fmt: skip
def test_who_has_an_opinion_is_no_patient(base: KnowledgeBase, text: str, field: str) -> None:
    assert getattr(base.understand(text).patient, field)


def test_who_says_what_they_have_is_one(base: KnowledgeBase) -> None:
    question = base.understand("My wife says her chest hurts. She takes warfarin. Naproxen?")
    assert question.patient.sex == "female"
    assert question.patient.drugs == ("mw.substance:warfarin",)


@pytest.mark.parametrize(
    "text",
    [
        "Anything but a penicillin please, last one closed my airway. Is cefalexin alright?",
        "No penicillin please, last time I wheezed. What for my throat?",
        "不要青霉素类，上次打了休克。扁桃体发炎头孢克洛能吃吗",
        "别给我开青霉素，以前打了全身起疹子。嗓子疼用什么",
    ],
)
def test_what_is_excluded_for_what_it_did_is_not_borne(base: KnowledgeBase, text: str) -> None:
    assert roles(base, text)["penicillins"] == "allergy"


@pytest.mark.parametrize(
    ("text", "drug"),
    [
        ("Something for pain except tramadol? I'm on sertraline.", "tramadol"),
        ("Not aspirin. Can I have ibuprofen?", "aspirin"),
        ("不含布洛芬的退烧药有哪些？孩子3岁", "ibuprofen"),
    ],
)
def test_what_is_excluded_is_asked_for_by_nobody(base: KnowledgeBase, text: str, drug: str) -> None:
    assert roles(base, text)[drug] == "denied"


def test_what_alone_is_taken_is_excluded_from_nothing(base: KnowledgeBase) -> None:
    assert roles(base, "I don't take anything except warfarin")["warfarin"] == "taken"


@pytest.mark.parametrize(
    "text",
    [
        "奥美拉唑和法莫替丁到底差在哪？",
        "布洛芬和对乙酰氨基酚有什么区别",
        "氯雷他定和西替利嗪哪个好",
    ],
)
def test_two_that_are_compared_are_not_taken(base: KnowledgeBase, text: str) -> None:
    assert set(roles(base, text).values()) == {"asked"}


def test_a_verdict_that_is_asked_for_denies_nothing(base: KnowledgeBase) -> None:
    question = base.understand("eGFR 24. A yes/no next to each: metformin, naproxen, paracetamol.")
    assert all(m.status != "absent" for m in question.of_concept("drug"))


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("孩子4岁，以前打青霉素起疹子。多西环素能吃吗", 1461),
        ("Thirty nine-year-olds in my class have a cold. What is it?", None),
    ],
)
def test_ages(base: KnowledgeBase, text: str, days: int | None) -> None:
    age = base.understand(text).patient.age_days
    assert age == days if days else age != 39 * 365 + 9


@pytest.mark.parametrize(
    "text",
    ["F1 here, clinic in 10. Methotrexate for RA: which bloods?", "Two weeks left. Vitamin A?"],
)
def test_what_only_counts_describes_nothing(base: KnowledgeBase, text: str) -> None:
    assert not base.understand(text).described


def test_what_brought_somebody_to_a_nebuliser_is_not_borne(base: KnowledgeBase) -> None:
    text = "She ended up on a nebuliser after an Aspro. Which painkiller may she have?"
    assert roles(base, text)["aspirin"] == "allergy"


def test_what_was_struck_off_is_not_had(base: KnowledgeBase) -> None:
    told = "'asthma?' in his notes but the lung clinic struck it off. Is bisoprolol ok?"
    assert {m.status for m in base.understand(told).of_concept("disease")} == {"absent"}
