"""Which aspect of a medicine or a test is asked about: what is held of it is told
alone, what is not is said in one sentence, and no other record is read out in its place."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer


@pytest.fixture(scope="module")
def sample() -> KnowledgeBase:
    return KnowledgeBase.sample()


def _told(answer: Answer) -> str:
    return " ".join(s.text for s in answer.sentences).lower()


@pytest.mark.parametrize(
    ("asked", "kind", "told"),
    [
        ("day 5 of sertraline. when does it actually DO anything", "onset", "several weeks"),
        ("is it normal that sertraline hasn't helped after a week", "onset", "several weeks"),
        ("氨氯地平多久起效", "onset", "起效慢"),
        ("MTX 15 mg weekly for RA: which bloods at baseline", "monitoring", "blood cells"),
        ("华法林多久查一次血", "monitoring", "验血"),
        ("how does warfarin thin the blood then", "mechanism", "clots more slowly"),
        ("二甲双胍的作用原理", "mechanism", "肝脏少产生葡萄糖"),
        ("can codeine make me an addict", "dependence", "lead to dependence"),
        ("my budesonide, rinse or not?", "technique", "rinsed"),
        ("how long after isotretinoin can I get pregnant", "conception", "birth defects"),
        ("left the amoxicillin syrup out all night, still good?", "storage", "fridge"),
        ("what can't I eat on warfarin", "food", "vitamin k"),
        ("I started cipro, is caffeine a thing with it", "food", "caffeine act longer"),
        ("metformin and i.v. contrast CT tomorrow, hold?", "procedure", "iodinated contrast"),
        ("is cetirizine ok for a train driver", "activity", "drowsy"),
    ],
)
def test_an_aspect_that_is_held_is_told_alone(
    sample: KnowledgeBase, asked: str, kind: str, told: str
) -> None:
    answer = sample.ask(asked)
    assert answer.question.aside == kind
    assert told in _told(answer)
    assert "recorded as contraindicated" not in _told(answer)
    assert "recorded uses" not in _told(answer)


@pytest.mark.parametrize(
    ("asked", "kind", "of"),
    [
        ("how fast does nintedanib kick in", "onset", "nintedanib"),
        ("does nintedanib stay in your system long", "lasting", "nintedanib"),
        ("Does nintedanib need the liver looked at?", "monitoring", "nintedanib"),
        ("Is omeprazole addictive", "dependence", "omeprazole"),
        ("do you inject filgrastim into the leg or the tummy", "technique", "filgrastim"),
        ("do I need to be fasting for a lipid test", "preparation", "lipid panel"),
        ("聚乙二醇干扰素打哪里", "technique", "干扰素"),
        ("做胃镜前能喝水吗", "preparation", "胃镜检查"),
    ],
)
def test_one_that_is_not_is_said_in_a_sentence_that_names_it(
    sample: KnowledgeBase, asked: str, kind: str, of: str
) -> None:
    answer = sample.ask(asked)
    assert answer.question.aside == kind
    assert not answer.sentences
    assert of in answer.direct[0]


@pytest.mark.parametrize(
    "asked",
    [
        "Is it all right to crush my mum's modified-release morphine into yoghurt?",
        "Can I split dad's slow-release morphine?",
        "may our son's slow-release morphine be crushed",
        "can the resident's slow-release morphine go in as crushed tablets",
        "can I chew my father-in-law's slow-release morphine",
        "我外婆的硝苯地平控释片能掰开喂吗",
    ],
)
def test_whoever_has_the_medicine_the_question_is_the_same(
    sample: KnowledgeBase, asked: str
) -> None:
    answer = sample.ask(asked)
    assert answer.question.aside == "dose_form"
    assert "whole" in _told(answer) or "整片" in _told(answer)


def test_somebody_elses_medicine_stays_somebody_elses(sample: KnowledgeBase) -> None:
    assert sample.understand("Could I take my neighbour's amoxicillin?").aside == "shared"


@pytest.mark.parametrize(
    "asked",
    [
        "which drugs in your list can make the combined pill fail?",
        "Any medicine that can stop my combined pill from working?",
        "哪些药会让避孕药失效",
    ],
)
def test_what_makes_a_medicine_fail_is_listed(sample: KnowledgeBase, asked: str) -> None:
    answer = sample.ask(asked)
    [statements] = [s.statements for s in answer.sentences]
    ends = {e for key in statements for e in answer.statements[key].statement.entities}
    assert {"mw.substance:rifampicin", "mw.substance:carbamazepine"} <= ends
    assert "mw.substance:lamotrigine" not in ends  # it is the one that works less


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("What meds make you burn in the sun?", "photosensitivity"),
        ("哪些药吃了怕晒", "光敏反应"),
        ("Which medicines prolong the QT interval?", "clarithromycin"),
    ],
)
def test_drugs_are_listed_by_an_effect_in_words(
    sample: KnowledgeBase, asked: str, told: str
) -> None:
    assert told in _told(sample.ask(asked))


@pytest.mark.parametrize(
    "asked",
    [
        "can I give blood while on atorvastatin",
        "may I donate plasma, I take sertraline",
        "can my mum get a tattoo while she's on warfarin",
    ],
)
def test_what_speaks_against_a_medicine_answers_no_leave_for_something_else(
    sample: KnowledgeBase, asked: str
) -> None:
    answer = sample.ask(asked)
    assert not answer.sentences
    assert any("was not understood. Recorded of it here: " in line for line in answer.missing)


@pytest.mark.parametrize(
    "asked",
    [
        "Can my 5 year old take paracetamol?",
        "can my baby girl have ibuprofen",
        "Can she go back on warfarin?",
        "can I breastfeed on codeine",
    ],
)
def test_leave_to_have_a_medicine_is_answered_by_what_speaks_against_it(
    sample: KnowledgeBase, asked: str
) -> None:
    answer = sample.ask(asked)
    assert answer.stops or "contraindicated" in _told(answer)


def test_a_stop_is_told_beside_an_aspect(sample: KnowledgeBase) -> None:
    answer = sample.ask("My kidneys have failed. Is metformin begun low, and when does it kick in?")
    assert any(s.entity.id == "mw.substance:metformin" for s in answer.stops)
