"""Rows of the models that ship are read one by one, and are those of the file."""

from __future__ import annotations

import json

import pytest

from medweave.language.data import shipped
from medweave.understanding.intents.model import shipped_model
from medweave.understanding.model_files import Rows, held_as_shipped

FILES = [
    ("intents", "weights.json"),
    ("descriptions", "weights.en.json"),
    ("descriptions", "weights.zh.json"),
    ("asked", "asked.en.json"),
    ("asked", "asked.zh.json"),
]


@pytest.mark.parametrize(("room", "file"), FILES)
def test_rows_are_those_of_the_file(room: str, file: str) -> None:
    text = shipped("understanding", room, file).read_text("utf-8")
    whole = json.loads(text)
    held = held_as_shipped(text, whole["format"])
    assert dict(held["features"]) == whole["features"]
    assert {key: held[key] for key in held if key != "features"} == {
        key: whole[key] for key in whole if key != "features"
    }


def test_what_is_not_asked_for_is_not_read() -> None:
    weights = shipped_model().classifier.weights
    assert isinstance(weights, Rows)
    assert weights.get("no feature of any text") is None
