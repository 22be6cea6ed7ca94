"""What a question denies, which way round a claim goes, and what is asked of safety."""

from __future__ import annotations

from typing import Any

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer


def names(answer: Answer) -> set[str]:
    value: Any = answer.result.value
    assert answer.result.kind == "entities"
    return {entity.name() for entity in value}


@pytest.mark.parametrize(
    ("question", "has", "lacks"),
    [
        ("Which diseases have cough but not fever?", {"asthma"}, {"pneumonia", "tuberculosis"}),
        ("哪些疾病有咳嗽但没有发热？", {"asthma"}, {"pneumonia", "tuberculosis"}),
        ("咳嗽但不发热的疾病", {"asthma"}, {"pneumonia", "common cold"}),
        ("Which symptoms does tuberculosis have that pneumonia lacks?", {"night sweats"},
         {"cough", "fever", "nausea"}),
        ("Which symptoms of pneumonia does asthma not have?", {"fever"}, {"cough"}),
        ("肺结核有而肺炎没有的症状", {"night sweats"}, {"cough", "fever", "nausea"}),
        ("肺结核有哪些肺炎没有的症状？", {"night sweats"}, {"cough", "fever", "nausea"}),
        ("Which drugs interact with warfarin but not with aspirin?", {"amiodarone"},
         {"ibuprofen", "aspirin"}),
        ("哪些药物与华法林相互作用但不与阿司匹林相互作用？", {"amiodarone"},
         {"ibuprofen", "aspirin"}),
        ("Which drugs used for gout have no interaction with warfarin?", {"colchicine"},
         {"allopurinol", "prednisolone"}),
        ("Which drugs treat gout but not pain?", {"allopurinol"}, {"naproxen", "furosemide"}),
        ("治疗高血压但不治疗心力衰竭的药物", {"amlodipine", "verapamil"}, {"lisinopril"}),
        ("Which drugs are contraindicated in pregnancy but not in breastfeeding?", {"ibuprofen"},
         {"tetracycline"}),
        ("Which complications does diabetes have that hypertension also has?", {"stroke"},
         {"diabetic foot", "heart failure"}),
        ("糖尿病和高血压共同的并发症", {"stroke"}, {"diabetic foot", "heart failure"}),
        ("引起喘息的疾病要做哪些检查？", {"lung function test"}, set()),
    ],
)  # fmt: skip
def test_what_is_denied_or_shared(
    base: KnowledgeBase, question: str, has: set[str], lacks: set[str]
) -> None:
    found = names(base.ask(question))
    assert has <= found
    assert not lacks & found


@pytest.mark.parametrize(
    "question",
    [
        "Which drugs do not interact with warfarin?",
        "哪些药物不与华法林相互作用？",
        "Which drugs are not contraindicated in pregnancy?",
        "Which side effects does metformin not have?",
    ],
)
def test_silence_makes_no_list(base: KnowledgeBase, question: str) -> None:
    answer = base.ask(question)
    assert answer.result.value == ()
    assert answer.missing


def test_what_sources_deny_is_a_list(base: KnowledgeBase) -> None:
    found = names(base.ask("Which diseases do not have fever as a symptom?"))
    assert "iron deficiency anemia" in found
    assert "pneumonia" not in found


@pytest.mark.parametrize(
    ("question", "listed"),
    [
        ("Which drugs cannot be used in asthma?", "propranolol"),
        ("哪些药物不能用于哮喘？", "propranolol"),
        ("Which drugs must not be taken with warfarin?", "aspirin"),
    ],
)
def test_what_must_not_be_used_keeps_its_list(
    base: KnowledgeBase, question: str, listed: str
) -> None:
    assert listed in names(base.ask(question))


@pytest.mark.parametrize(
    ("question", "recorded"),
    [
        ("Is asthma a symptom of wheezing?", "the other way round"),
        ("Is ibuprofen a side effect of headache?", "the other way round"),
        ("Is stroke a risk factor for smoking?", "the other way round"),
        ("Does gout treat colchicine?", "the other way round"),
        ("Does headache cause ibuprofen?", "the other way round"),
        ("哮喘是喘息的症状吗？", "方向相反"),
        ("中风是吸烟的危险因素吗？", "方向相反"),
    ],
)
def test_the_other_way_round_is_not_affirmed(
    base: KnowledgeBase, question: str, recorded: str
) -> None:
    answer = base.ask(question)
    assert answer.result.kind == "yes_no"
    assert answer.result.value is None
    assert recorded in answer.text


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Is wheezing a symptom of asthma?", True),
        ("吸烟是中风的危险因素吗？", True),
        ("Is colchicine a treatment for gout?", True),
        ("Is ibuprofen contraindicated in peptic ulcer?", True),
        ("Is tetracycline contraindicated in pregnancy?", True),
        ("布洛芬禁用于消化性溃疡吗？", True),
        ("消化性溃疡患者禁用布洛芬吗？", True),
        ("Does aspirin interact with warfarin?", True),
        ("阿司匹林与华法林有相互作用吗？", True),
        ("Should ibuprofen be avoided in peptic ulcer?", True),
        ("Is aspirin contraindicated in gout?", None),
        ("Can I take ibuprofen with a peptic ulcer?", False),
        ("Is it safe to take propranolol with asthma?", False),
    ],
)
def test_what_is_asked_of_safety(base: KnowledgeBase, question: str, value: bool | None) -> None:
    assert base.ask(question).result.value is value


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("下列哪项是哮喘的症状？A.喘息 B.脱发 C.耳鸣", "A"),
        ("下面哪种药治疗痛风？A.青霉素 B.秋水仙碱 C.胰岛素", "B"),
        ("以下哪个是流感的并发症：A、肺炎 B、脱发 C、骨折", "A"),
        ("下面哪项不是肺炎的症状？（A）咳嗽（B）脱发（C）发热", "B"),
    ],
)
def test_chinese_options(base: KnowledgeBase, question: str, label: str) -> None:
    assert base.ask(question).result.value == label


