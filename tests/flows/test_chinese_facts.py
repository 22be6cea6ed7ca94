"""Facts as Chinese is written: who has and takes what, what is over, and typed errors."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.model.answer import Answer


def asked(base: KnowledgeBase, *turns: str) -> Answer:
    return base.ask(turns[-1], history=list(turns[:-1]))


def stopped(answer: Answer) -> set[str]:
    """The English names of drugs for which something applies that forbids or warns."""
    return {s.entity.name("en") for s in answer.stops if s.status == "applies"}


@pytest.mark.parametrize(
    ("turns", "drug"),
    [
        (["以前吃阿斯匹林全身起风团，现在偏头痛能吃阿司匹林吗"], "aspirin"),
        (["吃花法林能吃布络芬吗"], "ibuprofen"),
        (["我在吃华法林", "哦不对，现在吃的是阿司匹林", "能吃布洛芬吗"], "ibuprofen"),
        (["我妈糖尿病，吃二甲双胍", "查出肾小球滤过率25", "还能继续吃吗"], "metformin"),
        (["我对青霉素过敏", "医生开了阿莫西林", "能吃吗"], "amoxicillin"),
        (["血管紧张素转化酶抑制剂引起过血管性水肿，能吃赖诺普利吗"], "lisinopril"),
        (["eGFR25能吃二甲双胍吗"], "metformin"),
        (["母亲吃甲氨蝶呤每周10mg，医生开了复方新诺明，她没有药物过敏，能吃吗"], "co-trimoxazole"),
        (["青霉素过敏，没有发烧，能吃阿莫西林吗"], "amoxicillin"),
        (["吃避孕药的女性癫痫，选哪种抗癫痫药"], "carbamazepine"),
        (["哮喘患者，查体血压170/105，降压药怎么选"], "propranolol"),
        (["我對青黴素過敏，中耳炎用什麼藥"], "amoxicillin"),
        (["對磺胺類過敏，尿路感染可以吃複方新諾明嗎"], "co-trimoxazole"),
        (["怀了七个多月，牙疼想吃芬必得"], "ibuprofen"),
        (["怀孕两个多月能吃布洛芬吗"], "ibuprofen"),
        (["除了青霉素没有别的药物过敏，咽炎能吃阿莫西林吗"], "amoxicillin"),
        (["俺娘肾也不中了，能吃二甲双胍不"], "metformin"),
        (["佢食緊華法林，可唔可以食布洛芬"], "ibuprofen"),
        (["pt女72y，华法林中，能加克拉霉素吗"], "clarithromycin"),
        (["喹诺酮过敏，尿路感染能吃环丙沙星吗"], "ciprofloxacin"),
        (["我肾移植后，能打麻腮风疫苗吗"], "MMR vaccine"),
        (["他一直吃拜瑞妥，邻居介绍他吃双氯芬酸，能吃吗"], "diclofenac"),
        (["吃了磺胺药身上脱皮进过ICU，尿感能吃复方新诺明吗"], "co-trimoxazole"),
    ],
)
def test_what_is_told_is_held_against_a_drug(
    base: KnowledgeBase, turns: list[str], drug: str
) -> None:
    assert drug in stopped(asked(base, *turns))


@pytest.mark.parametrize(
    ("turns", "drug"),
    [
        (["我弟弟对青霉素过敏，我不过敏，咽炎能吃阿莫西林吗"], "amoxicillin"),
        (["我对青霉素不过敏，能吃阿莫西林吗"], "amoxicillin"),
        (["之前考虑哮喘，后来做检查排除了，高血压能吃普萘洛尔吗"], "propranolol"),
        (["哺乳期已经结束半年，想吃多西环素治痤疮"], "doxycycline"),
        (["我怀孕了", "其实没怀上，弄错了", "能吃四环素治痤疮吗"], "tetracycline"),
        (["头孢过敏的症状有哪些"], "cefalexin"),
        (["雷米普利换成氯沙坦行吗"], "losartan"),
        (["以前怀孕时得过膀胱炎，能用多西环素吗"], "doxycycline"),
        (["我妈妈70岁，吃华法林", "她膝盖痛吃什么", "我膝盖也痛，我能吃萘普生吗"], "naproxen"),
        (
            ["邻居说他吃甲氨蝶呤不能吃复方新诺明，我不吃甲氨蝶呤，我尿路感染能吃复方新诺明吗"],
            "co-trimoxazole",
        ),
    ],
)
def test_what_is_anothers_or_over_is_not(base: KnowledgeBase, turns: list[str], drug: str) -> None:
    assert drug not in stopped(asked(base, *turns))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("降压药依那普利跟螺内酯一块吃行不行啊", {"依那普利", "螺内酯"}),
        ("他长期服用利伐沙班，开了克拉霉素，和他的抗凝药有没有冲突", {"利伐沙班", "克拉霉素"}),
        (
            "He takes apixaban. Can he have naproxen with his blood thinner?",
            {"apixaban", "naproxen"},
        ),
        ("服用抗凝药布洛芬能吃吗", {"抗凝药", "布洛芬"}),
    ],
)
def test_a_class_beside_its_member_is_that_member(
    base: KnowledgeBase, text: str, names: set[str]
) -> None:
    assert {m.text for m in base.understand(text).mentions} == names


def test_what_is_put_right_counts_as_it_was_put_right(base: KnowledgeBase) -> None:
    found = {m.text: m.status for m in base.understand("带状疱疹... 不，是水痘，用什么药").mentions}
    assert found["带状疱疹"] == "absent"
    assert found["水痘"] != "absent"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("穿心莲和对乙酰氨基酚能一起吃吗", "穿心莲"),
        ("布洛芬和蒲地蓝能不能同时吃", "蒲地蓝"),
        ("布洛芬和别的药一起吃行吗", ""),
        ("安宫牛黄丸高血压能吃吗", "安宫牛黄丸"),
    ],
)
def test_what_is_to_be_taken_with_a_drug_and_is_unknown_is_named(
    base: KnowledgeBase, text: str, word: str
) -> None:
    assert [each.text for each in base.ask(text).not_understood] == [word] * bool(word)


def test_all_that_an_answer_names_has_a_chinese_name(base: KnowledgeBase) -> None:
    """Whatever a statement of the sample base is about, whichever its source's language."""
    held = base._opened.store.match(None, None, None)
    entities = {entity for supported in held for entity in supported.statement.entities}
    found = base.knowledge.entities.all(entities).values()
    named = [e for e in found if e.concept != "dialogue"]
    assert len(named) > 1000
    assert [e.id for e in named if "zh" not in e.names] == []


