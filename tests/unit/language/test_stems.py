"""Words by their stems."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.language.stems import MOST_STEMS, name_stems, stem_of, stems


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Itching of the skin", "my skin itches"),
        ("swollen joints", "a joint that is SWOLLEN"),
        ("Difficulty breathing", "some difficulty in breathing"),
        ("dizziness", "dizzy"),
        ("肿痛", "我的肿痛"),
    ],
)
def test_names_meet_what_is_said(one: str, other: str) -> None:
    assert name_stems(one) <= name_stems(other)


def test_words_that_tell_nothing_are_left_out() -> None:
    assert name_stems("feeling it all of the time") == frozenset()
    assert name_stems("怎么回事") == frozenset()


def test_figures_and_single_letters_are_no_words() -> None:
    assert name_stems("stage 5 b12 c") == {"stage"}


def test_a_name_that_is_a_text_has_no_stems() -> None:
    words = [a + b for a in "bdfgk" for b in ("oak", "elm", "ivy", "ash", "yew")]
    assert len(name_stems(" ".join(words[:MOST_STEMS]))) == MOST_STEMS
    assert name_stems(" ".join(words[: MOST_STEMS + 1])) == frozenset()


@given(st.text(max_size=60))
def test_stems_stand_where_their_words_do(text: str) -> None:
    found = list(stems(text))
    assert [stem.start for stem in found] == sorted(stem.start for stem in found)
    for stem in found:
        said = text[stem.start : stem.end]
        assert said
        assert not any(character.isspace() for character in said + stem.text)
        assert [again.text for again in stems(said)] == [stem.text]
        assert not said.isascii() or stem.text == stem_of(said)
