"""Medicines that are offered, chosen from, or taken already: each is held against what is taken."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer


def told(answer: Answer) -> dict[str, str]:
    """The reasons of the hard stops that apply, by drug; of a letter, of all its parts."""
    found: dict[str, str] = {}
    for stop in (stop for each in (answer, *answer.parts) for stop in each.stops):
        if stop.status == "applies" and stop.hard:
            name = stop.entity.name("en")
            found[name] = f"{found.get(name, '')} {stop.reason}"
    return found


def words(answer: Answer) -> str:
    """All that is said, of the parts of a letter too."""
    every = (answer, *answer.parts)
    said = (sentence.text for each in every for sentence in each.sentences)
    return " ".join([*said, *(text for each in every for text in (*each.direct, *each.missing))])


@pytest.mark.parametrize(
    ("letter", "with_what", "drugs"),
    [
        ("I take lithium. I was offered ibuprofen for my back. Also the nurse mentioned "
         "indapamide. Are either of those alright with lithium, and what could I take instead?",
         "lithium", {"ibuprofen", "indapamide"}),
        ("I take warfarin. The dentist suggested naproxen or ibuprofen. Are these ok with "
         "warfarin, and how long do I take them?", "warfarin", {"naproxen", "ibuprofen"}),
        ("我在吃华法林。牙医建议布洛芬或萘普生。这两个和华法林一起能吃吗？多久能好？", "华法林",
         {"naproxen", "ibuprofen"}),
    ],
)  # fmt: skip
def test_all_that_was_offered_is_held_against_what_is_taken(
    base: KnowledgeBase, letter: str, with_what: str, drugs: set[str]
) -> None:
    stopped = told(base.ask(letter))
    assert drugs <= {drug for drug, reason in stopped.items() if with_what in reason}


@pytest.mark.parametrize(
    ("question", "drug", "reason"),
    [
        ("Which painkiller is best? I took a Viagra last night and my mate has a GTN spray, would "
         "that be worth a go?", "nitroglycerin", "sildenafil"),
        ("哪种止痛药好？我昨晚吃了西地那非，家里有硝酸甘油，能用吗", "nitroglycerin", "西地那非"),
    ],
)  # fmt: skip
def test_what_was_taken_is_none_of_the_options(
    base: KnowledgeBase, question: str, drug: str, reason: str
) -> None:
    assert reason in told(base.ask(question)).get(drug, "")


def test_nobody_takes_one_option_with_another(base: KnowledgeBase) -> None:
    stopped = told(base.ask("On theophylline. Abx? cipro / clari / doxy?"))
    assert "theophylline" in stopped["ciprofloxacin"]
    assert not any("clarithromycin" in reason for reason in stopped.values())


@pytest.mark.parametrize(
    ("note", "drug", "reason"),
    [
        ("PMH: on metformin, eGFR 22. ibuprofen?", "ibuprofen", "severe kidney disease"),
        ("Hx: K 6.1, spironolactone?", "spironolactone", "hyperkalemia"),
        ("PMH: asthma, QTc 510. clarithromycin?", "clarithromycin", "long QT"),
        ("既往史：二甲双胍，eGFR 22。能用布洛芬吗", "ibuprofen", "严重肾病"),
    ],
)
def test_what_was_measured_holds_under_the_heading_of_a_history(
    base: KnowledgeBase, note: str, drug: str, reason: str
) -> None:
    assert reason in told(base.ask(note)).get(drug, "")


@pytest.mark.parametrize(
    ("question", "drug"),
    [
        ("我吃阿司匹林喘过，能吃布洛芬吗", "ibuprofen"),
        ("吃布洛芬就犯哮喘，能吃萘普生吗", "naproxen"),
        ("我妈吃阿司匹林哮喘发作过，牙疼能吃布洛芬吗", "ibuprofen"),
    ],
)
def test_who_wheezed_behind_a_medicine_does_not_bear_it(
    base: KnowledgeBase, question: str, drug: str
) -> None:
    assert "过敏" in told(base.ask(question)).get(drug, "")


def test_whether_it_wheezes_is_only_asked(base: KnowledgeBase) -> None:
    assert not told(base.ask("老师说吃布洛芬会犯哮喘，是真的吗"))


def test_two_that_interact_are_not_said_to_be_unrecorded(base: KnowledgeBase) -> None:
    before = ["my dad's on simvastatin 40", "he's been put on clarithromycin, is that ok with it?"]
    for now in ("could he have doxycycline instead?", "and would doxycycline be any better?"):
        said = words(base.ask(now, history=before))
        assert "for simvastatin itself" not in said
        assert "no interaction between doxycycline and simvastatin" in said


@pytest.mark.parametrize(
    ("letter", "expected"),
    [
        ("Starting sertraline tomorow. 1. can i drink on it 2. what if I miss one", "Alcohol with"),
        ("关于阿托伐他汀：1、早上吃还是晚上吃 2、能不能喝西柚汁", "西柚汁"),
        (
            "关于二甲双胍问几个：1.饭前吃还是饭后吃 2.做增强CT要不要停 3.长期吃会缺什么维生素",
            "增强CT前",
        ),
    ],
)
def test_what_goes_with_a_medicine_is_asked_of_the_one_that_was_named(
    base: KnowledgeBase, letter: str, expected: str
) -> None:
    answer = base.ask(letter)
    assert not answer.not_understood
    assert expected in words(answer)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How does metformin actually lower sugar?", "liver"),
        ("mechanism of action of furosemide", "Na-K-2Cl"),
        ("阿司匹林是怎么起作用的", "环氧化酶"),
    ],
)
def test_how_a_medicine_works_is_told(base: KnowledgeBase, question: str, expected: str) -> None:
    assert expected in words(base.ask(question))


@pytest.mark.parametrize(
    "question",
    [
        "His doctor wants to give him propranolol for the shakes he gets with anxiety. Is it ok?",
        "The nurse is going to drop her dose, may she take ibuprofen?",
        "老公停了帕罗西汀，头晕恶心。要不要让他马上把药吃回去？",
        "让他先把药吃了再去医院行吗",
    ],
)
def test_no_threat_and_no_poisoning_is_heard(base: KnowledgeBase, question: str) -> None:
    signs = {danger.sign for danger in base.ask(question).danger or ()}
    assert signs.isdisjoint({"harm_to_others", "poisoning", "suicidal_intent"})


@pytest.mark.parametrize(
    "question", ["I want to shake him when he screams", "他把一瓶药全吃了", "我恨不得掐死他"]
)
def test_a_threat_and_a_poisoning_are(base: KnowledgeBase, question: str) -> None:
    signs = {danger.sign for danger in base.ask(question).danger or ()}
    assert signs & {"harm_to_others", "poisoning"}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("My labrador has just wolfed down two of my naproxen. How long before I ring someone?",
         "animals"),
        ("The puppy has nicked my amlodipine off the table and crunched three", "animals"),
        ("我刚拍了张血常规化验单发你了，帮我看看有没有白血病", "看不到"),
    ],
)  # fmt: skip
def test_what_is_no_question_to_a_base_is_said(
    base: KnowledgeBase, question: str, expected: str
) -> None:
    answer = base.ask(question)
    assert expected in words(answer)
    assert not told(answer)


@pytest.mark.parametrize(
    ("question", "drug"),
    [
        ("I didn't tell the doctor that I take warfarin. Is ibuprofen ok?", "ibuprofen"),
        ("I never told her I've sleep apnoea. Can I start zopiclone?", "zopiclone"),
        ("She forgot to mention her asthma. May she have propranolol?", "propranolol"),
        ("没告诉医生我在吃华法林，能吃布洛芬吗", "ibuprofen"),
        ("我没跟大夫说我有哮喘，开了普萘洛尔能吃吗", "propranolol"),
    ],
)
def test_what_was_not_told_to_somebody_is_so(base: KnowledgeBase, question: str, drug: str) -> None:
    assert drug in told(base.ask(question))


@pytest.mark.parametrize(
    ("question", "sign"),
    [
        ("I've put on a stone in six months, my skin is dry and I'm always cold and constipated. "
         "Husband says my voice has gone croaky. What is it?", "stroke"),
        ("吃了一周硫酸亚铁大便变黑了,别的没啥不舒服,是不是胃出血啊", "poisoning"),
        ("我最近血尿酸560,脚上有个小结节,准备吃别嘌醇可以吗", "blood_passed"),
    ],
)  # fmt: skip
def test_a_part_of_a_word_and_a_course_of_months_are_no_danger(
    base: KnowledgeBase, question: str, sign: str
) -> None:
    dangers = base.ask(question).danger or ()
    assert sign not in {danger.sign for danger in dangers}
    assert not any(danger.status == "present" and danger.grade == "now" for danger in dangers)


def test_what_is_rare_is_said_to_be_that(base: KnowledgeBase) -> None:
    said = words(base.ask("muscle twitching in my calf all week. anything serious?"))
    assert "which is rare" in said
    assert "fits what was told" not in said


def test_an_eyelid_that_twitches_is_told_to_be_harmless(base: KnowledgeBase) -> None:
    for text in (
        "eyelid twitching all week, been on nights. anything serious?",
        "左眼皮一直跳，跳了三天了，要紧吗",
    ):
        said = words(base.ask(text))
        assert "harmless" in said or "无害" in said
