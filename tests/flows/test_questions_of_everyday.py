"""What people ask in loose words: the other way round, of a class, of nothing at all."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.faces.texts.layout import Layout


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ("What causes chest pain?", ("heart attack", "pneumonia", "pulmonary embolism")),
        ("脚踝肿是啥原因", ("心力衰竭",)),
        ("which drugs make you cough", ("side effect", "ramipril")),
        ("哪些药会引起腹泻", ("二甲双胍",)),
        ("drugs not allowed in liver disease", ("methotrexate",)),
        ("which medicines should you avoid with kidney failure", ("metformin",)),
        ("type 1 vs type 2 diabetes", ("type 1 diabetes only",)),
        ("1型和2型糖尿病有什么区别", ("1型糖尿病",)),
    ],
)
def test_it_is_said_in_a_sentence(base: KnowledgeBase, asked: str, named: tuple[str, ...]) -> None:
    said = " ".join(sentence.text for sentence in base.ask(asked).sentences)
    assert [name for name in named if name not in said] == []


@pytest.mark.parametrize(
    ("asked", "drugs"),
    [
        ("what statins are there", {"simvastatin", "atorvastatin", "rosuvastatin"}),
        ("list the beta blockers", {"propranolol", "bisoprolol"}),
        ("blood pressure tablet that is safe when breastfeeding?", {"amlodipine", "losartan"}),
        ("ive got the flu, anything to take?", {"oseltamivir"}),
        ("my kid has worms what to give", {"albendazole"}),
        ("老人高血压又有痛风吃什么降压药", {"amlodipine"}),
        ("She has a headache. Which tablets may I give her?", {"paracetamol", "ibuprofen"}),
        ("My child has a fever, which medicine can we give?", {"paracetamol"}),
        ("are nsaids ok in heart failure", {"ibuprofen", "diclofenac"}),
    ],
)
def test_it_is_said_in_a_list(base: KnowledgeBase, asked: str, drugs: set[str]) -> None:
    answer = base.ask(asked)
    listed = {d.entity.name("en") for x in answer.drugs for g in x.groups for d in g.drugs}
    assert drugs <= listed
    assert len([s for s in Layout(answer).stops if not s.hard]) <= 1  # they stand in the list


@pytest.mark.parametrize("text", ["hello", "Help", "hi there", "thanks", "你好", "你能做什么"])
def test_who_greets_is_told_what_can_be_asked(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert answer.question.aside == "greeting"
    assert not Layout(answer).says_nothing
    assert len(answer.missing) == 1


def test_that_a_clinic_is_closed_hides_no_question_of_a_medicine(base: KnowledgeBase) -> None:
    answer = base.ask("Is the clinic open on Monday, and can I take ibuprofen with warfarin?")
    assert answer.stops[0].hard


@pytest.mark.parametrize(
    "text",
    [
        "how much does insulin cost",
        "where can i buy amoxicillin",
        "can I get amoxicillin without a prescription",
        "阿莫西林多少钱一盒",
        "where in town can I get ozempic in stock and what's it cost private",
        "is amoxicillin in stock at the pharmacy",
        "do they stock sertraline at the chemist",
        "布洛芬现在药店有没有货",
        "附近哪家药店有奥司他韦卖",
    ],
)
def test_prices_are_not_in_a_base(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert answer.status == "abstained"
    assert len(answer.missing) == 1
    assert not answer.find_out


@pytest.mark.parametrize(
    ("text", "aside"),
    [
        ("Can you book me an appointment with a dermatologist?", "errand"),
        ("Please renew my ramipril prescription", "errand"),
        ("I need a sick note for flu", "errand"),
        ("帮我挂个皮肤科的号", "errand"),
        ("I attached my MRI, what does it show?", "file"),
        ("帮我看看这张CT", "file"),
        ("Can you call an ambulance for me?", "ambulance"),
        ("My CA-125 is 60, what does that mean?", "result"),
        ("我的CA125是60，正常吗？", "result"),
        ("Will I die of this?", "outlook"),
        ("我爸肺癌还能活多久？", "outlook"),
        ("When should I call an ambulance for a nosebleed?", ""),
        ("How long after a vaccine until I see results?", ""),
        ("He is 70, can he take ibuprofen?", ""),
        ("What is the outlook for asthma?", ""),
    ],
)
def test_what_cannot_be_done_here_is_said(base: KnowledgeBase, text: str, aside: str) -> None:
    answer = base.ask(text)
    assert answer.question.aside == aside
    assert not aside or (not answer.drugs and answer.missing)


def test_a_word_that_only_looks_like_it_is_a_question_still(base: KnowledgeBase) -> None:
    assert base.ask("Which over the counter drugs are recorded for migraine?").drugs


def test_what_is_near_is_named_only_where_it_shares_a_word(base: KnowledgeBase) -> None:
    assert "thyroid" in " ".join(base.ask("how is goitrous thyroid diagnosed").missing)
    assert len(base.ask("今天天气怎么样").missing) == 1


def test_a_danger_with_a_name_leaves_no_list(base: KnowledgeBase) -> None:
    for text in (
        "bp 200/130 what tablets for it",
        "12 weeks pregnant, bleeding a lot and belly pain, what can i take",
        "血压210/130头疼吃什么药",
    ):
        answer = base.ask(text)
        assert answer.emergency
        assert not (answer.drugs or answer.candidates or answer.sentences)


def test_a_drug_asked_about_in_danger_is_still_stopped(base: KnowledgeBase) -> None:
    answer = base.ask("crushing chest pain and sweating. I take warfarin, can I take ibuprofen?")
    assert answer.emergency
    assert "ibuprofen" in {stop.entity.name("en") for stop in answer.stops}


def test_what_to_find_out_is_asked_by_the_part_of_the_body(base: KnowledgeBase) -> None:
    for text in ("what can i take for migraine", "痛风怎么治", "which antibiotic for pneumonia"):
        assert len(base.ask(text).find_out) <= 20
    assert not base.ask("side effects of metformin").find_out


@pytest.mark.parametrize(
    "text",
    ["Can my dog take ibuprofen?", "How much aspirin can I give the cat?", "我家猫能吃布洛芬吗"],
)
def test_what_is_recorded_of_people_is_not_told_of_animals(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert answer.question.aside == "animal"
    assert (answer.status, answer.sentences, answer.drugs, answer.stops) == (
        "abstained",
        (),
        (),
        (),
    )


@pytest.mark.parametrize(
    "text",
    [
        "I am allergic to cats. Can I take loratadine?",
        "Can dogs give you ringworm?",
        "A cat scratched my son",
    ],
)
def test_an_animal_that_is_only_spoken_of_is_no_patient(base: KnowledgeBase, text: str) -> None:
    assert base.ask(text).question.aside == ""


@pytest.mark.parametrize("text", ["who won the world cup", "best recipe for apple pie"])
def test_what_is_about_nobody_is_no_danger(base: KnowledgeBase, text: str) -> None:
    assert base.ask(text).danger == ()


@pytest.mark.parametrize(
    "text",
    [
        "is paracetamol safe for cats",
        "my cat has asthma, which drugs?",
        "can my old dog take aspirin",
        "可以给狗吃布洛芬吗",
        "我家狗狗发烧吃什么药",
    ],
)
def test_an_animal_is_told_in_many_words(base: KnowledgeBase, text: str) -> None:
    assert base.ask(text).question.aside == "animal"


@pytest.mark.parametrize(
    "text",
    [
        "I take warfarin and my dog bit me; is ibuprofen ok?",
        "I am on warfarin. I read ibuprofen is toxic to dogs, is it ok for me?",
        "I'm pregnant, 30 weeks, and give my cat her tablets, can I take ibuprofen",
        "I gave my dog his pill. Can I take ibuprofen with warfarin?",
        "can my child have ibuprofen if our cat has worms and he takes warfarin",
        "我在吃华法林，疼得厉害想立马吃布洛芬",
        "立马吃布洛芬行吗，我有胃溃疡",
        "被猫抓伤了，我在吃华法林，能吃布洛芬吗",
    ],
)
def test_an_animal_beside_a_person_hides_no_stop(base: KnowledgeBase, text: str) -> None:
    assert any(stop.status == "applies" for stop in base.ask(text).stops)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("how long till artemether works", "leaflet"),
        ("How long does artemether stay in your system?", "in the body"),
        ("can I keep digoxin out of the fridge", "pack"),
        ("I forgot to take my artemether this morning", "two doses"),
        ("蒿甲醚多久起效", "说明书"),
        ("忘了吃蒿甲醚怎么办", "漏服"),
    ],
)
def test_what_no_source_tells_of_a_medicine(base: KnowledgeBase, asked: str, said: str) -> None:
    answer = base.ask(asked)
    assert (answer.drugs, answer.sentences) == ((), ())
    assert any(said in line for line in answer.missing)


def test_what_is_asked_beside_it_is_answered(base: KnowledgeBase) -> None:
    assert base.ask("missed pills, can I take ulipristal").sentences


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("Is metformin safe in pregnancy?", "with regard to pregnancy"),
        ("Is turmeric OK with warfarin?", "no interaction between turmeric and warfarin"),
        ("can a 5 year old have cetirizine", "with regard to this age"),
    ],
)
def test_silence_on_what_was_asked_is_read_first(
    base: KnowledgeBase, asked: str, first: str
) -> None:
    answer = base.ask(asked)
    assert [first in line for line in answer.direct] == [True]
    assert set(answer.direct) <= set(answer.missing)
    assert not Layout(answer).says_nothing


@pytest.mark.parametrize(
    "text",
    [
        "not on any blood thinner, kidneys fine. ibuprofen for period pain ok?",
        "not taking blood thinners or steroids - naproxen?",
        "I take no blood pressure tablets. ibuprofen?",
        "不吃任何降压药，能吃布洛芬吗",
        "没在用抗凝药，能吃布洛芬吗",
    ],
)
def test_a_class_that_is_not_taken_stops_nothing(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert [stop for stop in answer.stops if stop.status == "applies"] == []
    assert len({sentence.about for sentence in answer.sentences}) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "aspirin-sensitive asthma, naproxen for period pain?",
        "NSAID exacerbated respiratory disease, can I have naproxen",
        "阿司匹林哮喘的病人痛经，萘普生可以吗",
        "患者对阿司匹林不耐受，萘普生可以吗",
    ],
)
def test_asthma_from_a_painkiller_is_an_allergy_to_it(base: KnowledgeBase, text: str) -> None:
    assert any(stop.hard and stop.status == "applies" for stop in base.ask(text).stops)


def test_a_reaction_told_with_its_medicine_is_over(base: KnowledgeBase) -> None:
    text = "Which antibiotic for cellulitis in someone who went blotchy and wheezy on co-amoxiclav"
    answer = base.ask(text)
    assert answer.question.in_danger == ()
    assert answer.question.patient.allergies
    now = base.ask("I'm wheezy and my lips are swelling after an ibuprofen, what else can I take")
    assert now.question.in_danger


@pytest.mark.parametrize(
    ("text", "allergies"),
    [
        ("can I have co-trimoxazole, allergic to amoxicillin", ("mw.substance:amoxicillin",)),
        ("had anaphylaxis with amoxicillin, co-trimoxazole ok?", ("mw.substance:amoxicillin",)),
        (
            "allergic to penicillin, sulfa, ibuprofen for a headache ok?",
            ("mw.substance:penicillins", "mw.substance:sulfonamides"),
        ),
    ],
)
def test_what_is_asked_about_beside_an_allergy_is_no_allergy(
    base: KnowledgeBase, text: str, allergies: tuple[str, ...]
) -> None:
    assert base.understand(text).patient.allergies == allergies


def test_a_brand_within_a_name_is_no_allergen_in_it(base: KnowledgeBase) -> None:
    [listed] = base.ask("cystitis, allergic to amoxicillin, what can I take").drugs
    stopped = next((g.drugs for g in listed.groups if g.standing == "stopped"), ())
    assert [drug.entity.name() for drug in stopped] == []


@pytest.mark.parametrize(
    "text",
    [
        "Which drugs for high blood pressure while 20/40 with twins?",
        "losartan v amlodipine for me - test positive, 2 months late",
        "G2P1 34/40, headache, what can she take?",
    ],
)
def test_a_pregnancy_in_shorthand(base: KnowledgeBase, text: str) -> None:
    assert base.understand(text).patient.pregnant


def test_sharp_eyes_are_no_pregnancy(base: KnowledgeBase) -> None:
    assert base.understand("vision 20/40, timolol ok?").patient.pregnant is None


def test_a_drug_told_beside_a_complaint_is_weighed(base: KnowledgeBase) -> None:
    text = "I get wheezy and carry a blue puffer. Dr says bisoprolol for palpitations. Thoughts?"
    assert any(stop.name == "bisoprolol" for stop in Layout(base.ask(text)).stops)
