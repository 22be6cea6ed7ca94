"""Each question of a letter is found, and answered under its own heading, in the order asked."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from rich.console import Console

from medweave.faces.page.answer import answer_parts
from medweave.faces.terminal.answer import print_answer
from medweave.faces.texts.markdown import answer_markdown
from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer
from medweave.understanding.conversation.letter_questions import (
    heading_of,
    is_letter,
    pieces_of,
)


def printed(answer: Answer) -> str:
    stream = io.StringIO()
    print_answer(answer, Console(file=stream, width=100))
    return stream.getvalue()


def under(answer: Answer) -> list[str]:
    """What stands below each heading in a terminal, in small letters."""
    told = printed(answer)
    places = [told.index(part.heading) for part in answer.parts]
    assert places == sorted(places)
    return [
        told[start:end].lower() for start, end in zip(places, [*places[1:], len(told)], strict=True)
    ]


def asked_in(text: str, language: str = "en") -> list[str]:
    return [piece.text for piece in pieces_of(text, language) if piece.asks]


@pytest.mark.parametrize(
    ("text", "language", "asked"),
    [
        (
            "I take warfarin. 1) Can I have ibuprofen? 2) cranberry juice 3) How long does it take?"
            " Please answer each. I am 70.",
            "en",
            ["Can I have ibuprofen?", "cranberry juice?", "How long does it take?"],
        ),
        (
            "I have gout (stage 2) and an eGFR of 38. I want to know a) whether colchicine is safe,"
            " which foods matter b) does beer count c) and tablets",
            "en",
            ["whether colchicine is safe?", "which foods matter?", "does beer count?", "tablets?"],
        ),
        (
            "Questions from a nurse:\n- is it safe with milk\n- how soon does it work\n",
            "en",
            ["is it safe with milk?", "how soon does it work?"],
        ),
        (
            "a) Can I eat cheese? b) someone says vitamins help c) what if I take two? "
            "d) is it safe?",
            "en",
            ["Can I eat cheese?", "someone says vitamins help?", "what if I take two?",
             "is it safe?"],
        ),
        (
            "First, may I drive? Second, I smoke, does that matter? Also whether I can run. "
            "Last thing, any harm in coffee?",
            "en",
            ["may I drive?", "I smoke, does that matter?", "whether I can run?",
             "any harm in coffee?"],
        ),
        (
            "我在吃华法林。想请教：一，能不能吃布洛芬；二，绿叶菜要不要少吃；第三，多久查一次血。谢谢。",
            "zh",
            ["能不能吃布洛芬？", "绿叶菜要不要少吃？", "多久查一次血？"],
        ),
        (
            "孩子发烧。能吃布洛芬吗？另外水痘传染多久，还有什么时候能上学？",
            "zh",
            ["能吃布洛芬吗？", "水痘传染多久？", "什么时候能上学？"],
        ),
    ],
)  # fmt: skip
def test_questions_are_found_with_and_without_a_mark(
    text: str, language: str, asked: list[str]
) -> None:
    assert asked_in(text, language) == asked


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("My husband, who is 60, takes warfarin, which he has done for years.", "en"),
        ("My potassium is 5. I take 1) warfarin 2) bisoprolol 3) ramipril since March.", "en"),
        ("Sorry for all the questions. Thank you. Any help is appreciated.", "en"),
        ("He has kidney disease (CKD 3) and gout. Does not drink.", "en"),
        ("吃完没多久就喘，去打了针。医生说可以用左氧氟沙星。谢谢您。", "zh"),
    ],
)
def test_what_is_told_is_no_question(text: str, language: str) -> None:
    assert asked_in(text, language) == []


def test_a_heading_is_the_question_in_few_words() -> None:
    told = "My old hay fever tablets from the shop in town were Claritin for all those years, "
    assert heading_of(told + "are they alright while I feed her?", "en") == (
        "Are they alright while I feed her?"
    )
    assert len(heading_of("what " + "very " * 40 + "long?", "en")) <= 80


@pytest.mark.parametrize(
    "text",
    [
        "Can my father, who is 74 and has kidney disease, take ibuprofen with his warfarin?",
        "What are the side effects of amoxicillin? And is it safe in pregnancy?",
        "我爸72岁，房颤吃华法林，最近膝盖疼得厉害，能不能吃点布洛芬？",
    ],
)
def test_who_asks_little_gets_one_answer(base: KnowledgeBase, text: str) -> None:
    assert base.ask(text).parts == ()


LETTER = (
    "My father is 74 and takes warfarin for atrial fibrillation. He has hurt his shoulder. "
    "1) Can he take ibuprofen for a few days? 2) Would paracetamol be better? "
    "3) Which tyres suit an old car? 4) What are the symptoms of gout? Thank you."
)


def test_each_question_has_its_answer_and_what_is_not_held_is_said(base: KnowledgeBase) -> None:
    ibuprofen, paracetamol, tyres, gout = under(base.ask(LETTER))
    assert "avoid  ibuprofen" in ibuprofen
    assert "with care  paracetamol" in paracetamol
    assert "ibuprofen" not in paracetamol
    assert "holds nothing that answers this" in tyres
    assert "symptoms recorded for gout" in gout


def test_what_the_whole_letter_tells_holds_for_each_question(base: KnowledgeBase) -> None:
    letter = (
        "Can I take ibuprofen? What about paracetamol for the pain? And is naproxen any better? "
        "Thank you very much for your help with this. I should say that I am on warfarin, and have "
        "been for years, for my heart."
    )
    found = under(base.ask(letter))
    assert all(drug in part for drug, part in
               zip(("ibuprofen: interacts", "paracetamol: interacts", "naproxen: interacts"),
                   found, strict=True))  # fmt: skip


def test_a_stop_that_concerns_two_questions_is_said_once(base: KnowledgeBase) -> None:
    letter = (
        "I take simvastatin and amlodipine, 58, male. The dentist prescribed clarithromycin. Is "
        "the clarithromycin alright with the simvastatin? Should I pause the simvastatin while I "
        "take clarithromycin? And does clarithromycin need to be taken with food? I have no "
        "allergies and my kidneys are fine, as far as anybody has told me."
    )
    told = printed(base.ask(letter)).lower()
    assert told.count("clarithromycin: interacts with") == 1


def test_all_that_parts_say_is_said_by_the_whole(base: KnowledgeBase) -> None:
    answer = base.ask(LETTER)
    for part in answer.parts:
        assert all(stop in answer.stops for stop in part.stops)
        assert {s.text for s in part.sentences} <= {s.text for s in answer.sentences}
        assert set(part.missing) <= set(answer.missing)
        assert part.statements.keys() <= answer.statements.keys()


@pytest.mark.parametrize(
    ("letter", "at", "told"),
    [
        (
            "I am 31 and got amoxicillin for a chest infection. Is it ok when breastfeeding? What "
            "side effects should I look out for? What do I do if I forget one?",
            2,
            "a missed dose",
        ),
        (
            "I am on sertraline for depression, doing well. My back hurts and they gave me "
            "tramadol. Is that safe with the sertraline? My sister swears by St John's wort. "
            "Thoughts? Can I just stop the tablets from one day to the next?",
            1,
            "avoid  st john's wort",
        ),
        (
            "I take ramipril and amlodipine and am 63. My ankles are swollen by the evening, which "
            "of the tablets does it? Is grapefruit a problem? What is a normal pulse?",
            0,
            "amlodipine",
        ),
        (
            "I have asthma and am 27. My doctor mentioned propranolol to prevent migraine; with my "
            "asthma is that sensible? What are the symptoms of migraine? Which tests are done?",
            0,
            "stop  propranolol",
        ),
        (
            "我焦虑症吃帕罗西汀半年了，38岁。上周腰扭了，骨科开了曲马多，这俩能一块儿吃吗？"
            "我要是觉得好了，能直接停药吗？咖啡影响大吗？",
            1,
            "不能突然停用",
        ),
    ],
)
def test_what_a_question_takes_up_is_named_in_it(
    base: KnowledgeBase, letter: str, at: int, told: str
) -> None:
    assert told in under(base.ask(letter))[at]


@pytest.mark.parametrize(
    ("letter", "at", "not_said"),
    [
        (
            "I am 51 with type 2 diabetes and take metformin. Is beer alright? If I feel shaking "
            "at work what is it? What is gout?",
            1,
            "fits what was told",
        ),
        (
            "我怀孕16周，甲亢，现在吃丙硫氧嘧啶。牙疼能吃布洛芬吗？海带紫菜能不能吃？产后能喂奶吗？",
            1,
            "布洛芬",
        ),
        (
            "My son is 3 and has asthma, he uses salbutamol. When would I need to take him to "
            "hospital? Can he have ibuprofen? What is croup?",
            0,
            "time of the day",
        ),
    ],
)
def test_nothing_is_poured_out_that_was_not_asked(
    base: KnowledgeBase, letter: str, at: int, not_said: str
) -> None:
    assert not_said not in under(base.ask(letter))[at]


def test_what_only_a_question_names_nobody_has(base: KnowledgeBase) -> None:
    letter = (
        "I have type 2 diabetes and take metformin, 66 years. May I drink wine? What does lactic "
        "acidosis feel like? Which tests should be done every year?"
    )
    assert "mw.condition:lactic_acidosis" not in {t.entity for t in base.ask(letter).taken}


def test_a_measured_value_holds_for_each_question(base: KnowledgeBase) -> None:
    alone = {(s.entity.id, s.reason) for s in
             base.ask("My eGFR is 24. Can I take metformin?").stops if s.hard}  # fmt: skip
    letter = "My eGFR is 24. Is beer alright? Can I take metformin? What are the signs of gout?"
    parts = base.ask(letter).parts
    assert alone <= {(s.entity.id, s.reason) for part in parts for s in part.stops}


def test_two_medicines_of_different_questions_that_must_not_meet_are_told(
    base: KnowledgeBase,
) -> None:
    letter = "I am 50. May I have sildenafil? What is gout? May I have nitroglycerin as well?"
    stops = base.ask(letter).stops
    assert any(
        {stop.entity.name(), *(o.rpartition(":")[2] for o in stop.others)}
        >= {"sildenafil", "nitroglycerin"}
        and stop.hard
        for stop in stops
    )


def test_in_danger_only_what_stops_a_medicine_is_told(base: KnowledgeBase) -> None:
    letter = (
        "I am a man of 57 with angina. For one hour I have a heavy pressure in the chest going to "
        "the left arm and I sweat. Can I take atorvastatin at night? Last night I took sildenafil, "
        "is that a problem with my nitroglycerin spray? What causes gout?"
    )
    answer = base.ask(letter)
    told = printed(answer)
    assert told.index("DANGER") < told.index("STOP  sildenafil: interacts with nitroglycerin")
    assert answer.parts == ()
    assert "gout" not in told


def test_what_a_relative_recalls_is_held_against_what_is_offered(
    base: KnowledgeBase,
) -> None:
    letter = (
        "My wife had our little girl three weeks ago and since Friday her left breast is hot, "
        "hard and red, with 38.7 and shivers. The doctor wrote flucloxacillin, and if we can't "
        "get it then cefalexin. But her mum has just reminded us that when she was nine a "
        "penicillin made her throat close. So: can she have either of those, should she carry "
        "on feeding, is it safe for the baby?"
    )
    answer = base.ask(letter)
    stopped = {s.entity.name("en") for s in answer.stops if s.status == "applies" and s.hard}
    assert {"flucloxacillin", "cefalexin"} <= stopped


def test_a_crisis_has_no_parts(base: KnowledgeBase) -> None:
    letter = (
        "I cannot go on and want to kill myself. Can I take ibuprofen? What is gout? Which tests "
        "are done for asthma?"
    )
    assert base.ask(letter).parts == ()


def test_every_face_shows_the_same_headings(base: KnowledgeBase) -> None:
    answer = base.ask(LETTER)
    form: dict[str, Any] = json.loads(json.dumps(answer.to_json()))
    headings = [part.heading for part in answer.parts]
    assert [part["question"] for part in form["parts"]] == headings
    assert {key for part in form["parts"] for s in part["stops"] for key in s["statements"]} <= set(
        form["statements"]
    )
    page, text = answer_parts(answer, "a-"), answer_markdown(answer, "numbers")
    for heading in headings:
        assert heading in page
        assert heading in text


_OF_LISTS = (
    "I am 45 and healthy. Which antibiotics are there? What treats hypertension? What are "
    "the side effects of amlodipine? Tell me about asthma."
)


@pytest.mark.parametrize(("letter", "most"), [(LETTER, 24), (_OF_LISTS, 34)])
def test_little_is_said_below_each_heading(base: KnowledgeBase, letter: str, most: int) -> None:
    assert len(printed(base.ask(letter)).splitlines()) <= most


def test_what_is_folded_below_a_heading_can_be_unfolded(base: KnowledgeBase) -> None:
    answer = base.ask(_OF_LISTS)
    stream = io.StringIO()
    print_answer(answer, Console(file=stream, width=100), unfolded=True)
    assert len(stream.getvalue()) > len(printed(answer))


def test_two_short_questions_are_no_letter_and_many_are() -> None:
    two = "What is gout? What is asthma?"
    assert not is_letter(two, pieces_of(two, "en"))
    three = f"{two} What is flu?"
    assert is_letter(three, pieces_of(three, "en"))


_LETTERS = (
    "I am 71 and had a heart attack. Since then I take aspirin and amlodipine. My daughter gave me "
    "some of her diclofenac tablets. Are the tablets alright for me? Would paracetamol be better? "
    "Should I leave the aspirin off on the days I take them?",
    "My mother is 76 and has atrial fibrillation, she takes apixaban, ramipril and spironolactone. "
    "They propose diclofenac and trimethoprim. What is amoxicillin for? How long does a cold last? "
    "Which tests should be done? Thank you.",
    "I am 40, on methotrexate. Does beer matter? The doctor gave me co-trimoxazole. How soon does "
    "it work? What is gout?",
    "我妈68岁，吃华法林。诊所开了甲硝唑，她又买了布洛芬。想问：一、多久复查一次？二、感冒传染多久？三、能不能喝酒？",
)


@pytest.mark.parametrize(
    ("letter", "pairs"),
    [
        (_LETTERS[0], ["aspirin diclofenac"]),
        (
            _LETTERS[1],
            ["apixaban diclofenac", "ramipril trimethoprim", "spironolactone trimethoprim"],
        ),
        (_LETTERS[2], ["co-trimoxazole methotrexate"]),
        (_LETTERS[3], ["metronidazole warfarin", "ibuprofen warfarin"]),
    ],
)
def test_all_that_a_letter_tells_is_held_together_whatever_it_asks(
    base: KnowledgeBase, letter: str, pairs: list[str]
) -> None:
    answer = base.ask(letter)
    assert answer.parts
    met = {
        " ".join(sorted(entity.rpartition(":")[2] for entity in (stop.entity.id, other)))
        for stop in answer.stops
        if stop.status == "applies" and stop.hard
        for other in stop.others
    }
    assert met >= set(pairs)


def test_what_is_taken_is_not_forbidden_where_its_end_is_asked_about(base: KnowledgeBase) -> None:
    tablets, _, aspirin = under(base.ask(_LETTERS[0]))
    assert "stop  diclofenac" in tablets
    assert "avoid  aspirin" not in aspirin
    assert "not stopped on one's own" in aspirin


def test_the_medicine_in_question_is_what_it_stands_for(base: KnowledgeBase) -> None:
    letter = (
        "My husband is 76 with heart failure, he takes ramipril, furosemide and spironolactone. He "
        "hurt his knee and our neighbour says naproxen. May he have it? Does grapefruit matter? "
        "And how long will it take to heal?"
    )
    first, *_ = under(base.ask(letter))
    assert "naproxen: " in first
    assert "ramipril: " not in first


_THREE_ILL = (
    "Three of us are ill!\nHusband: 44, on methotrexate for psoriasis, the doctor wants to give "
    "him co-trimoxazole. OK?\nMe: 9 weeks pregnant, burning when I pee. Is trimethoprim alright?\n"
    "Little one: 2 years, {little}. Can she have paracetamol?"
)


@pytest.mark.parametrize("little", ["has a cold", "has a fever and cannot be woken"])
def test_each_person_of_a_letter_has_facts_of_their_own(base: KnowledgeBase, little: str) -> None:
    answer = base.ask(_THREE_ILL.format(little=little))
    stops = [s for each in (answer, *answer.others) for s in each.stops
             if s.hard and s.status == "applies"]  # fmt: skip
    pairs = {frozenset((s.entity.name("en"), s.reason.split(" (")[0])) for s in stops}
    names = {s.entity.name("en") for s in stops}
    assert names == {"co-trimoxazole", "trimethoprim"}
    [trimethoprim] = [pair for pair in pairs if "trimethoprim" in pair]
    assert not any("methotrexate" in said for said in trimethoprim)
    assert bool(answer.emergency) == ("woken" in little)


def test_who_only_gives_a_medicine_has_no_answer_of_their_own(base: KnowledgeBase) -> None:
    letter = (
        "My little one is 14 months and has had runny poo since Sunday. My husband has Imodium "
        "from his trip, can I give her a quarter of one? Does she need antibiotics? And how will I "
        "know if she needs the hospital?"
    )
    answer = base.ask(letter)
    assert not answer.others
    assert "stop  loperamide" in under(answer)[0]
    assert "how will i know if she needs the hospital" in under(answer)[2]


@pytest.mark.parametrize(
    ("text", "language", "asked"),
    [
        ("It hurts. What should I drink, and at what point do I go in?", "en",
         ["What should I drink?", "at what point do I go in?"]),
        ("He got 'asthma?' on a form; does it bar bisoprolol?", "en",
         ["does it bar bisoprolol?"]),
        ("I am pregnant. - do I go on with it - is there a cream - and is it true?", "en",
         ["do I go on with it?", "is there a cream?", "is it true?"]),
        ("He has asthma - may he have it?", "en", ["He has asthma - may he have it?"]),
        ("Hey. q1 does it matter? q2 can i drink", "en", ["does it matter?", "can i drink?"]),
        ("They gave me tramadol. OK?", "en", ["They gave me tramadol. OK?"]),
    ],
)  # fmt: skip
def test_a_question_is_cut_where_it_begins(text: str, language: str, asked: list[str]) -> None:
    assert asked_in(text, language) == asked


def test_when_is_no_question_for_a_diagnosis(base: KnowledgeBase) -> None:
    letter = (
        "I am 39 and take ciprofloxacin for a kidney infection. Is milk a problem? Fever was 38.9 "
        "this morning, when do I worry? What is gout?"
    )
    assert "fits" not in under(base.ask(letter))[1]


def test_another_medicine_is_sought_for_what_the_first_was_for(base: KnowledgeBase) -> None:
    letter = (
        "I had two stents put in and take aspirin and clopidogrel. Can I take ibuprofen for the "
        "pain? What else could I take instead? Does coffee matter?"
    )
    _, other, _ = under(base.ask(letter))
    assert "recorded for pain" in other


@pytest.mark.parametrize(
    ("letter", "part", "said"),
    [
        (
            "I take losartan. 1) I salt with a salt substitute. Keep or bin? 2) What is gout? "
            "3) My brother hands me his sumatriptan, and I had a heart attack. Yes or no?",
            0,
            "salt substitute: interacts with losartan",
        ),
        (
            "I take losartan. 1) I salt with a salt substitute. Keep or bin? 2) What is gout? "
            "3) My brother hands me his sumatriptan, and I had a heart attack. Yes or no?",
            2,
            "sumatriptan: contraindicated in coronary artery disease and heart attack",
        ),
        (
            "I am allergic to penicillin and have a chest infection. They offer amoxicillin or "
            "doxycycline, and there is clarithromycin at home. Which then? What is gout? And how "
            "long does a cold last?",
            0,
            "stops doxycycline and clarithromycin",
        ),
        (
            "我有胃溃疡，膝盖疼。邻居给了布洛芬，药店让买对乙酰氨基酚。请问：1. 到底吃哪个？"
            "2. 痛风是什么？3. 感冒几天好？",
            0,
            "禁用  布洛芬：禁用于消化性溃疡",
        ),
        (
            "I take omeprazole and St John's wort. What is gout? The wort? How long does a cold "
            "last?",
            1,
            "st john's wort: interacts with omeprazole",
        ),
    ],
)
def test_small_words_ask_of_what_stands_in_question(
    base: KnowledgeBase, letter: str, part: int, said: str
) -> None:
    told = " ".join(under(base.ask(letter))[part].split())
    assert " ".join(said.split()) in told


@pytest.mark.parametrize(
    ("text", "hard"),
    [
        ("I take aspirin and warfarin. Safe?", {"aspirin", "warfarin"}),
        ("I take aspirin. They offer warfarin or apixaban. Which?", {"warfarin", "apixaban"}),
        ("我有胃溃疡，手边只有阿司匹林和双氯芬酸。哪个？", {"aspirin", "diclofenac"}),
    ],
)
def test_what_is_taken_is_crossed_and_what_is_offered_is_chosen_from(
    base: KnowledgeBase, text: str, hard: set[str]
) -> None:
    stops = [s for s in base.ask(text).stops if s.status == "applies" and s.hard]
    assert hard <= {s.entity.name("en") for s in stops}
    pairs = {frozenset((s.entity.id, other)) for s in stops for other in s.others}
    assert frozenset(("mw.substance:warfarin", "mw.substance:apixaban")) not in pairs


def test_who_is_told_nothing_of_has_no_part(base: KnowledgeBase) -> None:
    letter = (
        "My son (19) has asthma. His gran wants to give him her propranolol because his heart is "
        "racing. Is the propranolol ok? What is gout? How long do I wait?"
    )
    assert base.ask(letter).others == ()


def test_what_is_not_held_is_said_with_whom_to_ask(base: KnowledgeBase) -> None:
    letter = (
        "I have a pacemaker and gout. What is gout? Who reads out my pacemaker? How long does a "
        "cold last?"
    )
    assert "the clinic that looks after the device" in " ".join(under(base.ask(letter))[1].split())
