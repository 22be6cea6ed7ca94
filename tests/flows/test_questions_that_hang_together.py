"""What somebody must avoid, several questions in one, choices, and what no base holds."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer


def _names(answer: Answer) -> set[str]:
    value = answer.result.value
    return {thing.name() for thing in value} if isinstance(value, tuple) else set()


def _asked(base: KnowledgeBase, text: str) -> Answer:
    *before, last = text.split(" || ")
    return base.ask(last, history=before)


@pytest.mark.parametrize(
    ("text", "holds", "lacks"),
    [
        ("Which drugs for psoriasis should I avoid if I am pregnant?",
         "methotrexate", "etanercept"),
        ("I am pregnant. Which drugs for psoriasis must I avoid?", "methotrexate", "etanercept"),
        ("I take warfarin. Which drugs for gout interact with it?", "naproxen", "colchicine"),
        ("Which drugs for migraine should people with asthma avoid?", "propranolol", "sumatriptan"),
        ("Which drugs are used for psoriasis? || Which of them should I avoid if I am pregnant?",
         "methotrexate", "etanercept"),
        ("Which drugs are used for psoriasis? || I am pregnant. Which of them must I avoid?",
         "methotrexate", "etanercept"),
        ("我怀孕了，治疗高血压的药物中哪些不能吃？", "captopril", "labetalol"),
        ("我在吃华法林。哪些痛风药与它相互作用？", "naproxen", "colchicine"),
        ("Which drugs used for epilepsy cause neither nausea nor vomiting?",
         "diazepam", "valproate"),
        ("哪些药物在癫痫和妊娠中都禁用？", "amantadine", "bupropion"),
    ],
)  # fmt: skip
def test_what_somebody_must_avoid_is_listed_and_not_left_out(
    base: KnowledgeBase, text: str, holds: str, lacks: str
) -> None:
    found = _names(_asked(base, text))
    assert holds in found
    assert lacks not in found


def test_what_was_told_in_the_same_turn_holds_later(base: KnowledgeBase) -> None:
    before = ["Which drugs are used for gout?", "I take warfarin. Which of them interact with it?"]
    answer = base.ask("May I take ibuprofen?", history=before)
    assert any(stop.status == "applies" for stop in answer.stops)


@pytest.mark.parametrize(
    ("text", "holds", "lacks"),
    [
        ("Which drugs for psoriasis are also used for rheumatoid arthritis, and which tests are "
         "done for gout?", {"methotrexate", "uric acid test"}, {"acitretin", "celecoxib"}),
        ("Which drugs treat gout but not kidney stones, and what are the complications of gout?",
         {"colchicine", "tophi"}, {"allopurinol"}),
        ("What disease causes tophi and which drugs treat it?", {"colchicine"}, set()),
        ("Which disease causes silvery scales, which drugs treat that disease and which tests are "
         "done for it?", {"methotrexate", "skin biopsy"}, set()),
        ("What are the causes, symptoms and drugs of epilepsy?", {"stroke", "diazepam"}, set()),
        ("癫痫的病因、症状和药物有哪些？", {"stroke", "diazepam"}, set()),
        ("First tell me what causes epilepsy, then which drugs are used, and finally which "
         "complications it has.", {"stroke", "diazepam"}, set()),
    ],
)  # fmt: skip
def test_no_part_is_lost_and_none_is_more_than_it_asks(
    base: KnowledgeBase, text: str, holds: set[str], lacks: set[str]
) -> None:
    found = _names(base.ask(text))
    assert holds <= found
    assert not lacks & found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Is methotrexate used for psoriasis, and may it be taken in pregnancy?", False),
        ("Is lithium contraindicated in heart failure, and does it interact with ibuprofen?", True),
        ("麻疹不会引起发热，对吗？", False),
        ("痛风不是肾结石的危险因素，对吗？", False),
        ("Is it wrong that gout causes joint pain?", False),
        ("Is gout or psoriasis a risk factor for kidney stones?", True),
        ("A patient with psoriasis needs a drug. Which is recorded for it? "
         "A. colchicine B. acitretin C. warfarin", "B"),
        ("以下哪个不属于痛风的并发症？A.痛风石 B.肾结石 C.脱发", "C"),
        ("Which drug is used for malaria? A. colchicine B. warfarin C. none of these", "C"),
    ],
)  # fmt: skip
def test_all_that_is_claimed_must_hold(base: KnowledgeBase, text: str, value: object) -> None:
    assert base.ask(text).result.value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Which of gout and psoriasis is a risk factor for kidney stones?", {"gout"}),
        ("Which of these interacts with lithium - colchicine, ibuprofen, or amoxicillin?",
         {"ibuprofen"}),
        ("Which diseases have conjunctivitis as a symptom?", {"measles"}),
        ("Which vaccine prevents measles?", {"MMR vaccine"}),
        ("Which vaccine prevents gout?", set()),
    ],
)  # fmt: skip
def test_nothing_is_listed_beside_what_is_asked(
    base: KnowledgeBase, text: str, value: set[str]
) -> None:
    assert _names(base.ask(text)) == value


def test_a_claim_of_several_names_is_said_of_those_it_is_recorded_of(base: KnowledgeBase) -> None:
    said = base.ask("Is nail pitting a symptom of gout, psoriasis or malaria?").text
    assert "psoriasis" in said
    assert "malaria" not in said


def test_a_risk_factor_is_asked_for_from_its_own_side(base: KnowledgeBase) -> None:
    one, other = (
        _names(base.ask(text))
        for text in ("肥胖是哪些疾病的危险因素？", "哪些疾病的危险因素包括肥胖？")
    )
    assert "gout" in one
    assert one == other


@pytest.mark.parametrize(
    "text",
    [
        "Which surgeon is best for kidney stones?",
        "Which nurse treats gout?",
        "Which book describes epilepsy best?",
        "Which country has the most malaria?",
        "What is the molecular weight of lithium?",
        "Which enzyme does allopurinol inhibit?",
        "哪个国家疟疾最多？",
        "华法林由哪种酶代谢？",
    ],
)
def test_what_is_of_no_kind_that_is_held_is_said_alone(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert answer.missing
    assert not answer.sentences
    assert not answer.drugs
    assert answer.result.value in (None, ())