@pytest.mark.parametrize(
    ("text", "raised"), [("心慌，医生让吃普萘洛尔", False), ("心慌，头晕，要晕倒", True)]
)
def test_one_word_is_not_two_signs(base: KnowledgeBase, text: str, raised: bool) -> None:
    found = base.understand(text).danger or ()
    assert any(sign.status == "present" for sign in found) == raised


@pytest.mark.parametrize(
    ("text", "age_days"),
    [
        ("哺乳期，宝宝3个月，我得了湿疹，能用什么药", None),
        ("我在喂奶，宝宝3个月，发烧了吃什么药", 91),
        ("哺乳期，宝宝3个月拉肚子，我牙疼，能吃布洛芬吗", 91),
        ("患者男，56y，能吃辛伐他汀吗", 20454),
    ],
)
def test_the_age_of_a_child_who_is_only_nursed_is_not_the_patients(
    base: KnowledgeBase, text: str, age_days: int | None
) -> None:
    assert base.understand(text).patient.age_days == age_days


def test_shorthand_of_clinicians_is_chinese(base: KnowledgeBase) -> None:
    answer = base.ask("患者男，56y，T2DM，CKD4期，HbA1c 9%，降糖药选啥")
    assert answer.question.language == "zh"
    assert "metformin" in stopped(answer)


def test_a_pulse_that_is_slow_at_any_age_needs_no_age(base: KnowledgeBase) -> None:
    assert "心动过缓" in {m.name for m in base.understand("心率48，能用比索洛尔吗").mentions}
    assert "心动过缓" not in {m.name for m in base.understand("心率60，能用比索洛尔吗").mentions}


@pytest.mark.parametrize("text", ["哮喘病人能吃普萘洛尔吗", "普萘洛尔，有哮喘的人能吃不"])
def test_a_disease_is_no_complaint(base: KnowledgeBase, text: str) -> None:
    assert not base.understand(text).danger


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("哪些药伤肾", {"布洛芬", "萘普生"}),
        ("什么药会升高血钾", {"螺内酯", "氯沙坦"}),
        ("吃了会犯困的过敏药有哪些", {"西替利嗪", "氯雷他定"}),
        ("为啥吃了赖诺普利老咳嗽", {"赖诺普利"}),
        ("老年痴呆有哪些药", {"多奈哌齐"}),
    ],
)
def test_a_list_is_given_however_it_is_asked_for(
    base: KnowledgeBase, text: str, names: set[str]
) -> None:
    said = " ".join(sentence.text for sentence in base.ask(text).sentences)
    assert {name for name in names if name in said} == names


@pytest.mark.parametrize("text", ["痛风能喝酒吗", "我有乙肝，能喝酒吗"])
def test_a_drink_with_a_disease_is_a_question_of_diet(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert any("酒" in s.text for s in answer.sentences if s.intent == "diet")
    assert not any("用于" in text for text in answer.missing)


def test_what_a_comparison_says_is_not_denied_below_it(base: KnowledgeBase) -> None:
    answer = base.ask("阿司匹林和氯吡格雷区别")
    assert any("有记录的相互作用" in sentence.text for sentence in answer.sentences)
    assert not any("相互作用" in text for text in answer.missing)


def test_classes_asked_about_together_are_held_against_each_other(base: KnowledgeBase) -> None:
    assert "carbamazepine" in stopped(base.ask("避孕药和抗癫痫药哪些不能同时吃"))
