"""All that a text asks is answered; a turn that narrows a list narrows it."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer


def said(answer: Answer) -> str:
    return " ".join((*(s.text for s in answer.sentences), *answer.missing)).lower()


def listed(answer: Answer) -> set[str]:
    return {one.about.name() for one in answer.drugs}


@pytest.mark.parametrize(
    ("text", "parts", "not_said"),
    [
        (
            "My daughter takes amoxicillin. What are its side effects? And can she have ibuprofen?",
            ("side effects recorded for amoxicillin", "whether ibuprofen may be used"),
            ("side effects recorded for ibuprofen", "whether amoxicillin may be used"),
        ),
        (
            "I have had psoriasis for years. Is it contagious? What makes it worse?",
            ("not contagious", "risk factors recorded for psoriasis"),
            ("complications",),
        ),
        (
            "How do I tell flu from a cold? And gout from rheumatoid arthritis?",
            ("influenza", "gout"),
            (),
        ),
        (
            "Dad is on allopurinol. What is allopurinol for, and how much does it cost?",
            ("recorded uses of allopurinol", "prices"),
            (),
        ),
        (
            "我在吃氨氯地平。氨氯地平有什么副作用？高血压要忌口吗？",
            ("氨氯地平记录的副作用", "盐"),
            (),
        ),
    ],
)
def test_each_question_is_answered_of_what_it_asks(
    base: KnowledgeBase, text: str, parts: tuple[str, ...], not_said: tuple[str, ...]
) -> None:
    told = said(base.ask(text))
    assert all(part in told for part in parts), told
    assert not any(part in told for part in not_said), told


def test_what_the_text_tells_stops_drugs_of_every_part(base: KnowledgeBase) -> None:
    text = "What are the signs of gout? And can I take ibuprofen? I am on warfarin."
    stops = base.ask(text).stops
    assert ("ibuprofen", "applies") in {(stop.entity.name(), stop.status) for stop in stops}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("What treats hypertension without making asthma worse?", {"hypertension"}),
        ("What eases back pain if someone has kidney disease?", {"back pain"}),
        ("Which blood pressure tablets are fine with gout?", {"antihypertensives"}),
        ("Which sleeping tablets are ok in asthma?", {"sleeping medicines"}),
        ("Anything against head lice?", {"head lice"}),
    ],
)
def test_what_a_list_must_suit_is_not_what_it_is_for(
    base: KnowledgeBase, text: str, wanted: set[str]
) -> None:
    assert listed(base.ask(text)) == wanted


@pytest.mark.parametrize(
    ("before", "turn", "told", "not_said"),
    [
        (
            "What is recorded for hypertension?",
            "Do any of those cause a cough?",
            "ramipril",
            "codeine",
        ),
        ("高血压用什么药", "其中哪些会引起咳嗽", "雷米普利", "可待因"),
        ("What is asthma?", "What are the symptoms?", "symptoms recorded for asthma", "name"),
        (
            "Tell me about amlodipine",
            "Which side effects?",
            "side effects recorded for aml",
            "uses",
        ),
        ("Is warfarin safe in pregnancy?", "What instead?", "recorded uses of warfarin", "name"),
    ],
)
def test_a_turn_is_of_what_was_shown(
    base: KnowledgeBase, before: str, turn: str, told: str, not_said: str
) -> None:
    found = said(base.ask(turn, history=[before]))
    assert told in found
    assert not_said not in found


def test_a_turn_asks_for_a_class_among_what_was_shown(base: KnowledgeBase) -> None:
    answer = base.ask("Which of them are diuretics?", history=["drugs for hypertension"])
    names = {drug.entity.name() for one in answer.drugs for g in one.groups for drug in g.drugs}
    assert "hydrochlorothiazide" in names
    assert "amlodipine" not in names


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Is there albendazole as a syrup?", "forms it is made"),
        ("Which blood tests are needed on amoxicillin?", "tested or watched"),
        ("吃阿莫西林期间要查什么", "检查或监测"),
        ("香蕉会唱高血压吗", "没有理解"),
        ("Should artemether be taken with food?", "not recorded here"),
        ("Is Panadol the same as acetaminophen?", "two names of one thing"),
        ("Are ibuprofen and naproxen the same?", "as two things"),
    ],
)
def test_what_no_record_answers_is_said_and_nothing_beside_it(
    base: KnowledgeBase, text: str, told: str
) -> None:
    answer = base.ask(text)
    assert told in said(answer)
    assert not any(
        "Recorded uses" in s.text or "contraindicated" in s.text for s in answer.sentences
    )


@pytest.mark.parametrize(
    "text",
    [
        "Is grapefruit juice ok with atorvastatin? And with simvastatin?",
        "Is grapefruit juice ok with atorvastatin? What about simvastatin?",
    ],
)
def test_two_that_are_asked_about_in_turn_are_not_taken_together(
    base: KnowledgeBase, text: str
) -> None:
    stops = [s for s in base.ask(text).stops if s.status == "applies"]
    assert not [s for s in stops if s.entity.name().endswith("statin") and
                any(other.endswith("statin") for other in s.others)]  # fmt: skip
    assert {s.level for s in stops if s.entity.name() == "grapefruit juice"} == {"avoid", "care"}


def test_of_two_the_one_for_what_the_person_has_is_not_the_new_one(base: KnowledgeBase) -> None:
    answer = base.ask("Tamoxifen and bupropion: may a breast cancer patient take both?")
    hard = [s.entity.name() for s in answer.stops if s.hard and s.status == "applies"]
    assert hard == ["bupropion", "tamoxifen"]
    assert not [text for text in answer.missing if "no relation" in text]
