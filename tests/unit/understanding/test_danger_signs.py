"""Danger signs: what is there now, what is asked for, and what must be let be."""

from __future__ import annotations

import json
from itertools import chain
from time import process_time

import pytest

from medweave.language.data import LANGUAGES
from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.model.question import Patient
from medweave.understanding.danger.amounts import PEAK_FLOW_FALLEN, TOO_MUCH
from medweave.understanding.danger.table import danger_limits, danger_signs, danger_words
from medweave.understanding.danger.table_reader import read_danger
from medweave.understanding.patient import read_patient
from medweave.understanding.training_files import training_file

READ = {TOO_MUCH, PEAK_FLOW_FALLEN, *(limit.finding for limit in danger_limits())}
"""Findings that are read from values."""
LISTS = [
    f"{language}{which}" for language in LANGUAGES for which in ("", "_second", "_third", "_fourth")
]


def signs(text: str, status: str = "present") -> set[str]:
    """The signs of now and today; who is to be seen within days is in no danger."""
    language = language_of(text)
    found = read_danger(text, language, read_patient(passage_of(text, language)))
    return {sign.sign for sign in found if sign.status == status and sign.grade != "soon"}


@pytest.mark.parametrize("name", LISTS)
def test_no_message_in_danger_is_missed_and_no_near_miss_is_taken_for_one(name: str) -> None:
    place = training_file("danger", f"{name}.jsonl")
    records = [json.loads(line) for line in place.read_text("utf-8").splitlines()]
    wrong = [r["text"] for r in records if bool(signs(r["text"])) != bool(r["danger"])]
    assert wrong == []


@pytest.mark.parametrize(
    ("danger", "near"),
    [
        ("His lips are blue.", "His lips are not blue."),
        ("My baby had a convulsion this morning.", "He had a convulsion as a child, now a cold."),
        ("He is unconscious.", "What should I do if he is unconscious?"),
        ("My wife's speech is slurred.", "What can slurred speech indicate?"),
        ("I want to kill myself", "I never wanted to kill myself"),
        ("她抽搐了", "她没有抽搐"),
        ("孩子昏迷了", "如果孩子昏迷怎么办？"),
        ("爸爸突然说不出话", "说话不清楚是什么原因？"),
    ],
)
def test_denied_past_supposed_and_general_is_not_danger(danger: str, near: str) -> None:
    assert signs(danger)
    assert not signs(near)


@pytest.mark.parametrize(
    ("now", "over"),
    [
        ("He took too many tablets, he is now drowsy", "As a student I took too many tablets"),
        ("I'm allergic to nuts and ate one, my throat closed", "Allergic to Keflex, throat closed"),
        ("喉咙肿了，喘不上气", "阿莫西林吃了喉咙肿，送过急诊"),
        ("刚溺水，昏迷了", "小时候溺过水，昏迷了两天"),
    ],
)
def test_what_is_over_is_told_by_its_tense_and_by_what_stands_behind_it(
    now: str, over: str
) -> None:
    assert signs(now)
    assert not signs(over)


@pytest.mark.parametrize(
    ("now", "again"),
    [
        ("Tonight she can't get air", "I use my puffer when I can't get air in the cold"),
        ("He has had fits since noon", "He's had fits about twice a year since school"),
        ("My baby stopped breathing in her sleep", "Dad stops breathing in his sleep, has a mask"),
        ("爷爷胸口闷，冒冷汗", "爷爷胸口闷的时候含一片硝酸甘油就好"),
    ],
)
def test_what_comes_again_and_again_is_not_of_now(now: str, again: str) -> None:
    assert signs(now)
    assert not signs(again)


def test_who_refuses_a_medicine_is_not_one_who_cannot_drink() -> None:
    assert "unable_to_drink" in signs("My baby won't drink and is limp")
    assert signs("My girl won't swallow her tablets, throws up when we make her") == set()
    assert "unable_to_drink" in signs("孩子一吃就吐，水也喝不进")
    assert signs("孩子不肯吃药，一喂就吐") == set()


def test_water_tablets_are_no_water() -> None:
    assert "drowning" in signs("The child lay under water for a minute")
    assert signs("Spray under her tongue and water tablets for her ankles") == set()


def test_a_question_what_it_could_be_is_not_one_in_general() -> None:
    assert signs("胸口压着疼，冒冷汗，会是什么？") == {"cardiac_chest_pain"}
    assert signs("这几天眼白发黄，会是什么？") == {"jaundice"}
    assert signs("发烧会是什么原因") == set()


@pytest.mark.parametrize(
    "text", ["K of 6.5 on candesartan", "hyperkalaemia (6.7) on enalapril", "钾离子6.4"]
)
def test_a_potassium_that_is_told_in_other_ways_is_read(text: str) -> None:
    assert signs(text) == {"potassium"}


