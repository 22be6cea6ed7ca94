"""Lists in texts: what announces one is said with its items, as far as they can be said."""

from medweave.retrieval.passages.sentences import Listings

ANNOUNCED = "It is treated by:"


def test_what_announces_a_list_is_said_with_all_its_items() -> None:
    items = [f"- remedy number {n} that is taken for some weeks" for n in range(6)]
    text = "\n".join([ANNOUNCED, *items, "It comes back."])
    assert text[: Listings.of(text).announced(0, len(ANNOUNCED))] == "\n".join([ANNOUNCED, *items])


def test_of_a_long_list_whole_items_are_said() -> None:
    items = [f"- remedy number {n} that is taken for some weeks" for n in range(60)]
    text = "\n".join([ANNOUNCED, *items])
    said = text[: Listings.of(text).announced(0, len(ANNOUNCED))].split("\n")
    assert said == [ANNOUNCED, *items][: len(said)]
    assert 6 < len(said) < len(items)
