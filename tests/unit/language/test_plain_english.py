"""Plain English is told from what is misspelt."""

import pytest

from medweave.language.plain_english import is_plain_english


@pytest.mark.parametrize(
    "word", ["the", "couch", "threat", "station", "parlor", "favorite", "traveling", "analyze"]
)
def test_english(word: str) -> None:
    assert is_plain_english(word)


@pytest.mark.parametrize("word", ["diarhea", "feaver", "asprin", "stomache", "dostarlimab", "he 1"])
def test_no_english(word: str) -> None:
    assert not is_plain_english(word)
