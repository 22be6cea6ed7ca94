"""How a medicine is used from day to day: what sources say of just that, and nothing beside it."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer
from medweave.model.question import EVERYDAY


@pytest.fixture(scope="module")
def sample() -> KnowledgeBase:
    return KnowledgeBase.sample()


def _words(answer: Answer) -> str:
    return " ".join((*(s.text for s in answer.sentences), *answer.missing)).lower()


@pytest.mark.parametrize(
    ("asked", "kind", "told"),
    [
        ("can I wash my iron tablets down with a glass of milk", "food", "not with milk"),
        ("Can I drink coffee with levothyroxine?", "food", "an hour later"),
        ("Should simvastatin be taken in the morning or at night?", "time_of_day", "evening"),
        ("feeling fine, do I have to finish the amoxicillin?", "course", "to the end"),
        ("I forgot my levothyroxine this morning", "missed_dose", "same day"),
        ("took Plan B and threw up an hour later", "vomited", "taken again"),
        ("My toddler hates the taste of paracetamol syrup", "refused", "cheek"),
        ("Can I drive after taking codeine?", "activity", "drowsiness"),
        ("Can I lie in the sun on ciprofloxacin?", "sun", "photosensitivity"),
        ("My throat is fine, should I chuck the remaining penicillin V?", "course", "to its end"),
        ("May I have my iron tablet with a cappuccino?", "food", "not with milk"),
        ("I was sick an hour after ellaOne, now what?", "vomited", "condom"),
        ("Can I crush slow-release morphine tablets?", "dose_form", "whole"),
        ("My neighbour stopped prednisolone overnight. Can I?", "ending", "step by step"),
        ("Where do I keep insulin on a hot day, in the fridge?", "storage", "never frozen"),
        ("I fast in Ramadan, how do I take gliclazide?", "fasting", "beforehand"),
        ("My dentist pulls a tooth on Friday, I take rivaroxaban", "procedure", "dental"),
        ("Can I get vaccinated while on prednisolone?", "vaccination", "live vaccines"),
        ("Is it OK to swallow alendronic acid lying down?", "posture", "lie down"),
        ("铁剂能和牛奶一起吃吗", "food", "牛奶"),
        ("辛伐他汀早上吃还是晚上吃", "time_of_day", "晚上"),
        ("头孢氨苄吃几天，好了要吃完疗程吗", "course", "服完"),
        ("昨晚忘了吃华法林", "missed_dose", "当天"),
        ("吃了西替利嗪能开车吗", "activity", "嗜睡"),
        (
            "dying for a coffee, can i have one right after my levothyroxine",
            "food",
            "an hour later",
        ),
        ("is a latte ok 10 minutes after my thyroxine", "food", "an hour later"),
        ("fancy a cuppa. ok to have one after my iron tablet?", "food", "not with milk"),
        ("刚吃完优甲乐能来杯咖啡吗", "food", "一小时"),
    ],
)
def test_what_sources_say_of_it_is_told(
    sample: KnowledgeBase, asked: str, kind: str, told: str
) -> None:
    answer = sample.ask(asked)
    assert answer.question.aside == kind
    assert told in _words(answer)
    assert "contraindicated in" not in _words(answer)
    assert "禁忌：" not in _words(answer)


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ("Can albendazole be chewed?", "dose_form"),
        ("I accidentally took two amlodipine tablets", "doubled"),
        ("Can I switch from warfarin to apixaban?", "switching"),
        ("Can I take tramadol through the airport?", "travel"),
        ("Can my husband use up my leftover ciprofloxacin?", "shared"),
        ("这药苦死了，孩子不肯喝", "refused"),
    ],
)
def test_what_no_source_says_of_it_is_said_first(
    sample: KnowledgeBase, asked: str, kind: str
) -> None:
    answer = sample.ask(asked)
    assert answer.question.aside == kind
    assert not answer.question.in_crisis
    assert answer.direct or answer.sentences
    assert not answer.find_out


@pytest.mark.parametrize(
    "asked",
    [
        "I take amlodipine at night. Can I take ibuprofen for my knee?",
        "Can I take ibuprofen for a toothache after eating something hot?",
        "I take warfarin. Which painkiller for a sunburn?",
        "Can I take ibuprofen with warfarin after a meal?",
        "Hi, I take warfarin every morning and have a headache. What can I buy?",
        "I take ibuprofen after meals and have heartburn, what else is there?",
        "Is ibuprofen safe with a milk allergy?",
        "I feel dizzy when I stand up, I take lisinopril",
        "I keep catching colds, can I take ibuprofen?",
        "I switched to apixaban last month, can I take ibuprofen?",
        "I have an open wound, can I take ibuprofen?",
        "Can I take ibuprofen after a tooth extraction?",
        "Is it ok to take a break from alendronic acid?",
        "My wife takes sertraline and has no sex drive, is it the drug?",
        "Does metformin cause vomiting after meals?",
        "My daughter vomited twice, can I give her ondansetron?",
        "I missed my period, can I take ibuprofen?",
        "My fasting glucose is 9, I take metformin",
        "How fast may vancomycin be given?",
        "我早上吃氨氯地平，头痛能吃布洛芬吗",
        "空腹血糖9，吃二甲双胍行吗",
        "我对牛奶过敏，能吃布洛芬吗",
    ],
)
def test_what_only_sounds_like_it_is_answered_as_before(sample: KnowledgeBase, asked: str) -> None:
    assert sample.understand(asked).aside not in EVERYDAY


def test_a_stop_is_told_beside_it(sample: KnowledgeBase) -> None:
    answer = sample.ask("I have a stomach ulcer. Do I take aspirin with food?")
    assert {s.entity.id for s in answer.stops if s.status == "applies"} == {"mw.substance:aspirin"}
    assert answer.question.aside == "food"


@pytest.mark.parametrize(
    "asked",
    [
        "Is diclofenac taken with food? I had a heart bypass",
        "How should I take diclofenac, I have heart failure?",
    ],
)
def test_how_to_take_it_is_not_told_of_what_is_stopped(sample: KnowledgeBase, asked: str) -> None:
    answer = sample.ask(asked)
    assert [s.entity.id for s in answer.stops if s.hard and s.status == "applies"]
    assert not [s for s in answer.sentences if s.intent == "dose"]


def test_a_class_speaks_where_the_drug_speaks_another_language(sample: KnowledgeBase) -> None:
    assert sample.ask("How should I take diclofenac?").sentences[0].text.isascii()


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("孩子三个月大，美林空腹能喝吗", "除非医生要求，不要用"),
        ("Can my 4 month old have ibuprofen on an empty stomach?", "goes by its weight"),
    ],
)
def test_whether_a_child_may_have_it_is_told_with_it(
    sample: KnowledgeBase, asked: str, told: str
) -> None:
    answer = sample.ask(asked)
    assert told in _words(answer)
    assert answer.find_out


@pytest.mark.parametrize(
    "asked",
    ["can I have loperamide while I'm taking amoxicillin", "我在吃阿莫西林，能吃洛哌丁胺吗"],
)
def test_a_pair_is_answered_as_a_pair(sample: KnowledgeBase, asked: str) -> None:
    first = sample.ask(asked).direct[0]
    assert "no interaction" in first or "相互作用" in first


def _drugs(answer: Answer, standing: str) -> set[str]:
    groups = (group for listed in answer.drugs for group in listed.groups)
    return {d.entity.name("en") for g in groups if g.standing == standing for d in g.drugs}


@pytest.mark.parametrize(
    ("asked", "stopped", "left"),
    [
        ("I'm still nursing, tooth pain, what painkiller", "codeine tramadol", "paracetamol"),
        ("哺乳期牙疼能吃什么止痛药", "codeine tramadol", "paracetamol"),
        ("is there any statin I could stay on during a course of itraconazole",
         "simvastatin", "rosuvastatin"),
        ("胃溃疡，头疼，能吃什么止痛药", "diclofenac celecoxib", "paracetamol"),
        ("I have a stomach ulcer, which painkillers for back pain?",
         "celecoxib indomethacin", "paracetamol"),
        ("What can replace ibuprofen in heart failure", "diclofenac", "paracetamol"),
        ("What could I take instead of aspirin, I have a stomach ulcer", "naproxen", "paracetamol"),
    ],
)  # fmt: skip
def test_what_is_left_and_what_is_not_is_named(
    sample: KnowledgeBase, asked: str, stopped: str, left: str
) -> None:
    answer = sample.ask(asked)
    assert set(stopped.split()) <= _drugs(answer, "stopped")
    assert left in _drugs(answer, "not_stopped")


def test_who_had_it_of_a_drug_tells_that_it_brings_it_on(sample: KnowledgeBase) -> None:
    assert "nitrofurantoin" not in _drugs(sample.ask("which antibiotics don't damage the liver"),
                                          "not_stopped")  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "told", "never"),
    [
        ("which drugs cause a cough? I take ramipril", "lisinopril", "codeine"),
        ("If my mum takes ramipril could she cough?", "cough is a side effect", "codeine"),
        ("What mineral deficiency makes you tired and pale?", "iron deficiency", "vitamin a"),
        ("I have piles, what should I eat", "fibre", "no diet"),
    ],
)
def test_the_other_way_round(sample: KnowledgeBase, asked: str, told: str, never: str) -> None:
    words = _words(sample.ask(asked))
    assert told in words
    assert never not in words


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        (["How should she take doxycycline then"], "full glass of water"),
        (["how should warfarin be taken"], "once a day"),
        (["best way to take levothyroxine?"], "empty stomach|half an hour"),
        (["Can my son take amoxicillin?", "and how should he take it"], "even intervals"),
        (["他该怎么吃二甲双胍"], "随餐"),
    ],
)
def test_how_it_is_taken_is_no_question_whether_it_may_be(
    sample: KnowledgeBase, turns: list[str], told: str
) -> None:
    words = _words(sample.ask(turns[-1], history=tuple(turns[:-1])))
    assert any(each in words for each in told.split("|"))
    assert "depends on what has not been said" not in words


@pytest.mark.parametrize(
    "asked",
    [
        "I have asthma. How should I take propranolol?",
        "I am allergic to penicillin. how should I take amoxicillin",
        "我怀孕了，多西环素怎么吃",
    ],
)
def test_who_must_not_take_it_is_not_told_how(sample: KnowledgeBase, asked: str) -> None:
    answer = sample.ask(asked)
    assert [stop.hard for stop in answer.stops if stop.status == "applies"] == [True]
    assert not [s for s in answer.sentences if s.intent == "dose"]


@pytest.mark.parametrize(
    ("asked", "drug", "told"),
    [
        ("昨天晚上喝了半斤白酒，今天牙疼想吃甲硝唑，行吗", "metronidazole", "什么时候能用"),
        ("had four pints tonight, can I take metronidazole now", "metronidazole", "when"),
    ],
)
def test_behind_a_drink_the_medicine_waits(
    sample: KnowledgeBase, asked: str, drug: str, told: str
) -> None:
    answer = sample.ask(asked)
    held = {s.entity.name("en") for s in answer.stops if s.hard and s.status == "applies"}
    assert held == {drug}
    assert any(told in line for line in answer.missing)
    assert not any("on your own" in line or "自行" in line for line in answer.missing)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("吃着甲硝唑能喝一瓶啤酒吗", "什么时候能用"),
        ("a beer while on metronidazole?", "Behind a drink"),
        ("I drink every evening. May I have metronidazole?", "Behind a drink"),
    ],
)
def test_who_has_drunk_nothing_yet_is_not_told_to_wait(
    sample: KnowledgeBase, asked: str, told: str
) -> None:
    answer = sample.ask(asked)
    assert [s for s in answer.stops if s.hard]
    assert not any(told in line for line in answer.missing)


@pytest.mark.parametrize(
    "asked",
    [
        "他长期吃利伐沙班，每天喝二两白酒，要用利福平，能不能一起用",
        "He takes isoniazid and has beer every day. Can he take ibuprofen, too?",
    ],
)
def test_a_drink_is_nothing_that_must_go_on(sample: KnowledgeBase, asked: str) -> None:
    lines = [s for s in sample.ask(asked).missing if "on your own" in s or "请勿自行停用" in s]
    assert not any("alcohol" in line or "酒精" in line for line in lines)


@pytest.mark.parametrize(
    ("asked", "drug"),
    [
        ("同事说吃头孢连藿香正气水都不能喝，真的假的？", "ceftriaxone"),
        ("吃着甲硝唑，中暑了能喝藿香正气水吗", "Huoxiang Zhengqi tincture"),
        ("Can I take Huoxiang Zhengqi Shui with metronidazole?", "Huoxiang Zhengqi tincture"),
    ],
)
def test_a_tincture_holds_alcohol(sample: KnowledgeBase, asked: str, drug: str) -> None:
    answer = sample.ask(asked)
    assert drug in {s.entity.name("en") for s in answer.stops if s.hard}
    assert answer.question.not_understood == ()


@pytest.mark.parametrize(
    "asked",
    [
        "forgot my pill yesterday (the combined one). its 10am now, do i take two today?",
        "missed my pill last night, it's the combined kind",
        "妈富隆昨天忘了吃，今天可以吃两片吗",
    ],
)
def test_a_medicine_with_a_rule_of_its_own_is_told_by_it(sample: KnowledgeBase, asked: str) -> None:
    words = _words(sample.ask(asked))
    assert "even if two fall on one day" in words or "哪怕一天吃两片" in words
    assert "do not take two" not in words


@pytest.mark.parametrize("asked", ["missed my pill last night, two today?", "药忘吃了，能吃两片吗"])
def test_the_rule_of_all_others_leaves_room_for_it(sample: KnowledgeBase, asked: str) -> None:
    words = _words(sample.ask(asked))
    assert "unless its own leaflet" in words or "除非说明书另有说明" in words


@pytest.mark.parametrize(
    ("asked", "passes"),
    [
        ("Just started metformin, my tummy is upset. Is that normal, does it pass", True),
        ("will the nausea from sertraline go away", True),
        ("how long does the headache from amlodipine last", True),
        ("二甲双胍吃了拉肚子，会自己好吗", True),
        ("吃舍曲林恶心正常吗，多久会好", True),
        ("What are the side effects of metformin?", False),
        ("does ibuprofen help a headache go away", False),
        ("how long does a cold last", False),
        ("感冒会自己好吗", False),
    ],
)
def test_whether_an_effect_passes_is_said_not_to_be_recorded(
    sample: KnowledgeBase, asked: str, passes: bool
) -> None:
    answer = sample.ask(asked)
    told = [s for s in answer.missing if "passes is not" in s or "会不会自己好" in s]
    marks = [dict(s.statement.qualifiers).get("aspect") for s in answer.statements.values()]
    assert (bool(told) or "passing_effects" in marks) == passes


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Apixaban v warfarin for AF, 79M. Main practical differences for counselling?", "inr"),
        ("what's the difference between apixaban and warfarin in daily life", "vitamin k"),
        ("华法林和阿哌沙班日常使用上有什么区别", "不需要定期查inr"),
        ("simvastatin vs atorvastatin, practical differences", "grapefruit"),
    ],
)
def test_how_two_differ_in_practice_is_told_and_no_list_of_contraindications(
    sample: KnowledgeBase, asked: str, told: str
) -> None:
    words = _words(sample.ask(asked))
    assert told in words
    assert "contraindicated in:" not in words and "记录的禁忌" not in words


def test_of_medicines_that_are_stopped_no_practice_is_told(sample: KnowledgeBase) -> None:
    answer = sample.ask("I am pregnant: warfarin or apixaban, which is more convenient")
    assert {s.entity.name("en") for s in answer.stops if s.hard} == {"warfarin", "apixaban"}
    assert "inr" not in _words(answer)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            "something for hayfever that wont make me sleepy, i drive a bus for work",
            "little or not",
        ),
        ("antihistamine that doesn't make me drowsy", "little or not"),
        ("过敏性鼻炎吃什么药不犯困，我开公交", "很少犯困"),
    ],
)
def test_what_does_it_to_few_stays_in_the_list(
    sample: KnowledgeBase, asked: str, told: str
) -> None:
    answer = sample.ask(asked)
    listed = {d.entity.name("en") for x in answer.drugs for g in x.groups for d in g.drugs}
    assert "loratadine" in listed
    assert "cetirizine" not in listed
    assert told in _words(answer)


def test_what_does_it_to_many_is_in_no_list(sample: KnowledgeBase) -> None:
    answer = sample.ask("painkiller that doesn't cause stomach ulcers")
    listed = {d.entity.name("en") for x in answer.drugs for g in x.groups for d in g.drugs}
    assert "paracetamol" in listed
    assert not listed & {"aspirin", "ibuprofen", "diclofenac", "naproxen"}
