"""Which stretches of a text are looked up: all that could be a name that is there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from medweave.language.folding import fold, name_key, singular
from medweave.vocabulary.stretches import LONGEST_NAME, begins_any, stretches, words_of

PARTS = [
    "a",
    "pain",
    "pains",
    "boxes",
    "allergies",
    "'s",
    "s",
    "/",
    ",",
    ".",
    "39",
    "痛",
    "x2",
    " ",
]
GAPS = st.sampled_from(["", " "])
TEXTS = st.tuples(GAPS, st.lists(st.sampled_from(PARTS), max_size=9)).map(
    lambda drawn: fold(drawn[0].join(drawn[1])).text
)


@given(TEXTS, st.data())
def test_a_name_is_found_wherever_it_stands(text: str, data: st.DataObject) -> None:
    words = words_of(text)
    every = [
        (start, end, singular(text[start:end]))
        for first, (start, _) in enumerate(words)
        for _, end in words[first : first + LONGEST_NAME]
    ]
    if not every:
        return
    names = sorted(data.draw(st.lists(st.sampled_from([key for _, _, key in every]), max_size=4)))
    made = set(
        stretches(text, words, lambda asked: {some for some in asked if begins_any(some, names)})
    )
    assert {s for s in every if s[2] in names} <= made
    assert made <= set(every)


def test_where_no_name_goes_on_nothing_long_is_looked_up() -> None:
    text = "i have had pain in my left knee since monday and it is worse when i walk"
    words = words_of(text)
    short = list(stretches(text, words, lambda _: set()))
    assert len(short) == 2 * len(words) - 1
    some = list(stretches(text, words, lambda asked: {"pain in "} & asked))
    assert [s[2] for s in some if s not in short][:2] == ["pain in my", "pain in my left"]


def test_no_latin_word_is_cut_in_two() -> None:
    text = "crohn's disease2感冒 x"
    places = [text[start:end] for start, end in words_of(text)]
    assert places == ["crohn", "'", "s", "disease2", "感", "冒", "x"]


def test_keys_are_those_of_names() -> None:
    text = fold("Stomach–Ulcers").text
    (_, (_, _, key), _) = stretches(text, words_of(text), lambda _: set())
    assert key == name_key("stomach ulcers") == singular(text)
