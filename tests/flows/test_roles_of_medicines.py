"""What a medicine is to somebody: chosen from, not begun, over, or not borne is not taken."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.model.answer import Answer
from tests.answers_read import said


def taken(answer: Answer) -> set[str]:
    named = answer.question.mentions
    return {m.entity.partition(":")[2] for m in named if m.role == "taken"}


def stopped(answer: Answer) -> set[str]:
    return {s.entity.name("en") for s in answer.stops if s.status == "applies" and s.hard}


def reasons_of(answer: Answer) -> dict[str, str]:
    """What is said against each drug of the lists, by its name in the language of the question."""
    language = answer.question.language
    return {
        drug.entity.name(language): drug.reason
        for listed in answer.drugs
        for group in listed.groups
        for drug in group.drugs
    }


@pytest.mark.parametrize(
    "asked",
    [
        "My throat closed up on Augmentin. A doctor wrote down Keflex, Zithromax, Vibramycin and "
        "Amoxil and told me to google. So: google?",
        "Penicillin gave me hives. On the slip are cefuroxime, doxycycline, azithromycin and "
        "amoxicillin. Please sort them.",
        "我青霉素过敏。医生写了头孢氨苄、阿奇霉素、多西环素和阿莫西林，让我自己查。",
    ],
)
def test_the_last_of_a_list_is_no_more_taken_than_the_others(
    base: KnowledgeBase, asked: str
) -> None:
    answer = base.ask(asked)
    assert not taken(answer)
    assert "amoxicillin" in stopped(answer)
    assert "on your own" not in said(answer)


@pytest.mark.parametrize(
    ("asked", "never"),
    [
        ("I take amoxicillin since yesterday and I'm allergic to penicillin. ok?", "on your own"),
        ("我对青霉素过敏，昨天开始吃阿莫西林，要紧吗", "自行停用"),
    ],
)
def test_nobody_is_told_to_go_on_with_what_they_do_not_bear(
    base: KnowledgeBase, asked: str, never: str
) -> None:
    read = said(base.ask(asked))
    assert never not in read
    assert "before the next dose" in read or "下一次用" in read


@pytest.mark.parametrize(
    ("asked", "ended"),
    [
        ("丙戊酸能突然停吗？叶酸现在就要吃吗？", "valproate"),
        ("癫痫吃丙戊酸钠五年，能不能自己先停半个月；皮肤科开了泰尔丝还没吃，能吃吗。", "valproate"),
        ("Can I just stop sertraline? Also is ibuprofen ok for a headache?", "sertraline"),
        ("I take lithium. How do I come off it? A friend says valerian is safe.", "lithium"),
    ],
)
def test_who_asks_to_end_one_medicine_takes_that_one(
    base: KnowledgeBase, asked: str, ended: str
) -> None:
    answer = base.ask(asked)
    assert taken(answer) == {ended}


@pytest.mark.parametrize(
    "asked",
    [
        "anyway does propranolol work for stage fright, 29, mild asthma, inhaler twice a year",
        "Awful week. btw does propranolol help with nerves, asthma, salbutamol now and then",
    ],
)
def test_what_is_asked_in_passing_is_not_taken(base: KnowledgeBase, asked: str) -> None:
    answer = base.ask(asked)
    assert "propranolol" not in taken(answer)
    assert "propranolol" in stopped(answer)
    assert "do not stop propranolol" not in said(answer)


@pytest.mark.parametrize(
    "asked",
    [
        "我有哮喘，大学时吃阿司匹林喘到送急诊。布洛芬、萘普生、扑热息痛，我能吃哪个",
        "My asthma went mad on aspirin once. Naproxen, ibuprofen or paracetamol, which?",
    ],
)
def test_an_attack_that_a_medicine_brought_on_is_not_borne(base: KnowledgeBase, asked: str) -> None:
    answer = base.ask(asked)
    aspirin = [m for m in answer.question.mentions if m.entity == "mw.substance:aspirin"]
    assert [m.role for m in aspirin] == ["allergy"]
    assert stopped(answer) == {"ibuprofen", "naproxen"}


@pytest.mark.parametrize(
    ("asked", "role"),
    [
        ("去年吃扑尔敏睡着了，西替利嗪可以吃吗", "past"),
        ("三年前吃扑尔敏睡着过，西替利嗪可以吃吗", "past"),
        ("去年吃扑尔敏到现在，西替利嗪可以吃吗", "taken"),
        ("去年开始吃扑尔敏，西替利嗪可以吃吗", "taken"),
    ],
)
def test_what_was_taken_last_year_is_over(base: KnowledgeBase, asked: str, role: str) -> None:
    answer = base.ask(asked)
    first = answer.question.mentions[0]
    assert first.role == role
    told = {s.entity.name("en") for s in answer.stops if s.status == "applies"}
    assert ("cetirizine" in told) == (role == "taken")


@pytest.mark.parametrize(
    ("asked", "hard"),
    [
        ("Apixaban vs warfarin: 66M, AF, mechanical mitral valve. Registrar wants the DOAC.",
         {"apixaban"}),
        ("Ibuprofen or prednisolone for gout? My mate says a steroid is better.", set()),
        ("华法林和阿哌沙班选哪个？房颤，同事说新型口服抗凝药好", set()),
    ],
)  # fmt: skip
def test_options_are_not_crossed_with_the_class_of_one(
    base: KnowledgeBase, asked: str, hard: set[str]
) -> None:
    answer = base.ask(asked)
    assert stopped(answer) == hard
    assert not any(stop.others for stop in answer.stops if stop.status == "applies")


def test_options_beside_what_is_taken_are_asked_about(base: KnowledgeBase) -> None:
    answer = base.ask("She has AF. Apixaban or warfarin, she already takes ibuprofen. which?")
    assert taken(answer) == {"ibuprofen"}
    read = said(answer)
    assert "interacts with ibuprofen" in read
    assert "interacts with apixaban" not in read
    assert "on your own: ask" not in read


@pytest.mark.parametrize(
    ("asked", "never", "still"),
    [
        ("Which antihypertensives do you record for a type 2 diabetic with albuminuria who coughs "
         "on perindopril?", "losartan", ""),
        ("吃依那普利干咳，还有哪些降压药可以用，我有糖尿病", "坎地沙坦", "赖诺普利"),
        ("她吃氨氯地平老是头疼，还有什么降压药能吃", "比索洛尔", "硝苯地平"),
    ],
)  # fmt: skip
def test_what_does_not_suit_is_held_against_its_own_kind_alone(
    base: KnowledgeBase, asked: str, never: str, still: str
) -> None:
    reasons = reasons_of(base.ask(asked))
    assert "同用" not in reasons[never]
    assert "with " not in reasons[never]
    assert not still or "同用" in reasons[still]


@pytest.mark.parametrize(
    ("asked", "met"),
    [
        ("She is on ramipril and fine. Which antihypertensives could be added?", "losartan"),
        ("Which painkiller for a woman who coughs on ramipril?", "ibuprofen"),
    ],
)
def test_what_is_taken_besides_is_held_against_all(
    base: KnowledgeBase, asked: str, met: str
) -> None:
    answer = base.ask(asked)
    assert taken(answer) == {"ramipril"}
    assert "with ramipril" in reasons_of(answer)[met]


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("I've been given methotrexate, not taken any yet, and we are trying for a baby.",
         "methotrexate"),
        ("The GP prescribed propranolol but I haven't started it, I have asthma. Should I?",
         "propranolol"),
        ("I'm due to start isotretinoin next week and I'm on doxycycline. ok?", "isotretinoin"),
        ("医生开了甲氨蝶呤，还没开始吃，在备孕，行吗", "methotrexate"),
        ("下周开始吃异维A酸，现在吃多西环素，可以吗", "isotretinoin"),
    ],
)  # fmt: skip
def test_what_is_not_begun_is_asked_about(base: KnowledgeBase, asked: str, name: str) -> None:
    answer = base.ask(asked)
    assert name not in taken(answer)
    assert name in stopped(answer)
    read = said(answer)
    assert f"do not stop {name}" not in read
    assert "请勿自行停用" not in read


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("I'm on sertraline, not taken it yet today. Can I have ibuprofen?", "sertraline"),
        ("I take lithium, not started the ibuprofen. ok?", "lithium"),
        ("我在吃华法林，还没吃饭，能吃布洛芬吗", "warfarin"),
        ("我在吃舍曲林，今天还没吃，能吃布洛芬吗", "sertraline"),
    ],
)
def test_what_is_only_not_taken_today_is_taken(base: KnowledgeBase, asked: str, name: str) -> None:
    assert taken(base.ask(asked)) == {name}


# What somebody asks whether they have


@pytest.mark.parametrize(
    "asked",
    [
        "Then half my head pounds and I lie down in the dark. Am I having strokes? I'm 27.",
        "My chest hurts when I press it. Are these heart attacks?",
        "右腰突然绞着疼，尿发红。是肾结石还是阑尾炎？",
        "胳膊上起了疙瘩，这是湿疹还是荨麻疹？",
    ],
)
def test_what_is_asked_about_is_no_finding(base: KnowledgeBase, asked: str) -> None:
    diseases = base.ask(asked).question.of_concept("disease")
    assert diseases
    assert all(m.status != "present" and m.doubted for m in diseases)


@pytest.mark.parametrize(
    "asked", ["She is having seizures every day. What is it?", "发烧还是不退，怎么回事？"]
)
def test_what_is_told_is_a_finding(base: KnowledgeBase, asked: str) -> None:
    assert [m.status for m in base.ask(asked).question.of_concept("symptom")] == ["present"]
