"""What is said to be quoted is found as it stands, or not at all."""

from __future__ import annotations

import pytest

from medweave.model.dialogue import Turn
from medweave.sources.dialogues.prompts import QuotedTurn, quoted

SAID = Turn(1, "patient", "It’s my  heart, since “Monday”. 我发烧三天了，咳嗽。")


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("It's my heart", "It’s my  heart"),
        ("it’s MY\nheart,", "It’s my  heart"),
        ('since "Monday"', "since “Monday"),
        ("发烧三天", "发烧三天"),
        ("我发烧三天了,咳嗽", "我发烧三天了，咳嗽"),
        ("my ear", None),
        ("since Tuesday", None),
        ("art", None),
        ("my", None),
        ("", None),
        ("…", None),
        ("烧", None),
    ],
)
def test_a_quote_is_found_as_it_stands(quote: str, found: str | None) -> None:
    place = QuotedTurn(SAID).find(quote)
    assert (place and SAID.text[slice(*place)]) == found


def test_quotes_come_in_the_order_of_the_dialogue_and_once() -> None:
    turns = [SAID, Turn(2, "doctor", "Is it the heart? Rest.")]
    quotes = ["Rest", "my heart", "It's my heart", "heart, since", "nothing", "Rest."]
    parts = quoted(quotes, [QuotedTurn(turn) for turn in turns], "quote")
    assert [part.text for part in parts] == ["It’s my  heart, since", "Rest"]
    assert parts[1].place.field == "turn 2 doctor"
