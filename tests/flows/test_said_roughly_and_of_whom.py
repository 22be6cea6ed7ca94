"""Facts told of a person in rough or regional words, and of which of several persons they are."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer


def hard(answer: Answer) -> set[str]:
    """The drugs that hard stops which apply are about."""
    return {s.entity.name("en") for s in answer.stops if s.status == "applies" and s.hard}


@pytest.mark.parametrize(
    ("question", "drug"),
    [
        ("kidney function's down to a quarter, metformin?", "metformin"),
        ('her eGFR was "twenty two". Ibuprofen?', "ibuprofen"),
        ("eGFR in the 20s, can she have nitrofurantoin?", "nitrofurantoin"),
        ("kidney function of twenty-something. Ibuprofen?", "ibuprofen"),
        ("肾小球滤过率二十多，能吃二甲双胍吗", "metformin"),
        ("肾就剩两成功能了，能吃布洛芬吗", "ibuprofen"),
        ("his top number is usually 165ish. Etoricoxib?", "etoricoxib"),
        ("blood pressure in the 170s, etoricoxib ok?", "etoricoxib"),
        ("her blood pressure's been one-sixty-odd. etoricoxib ok?", "etoricoxib"),
        ("血压一直一百六十多，能吃依托考昔吗", "etoricoxib"),
        ("血压老在170到180之间，能吃依托考昔吗", "etoricoxib"),
    ],
)
def test_a_value_that_is_said_roughly_stops_as_one_in_digits(
    base: KnowledgeBase, question: str, drug: str
) -> None:
    assert drug in hard(base.ask(question))


@pytest.mark.parametrize(
    "question",
    [
        "kidney function is about 90, ibuprofen ok?",
        "肾功能剩一半，能吃布洛芬吗",
        "BP ~150/90, etoricoxib?",
        "High blood pressure since the 90s. Etoricoxib?",
        "护理考试，低血糖的“三联征”是什么",
    ],
)
def test_a_value_that_is_not_so_grave_stops_nothing(base: KnowledgeBase, question: str) -> None:
    assert not hard(base.ask(question))


@pytest.mark.parametrize(
    ("question", "drug"),
    [
        ("I'm on doxycycline, it's great. My sister's 22 and trying for a baby. Could she just go "
         "on the same?", "doxycycline"),
        ("我闺蜜备孕，她也长痘，能吃我的多西环素吗", "doxycycline"),
        ("My daughter and her husband are trying for a baby. She takes methotrexate. Is that ok?",
         "methotrexate"),
        ("My wife's expecting. She's thrush, can she take fluconazole?", "fluconazole"),
        ("My father takes GTN spray for angina and has asked to try one of hubby's tablets. Hubby "
         "takes sildenafil. Can he?", "sildenafil"),
        ("我老公吃西地那非，我爸有心绞痛，在用硝酸甘油，他想吃点我老公那个药，行吗？",
         "sildenafil"),
        ("我妹吃异维A酸，我表姐怀孕了也长痘，想用我妹那个药，可以吗", "isotretinoin"),
        ("The nurse mentioned indapamide. I take lithium. Should I take it? What else is there?",
         "indapamide"),
        ("I'd a rash off penicillin. Can I take co-amoxiclav?", "amoxicillin-clavulanate"),
    ],
)  # fmt: skip
def test_what_is_asked_for_another_is_held_against_what_is_theirs(
    base: KnowledgeBase, question: str, drug: str
) -> None:
    assert drug in hard(base.ask(question))


def test_a_man_who_plans_a_child_is_not_pregnant(base: KnowledgeBase) -> None:
    answer = base.ask("I'm a man, we're trying for a baby. I'm on lisinopril. Ok?")
    assert "lisinopril" not in hard(answer)


@pytest.mark.parametrize(
    "question",
    [
        "Baby's 5 weeks. The doctor wants me on sertraline but I'm breastfeeding. Is it safe for "
        "him?",
        "My little girl is 8 weeks, breastfed. I was prescribed doxycycline. Safe for baby?",
        "My sister is nursing a 3 week old and was prescribed codeine. Is it bad for the baby?",
        "娃40天，母乳，医生给我开了可待因，对娃安全吗",
        "我妹在喂奶，宝宝一个月，医生给她开了曲马多，对孩子安全吗",
    ],
)
def test_what_a_mother_takes_is_not_judged_by_the_age_of_her_baby(
    base: KnowledgeBase, question: str
) -> None:
    answer = base.ask(question)
    reasons = [s.reason for s in answer.stops if s.status == "applies"]
    assert any("breastfeeding" in reason or "哺乳" in reason for reason in reasons)
    assert not any("age under" in reason or "以下" in reason for reason in reasons)


def test_a_baby_who_is_given_something_is_the_patient(base: KnowledgeBase) -> None:
    answer = base.ask("Baby is 6 weeks and breastfed, he has colic. Can I give him ibuprofen?")
    assert "ibuprofen" in hard(answer)


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("我吃硫酸亚铁第三天大便发黑，要停吗", None),
        ("发烧第五天大汗，能吃布洛芬吗", None),
        ("吃药第三天大便带血，能吃布洛芬吗", None),
        ("宝宝三天大，能吃布洛芬吗", 3),
        ("宝宝出生第三天，黄疸，能吃布洛芬吗", 3),
    ],
)
def test_the_day_of_a_course_is_no_age(
    base: KnowledgeBase, question: str, days: int | None
) -> None:
    assert base.understand(question).patient.age_days == days


@pytest.mark.parametrize(
    ("question", "implied"),
    [
        ("在吃克拉霉素四联，能喝酒吗", "mw.condition:tuberculosis"),
        ("放了输尿管支架，能吃布洛芬吗", "mw.condition:coronary_artery_disease"),
        ("膝盖抽过两次水，能吃布洛芬吗", "mw.condition:decompensated_cirrhosis"),
        ("舌下含速效救心丸，能吃西地那非吗", "mw.drug_class:nitrates"),
    ],
)
def test_what_goes_with_other_things_too_tells_nothing(
    base: KnowledgeBase, question: str, implied: str
) -> None:
    assert implied not in {m.entity for m in base.understand(question).mentions}


def test_several_medicines_for_tuberculosis_are_told_by_it(base: KnowledgeBase) -> None:
    assert "combined oral contraceptives" in hard(base.ask("肺结核吃四联药，能吃避孕药吗"))


@pytest.mark.parametrize(
    "question",
    [
        "My grandson has a wedding in Spain and I'm flying. I take warfarin. Is cyclizine ok?",
        "我女儿放学路上帮我买了感冒药，我在吃舍曲林，右美沙芬能吃吗",
    ],
)  # fmt: skip
def test_a_child_in_a_circumstance_is_no_patient(base: KnowledgeBase, question: str) -> None:
    patient = base.understand(question).patient
    assert patient.age_max_days is None
    assert patient.drugs


def test_a_child_who_swallowed_something_is_the_patient(base: KnowledgeBase) -> None:
    question = base.understand("I'm on sertraline. My daughter found the pills and swallowed two.")
    assert question.in_danger


@pytest.mark.parametrize(
    ("turns", "replaced", "drug"),
    [
        (["I take azathioprine for Crohn's. Can I take allopurinol for gout?",
          "what if it was mesalazine instead of the azathioprine, with allopurinol?"],
         "azathioprine", ""),
        (["My dad takes warfarin. Can he have ibuprofen?", "what if he was on apixaban instead?"],
         "warfarin", "ibuprofen"),
        (["我爸吃华法林，能吃布洛芬吗", "要是他吃的是阿哌沙班呢"], "warfarin", "ibuprofen"),
        (["I take sertraline, can I have codeine?",
          "and if it was mirtazapine instead of the sertraline?"], "sertraline", ""),
    ],
)  # fmt: skip
def test_what_is_replaced_is_not_taken_beside_what_comes_in_its_place(
    base: KnowledgeBase, turns: list[str], replaced: str, drug: str
) -> None:
    answer = base.ask(turns[-1], history=turns[:-1])
    assert replaced not in {s.entity.name("en") for s in answer.stops if s.status == "applies"}
    assert not any(replaced in s.reason for s in answer.stops if s.status == "applies")
    assert hard(answer) == ({drug} if drug else set())


@pytest.mark.parametrize(
    "signed",
    [
        "Thanks, Keiran",
        "Regards, Dymphna",
        "Many thanks, Oluwaseun",
        "xx Bronagh",
        "My name is Ciaraigh.",
    ],
)
def test_a_name_below_a_letter_is_no_medicine(base: KnowledgeBase, signed: str) -> None:
    text = f"I take warfarin. Is zopifluxamide alright with it? {signed}"
    assert [each.text for each in base.understand(text).not_understood] == ["zopifluxamide"]


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("I never said I had asthma, I don't. Can I take propranolol?", False),
        ("Who said I had asthma? I haven't. Can I take propranolol?", False),
        ("谁说我有哮喘，我没有。能吃普萘洛尔吗", False),
        ("I never mentioned my asthma. Can I take propranolol?", True),
        ("My husband has asthma, I don't. Can he take propranolol?", True),
        ("我有哮喘，没有高血压，能吃普萘洛尔吗", True),
    ],
)
def test_who_says_that_it_is_not_so_is_believed(
    base: KnowledgeBase, question: str, held: bool
) -> None:
    assert ("propranolol" in hard(base.ask(question))) is held


def test_by_what_too_much_is_seen_is_no_wish_to_take_it(base: KnowledgeBase) -> None:
    text = ("Nan takes digoxin. She's been quiet and off her food. What signs would tell me she'd "
            "had too much digoxin?")  # fmt: skip
    assert not [sign for sign in base.understand(text).danger or () if sign.kind == "crisis"]
