"""What was looked up is not looked up again, and however much it is, it stays right."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from medweave.vocabulary.memo import KEPT, Memo


def _long_ones(texts: set[str]) -> dict[str, int]:
    return {text: len(text) for text in texts if len(text) > 1}


@given(st.lists(st.lists(st.text("abc", max_size=3), max_size=6), max_size=8))
def test_what_is_remembered_is_what_would_be_found(asked: list[list[str]]) -> None:
    known = Memo(_long_ones)
    for texts in asked:
        assert known.of(texts) == _long_ones(set(texts))


def test_nothing_is_looked_up_twice() -> None:
    looked_up: list[str] = []

    def look_up(texts: set[str]) -> dict[str, int]:
        looked_up.extend(texts)
        return _long_ones(texts)

    known = Memo(look_up)
    known.of(["cold", "a"])
    known.of(["a", "flu", "cold"])
    assert sorted(looked_up) == ["a", "cold", "flu"]


def test_what_was_forgotten_is_looked_up_again() -> None:
    known = Memo(_long_ones)
    assert known.of(["cold", "a"]) == {"cold": 4}
    many = [f"{number:06}" for number in range(KEPT)]
    assert known.of(many) == dict.fromkeys(many, 6)
    assert known.of(["cold", "a", many[0]]) == {"cold": 4, many[0]: 6}
