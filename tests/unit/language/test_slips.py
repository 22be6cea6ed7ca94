"""Slips of the pen: how many, and whether they are likely."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.language.slips import MOST, Spelling, may_mean, name_words, slips

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = st.text(LETTERS, min_size=1, max_size=12)
FEW = st.text("abc", max_size=7)  # many that are alike


@st.composite
def slipped(draw: st.DrawFn, words: st.SearchStrategy[str]) -> tuple[str, str]:
    """A word, and the same with one slip."""
    word = draw(words)
    at, letter = draw(st.integers(0, len(word) - 1)), draw(st.sampled_from(LETTERS))
    kind = draw(st.sampled_from(["out", "in", "other", "exchanged"]))
    begin, end = word[:at], word[at + 1 :]
    made = {
        "out": begin + end,
        "in": begin + letter + word[at:],
        "other": begin + letter + end,
        "exchanged": begin + end[:1] + word[at] + end[1:],
    }
    return word, made[kind]


@cache
def aligned(one: str, other: str) -> int:
    """Optimal string alignment as it is defined, one letter after another."""
    if not (one and other):
        return len(one or other)
    ways = [
        aligned(one[1:], other) + 1,
        aligned(one, other[1:]) + 1,
        aligned(one[1:], other[1:]) + (one[0] != other[0]),
    ]
    if one[1:2] and one[:2] == other[1::-1]:
        ways.append(aligned(one[2:], other[2:]) + 1)
    return min(ways)


@given(FEW, FEW)
def test_slips_are_counted_as_defined(one: str, other: str) -> None:
    assert slips(one, other, most=3) == min(aligned(one, other), 4)
    assert slips(one, other, most=1) == min(aligned(one, other), 2)


@given(slipped(WORDS), st.integers(1, 3))
def test_one_slip_is_one(pair: tuple[str, str], most: int) -> None:
    assert slips(*pair, most=most) == slips(*reversed(pair), most=most) == (pair[0] != pair[1])


@given(slipped(st.text(LETTERS, min_size=5, max_size=12)), st.integers(1, 3))
def test_whatever_is_one_slip_away_is_found(pair: tuple[str, str], most: int) -> None:
    meant, written = pair
    assert meant in Spelling([meant, "another"]).like(written, most)


@pytest.mark.parametrize(
    ("written", "meant", "counted"),
    [
        ("diarhea", "diarrhea", 1),
        ("asprin", "aspirin", 1),
        ("stomache", "stomach", 1),
        ("ibuprofin", "ibuprofen", 1),
        ("pnuemonia", "pneumonia", 1),
        ("temprature", "temperature", 1),
        ("hypertention", "hypertension", 1),
        ("hemmorhage", "hemorrhage", 2),
        ("polysistic", "polycystic", 2),
        ("neumonia", "pneumonia", 1),  # a letter that is not heard
        ("efver", "fever", 1),  # the first two exchanged
        ("calciun", "calcium", 1),  # beside it on the keyboard
    ],
)
def test_what_is_likely_meant(written: str, meant: str, counted: int) -> None:
    assert may_mean(written, meant) == counted


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("rahs", "rash"),  # too short
        ("hemorage", "hemorrhage"),  # two slips are too many for eight letters
        ("weaver", "fever"),  # another first letter
        ("migran", "imigran"),
        ("lasik", "lasix"),  # letters that are not alike
        ("hypermobility", "hypermotility"),
        ("entropion", "ectropion"),
        ("hypotension", "hypertension"),  # opposites
        ("macrocytic", "microcytic"),
        ("tendinosis", "tendinitis"),  # another ending
        ("psoriatic", "psoriasis"),
        ("myelopathy", "myopathy"),  # a syllable more
        ("fever", "fever"),
    ],
)
def test_what_is_another_word(written: str, meant: str) -> None:
    assert may_mean(written, meant) == 0


def test_only_letters_make_words_of_names() -> None:
    assert name_words("vitamin b12 and 反复fever co-factor x1ray flu") == {"vitamin", "factor"}
    assert name_words("a" * 31) == frozenset()


def test_no_slips_are_looked_for_beyond_most() -> None:
    assert slips("a" * 9, "a" * 30) == MOST + 1
