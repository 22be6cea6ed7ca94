"""What is told as a list counts as taken, and what is told stays with whom it is told of."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase


def stopped(base: KnowledgeBase, *turns: str) -> set[str]:
    """The reasons for which medicines are stopped in the answer to the last turn."""
    answer = base.ask(turns[-1], history=turns[:-1])
    return {stop["reason"] for stop in answer.to_json()["stops"] if stop["status"] == "applies"}


@pytest.mark.parametrize(
    ("turns", "reason"),
    [
        (("71F, AF, edoxaban 60 od. What is that tablet for?", "and ibuprofen for her back?"),
         "interacts with edoxaban"),
        (("DH: phenelzine, omeprazole. Blocked nose 2/7.", "pseudoephedrine ok?"),
         "interacts with phenelzine"),
        (("Meds - lithium 400 nocte, thyroxine 75. Sore back.", "diclofenac?"),
         "interacts with lithium"),
        (("男70，房颤，利伐沙班15mg qd。牙疼", "布洛芬呢"), "与利伐沙班有相互作用"),
        (("既往痛风，华法林3mg qd，别嘌醇0.1。嗓子疼", "克拉霉素能用吗"), "与华法林有相互作用"),
    ],
)  # fmt: skip
def test_what_is_listed_with_a_dose_is_taken_later(
    base: KnowledgeBase, turns: tuple[str, ...], reason: str
) -> None:
    assert any(told.startswith(reason) for told in stopped(base, *turns))


@pytest.mark.parametrize(
    "first",
    [
        "34F, UTI, she wants warfarin 3mg.",
        "Warfarin 3mg or apixaban 5 for AF, 70M.",
        "Found warfarin 3mg in the drawer, I'm 40.",
    ],
)
def test_what_is_wanted_or_found_is_not(base: KnowledgeBase, first: str) -> None:
    assert not any("warfarin" in reason for reason in stopped(base, first, "ibuprofen?"))


def test_what_is_taken_is_so_where_it_is_asked_about_too(base: KnowledgeBase) -> None:
    told = "I take warfarin 3mg and ramipril. What is warfarin for?"
    assert "interacts with warfarin" in stopped(base, told, "ibuprofen?")


@pytest.mark.parametrize(
    ("text", "drugs"),
    [
        ("Mum (76, warfarin) rang. My own head hurts, can I have ibuprofen? I'm 40.", ()),
        ("Mum (76, warfarin) has a headache. Ibuprofen?", ("mw.substance:warfarin",)),
        ("Mr Hall 60 on warfarin, Mrs Lee 58 with a sore knee. Ibuprofen for Mrs Lee?", ()),
        ("Mr Hall 60 on warfarin, Mrs Lee 58 sore knee. Ibuprofen for Mr Hall?",
         ("mw.substance:warfarin",)),
        ("我爸吃华法林，头疼的是我，布洛芬行吗？", ()),
    ],
)  # fmt: skip
def test_a_medicine_is_of_whom_it_is_told(
    base: KnowledgeBase, text: str, drugs: tuple[str, ...]
) -> None:
    assert base.understand(text).patient.drugs == drugs


def test_an_animal_has_an_age_of_its_own(base: KnowledgeBase) -> None:
    told = "Our cat limps, she is 14. I have an ulcer. Naproxen for my neck?"
    assert base.understand(told).patient.age_days is None
    told = "我家猫14岁，我胃溃疡，能吃萘普生吗"
    assert base.understand(told).patient.age_days is None


def test_who_is_told_of_last_is_asked_for(base: KnowledgeBase) -> None:
    told = "My daughter is pregnant, she fetched nan (81). Nan's knee is hot: naproxen?"
    found = base.understand(told).patient
    assert found.pregnant is None
    assert found.age_days == 29585


@pytest.mark.parametrize(
    "text",
    [
        "My little one only takes the breast. Tramadol for my back?",
        "Codeine for my back, can it get to him with the milk?",
        "娃还没断奶，牙疼，可待因能吃吗",
    ],
)
def test_a_child_at_the_breast_tells_of_its_mother(base: KnowledgeBase, text: str) -> None:
    understood = base.understand(text)
    described = {one.entity for one in understood.described}
    assert understood.patient.breastfeeding or "mw.population:breastfeeding" in described


@pytest.mark.parametrize(
    "text",
    [
        "My milk tooth fell out. Is codeine ok?",
        "He is bottle fed from birth. Is codeine ok for me?",
        "孩子早断奶了，可待因能吃吗",
    ],
)
def test_milk_alone_is_no_breastfeeding(base: KnowledgeBase, text: str) -> None:
    assert not base.understand(text).patient.breastfeeding


@pytest.mark.parametrize(
    "text",
    [
        "Amoxicillin stripped the skin off my back. Is flucloxacillin ok?",
        "Amoxicillin closed me up, they cut a hole in my neck. Flucloxacillin?",
        "Amoxicillin: lips like sausages. Flucloxacillin?",
    ],
)
def test_what_a_medicine_did_is_an_allergy(base: KnowledgeBase, text: str) -> None:
    assert base.understand(text).patient.allergies == ("mw.substance:amoxicillin",)
