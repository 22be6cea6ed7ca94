"""What a person says holds in whatever words: reactions, what is over, how grave, for whom."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.model.answer import Answer


def stopped(answer: Answer) -> set[str]:
    return {
        s.entity.name("en") for s in answer.stops if s.status == "applies" and s.level != "care"
    }


def in_groups(answer: Answer, standing: str) -> set[str]:
    return {
        drug.entity.name("en")
        for listed in answer.drugs
        for group in listed.groups
        if group.standing == standing
        for drug in group.drugs
    }


@pytest.mark.parametrize(
    ("asked", "drug"),
    [
        ("I went to hospital after taking penicillin as a teenager. Is co-amoxiclav ok?",
         "amoxicillin-clavulanate"),
        ("I ended up on a ventilator because of penicillin. Cefalexin?", "cefalexin"),
        ("After one tablet of aspirin my lips and tongue blew up. Can I have diclofenac?",
         "diclofenac"),
        ("Swollen lips on lisinopril last year. Can I take ramipril?", "ramipril"),
        ("Naproxen gave me a terrible rash. Is celecoxib ok?", "celecoxib"),
        ("打完青霉素晕倒过，能吃阿莫西林吗？", "amoxicillin"),
        # how grave an illness is
        ("Heart failure with two hospital admissions this year. Ibuprofen?", "ibuprofen"),
        ("NYHA IV heart failure, naproxen?", "naproxen"),
        ("Decompensated heart failure, can he have diclofenac?", "diclofenac"),
        ("My heart failure is very bad. Can I take ibuprofen?", "ibuprofen"),
        ("My kidney disease is stage 4. Ibuprofen?", "ibuprofen"),
        ("因心衰今年住院两次，能吃布洛芬吗？", "ibuprofen"),
        ("心功能四级能用萘普生吗？", "naproxen"),
        # umbrella names
        ("I bleed easily. Aspirin for a headache?", "aspirin"),
        ("My liver isn't great. Can I take methotrexate?", "methotrexate"),
        ("我有凝血问题，能吃阿司匹林吗？", "aspirin"),
        # of whom it is told
        ("我父亲有房颤，一直吃华法林。昨天膝盖疼，邻居给了他布洛芬。请问他能吃布洛芬吗？",
         "ibuprofen"),
        # what is not over
        ("I started warfarin last month. Can I take ibuprofen?", "ibuprofen"),
        ("I had a stomach ulcer ten years ago. Ibuprofen?", "ibuprofen"),
    ],
)  # fmt: skip
def test_a_stop_holds_in_other_words(base: KnowledgeBase, asked: str, drug: str) -> None:
    assert drug in stopped(base.ask(asked))


@pytest.mark.parametrize(
    "asked",
    [
        "Is a rash common with amoxicillin?",
        "I never had a rash from penicillin. Can I take amoxicillin?",
        "My cousin's throat closed after ibuprofen. Can I take ibuprofen?",
        "I finished the course of amoxicillin three days ago. Can I take methotrexate now?",
        "I was on lithium until two years ago. Can I take ibuprofen?",
        "I had a course of clarithromycin last week, it's finished. Can I take simvastatin?",
        "My last dose of prednisolone was a month ago. Can I take naproxen?",
        "I finished breastfeeding in March. Is codeine ok?",
        "Last year I had DKA. Can I take metformin now?",
        "I have mild heart failure. Can I take ibuprofen?",
        "三天前吃完了阿莫西林，现在能吃甲氨蝶呤吗？",
    ],
)
def test_what_is_over_denied_or_of_another_stops_nothing(base: KnowledgeBase, asked: str) -> None:
    assert stopped(base.ask(asked)) == set()


def test_any_kind_of_an_umbrella_name_calls_for_care(base: KnowledgeBase) -> None:
    answer = base.ask("I have a heart condition. Which painkiller?")
    assert {"ibuprofen", "diclofenac"} <= in_groups(answer, "with_care")
    assert "paracetamol" in in_groups(answer, "not_stopped")


@pytest.mark.parametrize(
    ("turns", "out"),
    [
        (["Which painkiller for a migraine?", "I have a stomach ulcer", "which are out?"],
         {"aspirin", "ibuprofen"}),
        (["Which antibiotic for a UTI?", "I'm allergic to penicillin", "so what's left?"],
         {"amoxicillin-clavulanate"}),
        (["what can I take for back pain?", "and for me? I'm on warfarin"], {"naproxen"}),
        (["which blood pressure tablets are there?", "which of them not in pregnancy?"],
         {"lisinopril", "ramipril"}),
        (["哪些止痛药可以用？", "我有胃溃疡", "哪些不能用？"], {"ibuprofen"}),
    ],
)  # fmt: skip
def test_what_is_left_of_a_list_is_the_list_again(
    base: KnowledgeBase, turns: list[str], out: set[str]
) -> None:
    assert out <= in_groups(base.ask(turns[-1], history=turns[:-1]), "stopped")


@pytest.mark.parametrize(
    ("complaint", "course"),
    [
        ("I have a cough and fever", "it has lasted two weeks"),
        ("my back hurts", "since Monday"),
        ("我头痛", "三天了"),
    ],
)
def test_how_long_it_has_lasted_is_added_to_the_complaint(
    base: KnowledgeBase, complaint: str, course: str
) -> None:
    answer = base.ask(course, history=[complaint])
    assert answer.candidates
    assert {m.entity for m in answer.question.mentions} == {
        m.entity for m in base.understand(complaint).mentions
    }


def test_one_more_medicine_is_taken_too(base: KnowledgeBase) -> None:
    answer = base.ask("can I take ibuprofen?", history=["I take metformin", "and ramipril"])
    assert {"takes metformin", "takes ramipril"} <= {fact.text for fact in answer.taken}


@pytest.mark.parametrize(
    "asked",
    ["Bad chest pain, which painkiller?", "vomiting blood, what can I take?", "胸痛能吃什么药？"],
)
def test_nothing_is_listed_for_what_may_be_an_emergency(base: KnowledgeBase, asked: str) -> None:
    answer = base.ask(asked)
    assert not answer.drugs
    assert answer.direct or answer.question.in_danger


@pytest.mark.parametrize(
    ("told", "of_another"),
    [
        ("My son wants to end his life", True),
        ("I am scared: my sister told me she wants to die", True),
        ("我朋友想自杀，我该怎么办？", True),
        ("I want to die and my mother knows", False),
    ],
)
def test_a_crisis_is_spoken_of_with_who_is_in_it(
    base: KnowledgeBase, told: str, of_another: bool
) -> None:
    signs = base.ask(told).question.danger
    assert signs
    assert signs[0].of_another is of_another


def test_words_that_may_be_urgent_are_shown_as_they_were_put(base: KnowledgeBase) -> None:
    [sign] = base.understand("He went all grey and clammy at lunch").danger or ()
    assert sign.words == ("He went all grey and clammy at lunch",)


@pytest.mark.parametrize("told", ["I'm on apixaban", "I take warfarin", "我在吃华法林"])
def test_who_only_tells_is_answered_briefly(base: KnowledgeBase, told: str) -> None:
    answer = base.ask(told)
    assert len(answer.sentences) == 1
    assert answer.missing


@pytest.mark.parametrize("name", ["uti", "copd", "tb", "ckd"])
def test_abbreviations_are_known_in_small_letters(base: KnowledgeBase, name: str) -> None:
    [mention] = base.understand(name).mentions
    assert mention.concept == "disease"
