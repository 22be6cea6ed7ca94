"""Of several complaints each has its list, held against what somebody has and takes besides."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.model.answer import Answer


def lists(answer: Answer) -> dict[str, dict[str, set[str]]]:
    """The drugs by what they are for and how they stand."""
    return {
        each.about.name("en"): {
            group.standing: {drug.entity.name("en") for drug in group.drugs}
            for group in each.groups
        }
        for each in answer.drugs
    }


@pytest.mark.parametrize(
    ("text", "complaints"),
    [
        ("What can I take for a blocked nose and banging sore head with this cold? I've high blood "
         "pressure, on ramipril", {"nasal congestion", "headache", "common cold"}),
        ("I have a rotten cold, bunged up and my head is banging. On ramipril and warfarin. What "
         "can I take?", {"nasal congestion", "headache", "common cold"}),
        ("I've got flu, aching all over and a cough. Asthma. What can I buy?",
         {"influenza", "cough"}),
        ("What can I have for toothache and a fever? I'm on apixaban", {"toothache", "fever"}),
        ("Hives and itching, I take amitriptyline and I drive a lorry. What can I take?",
         {"hives", "itching"}),
        ("感冒鼻塞头痛，有高血压，吃雷米普利，能吃什么药？",
         {"common cold", "nasal congestion", "headache"}),
        ("孕早期感冒，嗓子疼咳嗽，能用什么药", {"common cold", "sore throat", "cough"}),
    ],
)  # fmt: skip
def test_each_has_one(base: KnowledgeBase, text: str, complaints: set[str]) -> None:
    assert complaints <= set(lists(base.ask(text)))


@pytest.mark.parametrize(
    ("text", "background"),
    [
        ("I've got flu, aching all over and a cough. Asthma. What can I buy?", "asthma"),
        ("Hay fever: itchy eyes, runny nose, blocked nose. I have glaucoma. What can I take?",
         "glaucoma"),
        ("period pain with asthma, on fluoxetine: what can I take", "asthma"),
        ("痛经，胃溃疡，能吃什么药", "stomach ulcer"),
    ],
)  # fmt: skip
def test_what_somebody_has_besides_has_none(
    base: KnowledgeBase, text: str, background: str
) -> None:
    assert background not in lists(base.ask(text))


def test_what_is_not_stopped_stands_there_and_the_rest_with_its_reason(
    base: KnowledgeBase,
) -> None:
    answer = base.ask("What can I take for a blocked nose and banging sore head with this cold? "
                      "I've high blood pressure, on ramipril")  # fmt: skip
    found = lists(answer)
    assert "saline nasal spray" in found["nasal congestion"]["not_stopped"]
    assert "pseudoephedrine" in found["nasal congestion"]["stopped"]
    assert "paracetamol" in found["headache"]["not_stopped"]
    assert "ibuprofen" in found["headache"]["with_care"]


def test_a_gout_attack_is_held_against_the_blood_thinner_and_the_kidneys(
    base: KnowledgeBase,
) -> None:
    found = lists(base.ask("gout in his big toe, he is on warfarin, eGFR 40: What can he have for "
                           "it tonight?"))["gout"]  # fmt: skip
    assert {"naproxen", "ibuprofen"} <= found["stopped"]
    assert {"colchicine", "prednisolone", "allopurinol", "febuxostat"} <= found["with_care"]


@pytest.mark.parametrize(
    "text",
    [
        "He takes codeine for back pain. What can he take for constipation?",
        "Ramipril gives me a cough. What can I take for hay fever?",
    ],
)
def test_what_a_medicine_is_for_or_brings_on_has_none(base: KnowledgeBase, text: str) -> None:
    assert {"back pain", "cough"}.isdisjoint(lists(base.ask(text)))


@pytest.mark.parametrize(
    ("text", "cold"),
    [("It is this cold weather. What can I take for a headache?", False),
     ("I can't shift this cold, what can I take?", True)],
)  # fmt: skip
def test_the_weather_is_no_cold(base: KnowledgeBase, text: str, cold: bool) -> None:
    assert ("common cold" in lists(base.ask(text))) is cold
