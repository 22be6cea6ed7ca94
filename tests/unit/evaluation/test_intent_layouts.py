"""Questions of public sets: what is their text, their label, and what that means in ours."""

from __future__ import annotations

from typing import Any

import pytest

from medweave.errors import SourceError
from medweave.evaluation.data.reading import in_our_labels, intent_item, label_maps
from medweave.evaluation.items import Data, Item
from medweave.understanding.intents.model import shipped_model


def made(record: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    item = intent_item(record, "1")
    assert isinstance(item, Item)
    return item.text, item.expected


@pytest.mark.parametrize(
    ("record", "text", "labels"),
    [
        ({"query": "q", "label": "a"}, "q", ("a",)),
        ({"question": "q", "type": "a", "focus": "f", "answer": "long"}, "q", ("a",)),
        (
            {"subject": " Flu ", "message": "What now?", "sub": [{"type": "b"}, {"type": "a"}]},
            "Flu\nWhat now?",
            ("b", "a"),
        ),
        ({"subject": "", "message": "q", "sub": [{"type": "a"}, {"type": "a"}]}, "q", ("a",)),
    ],
)
def test_questions_of_public_sets_are_read(
    record: dict[str, Any], text: str, labels: tuple[str, ...]
) -> None:
    assert made(record) == (text, labels)


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"message": "q", "sub": []}, "no label"),
        ({"message": "q", "sub": [{"focus": "f"}]}, "no label"),
        ({"message": None, "sub": [{"type": "a"}]}, "no text"),
    ],
)
def test_a_message_without_text_or_types_says_so(record: dict[str, Any], why: str) -> None:
    assert intent_item(record, "1") == why


def data(*labels: tuple[str, ...]) -> Data:
    items = tuple(Item(str(at), some, "q") for at, some in enumerate(labels))
    return Data("x.jsonl", "", len(items), items)


OURS = shipped_model().labels


def test_labels_are_read_by_the_map_that_has_most_of_them() -> None:
    several = data(("Prognosis",), ("tapering", "susceptibility"), ("comparison",))
    mapped, name = in_our_labels(several, OURS)
    assert name == "liveqa"
    assert [item.expected for item in mapped.items] == [
        ("outlook",),
        ("none", "dose", "cause"),
    ]
    assert mapped.left_out == {"a label that none of ours means": 1}


def test_our_own_labels_need_no_map() -> None:
    own = data(("treatment",), ("none",))
    assert in_our_labels(own, OURS) == (own, "")


def test_labels_that_no_map_has_are_an_error() -> None:
    with pytest.raises(SourceError, match="does not know the labels Zorn, symptoms of zorn"):
        in_our_labels(data(("Zorn",), ("symptoms of zorn",)), OURS)


def test_whatever_a_map_means_is_a_label_of_ours() -> None:
    for name, held in label_maps().items():
        assert {meant for some in held.values() for meant in some} <= set(OURS), name
