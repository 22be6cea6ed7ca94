"""Of whom something is told and asked, and what is only in question: letters and conversations."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from medweave import KnowledgeBase
from medweave.faces.texts.layout import Layout
from medweave.model.answer import Answer
from medweave.model.question import Question


def of_patient(question: Question) -> set[str]:
    """What is told of the patient, by its English name or as a state."""
    states = {"pregnant"} if question.patient.pregnant else set()
    told = {
        m.entity.partition(":")[2]
        for m in question.mentions
        if m.experiencer == "patient" and m.status != "absent" and m.role != "asked"
    }
    return told | states


def stopped(answer: Answer) -> set[str]:
    return {s.entity.name("en") for s in answer.stops if s.status == "applies" and s.hard}


@pytest.mark.parametrize(
    ("letter", "theirs", "others"),
    [
        # whom the letter announces, and not who is named last
        (
            "I am writing about my mother-in-law. She is 80 and takes warfarin. The surgery "
            "offered her co-trimoxazole. My wife is allergic to sulfa drugs. Is it OK for her?",
            {"warfarin"},
            {"sulfonamides"},
        ),
        (
            "I'm worried about my son-in-law, who has epilepsy and takes valproate. My daughter "
            "is pregnant, 10 weeks. The dentist offered him tramadol. Should he take it?",
            {"epilepsy", "valproate"},
            {"pregnant"},
        ),
        ("我替我婆婆咨询一下。她80岁，吃华法林。我妹妹对磺胺过敏。医院给她开了复方新诺明，她能吃吗？",
         {"warfarin"}, {"sulfonamides"}),
        # to whom the drug was offered
        (
            "Grandmother, 79, is on clopidogrel. My cousin, a pharmacist, suggested omeprazole "
            "for her reflux. Is she OK with that?",
            {"clopidogrel"},
            set(),
        ),
        (
            "My uncle is on lithium. My aunt has asthma. The doctor offered my uncle "
            "hydrochlorothiazide. Is it safe?",
            {"lithium"},
            {"asthma"},
        ),
        # in doubt both, and what is taken is never lost
        (
            "My mother takes warfarin and has had a clot. She fell last week and her back hurts. "
            "My sister has a peptic ulcer. Could she have diclofenac?",
            {"warfarin", "peptic_ulcer"},
            set(),
        ),
        # whoever writes tells of themselves beside
        ("妈妈痛风，我怀孕三个月。妈妈能吃萘普生吗", {"gout"}, {"pregnant"}),
        ("爷爷有胃溃疡，一直吃阿司匹林。我怀孕五个月。爷爷膝盖疼能吃布洛芬吗",
         {"stomach_ulcer", "aspirin"}, {"pregnant"}),
        ("我妈妈有慢性肾病。她一直吃二甲双胍。我爸爸身体很好，只是有点耳背。我自己怀孕六个月。"
         "医生说是痛风，让她吃双氯芬酸。请问这样可以吗？",
         {"chronic_kidney_disease", "metformin"}, {"hearing_loss", "pregnant"}),
        ("老婆怀孕七个月，我自己高血压吃赖诺普利。我头疼能吃布洛芬吗",
         {"lisinopril"}, {"pregnant"}),
        # brothers and sisters
        ("儿子对青霉素过敏，女儿不过敏。女儿能用阿莫西林吗", set(), {"penicillins"}),
        ("我们家老大对头孢过敏，老二不过敏，老二能吃头孢克洛吗", set(), {"cephalosporins"}),
        ("My older boy is allergic to amoxicillin, the younger one isn't. Can my younger boy have "
         "co-amoxiclav?", set(), {"amoxicillin"}),
    ],
)  # fmt: skip
def test_a_fact_is_of_whom_it_is_told(
    base: KnowledgeBase, letter: str, theirs: set[str], others: set[str]
) -> None:
    held = of_patient(base.understand(letter))
    assert theirs <= held
    assert held.isdisjoint(others)


@pytest.mark.parametrize(
    ("letter", "stops"),
    [
        (
            "My son is allergic to penicillin, my daughter is not. Can my daughter have "
            "amoxicillin? And my son?",
            {"daughter": False, "son": True},
        ),
        (
            "My dad takes warfarin. My mum takes nothing. Can mum have ibuprofen, and what about "
            "dad?",
            {"mum": False, "dad": True},
        ),
        ("儿子12岁，对青霉素过敏。女儿9岁，什么过敏都没有。这两天两个人都嗓子痛。请问女儿能吃阿莫西林吗？儿子呢？",
         {"女儿": False, "儿子": True}),
        ("姐姐对青霉素过敏，弟弟不过敏，两个人都嗓子疼，能吃阿莫西林吗？",
         {"弟弟": False, "姐姐": True}),
    ],
)  # fmt: skip
def test_each_of_several_is_answered_for_themselves(
    base: KnowledgeBase, letter: str, stops: dict[str, bool]
) -> None:
    answer = base.ask(letter)
    assert {each.who: bool(stopped(each)) for each in (answer, *answer.others)} == stops


def test_a_relative_in_passing_is_not_answered_for(base: KnowledgeBase) -> None:
    answer = base.ask(
        "My husband takes clopidogrel. Our daughter, who is 24, is 20 weeks pregnant. His shoulder "
        "hurts. Our neighbour swears by diclofenac. Could he take that?"
    )
    assert not answer.others
    assert "takes diclofenac" not in {fact.text for fact in answer.taken}
    assert "diclofenac" in stopped(answer)


@pytest.mark.parametrize(
    ("text", "drug", "role"),
    [
        ("Dad has asthma and was prescribed propranolol", "propranolol", "asked"),
        ("Mum was advised to start metformin; her eGFR is 22. Thoughts?", "metformin", "asked"),
        ("My nan swears by aspirin. I'm asthmatic. Should I try it?", "aspirin", "asked"),
        ("我妈有肾病，医生让她吃双氯芬酸，可以吗？", "双氯芬酸", "asked"),
        ("朋友推荐奶奶吃萘普生，奶奶有胃溃疡", "萘普生", "asked"),
        # where another thing is asked, what was prescribed is taken
        ("He was prescribed warfarin. Which painkiller can he take?", "warfarin", "taken"),
        ("The doctor put her on lithium. Can she have ibuprofen?", "lithium", "taken"),
        ("医生给我开了华法林。头痛能吃什么药？", "华法林", "taken"),
        ("医生让我长期吃华法林。能吃布洛芬吗？", "华法林", "taken"),
    ],
)
def test_what_somebody_was_told_to_take_is_in_question(
    base: KnowledgeBase, text: str, drug: str, role: str
) -> None:
    [mention] = [m for m in base.understand(text).mentions if m.text == drug]
    assert mention.role == role


@pytest.mark.parametrize(
    ("text", "drug"),
    [
        ("Is there penicillin in Amoxil? my son is allergic", "amoxicillin"),
        ("is Keflex a cephalosporin? my son is allergic to them", "cefalexin"),
        ("is ramipril an ACE inhibitor? mum had a reaction to those", "ramipril"),
        ("阿莫仙里有青霉素吗？我儿子过敏", "amoxicillin"),
        ("头孢克洛算头孢吗？我对它过敏", "cefaclor"),
    ],
)
def test_who_is_allergic_is_so_to_what_was_spoken_of(
    base: KnowledgeBase, text: str, drug: str
) -> None:
    answer = base.ask(text)
    assert drug in stopped(answer)


@pytest.mark.parametrize(
    "text",
    [
        "Is amoxicillin a penicillin? I'm not allergic to it",
        "does Augmentin contain penicillin? nobody here is allergic",
        "阿莫西林属于青霉素类吗，我不过敏",
    ],
)
def test_who_is_not_allergic_is_not(base: KnowledgeBase, text: str) -> None:
    assert not stopped(base.ask(text))


@pytest.mark.parametrize("text", ["I'm allergic to penicillin", "我对青霉素过敏"])
def test_an_allergy_that_is_only_told_is_one_line(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert len(stopped(answer)) > 1
    assert len(Layout(answer).stops) == 1


@pytest.mark.parametrize(
    ("turns", "asked"),
    [
        # a correction asks again what is in question
        (["Dad has asthma and was told to take propranolol", "sorry, not asthma, COPD"],
         "Dad has COPD and was told to take propranolol"),
        (["Dad has asthma and was told to take propranolol", "sorry, not asthma, COPD",
          "ok or not?"], "Dad has COPD and was told to take propranolol"),
        (["My wife has gout and was prescribed diclofenac",
          "no wait, it's not gout, it's a peptic ulcer"],
         "My wife has peptic ulcer and was prescribed diclofenac"),
        (["我爸有哮喘，医生让他吃普萘洛尔", "说错了，不是哮喘，是慢阻肺", "到底能不能吃"],
         "我爸有慢阻肺，医生让他吃普萘洛尔"),
        # a drug is joined to the one before
        (["does lisinopril have side effects?", "and together with spironolactone?"],
         "can lisinopril be taken with spironolactone?"),
        (["how does metformin work?", "in combination with alcohol?"],
         "can metformin be taken with alcohol?"),
        (["赖诺普利有什么副作用", "和螺内酯一起吃呢"], "赖诺普利能和螺内酯一起用吗？"),
        # a class is wanted for the illness that was told
        (["my son has strep throat", "which antibiotic for him?"],
         "which antibiotic for him for strep throat?"),
        (["老婆怀孕三个月得了膀胱炎", "用哪种抗生素？"], "膀胱炎用哪种抗生素？"),
        # which of the effects are grave
        (["does lisinopril have side effects?", "which of them are dangerous?"],
         "does lisinopril have side effects?"),
    ],
)  # fmt: skip
def test_a_turn_takes_up_what_stands(base: KnowledgeBase, turns: Sequence[str], asked: str) -> None:
    *before, now = turns
    assert base.ask(now, history=before).question.text == asked


@pytest.mark.parametrize(
    ("turns", "drug", "held"),
    [
        (["He has COPD and was told to take propranolol", "what is there for COPD?"],
         "salbutamol", False),
        (["He has COPD and takes propranolol", "what is there for COPD?"], "salbutamol", True),
        (["He was told to take warfarin", "can he have ibuprofen?"], "ibuprofen", True),
        (["I was prescribed warfarin", "which painkiller can I take?"], "ibuprofen", True),
    ],
)  # fmt: skip
def test_what_is_in_question_is_held_against_no_list(
    base: KnowledgeBase, turns: Sequence[str], drug: str, held: bool
) -> None:
    *before, now = turns
    assert (drug in stopped(base.ask(now, history=before))) == held
