"""A base in another store is equal to it, however often copying was stopped."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from medweave import KnowledgeBase
from medweave.app import copy_between, open_store
from medweave.errors import StoreError
from medweave.graph import copying
from medweave.model.vector_links import VectorLink
from medweave.ports import GraphStore
from medweave.stores.derived import view_of
from medweave.stores.memory import MemoryStore
from medweave.stores.sqlite.store import SqliteStore
from medweave.testing.smallest_store import SmallestStore
from medweave.testing.vector_conformance import entry, found, papers, put
from medweave.testing.worlds import COLD, SYMPTOM, cold_and_flu, contents, document, says
from tests.commands import medweave


@pytest.fixture
def built(tmp_path: Path) -> Path:
    rows = [{"name": f"fever {n}", "concept": "disease", "symptoms": ["cough"]} for n in range(7)]
    source = tmp_path / "a.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    path = tmp_path / "kb.db"
    with KnowledgeBase.open(str(path)) as base:
        base.build([source])
    return path


def test_a_copy_is_equal_and_answers(built: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    ran = medweave("copy", built, f"sqlite:{copy}", "--json")
    told = json.loads(ran.out)
    assert told["from"]["hash"] == told["to"]["hash"]
    assert told["from"]["id"] != told["to"]["id"]
    assert (told["documents"], told["already_there"]) == (7, 0)
    for url in (built, copy):
        assert medweave("stats", "--hash", "--kb", url).out.strip() == told["to"]["hash"]
        assert medweave("ask", "--kb", url, "Symptoms of fever 3?").out.startswith("Symptoms rec")
    with KnowledgeBase.open(str(copy)) as base:
        assert base.build([tmp_path / "a.jsonl"]).unchanged == 7
        assert base.check() == []


def test_a_copy_opens_each_store_once_and_waits_as_long_as_it_is_told(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[str, Any]] = []

    def counting(url: str, **how: Any) -> GraphStore:
        opened.append((Path(url).name, how["timeout"]))
        return open_store(url, **how)

    monkeypatch.setattr("medweave.app.open_store", counting)
    copy_between(str(built), str(tmp_path / "copy.db"), timeout=7)
    assert opened == [("kb.db", 7), ("copy.db", 7)]


def test_an_unfinished_copy_refuses_and_goes_on(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "_AT_ONCE", 2)
    copy = tmp_path / "copy.db"

    def stop(done: int, total: int, what: str) -> None:
        if done >= 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy_between(str(built), str(copy), progress=stop)
    for command in (["ask", "cough?"], ["build", str(tmp_path / "a.jsonl")], ["check"]):
        ran = medweave(command[0], "--kb", copy, *command[1:])
        assert (ran.status, "unfinished copy" in ran.err) == (1, True)
    other = tmp_path / "other.db"
    medweave("build", "--kb", other, tmp_path / "a.jsonl")
    with pytest.raises(StoreError, match="another base"):
        copy_between(str(other), str(copy))
    done = copy_between(str(built), str(copy))
    assert (done.already_there, done.counts.documents) == (4, 7)
    assert done.target.hash == done.source.hash
    KnowledgeBase.open(str(copy), create=False).close()


def test_another_base_is_replaced_by_force_alone_and_never_by_itself(
    built: Path, tmp_path: Path
) -> None:
    other, row = tmp_path / "other.db", tmp_path / "b.jsonl"
    row.write_text('{"name": "gout", "concept": "disease", "symptoms": ["pain"]}\n', "utf-8")
    medweave("build", "--kb", other, row)
    before = medweave("stats", "--hash", "--kb", other).out
    assert "another base" in medweave("copy", built, other).err
    assert medweave("stats", "--hash", "--kb", other).out == before
    assert medweave("copy", built, other, "--force").status == 0
    assert medweave("stats", "--hash", "--kb", other).out != before
    (link := tmp_path / "link.db").symlink_to(built)
    ran = medweave("copy", built, link, "--force")
    assert (ran.status, "very base" in ran.err) == (1, True)
    assert medweave("copy", tmp_path / "none.db", tmp_path / "x.db").status == 1
    assert not (tmp_path / "x.db").exists()


def test_what_goes_from_the_source_meanwhile_goes_from_the_copy() -> None:
    source, target = view_of(SmallestStore()), view_of(MemoryStore("copy"))
    source.put(cold_and_flu())
    with pytest.raises(KeyboardInterrupt):
        copying.copy_base(source, target, progress=_stopped)
    source.remove([cold_and_flu()[0].document.id])
    source.put([document("new", says(COLD, SYMPTOM, "mw.condition:itch"))])
    assert target.note(copying.UNFINISHED)
    copying.copy_base(source, target)
    assert contents(target) == contents(source)
    assert not target.note(copying.UNFINISHED)


def test_vectors_and_their_links_are_copied_with_their_documents(tmp_path: Path) -> None:
    made = papers("one", "two", "three")
    with closing(view_of(SqliteStore.open(tmp_path / "from.db", create=True))) as source:
        source.put(made)
        index: Any = source.vectors()
        put(index, entry("east", made[0]), entry("east", made[1], key="also east"))
        put(index, entry("north", made[1]), entry("up", made[2], space="entity"))
        links = [VectorLink("also east", "east", 1.0)]
        index.link("section", 0.5, ["east", "also east"], links)
        index.set_complete_revision(source.version().revision)
        for target in (
            view_of(SqliteStore.open(tmp_path / "to.db", create=True)),
            view_of(MemoryStore("copy")),
        ):
            with closing(target):
                copy: Any = target.vectors()
                copying.copy_base(source, target)
                among = [each.document.id for each in made]
                assert copy.contributed(among) == index.contributed(among)
                assert found(copy, "east") == found(index, "east") == ["also east", "east", "north"]
                assert copy.complete_revision() == target.version().revision
                if isinstance(target.store, SqliteStore):
                    assert copy.links("section") == index.links("section")
                    assert target.store.check() == []


def test_a_copy_whose_vectors_differ_is_none() -> None:
    made = papers("one", "two")
    source, target = view_of(MemoryStore()), view_of(MemoryStore("copy"))
    source.put(made)
    index: Any = source.vectors()
    put(index, entry("east", made[0]), entry("north", made[1]))
    stopped_at: list[int] = []

    def stop(done: int, total: int, what: str) -> None:
        stopped_at.append(done)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copying.copy_base(source, target, progress=stop)
    copy: Any = target.vectors()
    copy.remove("section", ["east"])
    with pytest.raises(StoreError, match="differs"):
        copying.copy_base(source, target)
    assert target.note(copying.UNFINISHED)


def _stopped(done: int, total: int, what: str) -> None:
    raise KeyboardInterrupt