@pytest.mark.parametrize("question", ["Which drugs treat hepatitis?", "肝炎用什么药治疗？"])
def test_a_general_name_says_that_it_goes_to_its_kinds(base: KnowledgeBase, question: str) -> None:
    answer = base.ask(question)
    assert answer.result.value
    assert any("kinds" in each or "种类" in each for each in answer.missing)


@pytest.mark.parametrize(
    "question",
    [
        "How many people have diabetes?",
        "How common is measles?",
        "Which hospital treats tuberculosis?",
        "有多少人患高血压？",
        "哪家医院治肺结核好？",
    ],
)
def test_what_no_list_answers(base: KnowledgeBase, question: str) -> None:
    answer = base.ask(question)
    assert answer.result.value is None
    assert not answer.statements


GOUT_AND_WARFARIN = {
    "allopurinol", "diclofenac", "ibuprofen", "naproxen", "paracetamol", "prednisolone",
}  # fmt: skip
GOUT_AND_PREGNANCY = {"diclofenac", "etoricoxib", "ibuprofen", "naproxen"}


@pytest.mark.parametrize(
    ("question", "listed"),
    [
        ("治疗痛风的药物中哪些与华法林相互作用？", GOUT_AND_WARFARIN),
        ("与华法林相互作用的痛风药有哪些？", GOUT_AND_WARFARIN),
        ("哪些治疗痛风的药物不能与华法林合用？", GOUT_AND_WARFARIN),
        ("治疗痛风的药物中哪些孕妇禁用？", GOUT_AND_PREGNANCY),
        ("哪些痛风用药在孕妇中禁用？", GOUT_AND_PREGNANCY),
        ("哪些治疗痛风的药物禁止与华法林同用？", GOUT_AND_WARFARIN),
        ("Which drugs for psoriasis must not be taken in pregnancy?", {"methotrexate"}),
        ("Which drugs for gout are avoided in pregnancy?", GOUT_AND_PREGNANCY),
        ("Which drugs for gout shouldn't be given with warfarin?", GOUT_AND_WARFARIN),
        (
            "Which drugs are contraindicated in both epilepsy and pregnancy?",
            {"amantadine", "levofloxacin"},
        ),
    ],
)
def test_what_speaks_against_drugs_is_what_is_asked_for(
    base: KnowledgeBase, question: str, listed: set[str]
) -> None:
    assert names(base.ask(question)) == listed


@pytest.mark.parametrize(
    ("before", "question", "listed"),
    [
        ("Which drugs are used for psoriasis?", "Which of them are contraindicated in pregnancy?",
         {"methotrexate"}),
        ("Which drugs are used for gout?", "Which of them interact with warfarin?",
         GOUT_AND_WARFARIN),
        ("Which drugs are used for gout?", "Which of these must not be taken in pregnancy?",
         GOUT_AND_PREGNANCY),
        ("I take warfarin.", "Which drugs for gout interact with warfarin?", GOUT_AND_WARFARIN),
        ("哪些药物用于痛风？", "其中哪些孕妇禁用？", GOUT_AND_PREGNANCY),
    ],
)  # fmt: skip
def test_what_speaks_against_drugs_of_a_list_before(
    base: KnowledgeBase, before: str, question: str, listed: set[str]
) -> None:
    assert names(base.ask(question, history=[before])) == listed


def test_what_may_be_taken_of_a_list_before(base: KnowledgeBase) -> None:
    asked = ["Which drugs are used for gout?"]
    found = names(base.ask("Which of them are safe in pregnancy?", history=asked))
    assert not GOUT_AND_PREGNANCY & found
    assert "colchicine" in found


def test_a_name_that_begins_like_an_organ_is_kept(base: KnowledgeBase) -> None:
    question = "Which drugs used for gout are not contraindicated in kidney stones?"
    found = names(base.ask(question))
    assert "colchicine" in found
    assert "probenecid" not in found
