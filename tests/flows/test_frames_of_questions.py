"""How a question is framed: daily use, an effect asked about, a choice, and what none records."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from medweave import KnowledgeBase
from medweave.faces.texts import Words
from medweave.faces.texts.layout import Layout
from medweave.model.answer import Answer
from tests.answers_read import said


def stopped(answer: Answer) -> set[str]:
    return {s.entity.name("en") for s in answer.stops if s.status == "applies"}


# The daily use of a medicine


@pytest.mark.parametrize(
    ("asked", "told", "never"),
    [
        ("Off my lamotrigine for 9 days. Can I carry on at 200?", "not begun again at the full",
         "allergy"),
        ("no warfarin since sunday, do i just go back on it?", "the clinic is called",
         "recorded as"),
        ("拉莫三嗪断了十天，能直接按原来的量接着吃吗", "不能直接按原来的量", "禁忌"),
        ("I have run out of my apixaban, the chemist opens Monday", "gets more the same day", ""),
        ("missed yesterday's ramipril, should I have two today to catch up", "never taken at once",
         "angioedema"),
        ("爸的华法林昨晚忘了，今天补两片行不行", "不要加倍", "慎用的情况"),
        ("iron pills: full stomach or empty, and is tea ok?", "not with milk, tea", "not stopped"),
        ("左甲状腺素是饭前吃还是和钙片一起吃", "间隔四小时", "属于"),
        ("can the morphine slow release be cut in half", "swallowed whole", "caution"),
        ("last metronidazole was yesterday. Is beer ok tonight?", "two to three days after", ""),
        ("furosemide at bedtime ok?", "taken in the morning", "missed"),
    ],
)  # fmt: skip
def test_daily_use_is_answered_by_what_is_recorded_of_it(
    base: KnowledgeBase, asked: str, told: str, never: str
) -> None:
    read = said(base.ask(asked))
    assert told in read
    assert not never or never not in read


def test_where_nothing_is_recorded_one_sentence_says_whom_to_ask(base: KnowledgeBase) -> None:
    read = said(base.ask("No ramipril for a fortnight. Do I restart on the same dose?"))
    assert "call whoever prescribed it" in read
    assert "angioedema" not in read


# An effect that is asked about


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("which tablets put your potassium up", ("hyperkalemia", "spironolactone", "ramipril")),
        ("which of her tablets push potassium down?", ("hypokalemia", "furosemide")),
        ("哪些药会升血钾", ("高钾血症", "螺内酯")),
        ("Everything that makes ankles swell, for a talk", ("heart failure", "amlodipine")),
        ("metformin or gliclazide, which is likelier to send him low?",
         ("a side effect of gliclazide", "as a side effect of metformin")),
        ("她78岁。格列齐特和二甲双胍，哪个容易低血糖", ("低血糖是格列齐特的副作用",)),
        ("Will losartan with spironolactone send her potassium too high?",
         ("potassium and kidney function checked", "side effect of spironolactone")),
    ],
)  # fmt: skip
def test_an_effect_is_had_by_nobody(base: KnowledgeBase, asked: str, told: tuple[str, ...]) -> None:
    answer = base.ask(asked)
    read = said(answer)
    assert [words for words in told if words not in read] == []
    held = {fact.text for fact in answer.taken}
    assert not any("emia" in text or "血" in text or "swelling" in text for text in held)


@pytest.mark.parametrize("asked", ["which tablets lower blood pressure", "哪些药能降血压"])
def test_what_a_medicine_is_given_to_lower_is_no_effect(base: KnowledgeBase, asked: str) -> None:
    answer = base.ask(asked)
    read = " ".join(sentence.text for sentence in answer.sentences)
    assert "hypotension" not in read
    assert "低血压" not in read
    assert not answer.question.effects


@pytest.mark.parametrize(
    ("asked", "drug"),
    [
        ("my potassium is high, can I take spironolactone", "spironolactone"),
        ("血糖老是低，能吃格列齐特吗", "gliclazide"),
    ],
)
def test_what_somebody_has_is_no_effect(base: KnowledgeBase, asked: str, drug: str) -> None:
    assert drug in stopped(base.ask(asked))


@pytest.mark.parametrize(
    ("asked", "first", "second"),
    [
        ("Croup against bronchiolitis, what do I listen for?", "barking cough", "fast breathing"),
        ("how would I know it is asthma rather than COPD", "night cough", "sputum"),
        ("怎么看出是流感不是普通感冒", "肌肉酸痛", "打喷嚏"),
    ],
)
def test_two_illnesses_are_told_apart(
    base: KnowledgeBase, asked: str, first: str, second: str
) -> None:
    answer = base.ask(asked)
    read = said(answer)
    assert first in read
    assert second in read
    assert not answer.drugs


def test_one_of_a_class_is_wanted_that_does_not_do_it(base: KnowledgeBase) -> None:
    answer = base.ask("antidepressant without putting weight on?")
    [listed] = answer.drugs
    names = {drug.entity.name("en") for group in listed.groups for drug in group.drugs}
    assert "mirtazapine" not in names
    assert "sertraline" in names


def test_where_each_of_a_class_does_it_that_is_said(base: KnowledgeBase) -> None:
    read = said(base.ask("which beta blocker won't make me tired? I drive a lorry"))
    assert "none of the beta blockers in this base is recorded without it" in read


# Medicines of which one is chosen


@pytest.mark.parametrize(
    ("asked", "hard", "free"),
    [
        ("In my bag: paracetamol, nurofen, naproxen. 33 weeks pregnant. What can I have?",
         {"ibuprofen", "naproxen"}, "paracetamol"),
        ("breastfeeding. codeine / tramadol / ibuprofen / paracetamol, sort them please",
         {"codeine", "tramadol"}, "ibuprofen and paracetamol"),
        ("The cupboard has aspirin, ibuprofen and calpol; my boy is 4 with a fever. which?",
         {"aspirin"}, "ibuprofen and paracetamol"),
        ("家里有阿司匹林、布洛芬、对乙酰氨基酚，孩子5岁发烧，选哪个", {"aspirin"},
         "布洛芬和对乙酰氨基酚"),
    ],
)  # fmt: skip
def test_each_candidate_is_judged_and_none_is_crossed_with_another(
    base: KnowledgeBase, asked: str, hard: set[str], free: str
) -> None:
    answer = base.ask(asked)
    told = [s for s in answer.stops if s.status == "applies"]
    assert {s.entity.name("en") for s in told if s.hard} == hard
    assert not any(s.others for s in told)
    assert any((free in line and "records stop" in line) or (free in line and "没有禁用" in line)
               for line in answer.direct)  # fmt: skip
    assert not any(fact.text.startswith("takes") for fact in answer.taken)


def test_what_is_to_go_together_is_crossed(base: KnowledgeBase) -> None:
    answer = base.ask("can I take ibuprofen and warfarin together?")
    assert any(stop.others for stop in answer.stops if stop.status == "applies")


@pytest.mark.parametrize(
    "asked",
    [
        "He bought ibuprofen and takes it for his shoulder. His eGFR is 22. Can he go on?",
        "我爸肾小球滤过率22，自己买了布洛芬在吃，还能接着吃吗",
    ],
)
def test_nobody_is_told_to_go_on_with_what_was_bought(base: KnowledgeBase, asked: str) -> None:
    answer = base.ask(asked)
    read = said(answer)
    assert "ibuprofen" in stopped(answer)
    assert "on your own" not in read
    assert "请勿自行停用" not in read


def test_nobody_is_told_to_stop_what_was_prescribed(base: KnowledgeBase) -> None:
    read = said(base.ask("He takes metformin, eGFR 22. Can he go on?"))
    assert "do not stop metformin on your own" in read


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("Must I give up my half grapefruit, now they have put me on Zocor?", "grapefruit juice"),
        ("taking isoniazid, beer at the weekend, ok?", "alcohol"),
        ("I like a glass of wine, they've started me on metronidazole", "alcohol"),
        ("打胰岛素的能喝酒吗", "酒精"),
    ],
)
def test_a_drink_is_what_is_left_out(base: KnowledgeBase, asked: str, name: str) -> None:
    assert [stop.name for stop in Layout(base.ask(asked)).stops] == [name]


def test_a_medicine_that_is_wanted_is_weighed_beside_a_drink(base: KnowledgeBase) -> None:
    [stop] = Layout(base.ask("I drink wine every night, can I take paracetamol?")).stops
    assert stop.name == "paracetamol"


# What no record tells


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("What time does the clinic open on Saturday", "please call"),
        ("are there any flu jabs left at the health centre this afternoon", "please call"),
        ("你们医院几点下班", "打电话"),
        ("Will my husband see Christmas? It's his liver", "a fair one to ask"),
        ("how long has my dad got with his heart failure", "a fair one to ask"),
        ("我爸肺癌晚期还能撑过春节吗", "完全可以问"),
        ("should I have the operation or not? You choose", "cannot be decided from here"),
        ("你替我拿个主意吧，到底做不做手术", "不能替您决定"),
        ("whats the max codeine in a day", "no dose is given here"),
        ("who won the match last night", "ask a doctor, nurse or pharmacist"),
        ("good morning love, hope you're well", "ask about a disease"),
    ],
)
def test_what_no_record_tells_is_said_and_whom_to_ask(
    base: KnowledgeBase, asked: str, told: str
) -> None:
    answer = base.ask(asked)
    assert told in said(answer)
    assert not answer.drugs
    assert not Layout(answer).says_nothing


def test_who_asks_for_a_rabies_vaccine_hears_what_comes_first(base: KnowledgeBase) -> None:
    assert "15分钟" in said(base.ask("咱镇卫生院今天还有狂犬疫苗不？一针多少钱"))


@pytest.mark.parametrize(
    "turns",
    [
        ("婆婆有哮喘，能吃普萘洛尔吗", "弄错了，不是哮喘"),
        ("mum is on plavix, can she share my losec", "and me? I'm 34, no other tablets"),
    ],
)
def test_an_earlier_question_is_not_read_out(base: KnowledgeBase, turns: Sequence[str]) -> None:
    answer = base.ask(turns[-1], history=turns[:-1])
    assert not any(turns[0][:8] in line for line in Words(answer.question, {}).read_as())


def test_what_a_turn_takes_up_is_read_in_full(base: KnowledgeBase) -> None:
    answer = base.ask("and with warfarin?", history=["can I take ibuprofen with aspirin"])
    assert any("warfarin" in line for line in Words(answer.question, {}).read_as())
