"""What somebody tells by description is asked about before a drug that it would speak against."""

from collections.abc import Iterator

import pytest

from medweave import Answer, KnowledgeBase


@pytest.fixture(scope="module")
def base() -> Iterator[KnowledgeBase]:
    """The base that ships."""
    with KnowledgeBase.sample() as found:
        yield found


def asked(answer: Answer) -> list[str]:
    """What is asked of the words of a description."""
    return [told for told in answer.direct if told.startswith(("Does “", "“"))]


@pytest.mark.parametrize(
    ("text", "meant", "effect"),
    [
        ("I use a spray under the tongue for my chest. Can I take sildenafil?", "taking nitrates",
         "not sildenafil"),
        ("A mask blows air into me at night. Can I take diazepam?", "sleep apnea",
         "not diazepam"),
        ("My tubes close up when pollen comes. Can I take aspirin?", "asthma", "with care"),
        ("The camera found a raw crater in my stomach. Can I take naproxen?", "peptic ulcer",
         "not naproxen"),
        ("夜里要戴呼吸机睡觉，能吃安定吗？", "睡眠呼吸暂停", "不可用地西泮"),
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
        "I don't use a spray under the tongue for my chest. Can I take sildenafil?",  # denied
        "My neighbour uses a spray under the tongue for her chest. Can I take sildenafil?",
        "I sprayed the roses and my phone fell on my chest. Can I take sildenafil?",
        "I use a spray under the tongue for my chest. Can I take paracetamol?",  # of no matter
        "I take nitroglycerin, a spray under the tongue. Can I take sildenafil?",  # named
    ],
)
def test_nothing_is_asked_that_is_denied_anothers_named_or_of_no_matter(
    base: KnowledgeBase, text: str
) -> None:
    assert asked(base.ask(text)) == []


def test_a_guess_alone_stops_nothing_and_holds_back_only_where_it_is_likely(
    base: KnowledgeBase,
) -> None:
    told = "My gut has a crater in it."
    answer = base.ask(f"{told} What can I take for a headache?")
    assert asked(answer)
    assert not any(stop.status == "applies" for stop in answer.stops)
    of_ulcer = {s.entity.name("en") for s in answer.stops if "peptic ulcer" in s.reason}
    assert {"aspirin", "ibuprofen"} <= of_ulcer
    assert "takes" not in " ".join(taken.text for taken in answer.taken)


def test_what_was_described_before_is_asked_about_later(base: KnowledgeBase) -> None:
    answer = base.ask(
        "Can I take sildenafil?", history=["I use a spray under the tongue for my chest."]
    )
    assert any("nitrates" in told for told in asked(answer))
