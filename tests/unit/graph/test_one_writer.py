"""One writer at a time, readers beside it; what a base is about; what a build would do."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from medweave import KnowledgeBase, SourceError
from medweave.errors import StoreBusyError
from medweave.stores.sqlite.store import SqliteStore
from medweave.testing.worlds import recomputed_hash

HOLD = """
import sys, time
from pathlib import Path
from medweave.stores.sqlite.writer_lock import only_writer

with only_writer(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""
BUILD = """
import sys
from medweave import KnowledgeBase

with KnowledgeBase.open(sys.argv[1]) as base:
    print("open", flush=True)
    base.build([sys.argv[2]])
"""
READ = """
import sys
from medweave import KnowledgeBase

asked = 0
while asked < 20:
    with KnowledgeBase.open(sys.argv[1], create=False, read_only=True) as base:
        for _ in range(5):
            answer = base.ask("What are the symptoms of disease 1?")
            if answer.status != "answered":
                sys.exit(f"{answer.status}: {answer.missing}")
            asked += 1
"""


def monographs(path: Path, number: int, prefix: str = "disease") -> Path:
    records = (
        {"name": f"{prefix} {n}", "concept": "disease", "symptoms": [f"sign {n % 7}", "cough"]}
        for n in range(number)
    )
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def start(code: str, *arguments: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class TestOneWriter:
    def test_a_second_writer_is_told_who_writes(self, tmp_path: Path) -> None:
        path, source = tmp_path / "kb.db", monographs(tmp_path / "a.jsonl", 3)
        with KnowledgeBase.open(str(path)) as base:
            base.build([source])
            holder = start(HOLD, path)
            assert holder.stdout is not None
            holder.stdout.readline()
            for attempt in (lambda: base.build([source]), lambda: base.remove(str(source))):
                with pytest.raises(StoreBusyError, match=str(holder.pid)) as caught:
                    attempt()
                assert "try again" in caught.value.remedy
            assert base.ask("What are the symptoms of disease 1?").status == "answered"
            holder.kill()
            holder.communicate()
            assert base.build([source]).unchanged == 3

    def test_nothing_stays_behind(self, tmp_path: Path) -> None:
        with KnowledgeBase.open(str(tmp_path / "kb.db")) as base:
            base.build([monographs(tmp_path / "a.jsonl", 3)])
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "kb.db"]

    @pytest.mark.thorough
    def test_two_builds_at_once_end_in_a_whole_base(self, tmp_path: Path) -> None:
        path = tmp_path / "kb.db"
        sources = [monographs(tmp_path / f"{name}.jsonl", 400, name) for name in ("one", "two")]
        running = [start(BUILD, path, source) for source in sources]
        ended = [(process.communicate(timeout=120)[1], process.returncode) for process in running]
        refused = [error.decode() for error, code in ended if code]
        assert len(refused) < 2
        assert all("is writing to this base" in error for error in refused)
        with KnowledgeBase.open(str(path)) as base:
            base.build(sources)
        with KnowledgeBase.open("memory:") as undisturbed:
            undisturbed.build(sources)
        with closing(SqliteStore.open(path, create=False)) as store:
            assert store.version().hash == undisturbed.version.hash == recomputed_hash(store)

    @pytest.mark.thorough
    def test_readers_are_never_blocked(self, tmp_path: Path) -> None:
        path = tmp_path / "kb.db"
        with KnowledgeBase.open(str(path)) as base:
            base.build([monographs(tmp_path / "first.jsonl", 20)])
        builder = start(BUILD, path, monographs(tmp_path / "many.jsonl", 2000, "other"))
        readers = [start(READ, path) for _ in range(2)]
        failures = [reader.communicate(timeout=120)[1] for reader in readers]
        assert [failure.decode() for failure in failures if failure] == []
        assert builder.communicate(timeout=120)[1] == b""


class TestDomains:
    film = "/m/a\t/film/film/genre\t/m/b\n"

    @pytest.fixture
    def freebase(self, tmp_path: Path) -> Path:
        folder = tmp_path / "fb15k237"
        folder.mkdir()
        (folder / "train.tsv").write_text(self.film, "utf-8")
        named = [{"mid": "/m/a", "label": "Contagion"}, {"mid": "/m/b", "label": "drama"}]
        lines = "".join(json.dumps(entity) + "\n" for entity in named)
        (folder / "entities.jsonl").write_text(lines, "utf-8")
        return folder

    def test_a_graph_that_is_not_medical_keeps_to_a_base_of_its_own(
        self, tmp_path: Path, freebase: Path
    ) -> None:
        with KnowledgeBase.open(str(tmp_path / "films.db")) as base:
            assert base.build([freebase]).skipped == ()
            [found] = base.knowledge.store.match()
            assert found.statement.predicate == "rel:/film/film/genre"
            with pytest.raises(SourceError, match="not general, as the base is, but medical"):
                base.build([monographs(tmp_path / "a.jsonl", 3)])

    def test_it_never_enters_a_medical_one(self, tmp_path: Path, freebase: Path) -> None:
        with KnowledgeBase.open(str(tmp_path / "kb.db")) as base:
            report = base.build([monographs(tmp_path / "a.jsonl", 3), freebase])
            assert [item.reason for item in report.skipped if "not medical" in item.reason]
            assert report.base.documents == 3
            assert base.understand("What is Contagion?").mentions == ()

    def test_a_base_that_was_emptied_is_about_nothing(self, tmp_path: Path, freebase: Path) -> None:
        with KnowledgeBase.open(str(tmp_path / "kb.db")) as base:
            base.build([freebase])
            base.remove(str(freebase))
            assert base.build([monographs(tmp_path / "a.jsonl", 3)]).base.documents == 3
            assert base.ask("What are the symptoms of disease 1?").status == "answered"


class TestPlan:
    def test_a_dry_run_says_what_would_be_done_and_does_nothing(self, tmp_path: Path) -> None:
        source = tmp_path / "a.jsonl"
        with KnowledgeBase.open(str(tmp_path / "kb.db")) as base:
            base.build([monographs(source, 4)])
            before = base.version
            lines = source.read_text("utf-8").splitlines()
            changed = json.loads(lines[0]) | {"symptoms": ["fever"]}
            new = {"name": "new", "concept": "disease", "symptoms": ["rash"]}
            kept = [json.dumps(changed), lines[1], json.dumps(new), "broken"]
            source.write_text("\n".join(kept) + "\n", "utf-8")
            [plan] = base.plan([source])
            assert (plan.new, plan.changed, plan.unchanged, plan.removed) == (1, 1, 1, 2)
            assert [item.line for item in plan.skipped] == [4]
            assert base.version == before
            report = base.build([source])
            assert (report.unchanged, report.removed) == (1, 2)

    def test_a_plan_for_a_new_base(self, tmp_path: Path) -> None:
        with KnowledgeBase.open("memory:") as base:
            [plan] = base.plan([monographs(tmp_path / "a.jsonl", 4)])
            assert (plan.new, plan.changed, plan.unchanged, plan.removed) == (4, 0, 0, 0)


def test_little_work_is_lost_when_time_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from medweave.graph import builder

    monkeypatch.setattr(builder, "CHUNK", 1)
    monkeypatch.setattr(builder, "SECONDS", 0.0)
    with KnowledgeBase.open("memory:") as base:
        base.build([monographs(tmp_path / "a.jsonl", 5)])
        assert base.version.revision == 5
