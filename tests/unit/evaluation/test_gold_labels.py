"""The labelled mentions that ship: whole, without texts, and of the texts they name."""

from __future__ import annotations

import json
import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from medweave.evaluation.data.gold_mentions import gold_mentions, mention_item
from medweave.evaluation.items import Item
from medweave.evaluation.tasks.linking import Texts
from medweave.language.folding import name_key

GOLD = Path(__file__).parents[3] / "gold"

DATA = Path(os.environ.get("MEDWEAVE_DATA", Path(__file__).parents[3].parent / "shared" / "data"))


def records() -> list[dict[str, Any]]:
    lines = (GOLD / "linking.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_there_are_as_many_as_the_page_says() -> None:
    labels = records()
    mentions = [mention for record in labels for mention in record["mentions"]]
    assert (len(labels), len(mentions)) == (150, 348)


def test_no_text_ships_and_every_text_can_be_told_from_others() -> None:
    for record in records():
        assert set(record) == {"source", "id", "sha256", "mentions"}
        assert len(record["sha256"]) == 16
        for mention in record["mentions"]:
            assert set(mention) <= {"start", "end", "concept", "names", "wider"}


@pytest.mark.parametrize("record", records(), ids=lambda r: f"{r['source']} {r['id']}")
def test_mentions_lie_apart_and_are_named(record: dict[str, Any]) -> None:
    mentions = gold_mentions(record, " " * 10_000)
    assert not isinstance(mentions, str)
    assert all(one.end <= other.start for one, other in pairwise(mentions))
    for mention in mentions:
        assert mention.concept in ("finding", "disease", "drug", "test")
        names = [name_key(name) for name in (*mention.names, *mention.wider)]
        assert mention.names
        assert len(names) == len(set(names))


def test_the_texts_are_those_that_were_labelled() -> None:
    if not (DATA / "genmedgpt5k").is_dir():
        pytest.skip(f"no data folder at {DATA}; name one with MEDWEAVE_DATA")
    texts = Texts(Path("linking.jsonl"), DATA)
    for record in records():
        whole = texts.complete(record)
        assert not isinstance(whole, str), record["id"]
        assert isinstance(mention_item(whole, record["id"]), Item), record["id"]
