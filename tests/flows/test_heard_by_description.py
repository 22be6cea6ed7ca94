"""A medicine, an illness or an allergy that is told by description stops what its name would."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase


def met(base: KnowledgeBase, question: str, drug: str) -> str:
    """All that meets the person, of one drug."""
    stops = base.ask(question).stops
    of_it = (s for s in stops if s.status == "applies" and drug in s.entity.all_names())
    return "; ".join(stop.reason for stop in of_it)


@pytest.mark.parametrize(
    ("question", "drug", "reason"),
    [
        ("I keep a reliever in my bag and use my reliever most days. Can I take propranolol?",
         "propranolol", "asthma"),
        ("I inject insulin. Can I take propranolol?", "propranolol", "diabetes"),
        ("Dad has tablets to thin the blood. Can he take naproxen?", "naproxen", "anticoagulants"),
        ("I get a weekly jab for my joints. Can I take co-trimoxazole?", "co-trimoxazole",
         "methotrexate"),
        ("Kidneys: stage 4. Can she take metformin?", "metformin", "severe kidney disease"),
        ("EF 25 %. Can he have ibuprofen?", "ibuprofen", "severe heart failure"),
        ("LVEF 36%. Can he have ibuprofen?", "ibuprofen", "caution in heart failure"),
        ("I have had two stents put in my heart. Ibuprofen ok?", "ibuprofen", "coronary"),
        ("Those sulfa antibiotics brought me out in blisters. Is co-trimoxazole ok?",
         "co-trimoxazole", "allergy"),
        ("Naproxen made my lips balloon up. May I take diclofenac?", "diclofenac", "allergy"),
        ("hx of pud, diclofenac?", "diclofenac", "peptic ulcer"),
        ("on mtx, ibuprofen?", "ibuprofen", "methotrexate"),
        ("我每天在肚子上打抗凝针，能吃布洛芬吗", "布洛芬", "抗凝药"),
        ("肾功能4期，二甲双胍能吃吗", "二甲双胍", "严重肾病"),
        ("射血分数25%，能吃布洛芬吗", "布洛芬", "严重心力衰竭"),
        ("随身带哮喘喷雾，我能用普萘洛尔吗", "普萘洛尔", "哮喘"),
    ],
)  # fmt: skip
def test_what_is_described_is_heard(
    base: KnowledgeBase, question: str, drug: str, reason: str
) -> None:
    assert reason in met(base, question, drug)


@pytest.mark.parametrize(
    ("question", "drug"),
    [
        ("My COPD inhaler is salbutamol. Can I take aspirin?", "aspirin"),
        ("I do not have asthma but take salbutamol. Can I take aspirin?", "aspirin"),
        ("EF 60 %. Can he have ibuprofen?", "ibuprofen"),
        ("I used stress relievers. Can I take propranolol?", "propranolol"),
    ],
)
def test_what_is_not_said_stops_nothing(base: KnowledgeBase, question: str, drug: str) -> None:
    assert not met(base, question, drug)


@pytest.mark.parametrize(
    "question",
    [
        "Could taking aspirin with my ulcer make me vomit blood?",
        "She collapsed after codeine once. Would tramadol be safe?",
        "My blood sugar readings are all over the place. Can I take gliclazide with fluconazole?",
        "I take a handful of pills each morning for my heart. Could I add an antacid?",
        "布洛芬加阿司匹林会不会引起胃出血",
    ],
)
def test_what_is_asked_about_or_long_over_is_no_danger(base: KnowledgeBase, question: str) -> None:
    assert not [d for d in base.ask(question).danger or () if d.status == "present"]


@pytest.mark.parametrize(
    "question",
    ["Taking aspirin with my ulcer made me vomit blood", "She collapsed after codeine",
     "I took a handful of pills"],
)  # fmt: skip
def test_what_is_told_as_there_stays_a_danger(base: KnowledgeBase, question: str) -> None:
    assert [d for d in base.ask(question).danger or () if d.status == "present"]


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("What goes badly with warfarin?", "Recorded as to be avoided with warfarin"),
        ("What is diabetes complicated by?", "Possible complications recorded for diabetes"),
        ("what does hypertension develop into", "Possible complications recorded for hyper"),
        ("What must someone with a peptic ulcer keep away from?",
         "Drugs recorded as contraindicated in peptic ulcer"),
        ("Which pills are off limits in pregnancy?",
         "Drugs recorded as contraindicated in pregnancy"),
        ("Which conditions rule out propranolol?", "Propranolol is recorded as contraindicated"),
        ("Who must not have ibuprofen?", "Ibuprofen is recorded as contraindicated in"),
        ("Which diseases end in kidney failure?", "Diseases with kidney failure as a recorded"),
        ("Which medicines can set off gout?", "Drugs for which gout is recorded as a side effect"),
        ("孕妇忌用哪些药", "记录在妊娠时禁用的药物"),
        ("drugs for heel pain", "Drugs recorded for pain"),
    ],
)  # fmt: skip
def test_relations_asked_the_other_way_round(
    base: KnowledgeBase, question: str, begins: str
) -> None:
    assert base.ask(question).sentences[0].text.startswith(begins)


@pytest.mark.parametrize(
    ("question", "kin"),
    [
        ("Can I take pitavastatin with clarithromycin?", "simvastatin"),
        ("Is there an interaction between eprosartan and fluconazole?", "losartan"),
        ("匹伐他汀和克拉霉素能一起吃吗", "辛伐他汀"),
    ],
)
def test_what_is_recorded_of_kin_is_told_where_nothing_is_of_the_two(
    base: KnowledgeBase, question: str, kin: str
) -> None:
    first = base.ask(question).sentences[0]
    assert kin in first.text
    assert first.statements


def test_a_name_that_ends_in_a_known_one_is_unknown(base: KnowledgeBase) -> None:
    question = "能吃扎托布洛芬吗，我在吃华法林"
    assert [u.text for u in base.understand(question).not_understood] == ["扎托布洛芬"]
    assert met(base, question, "非甾体抗炎药")
    assert not base.understand("他比布洛芬更喜欢萘普生").not_understood
