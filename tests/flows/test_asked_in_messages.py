"""What is asked somewhere in a message that tells much, and in no words that rules foresee."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    return KnowledgeBase.sample()


def _said(answer: Answer) -> str:
    return " ".join((*(s.text for s in answer.sentences), *answer.missing)).lower()


def _every_part(answer: Answer) -> str:
    return " ".join(map(_said, (answer, *answer.parts)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I had my gallbladder out in spring. Now they want me on simvastatin, I read about muscle "
         "aches and livers. Fine. But do I take it with my tea or last thing at night?",
         "in the evening"),
        ("I've had psoriasis since I was 19. My girlfriend wonders if she could get it from "
         "sharing towels. I told her no but would like it from you", "not contagious"),
        ("narrow angle glaucoma here, which stuff is gonna blow my eye up",
         "contraindicated in angle-closure glaucoma"),
        ("why on earth would they put a man on finasteride who has plenty of hair",
         "uses of finasteride"),
        ("Day 6 of hand foot and mouth, nobody in this house has slept, how much longer",
         "seven to ten days"),
        ("他血压高，又有睡眠呼吸暂停，这两个有关系吗", "睡眠呼吸暂停是高血压的病因"),
        ("孩子打了退烧针第二天又烧了，我就想知道这个手足口要几天才能好，别的不用讲", "七到十天"),
    ],
)  # fmt: skip
def test_what_is_asked_is_answered(base: KnowledgeBase, text: str, told: str) -> None:
    assert told in _said(base.ask(text))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("how do they get a cataract out, do i see the knife coming", "operation"),
        ("Colonoscopy at 2pm, when's my last bit of toast", "gets ready"),
        ("胆结石只疼过一回，这胆非割不可吗", "手术"),
    ],
)  # fmt: skip
def test_what_no_base_holds_is_said_to_be_that(base: KnowledgeBase, text: str, told: str) -> None:
    answer = base.ask(text)
    assert any(told in missing for missing in answer.missing)
    assert "not understood" not in _said(answer)


@pytest.mark.parametrize(
    "text",
    ["stage 4 kidneys, 69. wife cooks everything with tomatoes, what should she be cooking",
     "Triptans, which patients are a flat no? Side effects I have, this is the slide I'm missing.",
     "卟啉病患者，有啥药是雷区"],
)  # fmt: skip
def test_no_list_of_drugs_takes_the_place_of_what_is_asked(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert not answer.drugs
    assert "drug" not in answer.question.labels


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Shingles, poor nan. What brings it on, and what can come of it?",
         ["varicella-zoster virus", "complications recorded for shingles"]),
        ("Hepatitis is going round the hostel. How would it show, and how do we keep from getting "
         "it?", ["symptoms recorded for hepatitis", "vaccines protect"]),
        ("我妈刚查出痛风。这病怎么得的？平时怎么防着不再犯？", ["病因", "多喝水"]),
    ],
)  # fmt: skip
def test_two_short_questions_of_different_things_are_both_answered(
    base: KnowledgeBase, text: str, told: list[str]
) -> None:
    said = _every_part(base.ask(text))
    assert all(one in said for one in told)


def test_what_is_asked_apart_and_not_together_is_answered_apart(base: KnowledgeBase) -> None:
    text = (
        "Epilepsy, he's four, they reckon he'll grow out of it. Do they really? And what will the "
        "levetiracetam do to him?"
    )
    assert len(base.ask(text).parts) == 2


@pytest.mark.parametrize(
    "text", ["who can't have the steroids?", "Which of my patients cannot have diclofenac?"]
)
def test_who_asks_which_people_cannot_have_it_is_not_allergic(
    base: KnowledgeBase, text: str
) -> None:
    assert not base.ask(text).question.patient.allergies


@pytest.mark.parametrize(
    "text", ["My wife can't have penicillin. Cefalexin?", "He is the one who can't have aspirin."]
)
def test_who_cannot_have_it_is_allergic(base: KnowledgeBase, text: str) -> None:
    assert base.ask(text).question.patient.allergies


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("who should not be given beta blockers", "beta blockers is recorded as contraindicated"),
        ("What harm do steroids do?", "side effects recorded for corticosteroids"),
        ("激素吃多了有什么坏处", "糖皮质激素记录的副作用"),
    ],
)
def test_what_is_recorded_of_a_large_class_is_told_of_it(
    base: KnowledgeBase, text: str, told: str
) -> None:
    assert told in _said(base.ask(text))


def test_who_does_not_want_to_get_an_illness_is_told_how_to_prevent_it(
    base: KnowledgeBase,
) -> None:
    answer = base.ask("How do I keep from getting hepatitis? My flatmate came down with it.")
    assert "vaccines protect" in _said(answer)


def test_contractions_without_their_sign_are_no_names(base: KnowledgeBase) -> None:
    text = "is there anything that shouldnt be mixed with rifampicin, mum doesnt know"
    assert not base.ask(text).not_understood