def test_a_pair_is_more_than_its_parts() -> None:
    assert signs("I have chest pain and I am sweating") == {"cardiac_chest_pain"}
    assert signs("I am sweating") == set()
    assert signs("I have chest pain but I am not sweating") == set()


def test_what_is_doubted_is_asked_for() -> None:
    assert signs("Not sure if he had a fit", "ask") == {"convulsions"}
    assert signs("不知道他是不是抽搐了", "ask") == {"convulsions"}


def test_a_childs_fever_calls_for_its_danger_signs_and_an_adults_does_not() -> None:
    asked = signs("My son is 3 and has a fever", "ask")
    assert {"convulsions", "unable_to_drink", "stiff_neck_fever", "unconscious"} <= asked
    assert signs("I am 40 years old and have a fever", "ask") == set()


def test_what_was_denied_is_not_asked_for() -> None:
    asked = signs("My son is 3 and has a fever, no convulsions, he drinks well", "ask")
    assert "convulsions" not in asked
    assert "stiff_neck_fever" in asked


@pytest.mark.parametrize(
    "text",
    [
        "severe abdominal pain at 8 weeks pregnant",
        "I'm 30 weeks pregnant and have terrible stomach pain since this morning",
        "My wife is pregnant, excruciating pain in her belly, she cannot stand",
        "怀孕两个月，肚子痛得厉害",
        "我怀孕32周了，突然剧烈腹痛怎么办呢？肚子痛得受不了",
    ],
)
def test_severe_pain_of_the_belly_in_pregnancy_is_danger(text: str) -> None:
    assert "pregnancy_pain" in signs(text)


@pytest.mark.parametrize(
    "text",
    [
        "I am 8 weeks pregnant and have no abdominal pain",
        "What causes severe abdominal pain in pregnancy?",
        "I'm not pregnant but I have severe abdominal pain",
        "我没有怀孕，肚子痛得厉害",
    ],
)
def test_without_the_pain_or_the_pregnancy_it_is_not_that_danger(text: str) -> None:
    assert "pregnancy_pain" not in signs(text)


def test_how_bad_a_pain_in_pregnancy_is_is_asked() -> None:
    assert "pregnancy_pain" in signs("I'm 20 weeks pregnant and my belly hurts", "ask")


def test_age_and_pregnancy_are_conditions() -> None:
    assert "febrile_infant" in signs("My 3 week old has a fever")
    assert "febrile_infant" not in signs("My 3 year old has a fever")
    assert "febrile_infant" in signs("My baby has a fever", "ask")  # how old?
    assert "febrile_infant" in signs("宝宝四十三天，腋下38.4")
    assert "febrile_infant" not in signs("宝宝四十三天，腋下36.4")
    assert signs("I am pregnant and bleeding") == {"pregnancy_bleeding"}
    assert signs("I am bleeding, my period came") == set()


def test_history_does_not_hide_what_is_now() -> None:
    assert signs("60 year old with a history of diabetes presents with crushing chest pain")
    assert signs("For the past two hours he has been unconscious")
    assert signs("爷爷以前高血压，今天突然昏迷")


def test_a_sign_says_which_words_tell_of_it_and_what_it_was_checked_against() -> None:
    (sign,) = read_danger("Since noon HIS LIPS ARE BLUE", "en", Patient())
    assert (sign.status, sign.name, sign.words) == (
        "present",
        "blue lips or face",
        ("LIPS ARE BLUE",),
    )
    assert sign.sources


def test_every_sign_has_names_and_a_source_and_all_its_findings_have_words() -> None:
    for sign in danger_signs():
        assert all(sign.names[language] for language in LANGUAGES)
        assert all(sign.advice[language] for language in LANGUAGES)
        assert sign.sources
        assert sign.present
        assert all(way.about for way in sign.ask)
        for way in (*sign.present, *sign.ask):
            for language in LANGUAGES:
                known = {*danger_words(language).findings, *READ}
                assert {*chain(*way.findings), *way.about, *way.unless} <= known


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_pattern_has_a_part_that_is_not_there_or_matches_nothing(language: str) -> None:
    words = danger_words(language)
    for expression in (*chain(*words.findings.values()), *words.guards.values()):
        assert "{o" not in expression.pattern
        assert expression.compiled.search("") is None


@pytest.mark.parametrize(
    "text", ["chest pain " * 1800, "胸" * 20_000, "头痛，" * 6_000, "i " * 9000]
)
def test_long_texts_are_read_in_time(text: str) -> None:
    started = process_time()
    read_danger(text, language_of(text), Patient())
    assert process_time() - started < 20


def test_a_feed_that_is_refused_may_be_told_behind_something_else() -> None:
    assert "unable_to_drink" in signs("My 3 week old baby has a temp of 38.5 and won't feed")
    assert signs("I broke my arm and won't feed the dog today") == set()


