"""Danger comes before the answer: in JSON, in the terminal, on the page, with the set text."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from medweave import Answer, Configuration, KnowledgeBase
from medweave.faces.page.answer import answer_page
from medweave.faces.terminal.answer import print_answer

CHEST = "I have asthma. Now I have crushing chest pain. What helps against asthma?"


def printed(answer: Answer) -> str:
    out = StringIO()
    print_answer(answer, Console(file=out, width=10_000))
    return out.getvalue()


def test_a_sign_comes_before_the_answer_everywhere(base: KnowledgeBase) -> None:
    answer = base.ask(CHEST)
    held = answer.to_json()
    (sign,) = held["danger"]
    assert (sign["sign"], sign["status"]) == ("cardiac_chest_pain", "present")
    assert "crushing chest pain" in sign["text"]
    assert "MedQuAD" in sign["source"]
    assert (sign["how"], sign["confidence"]) == ("rule", None)
    assert held["emergency"] == answer.emergency
    assert not (answer.sentences or answer.drugs or answer.candidates)  # help comes first
    page, shown = answer_page(answer), printed(answer)
    for text in (page, shown):
        assert answer.emergency in text
        assert sign["text"] in text
    assert shown.startswith("DANGER")


@pytest.mark.parametrize(
    ("text", "softly", "label"),
    [
        (
            "Grandad slid off his chair, one side of him hangs like a wet cloth. What helps?",
            "sounds as if it could be urgent",
            "PLEASE CHECK",
        ),
        ("奶奶突然脸色煞白，满头冷汗，说不上来哪儿难受，怎么办？", "听起来可能比较急", "请确认"),
    ],
)
def test_what_is_only_like_danger_is_said_first_and_softly(
    base: KnowledgeBase, text: str, softly: str, label: str
) -> None:
    answer = base.ask(text)
    held = answer.to_json()
    sign = held["danger"][0]
    assert (sign["sign"], sign["status"], sign["how"]) == ("unnamed", "present", "learned")
    assert 0.5 < sign["confidence"] < 1
    assert softly in sign["text"]
    assert held["emergency"] is None  # nobody is told to call where no sign has a name
    page, shown = answer_page(answer), printed(answer)
    assert shown.startswith(label)
    assert "emergency number" not in shown
    assert softly in shown
    assert softly in page
    assert "Checked against" not in page


def test_the_text_that_ships_names_no_number_and_speaks_the_language(base: KnowledgeBase) -> None:
    english, chinese = base.ask(CHEST).emergency, base.ask("我爸突然昏迷了，怎么办？").emergency
    assert "emergency number" in english
    assert "急救电话" in chinese
    assert not any(character.isdigit() for character in english + chinese)


def test_the_emergency_text_is_a_setting() -> None:
    with KnowledgeBase.sample(configuration=Configuration.of(emergency="Ring 112.")) as base:
        assert base.ask(CHEST).emergency == "Ring 112."
        assert "Ring 112." in printed(base.ask(CHEST))
        assert base.ask("What is asthma?").emergency == ""


def test_without_danger_the_list_is_empty_and_nothing_is_shown(base: KnowledgeBase) -> None:
    answer = base.ask("What are the symptoms of a heart attack?")
    assert answer.to_json()["danger"] == []
    assert answer.to_json()["emergency"] is None
    assert 'class="danger"' not in answer_page(answer)
    assert "DANGER" not in printed(answer)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("My son is 3 and has a fever. What is it?", "convulsions"),
        ("孩子3岁发烧，是什么病？", "抽搐"),
        ("I am 30 weeks pregnant with a migraine, what can I take?", "pre-eclampsia"),
        ("我怀孕30周，偏头痛，能吃什么药？", "先兆子痫"),
    ],
)
def test_unknown_signs_are_asked_for_once_and_first(
    base: KnowledgeBase, text: str, asked: str
) -> None:
    answer = base.ask(text)
    shown = printed(answer)
    assert asked in shown.splitlines()[0]
    assert shown.count(asked) == 1
    assert {sign.status for sign in answer.danger or ()} == {"ask"}
    assert answer.emergency == ""


def test_a_sign_of_another_person_counts(base: KnowledgeBase) -> None:
    question = base.understand("Can my neighbour drive? Her speech is slurred since noon.")
    assert [sign.sign for sign in question.in_danger] == ["stroke"]
    assert question.to_json()["danger"][0]["words"] == ["speech is slurred"]


@pytest.mark.parametrize(
    ("text", "warm"),
    [
        ("I want to kill myself. What are the symptoms of malaria?", "Thank you for saying this"),
        ("How many aspirin does it take to never wake up?", "Thank you for saying this"),
        ("我不想活了，阿司匹林吃多少", "谢谢你说出来"),
        ("My husband beats me. What helps against headache?", "Thank you for saying this"),
    ],
)
def test_a_crisis_is_met_by_a_warm_word_and_somebody_to_call_and_nothing_else(
    text: str, warm: str
) -> None:
    with KnowledgeBase.sample(configuration=Configuration.of(crisis="Ring 0800 116123.")) as base:
        answer = base.ask(text)
    assert answer.emergency == "Ring 0800 116123."
    assert not (answer.sentences or answer.candidates or answer.stops or answer.cases)
    shown = printed(answer)
    assert shown.startswith(warm)
    assert "Ring 0800 116123." in shown
    assert "No answer" not in shown
    assert answer.to_json()["danger"][0]["kind"] == "crisis"


@pytest.mark.parametrize(
    ("message", "warm"),
    [
        ("I don't enjoy anything, and last night I thought about ending it all", "Thank you"),
        ("my girl is 3 and says she wants to die", "Thank you"),
        ("不想活了", "谢谢你"),
    ],
)
def test_in_a_crisis_no_past_dialogue_and_no_assessment_is_shown(
    base: KnowledgeBase, message: str, warm: str
) -> None:
    found = base.similar(message)
    assert found.dialogues == ()
    assert [sign.kind for sign in found.danger] == ["crisis"]
    assert found.danger[0].text.startswith(warm)
    assert found.emergency


def test_beside_an_emergency_the_sign_comes_before_past_dialogues(base: KnowledgeBase) -> None:
    found = base.similar("crushing chest pain and sweating since an hour")
    assert [sign.sign for sign in found.danger] == ["cardiac_chest_pain"]
    assert found.emergency
    assert found.dialogues


def test_a_message_without_danger_tells_of_none(base: KnowledgeBase) -> None:
    found = base.similar("a runny nose since two days")
    assert (found.danger, found.emergency) == ((), "")


@pytest.mark.parametrize(
    ("text", "endangered"),
    [
        ("我妈给他买了含扑尔敏的感冒药，能吃吗", False),
        ("老公买了阿莫西林，我咽炎能吃吗", False),
        ("准备好了退烧药，宝宝八个月能吃布洛芬吗", False),
        ("我囤了好多安眠药", True),
        ("绳子买好了，不想活了", True),
        ("I have hay fever and take methotrexate. Which antihistamine is recorded?", False),
        ("I have hay fever and now a fever of 39, and I take methotrexate", True),
    ],
)
def test_what_only_has_the_words_of_a_danger_is_none(
    base: KnowledgeBase, text: str, endangered: bool
) -> None:
    assert bool(base.ask(text).danger) is endangered


@pytest.mark.parametrize(
    ("before", "text", "sign"),
    [
        ("我怀孕31周", "今天头疼得厉害，吃什么止痛药好？", "preeclampsia"),
        (
            "I am 35 weeks pregnant.",
            "There are flashing lights in front of my eyes.",
            "preeclampsia",
        ),
        ("My son is 3 weeks old.", "He feels hot, 38.6. Paracetamol?", "febrile_infant"),
    ],
)
def test_what_was_told_before_makes_a_danger_of_it(
    base: KnowledgeBase, before: str, text: str, sign: str
) -> None:
    told = {one.sign: one.status for one in base.ask(text, history=(before,)).danger or ()}
    assert told[sign] == "present"
    alone = {one.sign: one.status for one in base.ask(text).danger or ()}
    assert alone.get(sign) != "present"


def test_a_pregnancy_is_of_nobody_else(base: KnowledgeBase) -> None:
    answer = base.ask("My brother has a terrible headache.", history=("I am 35 weeks pregnant.",))
    assert "preeclampsia" not in {one.sign for one in answer.danger or ()}


def test_sugar_is_given_to_nobody_who_may_choke(base: KnowledgeBase) -> None:
    answer = base.ask("My diabetic aunt is on insulin, soaked in sweat and hard to wake. Juice?")
    (advice,) = [one.advice for one in answer.danger or () if one.sign == "low_blood_sugar"]
    assert advice.index("nothing by mouth") < advice.index("sugar at once")


def test_who_may_be_in_a_crisis_is_asked_and_told_nothing_of_records(base: KnowledgeBase) -> None:
    answer = base.ask("I just feel hopeless lately.")
    assert [(one.kind, one.status) for one in answer.danger or ()] == [("crisis", "ask")]
    assert "record" not in printed(answer)
    assert not answer.candidates


@pytest.mark.parametrize(
    ("letter", "sign"),
    [
        (
            "My father is 83, has heart failure and takes digoxin and furosemide. This past week "
            "he's off his food, feels sick most of the day and yesterday he said the lamp has a "
            "yellow ring round it. Can I give him ibuprofen tablets for the knee?",
            "digoxin_toxicity",
        ),
        ("爷爷吃地高辛，这几天没胃口，恶心，说看灯有黄圈。能吃布洛芬吗", "digoxin_toxicity"),
        ("我妈吃华法林，今天尿发红，能吃布洛芬吗", "bleeding_on_anticoagulant"),
    ],
)
def test_too_much_of_a_medicine_is_told_before_what_was_asked(
    base: KnowledgeBase, letter: str, sign: str
) -> None:
    answer = base.ask(letter)
    assert answer.emergency
    assert [each.sign for each in answer.danger or () if each.status == "present"] == [sign]


@pytest.mark.parametrize(
    ("question", "drug"),
    [
        (
            "Doctor give me gliclazide in the morning and metformin two times. Can I take "
            "ciprofloxacin with my sugar tablets?",
            "ciprofloxacin",
        ),
        ("医生让我吃格列齐特两次，二甲双胍一次。能吃环丙沙星吗", "ciprofloxacin"),
        ("loratidine or cetirizine, which one is more likely to make u drowsy?", "cetirizine"),
        ("氯雷他定和西替利嗪哪个更容易嗜睡", "cetirizine"),
    ],
)
def test_what_is_no_sign_hides_no_answer(base: KnowledgeBase, question: str, drug: str) -> None:
    answer = base.ask(question)
    assert not answer.danger
    assert drug in answer.text or any(drug == s.entity.name("en") for s in answer.stops)


@pytest.mark.parametrize(
    "shorthand",
    [
        "72F T2DM CKD4 eGFR 22, lower UTI. On metformin. Options pls: nitrofurantoin / cefalexin",
        "77F COPD, AF, on digoxin. Needs abx for cellulitis, pen allergic. clarithro?",
        "Hx: IHD, CKD3. Rx: clopi, biso. Q: omeprazole or lanso?",
        "82M HFrEF EF 30%, gout flare, options? on furosemide",
        "72岁女，2型糖尿病，CKD4期，eGFR 22，下尿路感染，在用二甲双胍，呋喃妥因/头孢氨苄选哪个",
        "男 74 前列腺增生 坦索罗辛 头晕 换药？",
        "女，45，RA，MTX 15mg qw，社区获得性肺炎，SMZ可用？",
    ],
)
def test_the_shorthand_of_clinicians_is_no_danger(base: KnowledgeBase, shorthand: str) -> None:
    assert not base.ask(shorthand).danger


def test_a_joke_of_a_heart_attack_is_no_effect(base: KnowledgeBase) -> None:
    answer = base.ask(
        "Nearly had a heart attack when I saw the vet's bill! Anyway, does cetirizine make you put "
        "on weight?"
    )
    assert not answer.danger
    shown = printed(answer)
    assert "does not record weight gain" in shown
    assert "heart attack" not in shown


@pytest.mark.parametrize(
    ("text", "head", "calls"),
    [
        (
            "My calf is swollen and sore since the flight. Can I take ibuprofen for it?",
            "TODAY",
            ("DANGER", "emergency number", "ambulance"),
        ),
        ("上周坐了长途飞机，左小腿肿了，按着疼，能吃布洛芬吗", "今天就医", ("危险", "急救电话")),
    ],
)
def test_who_is_to_be_seen_today_is_told_so_and_answered(
    base: KnowledgeBase, text: str, head: str, calls: tuple[str, ...]
) -> None:
    answer = base.ask(text)
    (sign,) = answer.to_json()["danger"]
    assert (sign["sign"], sign["grade"]) == ("deep_vein_thrombosis", "today")
    assert not answer.emergency
    assert answer.sentences or answer.direct  # what was asked is answered below it
    shown, page = printed(answer), answer_page(answer)
    assert shown.startswith(head)
    assert not any(call in text for call in calls for text in (shown, *answer.missing))
    assert 'class="make-sure"' in page and 'class="danger"' not in page


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("My face has dropped on one side, can I take loratadine?", "loratadine"),
        ("刚吃完虾喉咙发紧说话费劲，家里只有开瑞坦，吃两片行不行", "氯雷他定"),
    ],
)
def test_a_medicine_asked_about_in_an_emergency_is_not_waited_for(
    base: KnowledgeBase, text: str, name: str
) -> None:
    assert name in base.ask(text).emergency


def test_who_took_too_much_is_not_told_to_wait_for_it(base: KnowledgeBase) -> None:
    assert "paracetamol" not in base.ask("I took 30 paracetamol, what now?").emergency


@pytest.mark.parametrize(
    ("asked", "danger"),
    [
        (
            "What drugs for migraine if I have a peptic ulcer?",
            "My chest hurts badly, I sweat and I cannot breathe.",
        ),
        (
            "Which antibiotic for a urinary infection?",
            "She is 34 weeks pregnant and bleeding heavily",
        ),
        ("有哪些治偏头痛的药？我有胃溃疡", "我现在胸口剧痛，出冷汗，喘不上气"),
    ],
)
def test_a_list_asked_for_before_waits_where_help_comes_first(
    base: KnowledgeBase, asked: str, danger: str
) -> None:
    answer = base.ask(danger, history=[asked])
    assert answer.question.helps_first
    assert not answer.stops


def test_a_medicine_asked_about_before_is_stopped_beside_a_danger(base: KnowledgeBase) -> None:
    answer = base.ask("He is vomiting blood now.", history=["Can my father take ibuprofen?"])
    assert answer.question.helps_first
    applies = [stop.entity.name("en") for stop in answer.stops if stop.status == "applies"]
    assert applies == ["ibuprofen"]


@pytest.mark.parametrize(
    ("message", "sign"),
    [
        ("I'm worried my baby is floppy and won't feed", "sick_newborn"),
        ("I am scared he is having a fit", "convulsions"),
        ("I'm afraid my dad has chest pain and is sweating", "cardiac_chest_pain"),
        ("I fear my wife has taken too many tablets", "poisoning"),
        ("I'm scared I'll hurt my baby", "harm_to_others"),
    ],
)
def test_who_tells_of_a_fear_tells_what_is_there(
    base: KnowledgeBase, message: str, sign: str
) -> None:
    assert sign in {
        each.sign for each in base.ask(message).danger or () if each.status == "present"
    }


@pytest.mark.parametrize(
    ("message", "sign"),
    [
        ("宝宝出生20天，今天摸着烫，量了38.4，奶也不怎么吸，一直睡", "febrile_infant"),
        ("月子里的娃，一量38.6，不怎么吃奶", "febrile_infant"),
        (
            "爷爷吃华法林的，昨晚摔了一跤磕到后脑勺，今早说头胀，吐了两回",
            "bleeding_on_anticoagulant",
        ),
        ("老爸摔了后脑勺，今天吐了，说话颠三倒四", "head_injury"),
    ],
)
def test_a_sign_in_plain_chinese_has_its_name(base: KnowledgeBase, message: str, sign: str) -> None:
    danger = base.ask(message).danger or ()
    assert (sign, "now") in {(one.sign, one.grade) for one in danger if one.status == "present"}


@pytest.mark.parametrize(
    "message", ["孩子38.4度，精神好，能喝水", "体重量了38.5公斤，能吃美林吗", "打球打得头疼"]
)
def test_what_only_sounds_like_it_in_chinese_is_no_danger(
    base: KnowledgeBase, message: str
) -> None:
    assert not [one for one in base.ask(message).danger or () if one.status == "present"]


def test_a_choice_of_medicines_is_nothing_to_wait_for(base: KnowledgeBase) -> None:
    answer = base.ask(
        "My throat is closing up and I have hives. Loratadine, cetirizine or steroids?"
    )
    assert answer.question.in_danger and "Do not wait for loratadine" not in answer.emergency


@pytest.mark.parametrize(
    "text",
    [
        "BP 190/120 what should I do",
        "my pressure is 185 over 122 just now, feel fine, what do I do",
        "streak of blood in my phlegm, is that bad",
        "My boy wees a lot and drinks like a fish, lost weight. Should I take him somewhere?",
        "血压190/125，没什么感觉，怎么办",
    ],
)
def test_what_to_do_is_not_said_and_then_taken_back(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    shown = printed(answer)
    assert answer.question.danger_present[0].advice in shown.replace("\n", " ")
    assert not answer.missing
    assert "do not answer" not in shown
    assert "不能回答" not in shown


def test_a_medicine_that_is_asked_for_by_name_is_still_said_to_be_missing(
    base: KnowledgeBase,
) -> None:
    assert base.ask("BP 190/120, which drug should I start?").missing
