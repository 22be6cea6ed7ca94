"""What a question offers without labels, what two do not share, and harm of what a thing is."""

from __future__ import annotations

from typing import Any

import pytest

from medweave.errors import QuestionError
from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer
from medweave.model.entity import Entity
from medweave.model.triple_query import Triple


def names(answer: Answer) -> set[str]:
    value: Any = answer.result.value
    assert answer.result.kind == "entities"
    return {entity.name() for entity in value}


def recorded(base: KnowledgeBase, *triple: str) -> set[str]:
    found = base.query([Triple(*triple)]).bindings["?"]
    return {thing.name() for thing in found if isinstance(thing, Entity)}


@pytest.mark.parametrize(
    ("question", "holding"),
    [
        ("Which of these is a symptom of gout: joint pain, cough, hair loss?", {"joint pain"}),
        ("Which of these are symptoms of pneumonia: fever, hair loss, chest pain?",
         {"fever", "chest pain"}),
        ("Which of these is not a symptom of asthma: wheezing, fever, chest tightness?",
         {"fever"}),
        ("Of these, which treats gout: colchicine, insulin or allopurinol?",
         {"colchicine", "allopurinol"}),
        ("Which drugs interact with warfarin: aspirin, colchicine, amiodarone?",
         {"aspirin", "amiodarone"}),
        ("Which drug treats tuberculosis, isoniazid or colchicine?", {"isoniazid"}),
        ("下列哪些是痛风的症状：关节痛、咳嗽、脱发？", {"joint pain"}),
        ("下面哪个不是肺炎的症状：咳嗽、脱发、发热？", {"hair loss"}),
        ("糖尿病的并发症是哪个：中风、疥疮、糖尿病足？", {"stroke", "diabetic foot"}),
        ("下列药物中哪些是孕妇禁用的：四环素、对乙酰氨基酚、布洛芬？",
         {"tetracycline", "ibuprofen"}),
        ("哪种药会与华法林相互作用，阿司匹林还是秋水仙碱？", {"aspirin"}),
    ],
)  # fmt: skip
def test_of_what_is_offered_the_value_is_what_holds(
    base: KnowledgeBase, question: str, holding: set[str]
) -> None:
    assert names(base.ask(question)) == holding


def test_what_is_offered_and_not_known_is_told(base: KnowledgeBase) -> None:
    answer = base.ask("Which of these is a symptom of gout: joint pain, zorgling?")
    assert names(answer) == {"joint pain"}
    assert any("zorgling" in each for each in answer.missing)


def test_names_of_another_kind_are_no_options(base: KnowledgeBase) -> None:
    found = names(base.ask("Which drugs treat gout, asthma or pneumonia?"))
    assert {"colchicine", "salbutamol", "amoxicillin"} <= found


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("Which symptoms do pneumonia and tuberculosis not share?", "pneumonia", "tuberculosis"),
        ("Which symptoms do pneumonia and asthma not have in common?", "pneumonia", "asthma"),
        ("Which symptoms does only one of pneumonia and asthma have?", "pneumonia", "asthma"),
        ("肺炎和肺结核不同的症状有哪些？", "pneumonia", "pulmonary tuberculosis"),
        ("哮喘和肺炎不共有的症状有哪些？", "asthma", "pneumonia"),
    ],
)
def test_what_two_do_not_share(base: KnowledgeBase, question: str, first: str, second: str) -> None:
    one, other = (recorded(base, each, "has_symptom", "?") for each in (first, second))
    assert names(base.ask(question)) == one ^ other


@pytest.mark.parametrize(
    ("question", "has", "lacks"),
    [
        ("妊娠期禁用但哺乳期不禁用的药物有哪些？", "pregnancy", "breastfeeding"),
        ("哪些药物哺乳期禁用但妊娠期不禁用？", "breastfeeding", "pregnancy"),
        ("Which drugs are contraindicated in breastfeeding but not in pregnancy?",
         "breastfeeding", "pregnancy"),
    ],
)  # fmt: skip
def test_what_is_denied_of_another_state(
    base: KnowledgeBase, question: str, has: str, lacks: str
) -> None:
    one, other = (recorded(base, "?", "contraindicated_in", each) for each in (has, lacks))
    assert names(base.ask(question)) == one - other