@pytest.mark.parametrize(
    "text", ["没有呼吸困难，也没有胸痛", "从来没有过抽搐", "我從來沒有抽搐", "没有呼吸道症状"]
)
def test_a_chinese_denial_raises_and_asks_nothing(text: str) -> None:
    assert read_danger(text, "zh", Patient()) == ()


@pytest.mark.parametrize(
    ("text", "sign"),
    [("他没有呼吸了", "breathing"), ("孩子抽搐了", "convulsions"), ("孩子昏迷瞭", "unconscious")],
)
def test_what_looks_like_a_chinese_denial_is_danger(text: str, sign: str) -> None:
    assert [s.sign for s in read_danger(text, "zh", Patient()) if s.status == "present"] == [sign]


@pytest.mark.parametrize(
    ("taken", "prescribed"),
    [
        (
            "I took my gliclazide twice by mistake.",
            "Doctor give me gliclazide in the morning and metformin two times.",
        ),
        (
            "Mum took her digoxin two times this morning.",
            "I take my digoxin two times, at 8 and 8.",
        ),
        ("Gave my son his lithium twice.", "My doctor gave me lithium two times with food."),
        ("Warfarin twice today by mistake.", "Metoprolol twice, amlodipine once."),
        (
            "She keeps taking her amlodipine twice because she forgets.",
            "Propranolol 2 times daily.",
        ),
        ("我不小心吃了两次格列齐特", "医生让我吃格列齐特两次，早晚各一次"),
        ("奶奶今天地高辛吃了两次", "格列本脲吃两次，二甲双胍吃一次，可以吗"),
        ("忘了已经吃过，降压药又吃了两次", "医生给了格列美脲吃两次"),
        ("我爸胰岛素打了两次", "胰岛素打两次，早上和晚上"),
        ("Gave her triple the warfarin.", "57M DVT on warfarin, H pylori triple therapy?"),
    ],
)
def test_a_dose_taken_twice_is_too_much_and_a_prescribed_frequency_is_not(
    taken: str, prescribed: str
) -> None:
    assert signs(taken) & {"overdose", "too_much_insulin"}
    assert not signs(prescribed) and not signs(prescribed, "ask")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Which one is more likely to make u drowsy?", "These tablets make me so drowsy."),
        ("Is chlorphenamine more drowsy than loratadine?", "She is more drowsy than yesterday."),
        ("Is drowsiness a side effect of pregabalin?", "Is he drowsy from it? He is very drowsy."),
        ("I don't want to be drowsy at work.", "I am so drowsy since the new tablets."),
        ("Non drowsy hay fever tablets for a lorry driver?", "He is drowsy and talking nonsense."),
        ("Can ramipril make your face swell?", "Ramipril made my face swell this morning."),
        ("氯雷他定和西替利嗪哪个更容易嗜睡", "孩子吃了药一直嗜睡"),
        ("吃扑尔敏会不会嗜睡", "吃了扑尔敏，现在嗜睡"),
        ("西替利嗪有嗜睡的副作用吗", "奶奶换药后老是睡"),
    ],
)
def test_an_effect_that_is_asked_about_is_no_sign(asked: str, told: str) -> None:
    assert not signs(asked) and not signs(asked, "ask")
    assert signs(told) or signs(told, "ask")


def test_what_somebody_does_not_want_may_still_be_a_crisis() -> None:
    assert "suicidal_intent" in signs("I don't want to be here any more")


@pytest.mark.parametrize(
    ("sign", "told", "asked"),
    [
        (
            "digoxin_toxicity",
            "He takes digoxin. He's off his food, feels sick and lamps have a yellow ring.",
            "He takes digoxin. Can he have something for feeling sick?",
        ),
        (
            "digoxin_toxicity",
            "爷爷吃地高辛，这几天没胃口，恶心，说看灯有黄圈",
            "吃地高辛可以吃菠菜吗",
        ),
        ("lithium_toxicity", "我妈吃碳酸锂，手抖得厉害，走不稳", "吃碳酸锂能吃布洛芬吗"),
        (
            "theophylline_toxicity",
            "吃氨茶碱后恶心呕吐，心慌得厉害",
            "氨茶碱和红霉素能一起吃吗",
        ),
        ("epilepsy_medicine_toxicity", "孩子吃苯妥英钠，走不稳，看东西重影", "苯妥英钠饭前吃吗"),
        (
            "methotrexate_toxicity",
            "每周吃甲氨蝶呤，嘴里都烂了，还流鼻血",
            "吃甲氨蝶呤恶心，叶酸有用吗",
        ),
        (
            "bleeding_on_anticoagulant",
            "On warfarin and my wee has gone pink",
            "Can warfarin and beetroot be taken together?",
        ),
        ("bleeding_on_anticoagulant", "吃华法林，今天尿发红", "吃华法林能吃菠菜吗"),
    ],
)
def test_too_much_of_a_medicine_is_seen_by_what_it_does(sign: str, told: str, asked: str) -> None:
    assert sign in signs(told)
    assert not signs(asked)
