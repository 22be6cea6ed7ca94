"""What two processes, a wrong word or an odd name could tear apart, and must not."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from medweave import KnowledgeBase
from medweave.app import discard_if_empty
from medweave.errors import NotFoundError, SourceError, StoreBusyError, VocabularyError
from medweave.stores.sqlite.store import SqliteStore
from medweave.stores.sqlite.writer_lock import only_writer

RECORD = {"name": "flu", "concept": "disease", "symptoms": ["fever"]}
WORDS = 'concepts:\n  gizmo: {family: factor, biolink: "biolink:Device", en: gizmo, zh: 物}\n'


def source(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def test_a_base_that_was_taken_away_is_not_written_to(tmp_path: Path) -> None:
    path, flu = tmp_path / "kb.db", source(tmp_path / "a.jsonl", RECORD)
    with KnowledgeBase.open(str(path)) as base:
        discard_if_empty(path)  # another process made nothing of it
        assert not path.exists()
        with pytest.raises(StoreBusyError, match="removed or replaced"):
            base.build([flu])
    with KnowledgeBase.open(str(path)) as base:
        assert base.build([flu]).documents == 1


def test_a_base_that_is_written_to_is_not_replaced_by_a_copy(tmp_path: Path) -> None:
    path, copy = tmp_path / "kb.db", tmp_path / "copy.db"
    with KnowledgeBase.open(str(path)) as base, KnowledgeBase.open(str(copy)):
        base.build([source(tmp_path / "a.jsonl", RECORD)])
        with only_writer(copy), pytest.raises(StoreBusyError):
            base.backup(copy, replace=True)
        base.backup(copy, replace=True)


def test_a_link_leads_to_the_same_lock(tmp_path: Path) -> None:
    path, link = tmp_path / "kb.db", tmp_path / "link.db"
    SqliteStore.open(path, create=True).close()
    link.symlink_to(path)
    with only_writer(path), pytest.raises(StoreBusyError), only_writer(link):
        pass


def test_a_build_that_fails_leaves_the_words_of_a_base(tmp_path: Path) -> None:
    words = tmp_path / "words.yaml"
    words.write_text(WORDS, "utf-8")
    path = str(tmp_path / "kb.db")
    with KnowledgeBase.open(path, vocabulary=words) as base:
        with pytest.raises(SourceError):
            base.build([tmp_path / "missing.jsonl"])
        assert base.version.revision == 0
        base.build([source(tmp_path / "a.jsonl", {"name": "thing", "concept": "gizmo"})])
    words.write_text(WORDS.replace("gizmo", "widget"), "utf-8")
    with (
        KnowledgeBase.open(path, vocabulary=words) as base,
        pytest.raises(VocabularyError, match="gizmo"),
    ):
        base.build([source(tmp_path / "b.jsonl", {"name": "other", "concept": "widget"})])
    with KnowledgeBase.open(path, create=False) as base:
        assert base.show("thing").entity.concept == "gizmo"


def test_a_document_called_like_a_page_of_rows_takes_no_page_away(tmp_path: Path) -> None:
    table = tmp_path / "x.csv"
    rows = ["flu,has_symptom,fever,x#1", "flu,has_symptom,cough,"]
    table.write_text("\n".join(["subject,predicate,object,document", *rows]) + "\n", "utf-8")
    with KnowledgeBase.open("memory:") as base:
        first = base.build([table])
        assert (first.documents, first.base.documents, first.base.statements) == (2, 2, 2)
        before = base.version
        assert base.build([table]).unchanged == 2
        assert base.version == before


def test_nothing_is_not_the_name_of_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with KnowledgeBase.open("memory:") as base:
        base.build([source(tmp_path / "a.jsonl", RECORD)])
        for name in ("", "  "):
            with pytest.raises(NotFoundError):
                base.remove(name)
        assert base.remove(".") == 1


@pytest.mark.parametrize("name", [b"x" * 300, b"\xff\xfe.jsonl"])
def test_a_name_that_no_file_can_have_is_a_source_error(tmp_path: Path, name: bytes) -> None:
    path = tmp_path / os.fsdecode(name)
    if len(name) < 256:
        source(path, RECORD)
    with KnowledgeBase.open("memory:") as base, pytest.raises(SourceError):
        base.build([path])


def test_a_base_whose_making_was_stopped_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "kb.db"
    store = SqliteStore.open(path, create=True)
    store._connection.execute("DELETE FROM meta")
    store.close()
    with pytest.raises(NotFoundError, match="empty"):
        KnowledgeBase.open(str(path), create=False, read_only=True)
    with KnowledgeBase.open(str(path)) as base:
        assert base.build([source(tmp_path / "a.jsonl", RECORD)]).documents == 1


def test_the_reason_is_of_the_file_that_failed(tmp_path: Path) -> None:
    flu, empty = source(tmp_path / "a.jsonl", RECORD), source(tmp_path / "b.jsonl")
    with KnowledgeBase.open("memory:") as base:
        base.build([flu])
        flu.write_text('{"nothing": 1}\n', "utf-8")
        with pytest.raises(SourceError) as caught:
            base.build([empty])
        assert (caught.value.where, caught.value.remedy) == (str(empty), "nothing was changed")