@pytest.mark.parametrize(
    ("question", "has", "lacks"),
    [
        ("Which side effects does ibuprofen have but not paracetamol?", "headache", "rash"),
        (
            "Which symptoms occur only in tuberculosis and not in pneumonia?",
            "night sweats",
            "fever",
        ),
        ("只有肺结核有而肺炎没有的症状是什么？", "night sweats", "fever"),
    ],
)
def test_only_and_have_but_not(base: KnowledgeBase, question: str, has: str, lacks: str) -> None:
    found = names(base.ask(question))
    assert has in found
    assert lacks not in found


def test_drugs_that_must_not_be_taken_are_a_list_of_what_else_they_are(
    base: KnowledgeBase,
) -> None:
    found = names(
        base.ask("Which drugs are contraindicated in pregnancy and used for hypertension?")
    )
    against = recorded(base, "?", "contraindicated_in", "pregnancy")
    assert found == against & recorded(base, "?", "used_for", "hypertension")
    assert "lisinopril" in found


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Does ibuprofen cause stomach ulcers?", True),
        ("布洛芬会引起胃溃疡吗？", True),
        ("Is ibuprofen contraindicated in a gastric ulcer?", True),
        ("Does naproxen cause chest pain?", None),
        ("Does metformin cause stomach ulcers?", None),
    ],
)
def test_harm_of_what_a_thing_is_a_kind_of(
    base: KnowledgeBase, question: str, value: bool | None
) -> None:
    assert base.ask(question).result.value is value


def test_that_it_is_of_the_wider_is_told(base: KnowledgeBase) -> None:
    answer = base.ask("Does ibuprofen cause stomach ulcers?")
    assert any("peptic ulcer, of which stomach ulcer is a kind" in each for each in answer.missing)


@pytest.mark.parametrize(
    ("question", "kinds"),
    [("Which drugs treat arthritis?", "gout"), ("癌症有哪些症状？", "乳腺癌")],
)
def test_a_general_name_says_what_is_of_itself(
    base: KnowledgeBase, question: str, kinds: str
) -> None:
    answer = base.ask(question)
    said = [each for each in answer.missing if kinds in each]
    assert any("itself" in each or "本身" in each for each in said)


def test_danger_that_is_only_offered_is_nobodys(base: KnowledgeBase) -> None:
    offered = "Which one is a symptom of asthma? 1. Wheezing 2. Coughing up blood 3. Purpura"
    answer = base.ask(offered)
    assert answer.result.value == "1"
    assert not answer.danger
    for told in ("I have these: 1. crushing chest pain 2. sweating. What is it?",
                 "My father has crushing chest pain. Which: aspirin, ibuprofen?"):  # fmt: skip
        assert base.ask(told).danger


@pytest.mark.parametrize(
    ("triple", "exact"),
    [
        (("?", "用于", "高血压"), ("?", "used_for", "hypertension")),
        (("?", "治疗药物", "痛风"), ("?", "used_for", "gout")),
        (("?", "治疗", "痛风"), ("?", "used_for", "gout")),
        (("gout", "treated_by", "?"), ("?", "used_for", "gout")),
        (("gout", "medicines", "?"), ("?", "used_for", "gout")),
        (("measles", "clinical features", "?"), ("measles", "has_symptom", "?")),
        (("布洛芬", "不良反应", "?"), ("ibuprofen", "has_side_effect", "?")),
        (("ibuprofen", "causes", "?"), ("ibuprofen", "has_side_effect", "?")),
        (("中风", "的危险因素有", "?"), ("stroke", "has_risk_factor", "?")),
        (("?", "predisposes to", "stroke"), ("stroke", "has_risk_factor", "?")),
    ],
)
def test_relations_by_the_names_that_people_give_them(
    base: KnowledgeBase, triple: tuple[str, str, str], exact: tuple[str, str, str]
) -> None:
    found = recorded(base, *triple)
    assert found == recorded(base, *exact)
    assert found


def test_a_text_is_still_found_where_it_may_stand(base: KnowledgeBase) -> None:
    found = base.query([Triple("痛风", "治疗", "?")]).bindings["?"]
    assert found
    assert not any(isinstance(each, Entity) for each in found)


def test_the_nearest_relation_makes_sense(base: KnowledgeBase) -> None:
    with pytest.raises(QuestionError, match=r"the nearest is '治疗"):
        base.query([Triple("?", "治疔", "痛风")])
    with pytest.raises(QuestionError, match=r"it has: .*has_symptom"):
        base.query([Triple("?", "zorgles", "gout")])


def test_a_courtesy_is_no_question(base: KnowledgeBase) -> None:
    answer = base.ask("What causes a hoarse voice and how is it treated? Please.")
    assert not any("lease" in step.question for step in answer.steps)
