"""Labels without texts: each finds its text in a data set beside it, or says why not."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from medweave import KnowledgeBase
from medweave.errors import ConfigurationError, SourceError
from medweave.evaluation.task import Request
from medweave.evaluation.tasks import linking
from medweave.evaluation.tasks.linking import Texts

LABELS = Path("labels.jsonl")


def text_sum(text: str) -> str:
    """What labels may have to know a text by: the first 16 digits of its sha256."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "chats").mkdir(parents=True)
    rows = [{"id": 7, "input": "I cough.", "output": "Rest."}, {"id": 8, "input": "I ache."}]
    with gzip.open(folder / "chats" / "dev.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(map(json.dumps, rows)))
    (folder / "asked.jsonl").write_text('{"question": "One?"}\n{"question": "Two?"}\n', "utf-8")
    return folder


@pytest.mark.parametrize(
    ("record", "text"),
    [
        ({"text": "its own", "source": "nowhere"}, "its own"),
        ({"source": "chats/dev", "id": "8"}, "I ache."),
        ({"source": "chats/dev", "id": 7, "sha256": text_sum("I cough.")}, "I cough."),
        ({"source": "asked", "id": "2"}, "Two?"),
    ],
)
def test_a_text_is_found_by_id_or_line(record: dict[str, Any], text: str, folder: Path) -> None:
    whole = Texts(LABELS, folder).complete(record)
    assert not isinstance(whole, str)
    assert whole["text"] == text


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"source": "chats/dev", "id": "9"}, "chats/dev has no text of this id"),
        ({"source": "asked", "id": "3"}, "asked has no text of this id"),
        (
            {"source": "chats/dev", "id": "7", "sha256": text_sum("I coughed.")},
            "the text is not the one that was labelled",
        ),
        (
            {"source": "chats/dev", "id": "7", "sha256": ""},
            "the text is not the one that was labelled",
        ),
    ],
)
def test_a_text_that_is_not_there_or_was_changed_is_told(
    record: dict[str, Any], why: str, folder: Path
) -> None:
    assert Texts(LABELS, folder).complete(record) == why


def test_what_to_give_is_said_where_texts_are_missing(folder: Path) -> None:
    record = {"source": "chats/dev", "id": "7"}
    with pytest.raises(ConfigurationError, match=r"labels\.jsonl.*with --texts"):
        Texts(LABELS).complete(record)
    with pytest.raises(ConfigurationError, match="no such folder"):
        Texts(LABELS, folder / "none")
    with pytest.raises(SourceError, match=r"put other\.jsonl or other\.jsonl\.gz there"):
        Texts(LABELS, folder).complete({**record, "source": "other"})


@pytest.mark.parametrize("source", ["../data/chats/dev", "/etc/hosts", ""])
def test_nothing_outside_the_folder_is_read(source: str, folder: Path) -> None:
    with pytest.raises(SourceError, match="no data set"):
        Texts(LABELS, folder).complete({"source": source, "id": "7"})


def test_labels_are_evaluated_on_their_texts(folder: Path, tmp_path: Path) -> None:
    cough = {"start": 2, "end": 7, "concept": "finding", "names": ["cough"]}
    labels = tmp_path / "labels.jsonl"
    labels.write_text(
        json.dumps({"source": "chats/dev", "id": "7", "mentions": [cough]}) + "\n", "utf-8"
    )
    base = KnowledgeBase.open("memory:")
    plan = linking.plan(Request(labels, base, texts=folder))
    assert [(item.id, item.text) for item in plan.data.items] == [("chats/dev 7", "I cough.")]
    with pytest.raises(ConfigurationError, match="--texts"):
        linking.plan(Request(labels, base))
