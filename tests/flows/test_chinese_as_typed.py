"""Chinese as it is typed on a telephone: blanks for marks, brands, what is told and not named."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.language.folding import with_commas_for_blanks


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    return KnowledgeBase.sample()


def stopped(base: KnowledgeBase, text: str) -> set[str]:
    """The English names of drugs against which something applies."""
    return {s.entity.name("en") for s in base.ask(text).stops if s.status == "applies"}


def everything(base: KnowledgeBase, text: str) -> str:
    """All that an answer says, its own question left out."""
    answer = base.ask(text).to_json()
    return str({key: value for key, value in answer.items() if key != "question"})


def roles(base: KnowledgeBase, text: str) -> dict[str, str]:
    return {m.text: m.role for m in base.understand(text).mentions if m.role}


TOLD = {
    "我妈吃着地高辛，肺炎开了克拉霉素": "clarithromycin",
    "器官移植后吃环孢素，能吃克拉霉素吗": "clarithromycin",
    "俺娘每个礼拜查INR，牙肿了甲硝唑能吃不": "metronidazole",
    "小时候打青霉素鼓了个大包，扁桃体发炎阿莫仙能吃吗": "amoxicillin",
    "吃过一次磺胺嘴都烂了，能吃复方新诺明不": "co-trimoxazole",
    "去痛片吃了就喘，布洛芬能吃吗": "ibuprofen",
    "我儿子一吃蚕豆尿就像酱油，能吃呋喃妥因吗": "nitrofurantoin",
    "宝宝吃奶，妈妈能吃可待因吗": "codeine",
    "PCI术后一年，长期阿司匹林，想拔牙吃点布洛芬": "ibuprofen",
    "每个月要去拿美沙酮，睡不着能吃安定吗": "diazepam",
    "今年46岁，女，一直吃络活喜，还有十二指肠溃疡，开了双氯芬酸": "diclofenac",
}


@pytest.mark.parametrize(("text", "drug"), TOLD.items())
def test_a_blank_is_read_as_a_mark_is(base: KnowledgeBase, text: str, drug: str) -> None:
    assert drug in stopped(base, text)
    assert stopped(base, text.replace("，", " ")) == stopped(base, text)


@pytest.mark.parametrize("text", ["发烧 咳嗽 胸痛", "吃 布洛芬 胃疼", "华法林 和 布洛芬", "a b"])
def test_words_set_apart_are_no_clauses(text: str) -> None:
    read = with_commas_for_blanks(text)
    assert len(read) == len(text)
    assert "吃，" not in read
    assert "，和" not in read


@pytest.mark.parametrize(
    ("text", "shared"),
    [
        ("散利痛和泰诺能一起吃吗", "对乙酰氨基酚"),
        ("吃着感冒灵 发烧能再吃扑热息痛吗", "对乙酰氨基酚"),
        ("芬必得和美林能一起吃吗", "布洛芬"),
        ("Can I take NyQuil with Panadol?", "paracetamol"),
    ],
)
def test_two_medicines_that_hold_the_same_add_up(
    base: KnowledgeBase, text: str, shared: str
) -> None:
    said = everything(base, text)
    assert "都含" in said or "hold the same medicine" in said
    assert shared in said


@pytest.mark.parametrize(
    "text",
    [
        "I take Tylenol (paracetamol), can I take ibuprofen?",
        "I take Ibuprofen. Can I take ibuprofen with ibuprofin and a beer?",
        "泰诺林和美林能一起吃吗",
        "对泰诺过敏，能吃布洛芬吗",
    ],
)
def test_a_name_that_explains_another_and_other_medicines_do_not(
    base: KnowledgeBase, text: str
) -> None:
    said = everything(base, text)
    assert "都含" not in said
    assert "hold the same" not in said


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("荆防颗粒感冒能喝吗", ["荆防颗粒"]),
        ("孩子四个月 咳嗽能喝百部贝母膏吗", ["百部贝母膏"]),
        ("连花清瘟能和布洛芬一起吃吗", ["连花清瘟"]),
        ("吃着玛仕度肽能吃优甲乐吗", ["玛仕度肽"]),
        ("我有滑膜炎能吃布洛芬吗", ["滑膜炎"]),
        ("发炎了 吃了两片布洛芬 拍了片子", []),
        ("缓释片能掰开吗 药膏擦了", []),
    ],
)
def test_names_that_nobody_knows_are_told(
    base: KnowledgeBase, text: str, unknown: list[str]
) -> None:
    assert [each.text for each in base.understand(text).not_understood] == unknown


def test_an_unknown_chinese_name_is_asked_about_as_the_class_of_its_stem(
    base: KnowledgeBase,
) -> None:
    found = {m.text: m.name for m in base.understand("在吃莫维普利 能吃螺内酯吗").mentions}
    assert found["莫维普利"] == "血管紧张素转换酶抑制剂"


@pytest.mark.parametrize(
    ("text", "name", "role"),
    [
        ("哪几种抗生素青霉素过敏的人能用", "抗生素", "asked"),
        ("青霉素和头孢都过敏 能用阿奇霉素吗", "青霉素", "allergy"),
        ("吃氨氯地平 脚肿了怎么办", "氨氯地平", "taken"),
        ("氯雷他定吃了荨麻疹还没好", "氯雷他定", "asked"),
        ("吃华法林能喝三七粉吗", "华法林", "taken"),
        ("地高辛吃了没问题 可以吃 克拉霉素也行", "地高辛", "asked"),
    ],
)
def test_what_is_not_borne_and_what_is_taken(
    base: KnowledgeBase, text: str, name: str, role: str
) -> None:
    assert roles(base, text)[name] == role


@pytest.mark.parametrize(
    ("text", "said", "not_said"),
    [
        ("哪些病会头晕", "记录有头晕的疾病", "不是诊断"),
        ("哪些降压药会咳嗽", "副作用中记录有咳嗽", "用于咳嗽"),
        ("痛风发作肾又不好吃什么药", "用于痛风", "慢性肾脏病"),
        ("她肾没问题，能吃二甲双胍吗", "二甲双胍", "是指肾病吗"),
        ("老年痴呆的奶奶晚上闹 能吃安定吗", "地西泮", "是指哺乳吗"),
        ("阿奇霉素吃三天停四天是真的吗", "三到五天", "不是本知识库已知的名称"),
        ("贫血有哪几种", "贫血", "未见禁用"),
        ("血糖一直很高怎么办", "高血糖", "低血糖"),
        ("宝宝抽风了眼睛翻白", "任何年龄都是危险信号", "refer"),
    ],
)
def test_what_is_asked_is_answered_and_nothing_else(
    base: KnowledgeBase, text: str, said: str, not_said: str
) -> None:
    assert said in everything(base, text)
    assert not_said not in base.ask(text).text


@pytest.mark.parametrize(
    ("text", "crisis"),
    [
        ("我发现外甥手腕上划了好多道口子 他用袖子遮着", True),
        ("室友夏天总穿长袖 我看到她小臂上一排刀印", True),
        ("爷爷去世后奶奶吃不下饭 瘦了七八斤", False),
        ("儿子爬树胳膊上划了好几道", False),
    ],
)
def test_what_relatives_find_is_a_crisis_and_grief_is_none(
    base: KnowledgeBase, text: str, crisis: bool
) -> None:
    found = base.understand(text).danger or ()
    assert any(sign.kind == "crisis" for sign in found) is crisis
