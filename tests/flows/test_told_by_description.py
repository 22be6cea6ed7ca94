"""What somebody tells by description is asked about before a drug that it would speak against."""

import pytest

from medweave import Answer, KnowledgeBase


def asked(answer: Answer) -> list[str]:
    """What is asked of the words of a description."""
    return [told for told in answer.direct if told.startswith(("Does “", "“"))]


@pytest.mark.parametrize(
    ("text", "meant", "effect"),
    [
        ("Tablets under my chin when my chest hurts. Can I take sildenafil?", "taking nitrates",
         "not sildenafil"),
        ("The air pump by my bed keeps my throat open. Can I take diazepam?", "sleep apnea",
         "not diazepam"),
        ("My tubes close up when pollen comes. Can I take aspirin?", "asthma", "with care"),
        ("Tablets ate through my stomach. Can I take naproxen?", "peptic ulcer",
         "not naproxen"),
        ("一到下午眼皮就抬不起来，能吃安定吗？", "重症肌无力", "不可用地西泮"),
        ("Is sildenafil fine beside the heart patch I stick on at breakfast?", "nitrates",
         "not sildenafil"),  # in a clause that names something
        ("One pill a day for the virus. Can I take simvastatin?",
         "antiretrovirals", "say which"),
        ("战痘的胶囊吃得我嘴巴干，能吃多西环素吗？", "异维A酸", "不可用多西环素"),
    ],
)  # fmt: skip
def test_what_is_described_is_asked_about_with_its_words_and_what_hangs_on_it(
    base: KnowledgeBase, text: str, meant: str, effect: str
) -> None:
    answer = base.ask(text)
    (told,) = asked(answer)
    assert meant in told
    assert effect in told
    described = answer.question.described[0]
    assert answer.question.text[described.start : described.end] == described.text
    assert described.text in told


@pytest.mark.parametrize(
    "text",
    [
        "I take allopurinol and clarithromycin. Do they all get along?",
        "I don't stick on a heart patch at breakfast. Can I take sildenafil?",  # denied
        "My neighbour sticks on a heart patch at breakfast. Can I take sildenafil?",
        "I sprayed the roses and my phone fell on my chest. Can I take sildenafil?",
        "I stick on a heart patch at breakfast. Can I take paracetamol?",  # of no matter
        "I take nitroglycerin, a spray under the tongue. Can I take sildenafil?",  # named
        "孩子七个月，能吃萘普生吗？",  # of a child: not with child
    ],
)
def test_nothing_is_asked_that_is_denied_anothers_named_or_of_no_matter(
    base: KnowledgeBase, text: str
) -> None:
    assert asked(base.ask(text)) == []


def test_a_guess_alone_stops_nothing_and_holds_back_only_where_it_is_likely(
    base: KnowledgeBase,
) -> None:
    told = "Tablets ate through my stomach."
    answer = base.ask(f"{told} What can I take for a headache?")
    assert asked(answer)
    assert not any(stop.status == "applies" for stop in answer.stops)
    of_ulcer = {s.entity.name("en") for s in answer.stops if "peptic ulcer" in s.reason}
    assert {"aspirin", "ibuprofen"} <= of_ulcer
    assert "takes" not in " ".join(taken.text for taken in answer.taken)


def test_what_was_described_before_is_asked_about_later(base: KnowledgeBase) -> None:
    answer = base.ask("Can I take sildenafil?", history=["I stick on a heart patch at breakfast."])
    assert any("nitrates" in told for told in asked(answer))


def test_where_nothing_is_named_what_is_described_is_held_against_one_another(
    base: KnowledgeBase,
) -> None:
    answer = base.ask("A heart patch at breakfast, and a pill for my erection. Ok?")
    patch, pill = asked(answer)
    assert "taking nitrates? Then not phosphodiesterase-5 inhibitors" in patch
    assert "taking phosphodiesterase-5 inhibitors? Then not nitrates" in pill


@pytest.mark.parametrize(
    ("text", "excluded"),
    [
        ("Penicillin nearly finished me, the crash team came. Can I take cefalexin?", True),
        ("I went blue on penicillin. Can I take cefalexin?", True),
        ("一打青霉素嗓子就锁住了，能吃头孢氨苄吗？", True),
        ("打青霉素休克过，能吃头孢氨苄吗？", True),
        ("Penicillin brought me out in a rash. Can I take cefalexin?", False),
        ("I was in hospital and had penicillin there. Can I take cefalexin?", False),
        ("打青霉素没有休克过，能吃头孢氨苄吗？", False),
    ],
)
def test_how_grave_an_allergy_is_may_be_told_in_any_order(
    base: KnowledgeBase, text: str, excluded: bool
) -> None:
    answer = base.ask(text)
    assert any(s.status == "applies" and s.hard for s in answer.stops) is excluded


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I was stented in May. Can I take diclofenac?", "coronary artery disease"),
        ("I had heart bypass surgery. Can I take sumatriptan?", "coronary artery disease"),
        ("小腿长过血块，能吃复方避孕药吗？", "深静脉血栓"),
        ("肚子里的孩子八个月了，能吃萘普生吗？", "妊娠"),
        ("宝宝还在吃我的奶，能吃可待因吗？", "哺乳"),
    ],
)
def test_an_event_or_a_state_told_in_everyday_words_is_taken_as_said(
    base: KnowledgeBase, text: str, reason: str
) -> None:
    stops = [s.reason for s in base.ask(text).stops if s.status == "applies" and s.hard]
    assert any(reason in told for told in stops)
