"""The common complaints of a pharmacy have their medicines, with what forbids these."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase


@pytest.mark.parametrize(
    ("asked", "told", "not_told"),
    [
        ("What can I take for a cough with phlegm?", "ambroxol", "codeine"),
        ("咳嗽有痰吃什么药好", "氨溴索", "可待因"),
        ("What drugs are used for a dry cough?", "dextromethorphan", "ambroxol"),
        ("What drugs for bloating?", "simeticone", "loperamide"),
        ("肚子胀气吃什么药", "西甲硅油", "洛哌丁胺"),
        ("What can I take for abdominal cramps?", "hyoscine butylbromide", "loperamide"),
        ("What drugs for dry eyes?", "artificial tears", "decongestants"),
        ("干眼症怎么治疗", "人工泪液", "维生素A"),
        ("痔疮用什么药", "痔疮外用药", "洛哌丁胺"),
        ("What medicine helps against pinworms?", "pyrantel", "praziquantel"),
        ("蒙脱石散怎么吃", "两餐之间", "mg"),
        ("How do I use a nicotine patch?", "dry, hairless skin", "mg"),
        ("嗓子哑了怎么办", "三周", "抗生素"),
        ("What can I take for a blocked nose?", "saline nasal spray", "amoxicillin"),
        ("鼻塞可以用什么药？", "盐水鼻喷雾", "阿莫西林"),
        ("What can I take for heartburn?", "alginic acid", "paracetamol"),
        ("What can I take for dry skin?", "emollients", "ciclosporin"),
        ("蚊虫叮咬可以用什么药？", "氯雷他定", "阿莫西林"),
        ("What can I take for a muscle cramp?", "cramped muscle", "diazepam"),
        ("抽筋可以用什么药？", "抽筋", "地西泮"),
        ("What can I take for ear wax?", "ear wax softening drops", "amoxicillin"),
        ("What can I give my baby for teething?", "paracetamol", "benzocaine"),
        ("What can I take for travel sickness?", "hyoscine", "ondansetron"),
        ("What can I take for heavy periods?", "tranexamic acid", "stopped"),
    ],
)
def test_a_complaint_is_answered_with_what_is_meant_for_it(
    base: KnowledgeBase, asked: str, told: str, not_told: str
) -> None:
    text = base.ask(asked).text
    assert told in text
    assert not_told not in text


@pytest.mark.parametrize(
    ("asked", "stopped", "hard"),
    [
        ("I take phenelzine. Can I take dextromethorphan?", "dextromethorphan", True),
        ("我在吃司来吉兰，能吃右美沙芬吗", "dextromethorphan", True),
        ("Can my 2 year old have dextromethorphan?", "dextromethorphan", True),
        ("I have a chesty cough. Can I take dextromethorphan?", "dextromethorphan", False),
        ("I have a cough with phlegm. Can I take codeine?", "codeine", False),
        ("I have a stomach ulcer. Can I take carbocisteine?", "carbocisteine", True),
        ("I take warfarin. Can I use miconazole oral gel?", "miconazole", True),
        ("孩子1岁可以吃蒙脱石散吗", "diosmectite", False),
        ("怀孕6周能吃氨溴索吗", "ambroxol", False),
    ],
)
def test_what_speaks_against_it_is_told(
    base: KnowledgeBase, asked: str, stopped: str, hard: bool
) -> None:
    met = [stop for stop in base.ask(asked).stops if stop.status == "applies"]
    assert any(stop.entity.id == f"mw.substance:{stopped}" and stop.hard is hard for stop in met)


@pytest.mark.parametrize(
    ("told", "never_alone"),
    [
        ("I have ringing in my ears. What could it be?", "Meniere"),
        ("My ear is blocked. What could it be?", "Meniere"),
        ("My voice is hoarse. What could it be?", "laryngeal cancer"),
    ],
)
def test_one_finding_does_not_name_the_graver_illness_alone(
    base: KnowledgeBase, told: str, never_alone: str
) -> None:
    answer = base.ask(told)
    assert f"In this base {never_alone}" not in answer.text
    assert f"{never_alone} fits best" not in answer.text
