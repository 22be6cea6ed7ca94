"""Messages that tell of several persons: each for whom it asks is judged by what is theirs."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.model.answer import Answer


def stopped(answer: Answer) -> set[str]:
    """The medicines that something told of a person speaks against."""
    return {s.entity.name("en") for s in answer.stops if s.status == "applies"}


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Me and my daughter both have thrush. She's 22 and six weeks pregnant, I'm 50 and take "
         "warfarin. Can we use the fluconazole capsule from the pharmacy?",
         {"": {"fluconazole"}, "daughter": {"fluconazole"}}),
        ("My wife and I both have a chesty cough. She is 34 weeks pregnant, I take warfarin. There "
         "is a box of ibuprofen in the press. Can we both have it?",
         {"": {"ibuprofen"}, "wife": {"ibuprofen"}}),
        ("Grandad (88, kidney failure) and my son (6, otherwise well) have both got a fever. "
         "Chemist sold me aspirin. What can I give to which of them?",
         {"grandad": {"aspirin"}, "son": {"aspirin"}}),
        ("He is 70 with prostate trouble, she is 68 with glaucoma. Can they take Benadryl?",
         {"he": {"diphenhydramine"}, "she": {"diphenhydramine"}}),
        ("我妈有哮喘,我爸有胃溃疡在吃华法林,俩人都腰疼,家里只有布洛芬,都能吃吗?",
         {"妈": {"ibuprofen"}, "爸": {"ibuprofen", "warfarin"}}),
        # what asks for nobody, on a ward, is asked for each
        ("I'm a nurse. My patient, 66, is on methotrexate for RA and has been written up for "
         "trimethoprim. My other patient has a penicillin allergy and is written up for "
         "co-amoxiclav. Any problems?",
         {"patient": {"trimethoprim"}, "other patient": {"amoxicillin-clavulanate"}}),
        ("The patient is on simvastatin. The other patient is on nothing. Clarithromycin was "
         "ordered. Any issue?", {"patient": {"clarithromycin"}, "other patient": set()}),
        ("1床肾衰,2床吃华法林。都发烧了。布洛芬行不行?",
         {"1床": {"ibuprofen"}, "2床": {"ibuprofen"}}),
        # the same once more
        ("Tom (9) has chickenpox and his brother Sam (12) has a broken wrist. Can Sam have "
         "ibuprofen? And Tom?", {"brother": set(), "tom": {"ibuprofen"}}),
        ("3床,77岁,慢性肾病4期;5床,45岁,哺乳期。两个人都开了环丙沙星,能用吗?",
         {"3床": {"ciprofloxacin"}, "5床": {"ciprofloxacin"}}),
    ],
)  # fmt: skip
def test_each_is_judged_by_what_is_theirs(
    base: KnowledgeBase, message: str, expected: dict[str, set[str]]
) -> None:
    answer = base.ask(message)
    found = {each.who: stopped(each) for each in (answer, *answer.others)}
    assert found.keys() == expected.keys()
    assert all(expected[who] <= found[who] for who in expected)


@pytest.mark.parametrize(
    ("message", "stops"),
    [
        # "my other patient" is another
        ("My client is 40 and has kidney failure. My other client takes digoxin. They both want "
         "ibuprofen. Any objection?", {"client": {"ibuprofen"}, "other client": {"ibuprofen"}}),
        ("My patient takes warfarin. My second patient has gout. Naproxen was ordered. Problem?",
         {"patient": {"naproxen"}, "second patient": set()}),
        # a part that says "we both" is of its person
        ("Both of us are down with a head cold. I'm 35 and healthy. My husband is 60 and has "
         "narrow-angle glaucoma. There's a box of Sudafed in the house. Can we both take it?",
         {"": set(), "husband": {"pseudoephedrine"}}),
    ],
)  # fmt: skip
def test_what_is_told_of_one_stops_nothing_for_the_other(
    base: KnowledgeBase, message: str, stops: dict[str, set[str]]
) -> None:
    answer = base.ask(message)
    assert {each.who: stopped(each) for each in (answer, *answer.others)} == stops


@pytest.mark.parametrize(
    ("message", "stops"),
    [
        ("My brother left his sildenafil here. My husband has angina and uses a nitroglycerin "
         "spray. Can my husband have one?", {"sildenafil"}),
        ("I take methotrexate. My dad's GP has prescribed him trimethoprim, he takes nothing else. "
         "Is that fine for dad?", set()),
        ("I have psoriasis and take methotrexate weekly. My little boy (5) was prescribed "
         "co-trimoxazole for his ear. Can he have it?", set()),
        ("我爷爷吃地高辛,我奶奶有青光眼。奶奶晕车,能吃苯海拉明吗?", {"diphenhydramine"}),
        ("我在吃异烟肼,女儿癫痫吃苯妥英。女儿感冒能吃泰诺林吗?", {"paracetamol"}),
        # who is only called a lady, a client or a gentleman
        ("The gentleman I visit is 54, on warfarin and hard of hearing. His girl has migraines. "
         "Can he take ibuprofen?", {"ibuprofen"}),
        ("I look after a man on methotrexate weekly. My other patient, who is 30, has a urine "
         "infection. Is trimethoprim ok for her?", set()),
        ("李阿姨(糖尿病,吃二甲双胍)和王阿姨(慢性肾病4期)都要做增强CT。王阿姨膝盖痛,双氯芬酸可以吗?",
         {"diclofenac"}),
        # what the doctor gave to whom
        ("I have epilepsy. My daughter has eczema. The GP put me on tramadol for my back, ok?",
         {"tramadol"}),
        ("My gran takes digoxin. I've got a water infection and was given clarithromycin, is it ok "
         "for me?", set()),
    ],
)  # fmt: skip
def test_who_alone_is_asked_for_is_judged_by_what_is_theirs(
    base: KnowledgeBase, message: str, stops: set[str]
) -> None:
    answer = base.ask(message)
    assert not answer.others
    assert stopped(answer) == stops


@pytest.mark.parametrize(
    ("message", "taken", "asked"),
    [
        ("我妈吃华法林好几年了,感冒能吃布洛芬不", "华法林", "布洛芬"),
        ("She takes only folic acid. Can she take ibuprofen?", "folic acid", "ibuprofen"),
        ("The on-call doctor has charted metoclopramide 10 mg IV for her. She is on levodopa. Can "
         "she have it?", "levodopa", "metoclopramide"),
        ("Mrs Lind, 67, was put on calcium carbonate. Alendronic acid was charted by the locum, I "
         "held it. Would you give it?", "", "Alendronic acid"),
        ("医生让我吃他汀,有好多种。阿托伐他汀、瑞舒伐他汀,哪个跟我在吃的胺碘酮冲突?", "", "他汀"),
    ],
)  # fmt: skip
def test_a_verb_of_taking_tells_what_is_taken(
    base: KnowledgeBase, message: str, taken: str, asked: str
) -> None:
    roles = {m.text: m.role for m in base.understand(message).mentions}
    assert not taken or roles[taken] == "taken"
    assert roles[asked] == "asked"


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("58 yr old lady on methotrexate. she is due shingles and flu jabs, which are allowed?",
         "shingles"),
        ("病人房颤，地高辛0.125 qd。地高辛中毒早期看什么?", "地高辛中毒"),
        ("I'm 79. I can choose apixaban or warfarin. Which has more bleeding?", "bleeding"),
    ],
)  # fmt: skip
def test_what_is_only_named_is_had_by_nobody(base: KnowledgeBase, message: str, name: str) -> None:
    [found] = [m for m in base.understand(message).mentions if m.text == name]
    assert found.status == "hypothetical"


def test_what_alcohol_does_beside_a_medicine_is_no_allergy(base: KnowledgeBase) -> None:
    told = base.understand("打完头孢哌酮喝了半斤白酒,现在脸通红心慌喘不上气")
    assert not told.patient.allergies
