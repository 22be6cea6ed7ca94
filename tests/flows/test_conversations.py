"""A conversation has one patient until another is named."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.model.answer import Answer


@pytest.mark.parametrize(
    ("before", "asked", "drug"),
    [
        (["I am on warfarin"], "can I take ibuprofen", "ibuprofen"),
        (["I am on warfarin", "what is the flu?"], "can I take ibuprofen", "ibuprofen"),
        (["I have a peptic ulcer"], "what is recorded for migraine", "aspirin"),
        (["My daughter is 8 years old and has a fever"], "can I give her aspirin?", "aspirin"),
        (["My mother takes warfarin"], "Can she have ibuprofen?", "ibuprofen"),
        (["I'm allergic to penicillin"], "Is amoxicillin ok?", "amoxicillin"),
        (["I am 34 weeks pregnant"], "naproxen for back pain?", "naproxen"),
        (["我在吃华法林"], "可以吃布洛芬吗", "ibuprofen"),
    ],
)
def test_what_was_said_before_stops_a_drug(
    base: KnowledgeBase, before: list[str], asked: str, drug: str
) -> None:
    answer = base.ask(asked, history=before)
    assert drug in {s.entity.name("en") for s in answer.stops if s.status == "applies"}
    assert "earlier" in {fact.how for fact in answer.taken}


@pytest.mark.parametrize(
    ("before", "asked"),
    [
        (["I am on warfarin", "Sorry, I stopped warfarin last year"], "can I take ibuprofen"),
        (["My son is 8 years old"], "My daughter is 20. Can she take aspirin?"),
        (["The patient takes warfarin"], "Another patient: can he take ibuprofen?"),
        (["I'm on warfarin", "actually I stopped it last year"], "Can I take ibuprofen?"),
        (["I came out in hives after penicillin",
          "Sorry, no, that's my sister. I've never reacted to anything."],
         "Can I have amoxicillin?"),
        (["I'm allergic to aspirin", "Wait, that's my husband, I'm fine with it all"],
         "can I take aspirin?"),
        (["I'm 30 weeks pregnant", "Sorry, I meant I gave birth and I am breastfeeding"],
         "can I take ibuprofen?"),
        (["My wife is pregnant", "no wait, false alarm, the test was negative"],
         "Can she take atorvastatin?"),
        (["我在吃华法林", "不对，是我爸在吃，我什么药都没吃"], "我能吃布洛芬吗"),
        (["我对磺胺过敏", "不是，是我女儿过敏，我没有过敏"], "我能吃复方磺胺甲噁唑吗"),
    ],
)  # fmt: skip
def test_a_correction_and_another_patient_end_it(
    base: KnowledgeBase, before: list[str], asked: str
) -> None:
    answer = base.ask(asked, history=before)
    assert not [stop for stop in answer.stops if stop.status == "applies"]


def test_findings_told_one_by_one_are_weighed_together(base: KnowledgeBase) -> None:
    answer = base.ask("also chest pain. What is it?", history=["I have a fever", "and a cough"])
    assert answer.weighing is not None
    weighed = {d.entity.name("en") for d in answer.weighing.diseases}
    assert weighed == {"pneumonia", "pulmonary tuberculosis"}


@pytest.mark.parametrize(
    ("before", "asked", "in_full"),
    [
        (["What is malaria?"], "How is it treated?", "How is malaria treated?"),
        (["How is malaria treated?"], "and in pregnancy?", "How is malaria treated in pregnancy"),
        (["My son has a sore throat"], "what can he take?", "what can he take for sore throat?"),
        (
            ["Is paracetamol ok for a headache?"],
            "What about ibuprofen?",
            "Is ibuprofen ok for a headache?",
        ),
        (["What is amoxicillin for?"], "Does it cause a rash?", "Does amoxicillin cause a rash?"),
        (["疟疾怎么治"], "孕妇呢", "疟疾怎么治"),
        (["阿莫西林是治什么的"], "那个药有什么副作用", "阿莫西林有什么副作用"),
        (["我头痛"], "吃什么药", "头痛吃什么药？"),
    ],
)
def test_a_question_takes_up_what_was_spoken_of(
    base: KnowledgeBase, before: list[str], asked: str, in_full: str
) -> None:
    answer = base.ask(asked, history=before)
    assert (answer.question.text, answer.question.as_written) == (in_full, asked)
    assert answer.sentences or answer.drugs


@pytest.mark.parametrize(
    ("before", "asked"),
    [
        (["What is malaria?"], "Is it ok to fly with a cold?"),
        (["What is malaria?"], "What causes gout?"),
        (["I take warfarin"], "Can I take ibuprofen?"),
        ([], "How is it treated?"),
    ],
)
def test_a_question_that_says_all_is_left_as_it_is(
    base: KnowledgeBase, before: list[str], asked: str
) -> None:
    assert base.ask(asked, history=before).question.text == asked


@pytest.mark.parametrize(
    ("before", "asked", "taken"),
    [
        (["I take warfarin", "Sorry, I take apixaban, not warfarin"], "naproxen?", "apixaban"),
        (["I'm allergic to penicillin", "No, it is sulfa"], "amoxicillin?", None),
        (["我对青霉素过敏", "弄错了，我是对头孢过敏"], "能吃阿莫西林吗", "头孢菌素类"),
        (["我在吃华法林", "说错了，我吃的是利伐沙班"], "能吃布洛芬吗", "利伐沙班"),
    ],
)
def test_a_correction_takes_the_place_of_what_was_said(
    base: KnowledgeBase, before: list[str], asked: str, taken: str | None
) -> None:
    told = [fact.text for fact in base.ask(asked, history=before).taken]
    assert not any(old in fact for fact in told for old in ("warfarin", "华法林", "青霉素"))
    assert taken is None or any(taken in fact for fact in told)


def test_whoever_gives_something_is_not_who_it_is_for(base: KnowledgeBase) -> None:
    before = ["my baby is 8 months old", "the baby has diarrhea"]
    answer = base.ask("what can i give?", history=before)
    assert "8 months old" in {fact.text for fact in answer.taken}
    groups = {d.entity.name("en"): g.standing for g in answer.drugs[0].groups for d in g.drugs}
    assert groups["codeine"] == "stopped"


@pytest.mark.parametrize(
    ("turns", "drug", "stopped"),
    [
        (["My mother has asthma", "can she take propranolol", "and can I?"], "propranolol", False),
        (["My wife is 34 weeks pregnant", "can she have naproxen", "And what about me, I get "
          "migraines, is naproxen ok?"], "naproxen", False),
        (["我爸有胃溃疡", "他关节痛能吃布洛芬吗", "那我自己关节痛能吃布洛芬吗"], "ibuprofen",
         False),
        (["My father is on warfarin", "is ibuprofen ok for him?", "and for me, is ibuprofen ok?"],
         "ibuprofen", False),
        (["I am on warfarin", "my mother has asthma, can she take ibuprofen?",
          "and can I take ibuprofen?"], "ibuprofen", True),
        (["I have asthma", "my mother wants ibuprofen for her knee, ok?",
          "and is propranolol ok for me?"], "propranolol", True),
        (["我对青霉素过敏", "我妈能吃阿莫西林吗", "那我能吃阿莫西林吗"], "amoxicillin", True),
        (["My wife is 8 months pregnant", "can I give her ibuprofen?"], "ibuprofen", True),
        (["My mother has an ulcer", "and can I give her ibuprofen?"], "ibuprofen", True),
    ],
)  # fmt: skip
def test_who_turns_to_oneself_brings_only_what_is_their_own(
    base: KnowledgeBase, turns: list[str], drug: str, *, stopped: bool
) -> None:
    answer = base.ask(turns[-1], history=turns[:-1])
    told = {s.entity.name("en") for s in answer.stops if s.status == "applies" and s.hard}
    assert (drug in told) is stopped


@pytest.mark.parametrize(
    ("before", "asked", "drug", "stopped"),
    [
        ("I am on warfarin", "Forget what I said. Can I take ibuprofen?", "ibuprofen", False),
        ("我在吃华法林", "忘掉前面说的，布洛芬可以吗", "ibuprofen", False),
        ("I am on warfarin", "I'm not taking any medicines now, is ibuprofen ok?", "ibuprofen",
         False),
        ("I am on warfarin", "I take no other medicines. Can I take ibuprofen?", "ibuprofen", True),
        ("I am on warfarin and have an ulcer", "I take no medicines now. Can I take ibuprofen?",
         "ibuprofen", True),
        ("I'm allergic to penicillin", "I take no medicines. Is amoxicillin ok?", "amoxicillin",
         True),
    ],
)  # fmt: skip
def test_what_is_taken_back_counts_no_longer(
    base: KnowledgeBase, before: str, asked: str, drug: str, *, stopped: bool
) -> None:
    answer = base.ask(asked, history=[before])
    told = {s.entity.name("en") for s in answer.stops if s.status == "applies" and s.hard}
    assert (drug in told) is stopped


def _groups(base: KnowledgeBase, turns: list[str]) -> dict[str, str]:
    answer = base.ask(turns[-1], history=turns[:-1])
    return {
        d.entity.name("en"): g.standing for e in answer.drugs for g in e.groups for d in g.drugs
    }


@pytest.mark.parametrize(
    ("turns", "drug", "standing"),
    [
        (["which drugs for migraine?", "I'm breastfeeding by the way"], "aspirin", "stopped"),
        (["what is gout treated with?", "I have heart failure though"], "diclofenac", "stopped"),
        (["what helps against hay fever", "my prostate is enlarged though"], "cetirizine", "care"),
        (["drugs for hypertension", "and she is pregnant"], "lisinopril", "stopped"),
        (["Treatment of depression?", "with epilepsy", "and glaucoma"], "sertraline", "care"),
        (["what is recorded for hypertension?", "which of those are ok with gout"], "furosemide",
         "care"),
        (["I have gout and heart failure", "can I take diclofenac?", "what else is there"],
         "naproxen", "stopped"),
        (["我有哮喘", "高血压用什么药", "那我先生呢，他没有病"], "propranolol", "not_stopped"),
        (["偏头痛用什么药", "对了，我在哺乳"], "aspirin", "stopped"),
        (["gout treatment please", "eGFR is 22", "eGFR was 62 actually, typo"], "naproxen",
         "not_stopped"),
        (["what can be given for malaria", "the patient is 9 weeks pregnant",
          "and G6PD deficient"], "primaquine", "stopped"),
        (["hypertension", "what drugs are there", "she has had asthma since childhood"],
         "propranolol", "stopped"),
    ],
)  # fmt: skip
def test_a_turn_that_asks_nothing_asks_the_last_question_again(
    base: KnowledgeBase, turns: list[str], drug: str, standing: str
) -> None:
    assert standing in _groups(base, turns)[drug]


@pytest.mark.parametrize(
    ("turns", "free", "stopped"),
    [
        (["I'm 39 weeks pregnant", "what can I take for back pain",
          "and my husband, same problem?"], "ibuprofen", ""),
        (["my daughter is allergic to amoxicillin", "which drugs for her ear infection?",
          "and her brother, he's 8 and healthy?"], "amoxicillin", ""),
        (["my wife takes warfarin", "which drugs for her headache?", "and for me, same question",
          "and for my wife again?"], "", "ibuprofen"),
    ],
)  # fmt: skip
def test_a_question_is_asked_again_for_somebody_else(
    base: KnowledgeBase, turns: list[str], free: str, stopped: str
) -> None:
    groups = _groups(base, turns)
    assert not free or groups[free] == "not_stopped"
    assert not stopped or groups[stopped] == "stopped"


@pytest.mark.parametrize(
    ("turns", "drug", "stopped"),
    [
        (["34F asthma, migraine", "sumatriptan?", "propranolol?"], "propranolol", True),
        (["can i take ibuprofen", "i'm on rivaroxaban"], "ibuprofen", True),
        (["can i take ibuprofen", "i'm on rivaroxaban", "and at night?"], "ibuprofen", True),
        (["I have severe asthma", "can I take codeine for pain?"], "codeine", True),
        (["I have severe asthma", "forget that please", "can I take codeine?"], "codeine", False),
        (["I'm allergic to penicillin", "I have asthma", "forget that please",
          "can I take amoxicillin?"], "amoxicillin", True),
        (["I'm allergic to penicillin", "forget everything I said", "can I take amoxicillin?"],
         "amoxicillin", True),
        (["I have a stomach ulcer", "sorry, not an ulcer, just heartburn. Is ibuprofen ok?"],
         "ibuprofen", False),
        (["Pt eGFR 18", "gout", "correction, eGFR is 81 not 18. Is naproxen ok?"], "naproxen",
         False),
        (["25 y, 30 weeks pregnant", "is naproxen ok?", "next patient, 40, woman: naproxen?"],
         "naproxen", False),
        (["我妈妈吃华法林", "她膝盖痛吃什么", "我膝盖也痛，我能吃萘普生吗"], "naproxen", False),
        (["爸爸吃地高辛", "爸爸吃华法林", "那布洛芬呢"], "ibuprofen", True),
        (["孩子5岁水痘", "发烧能吃布洛芬吗", "阿司匹林呢", "他哥哥12岁，只是感冒，也能吃吗"],
         "aspirin", True),
        (["my son is 5, is aspirin ok", "and his brother, he's 19?"], "aspirin", False),
    ],
)  # fmt: skip
def test_what_was_told_counts_until_it_is_taken_back(
    base: KnowledgeBase, turns: list[str], drug: str, *, stopped: bool
) -> None:
    answer = base.ask(turns[-1], history=turns[:-1])
    told = {s.entity.name("en") for s in answer.stops if s.status == "applies" and s.hard}
    assert (drug in told) is stopped


def test_what_takes_the_place_of_another_drug_is_not_taken_with_it(base: KnowledgeBase) -> None:
    turns = ["Is clopidogrel ok with aspirin?", "why"]
    answer = base.ask("and with naproxen", history=turns)
    assert [fact.text for fact in answer.taken] == ["takes naproxen"]


_LETTER = (
    "Dear doctor, I am 67 and take apixaban for atrial fibrillation. My dentist gave me "
    "clarithromycin. My husband, who has gout and takes allopurinol, wants to know whether he can "
    "have azathioprine for his bowel. And can I take ibuprofen for the pain?"
)
_THREE = (
    "Hi, 3 questions: 1) my son, 7, has asthma - is ibuprofen ok for his fever? 2) I'm 14 weeks "
    "pregnant, can I take it too? 3) my mother is on lithium, can she?"
)
_ZH = (
    "医生好，我45岁，高血压吃氨氯地平，胆固醇高吃辛伐他汀，昨天开了克拉霉素。我丈夫有痛风，在吃别嘌醇。"
    "想问：1、克拉霉素和我的药有冲突吗？2、我丈夫能吃硫唑嘌呤吗？"
)


@pytest.mark.parametrize(
    ("letter", "stops"),
    [
        (_LETTER, {"": {"clarithromycin", "ibuprofen"}, "husband": {"azathioprine"}}),
        (_THREE, {"son": {"ibuprofen"}, "": {"ibuprofen"}, "mother": {"ibuprofen"}}),
        (_ZH, {"": {"clarithromycin", "amlodipine"}, "丈夫": {"azathioprine"}}),
    ],
)
def test_a_letter_is_answered_for_each_for_whom_it_asks(
    base: KnowledgeBase, letter: str, stops: dict[str, set[str]]
) -> None:
    answer = base.ask(letter)
    found = {
        each.who: {s.entity.name("en") for s in each.stops if s.status == "applies"}
        for each in (answer, *answer.others)
    }
    assert found == stops


def test_what_stops_a_drug_for_one_is_not_held_against_another(base: KnowledgeBase) -> None:
    writer, mother = base.ask(_THREE).others
    assert not any("lithium" in fact.text for fact in writer.taken)
    assert not any("pregnant" in fact.text for fact in mother.taken)


@pytest.mark.parametrize(
    "letter",
    [
        "My neighbour (69, I'm her carer) has myasthenia gravis and got ciprofloxacin today. "
        "She is also on pyridostigmine. Is that suitable for her?",
        "My father had a stroke; my mother has diabetes. I have only hay fever and take nothing. "
        "Could I use pseudoephedrine or should I rather take cetirizine?",
    ],
)
def test_a_letter_that_asks_for_one_person_has_one_answer(base: KnowledgeBase, letter: str) -> None:
    assert not base.ask(letter).others


def test_danger_in_a_letter_comes_before_its_other_questions(base: KnowledgeBase) -> None:
    letter = (
        "My son, 5, cannot be woken and his lips are blue, what can he have? "
        "I have gout myself, can I take naproxen for it?"
    )
    answer = base.ask(letter)
    assert answer.emergency
    assert not answer.others


def test_nobody_is_told_to_stop_what_they_said_before_that_they_take(base: KnowledgeBase) -> None:
    answer = base.ask("drugs for migraine, I have a stomach ulcer", history=["I take warfarin"])
    assert [s.taken for s in answer.stops if s.entity.name("en") == "warfarin"] == [True]


def test_what_is_only_asked_about_is_no_fact_of_a_person(base: KnowledgeBase) -> None:
    answer = base.ask(
        "how is it treated", history=["symptoms of tuberculosis", "and of pneumonia?"]
    )
    assert not answer.taken


def test_a_mother_who_stopped_breastfeeding_long_ago_is_in_no_danger(base: KnowledgeBase) -> None:
    history = ["my wife is breastfeeding", "what can she take for hay fever"]
    answer = base.ask("no sorry, she stopped breastfeeding a year ago", history=history)
    assert not answer.emergency
    assert base.ask("my baby stopped breastfeeding this morning").emergency


def test_who_only_praises_a_medicine_is_not_spoken_of(base: KnowledgeBase) -> None:
    history = ["I'm breastfeeding", "what's recorded for migraine"]
    answer = base.ask("and codeine, my mum swears by it", history=history)
    gravest = next(stop for stop in answer.stops if stop.status == "applies")
    assert (gravest.entity.name(), gravest.level) == ("codeine", "stop")


def test_what_was_told_of_a_relative_is_of_the_patient_once_it_is_asked_for_them(
    base: KnowledgeBase,
) -> None:
    before = ["my mum had a stroke last year and is on clopidogrel"]
    answer = base.ask("she's got heartburn, omeprazole?", history=before)
    assert _applying(answer) == {"omeprazole"}
    assert _applying(base.ask("omeprazole?", history=before)) == {"omeprazole"}
    before = ["my uncle had a heart attack and takes aspirin"]
    assert not _applying(base.ask("I have a headache, ibuprofen?", history=before))


def test_a_correction_says_of_whom_it_was(base: KnowledgeBase) -> None:
    before = ["Is amoxicillin ok? I'm allergic to penicillin"]
    correction = "sorry, I meant my son is allergic, I'm not"
    assert _applying(base.ask(correction, history=before)) == {"amoxicillin"}
    assert not _applying(base.ask("so can I take it?", history=[*before, correction]))


def test_another_drug_may_be_asked_about_for_another_purpose(base: KnowledgeBase) -> None:
    before = ["My daughter has epilepsy", "can she have ibuprofen for period pain?"]
    answer = base.ask("and amitriptyline to sleep?", history=before)
    assert _applying(answer) == {"amitriptyline"}
    assert "amitriptyline" not in {name for fact in answer.taken for name in fact.text.split()}


def test_a_baby_that_a_mothers_drug_may_reach_is_not_asked_for_itself(base: KnowledgeBase) -> None:
    letter = (
        "I am 31 weeks pregnant and it has been burning when I pee for three days. My neighbour "
        "gave me ciprofloxacin and I took one. Have I harmed my baby? Which antibiotic can I take?"
    )
    answer = base.ask(letter)
    assert not answer.others
    [listed] = answer.drugs
    stopped = {
        d.entity.name("en") for g in listed.groups if g.standing == "stopped" for d in g.drugs
    }
    assert {"doxycycline", "tetracycline"} <= stopped


@pytest.mark.parametrize(
    ("before", "correction", "whole"),
    [
        ("My throat is sore, what is gout?", "no, I meant shingles", "what is shingles?"),
        ("migraine, what can I take?", "no I meant malaria", "malaria, what can I take?"),
        ("I take warfarin, is ibuprofen ok?", "no I meant paracetamol", "is paracetamol ok?"),
        ("偏头痛吃什么药", "不对，是疟疾", "疟疾吃什么药"),
    ],
)
def test_a_name_is_put_right_and_the_no_denies_nothing(
    base: KnowledgeBase, before: str, correction: str, whole: str
) -> None:
    question = base.ask(correction, history=[before]).question
    assert question.text.endswith(whole)
    assert all(mention.status != "absent" for mention in question.mentions)


@pytest.mark.parametrize(
    ("told", "stopped"), [("which one if asthma", "metoprolol"), ("I have asthma", "metoprolol")]
)
def test_a_comparison_is_made_again_with_what_is_told(
    base: KnowledgeBase, told: str, stopped: str
) -> None:
    answer = base.ask(told, history=["metoprolol vs bisoprolol"])
    assert stopped in _applying(answer)


@pytest.mark.parametrize("turn", ["not him, I meant my daughter, no allergies", "不是他，是我女儿"])
def test_who_was_meant_has_nothing_of_who_was_spoken_of(base: KnowledgeBase, turn: str) -> None:
    before = {
        "en": ["my son is allergic to penicillin", "he has an ear infection, what can he take"],
        "zh": ["我儿子对青霉素过敏", "他中耳炎，能吃什么药"],
    }
    language = "en" if turn.isascii() else "zh"
    lists = base.ask(turn, history=before[language]).drugs
    assert lists
    assert "stopped" not in {group.standing for listed in lists for group in listed.groups}


def test_a_comparison_in_a_conversation_stands_for_itself(base: KnowledgeBase) -> None:
    before = ["pt 78F CKD4", "gout flare, options?"]
    answer = base.ask("colchicine vs prednisolone", history=before)
    assert _applying(answer) == {"colchicine", "prednisolone"}


def test_what_is_taken_is_told_without_a_word_of_time(base: KnowledgeBase) -> None:
    answer = base.ask("她肺炎了，能用克拉霉素吗", history=["我妈70岁，吃地高辛"])
    assert "clarithromycin" in _applying(answer)


def _applying(answer: Answer) -> set[str]:
    return {stop.entity.name("en") for stop in answer.stops if stop.status == "applies"}


def test_who_asks_how_a_disease_is_treated_may_have_it(base: KnowledgeBase) -> None:
    answer = base.ask("can I take ibuprofen", history=["how is a stomach ulcer treated?"])
    assert _applying(answer) == {"ibuprofen"}


def test_whether_it_would_do_is_asked_of_what_was_told(base: KnowledgeBase) -> None:
    told = ["My daughter is 6 and has Lyme disease", "Would doxycycline do?"]
    first = base.ask(told[1], history=told[:1])
    assert {s.entity.id for s in first.stops if s.status == "applies"} == {
        "mw.substance:doxycycline"
    }
    then = base.ask("And amoxicillin?", history=told)
    assert "amoxicillin is used for lyme disease" in then.sentences[0].text.lower()


@pytest.mark.parametrize(
    ("before", "goes_on", "sign"),
    [
        (
            ["宝宝发烧38.6，能吃美林吗", "两个月大"],
            "就是看着没什么精神，奶也吃得少了",
            "febrile_infant",
        ),
        (["I took 30 paracetamol last night"], "I feel alright though, a bit sick", "overdose"),
        (["My dad's face has dropped on one side"], "he seems tired now and a bit off", "stroke"),
        (["I have crushing chest pain"], "which painkiller is best?", "cardiac_chest_pain"),
        (["奶奶摔了头，在吃华法林"], "她说头有点疼", "bleeding_on_anticoagulant"),
        (["孩子误吞了纽扣电池"], "看着还挺精神的，就是不太想吃东西", "swallowed_object"),
    ],
)
def test_a_danger_holds_while_the_conversation_goes_on_with_it(
    base: KnowledgeBase, before: list[str], goes_on: str, sign: str
) -> None:
    answer = base.ask(goes_on, history=before)
    assert sign in {each.sign for each in answer.danger or () if each.status == "present"}
    assert answer.emergency


@pytest.mark.parametrize(
    ("turns", "sign"),
    [
        (["My dad's face has dropped", "What is gout?", "he is getting sleepy"], "stroke"),
        (["My dad's face has dropped", "it has passed now", "can he have aspirin?"], "stroke"),
        (["I have crushing chest pain", "no fever", "can I take ibuprofen?"], "cardiac_chest_pain"),
        (["左小腿肿了，按着疼，刚坐了长途飞机", "不发烧", "能吃布洛芬吗"], "deep_vein_thrombosis"),
    ],
)
def test_a_danger_holds_until_it_is_said_to_be_over(
    base: KnowledgeBase, turns: list[str], sign: str
) -> None:
    answer = base.ask(turns[-1], history=turns[:-1])
    assert sign in {each.sign for each in answer.question.danger_present}


@pytest.mark.parametrize(
    "turns",
    [
        ["I have crushing chest pain", "it has gone now, it was wind", "can I take ibuprofen?"],
        ["My dad's face has dropped", "he was seen, they said he is fine", "can he have aspirin?"],
        ["我胸口压着痛，出冷汗", "已经好了，是胃胀气", "能吃布洛芬吗"],
    ],
)
def test_a_danger_that_is_said_to_be_over_is_told_no_more(
    base: KnowledgeBase, turns: list[str]
) -> None:
    told = [base.ask(turns[at], history=turns[:at]).question.danger_present for at in (1, 2)]
    assert told == [(), ()]


@pytest.mark.parametrize(
    ("before", "other"),
    [
        ("My dad's face has dropped on one side", "no, that was my neighbour ten years ago"),
        ("I have crushing chest pain", "My sister has asthma"),
        ("My dad's face has dropped on one side", "What are the symptoms of gout?"),
        ("我胸口压着痛，出冷汗", "我妈妈有高血压"),
    ],
)
def test_a_danger_does_not_hold_for_another_person_or_question(
    base: KnowledgeBase, before: str, other: str
) -> None:
    assert not [s for s in base.ask(other, history=[before]).danger or () if s.status == "present"]
