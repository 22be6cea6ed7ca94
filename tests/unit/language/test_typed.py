"""A text as it was typed, made even; every character keeps its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.language.typed import evened

MESSY = st.text("ab &w/o.,，\n\r\t\u00a0\u3000２Ａ吃(", max_size=60)


@given(MESSY)
def test_every_character_knows_where_it_stood(text: str) -> None:
    even = evened(text)
    assert len(even.places) == len(even.text) + 1
    assert list(even.places) == sorted(even.places)
    assert "  " not in even.text
    assert even.text == even.text.strip()
    for at, character in enumerate(even.text):
        if character in "ab.,，吃(":
            stood = text[even.places[at]]
            assert stood == character or stood in "&wW"


@pytest.mark.parametrize(
    ("typed", "even"),
    [
        ("I take metformin and\nramipril", "I take metformin and ramipril"),
        ("warfarin\nbisoprolol\ncan he have ibuprofen", None),
        ("She takes:\n- warfarin\n- digoxin and\n- ramipril", None),
        ("No fever.\nHe coughs", None),
        ("我妈吃华法林\n膝盖疼能吃布洛芬吗", None),
        ("Seen in A & E", None),
        ("w/o fever & w/ cough", "without fever and with cough"),
        ("b.d. w/food", None),
        (
            "My father was sent home with warfarin\nlast week after a clot in his left leg\nwas "
            "found, can he have ibuprofen",
            "My father was sent home with warfarin last week after a clot in his left leg was "
            "found, can he have ibuprofen",
        ),
    ],
)
def test_lines_are_joined_where_a_sentence_goes_on(typed: str, even: str | None) -> None:
    assert evened(typed).text == (typed if even is None else even)
