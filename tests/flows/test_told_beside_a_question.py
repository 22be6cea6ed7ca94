"""What a sentence tells beside a question is taken, or not borne, in whatever words."""

import pytest

from medweave.knowledge_base import KnowledgeBase


@pytest.mark.parametrize(
    ("text", "drug"),
    [
        ("Ramipril was started in May. Which painkiller could I use for gout?", "ramipril"),
        ("My tablets: digoxin. Is clarithromycin a bad idea?", "digoxin"),
        ("Two months into isotretinoin now. Doxycycline as well?", "isotretinoin"),
        ("Metformin, gliclazide. New atrial fibrillation. Apixaban?", "metformin"),
        ("Takes apixaban. Naproxen for back pain?", "apixaban"),
        ("每天一片阿司匹林。胃炎该吃什么？", "aspirin"),
        ("甲氨蝶呤每周一次。能吃复方新诺明吗？", "methotrexate"),
    ],
)
def test_a_drug_that_is_told_beside_a_question_is_taken(
    base: KnowledgeBase, text: str, drug: str
) -> None:
    assert any(each.endswith(f":{drug}") for each in base.understand(text).patient.drugs)


@pytest.mark.parametrize(
    "text",
    [
        "Consultant mentioned amiodarone. Does it hurt the thyroid?",
        "I bought naproxen yesterday. Is it fine with asthma?",
        "There's codeine in the cupboard. May I give it to my 8-year-old?",
        "Tell me about apixaban. What are the side effects?",
        "My grandmother is on warfarin, I have a headache. Can I have aspirin?",
        "My neighbour takes penicillin for it, should I?",
        "听说二甲双胍不错。它有什么副作用？",
    ],
)
def test_what_is_only_spoken_of_is_not_taken(base: KnowledgeBase, text: str) -> None:
    assert base.understand(text).patient.drugs == ()


@pytest.mark.parametrize(
    "text",
    [
        "Known penicillin anaphylaxis; cellulitis. What about cefalexin?",
        "Penicillin -> facial swelling. Is cefalexin safe?",
        "用青霉素后全身起疹。扁桃体炎用什么？",
    ],
)
def test_a_reaction_beside_a_name_is_an_allergy(base: KnowledgeBase, text: str) -> None:
    patient = base.understand(text).patient
    assert len(patient.allergies) == 1
    assert patient.drugs == ()


@pytest.mark.parametrize(
    "text",
    [
        "My wife takes warfarin and so do I. Can I take ibuprofen?",
        "My brother is on warfarin and I am too. Can I take ibuprofen?",
        "我老公吃华法林，我也在吃。我能吃布洛芬吗？",
    ],
)
def test_what_a_relative_takes_and_the_writer_too_stops(base: KnowledgeBase, text: str) -> None:
    stops = {stop.entity.name("en") for stop in base.ask(text).stops if stop.status == "applies"}
    assert "ibuprofen" in stops


@pytest.mark.parametrize(
    "text",
    [
        "Pregnancy test negative. Naproxen for my cramps?",
        "Pregnancy test: neg. Can I take naproxen?",
        "验孕阴性，痛经能吃萘普生吗",
    ],
)
def test_a_negative_test_is_no_pregnancy(base: KnowledgeBase, text: str) -> None:
    assert base.understand(text).patient.pregnant is False
