"""Bringing sources up to date: what is read, kept, removed, reported, and survives a kill."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from medweave import KnowledgeBase, SourceError
from medweave.graph import builder
from medweave.model.document import Document
from medweave.model.statement import SupportedStatement
from medweave.testing.worlds import recomputed_hash

MANY = 1200


def disease(name: str, *symptoms: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "concept": "disease", "symptoms": list(symptoms), **fields}


def write(path: Path, records: Iterable[dict[str, Any]]) -> Path:
    path.write_text(json.dumps(list(records), ensure_ascii=False, indent=1), "utf-8")
    return path


def write_lines(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines), "utf-8")
    return path


def hash_of(*sources: Path) -> str:
    with KnowledgeBase.open("memory:") as base:
        base.build(sources)
        return base.version.hash


def titles(base: KnowledgeBase) -> set[str]:
    return {found.title for found in base.knowledge.store.documents()}


def by_document(base: KnowledgeBase) -> dict[str, list[SupportedStatement]]:
    store = base.knowledge.store
    documents: dict[str, Document] = {found.id: found for found in store.documents()}
    found: dict[str, list[SupportedStatement]] = {item.title: [] for item in documents.values()}
    for supported in store.match():
        for item in supported.evidence:
            found[documents[item.document].title].append(supported)
    return found


@pytest.fixture
def base() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open("memory:") as base:
        yield base


@pytest.fixture
def three(tmp_path: Path) -> Path:
    records = [disease("cold", "cough"), disease("flu", "fever"), disease("measles", "rash")]
    return write(tmp_path / "three.json", records)


class TestBringingUpToDate:
    def test_the_report_counts_what_was_read_and_what_the_base_holds(
        self, base: KnowledgeBase, three: Path
    ) -> None:
        report = base.build([three])
        assert (report.documents, report.statements, report.entities) == (3, 3, 6)
        assert (report.unchanged, report.removed, report.skipped, report.failed) == (0, 0, (), ())
        assert (report.base.documents, report.base.statements, report.base.evidence) == (3, 3, 3)

    def test_unchanged_sources_cause_no_new_revision(
        self, base: KnowledgeBase, three: Path
    ) -> None:
        base.build([three])
        before = base.version
        report = base.build([three])
        assert base.version == before
        assert (report.documents, report.unchanged) == (3, 3)

    def test_changing_one_record_changes_only_that(self, base: KnowledgeBase, three: Path) -> None:
        base.build([three])
        before, revision = by_document(base), base.version.revision
        write(
            three, [disease("cold", "cough"), disease("flu", "chills"), disease("measles", "rash")]
        )
        report = base.build([three])
        after = by_document(base)
        assert (report.documents, report.unchanged, report.removed) == (3, 2, 0)
        assert base.version.revision == revision + 1
        assert {name for name in before if before[name] != after[name]} == {"flu"}
        assert base.version.hash == hash_of(three)

    def test_records_may_move_within_their_file(self, base: KnowledgeBase, three: Path) -> None:
        base.build([three])
        before = base.version
        write(three, reversed(json.loads(three.read_text("utf-8"))))
        assert base.build([three]).unchanged == 3
        assert base.version == before

    def test_a_record_that_is_gone_is_removed(self, base: KnowledgeBase, three: Path) -> None:
        base.build([three])
        write(three, [disease("cold", "cough")])
        assert base.build([three]).removed == 2
        assert titles(base) == {"cold"}
        assert base.version.hash == hash_of(three)

    def test_a_source_without_records_is_emptied(self, base: KnowledgeBase, three: Path) -> None:
        base.build([three])
        write(three, [])
        assert base.build([three]).removed == 3
        assert base.version.hash == "0" * 64

    def test_other_sources_stay(self, base: KnowledgeBase, three: Path, tmp_path: Path) -> None:
        base.build([three])
        base.build([write(tmp_path / "more.json", [disease("mumps", "swelling")])])
        assert titles(base) == {"cold", "flu", "measles", "mumps"}

    def test_more_than_one_batch(
        self, base: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(builder, "CHUNK", 20)
        monkeypatch.setattr(builder, "BATCH", 200)
        number = 201
        path = write(tmp_path / "many.json", (disease(f"d {n}", "cough") for n in range(number)))
        assert base.build([path]).base.documents == number
        assert base.version.revision == 3
        assert base.version.hash == recomputed_hash(base.knowledge.store)


class TestWhatCannotBeRead:
    @pytest.mark.parametrize(
        "content", [b"", b"\xff\xfe\x00", b'{"name": "x"', b'[{"a": 1}]', b"\x1f\x8b damaged"]
    )
    def test_an_unreadable_source_among_good_ones_is_reported(
        self, base: KnowledgeBase, tmp_path: Path, content: bytes
    ) -> None:
        """… and what the base has of it stays."""
        paths = [write(tmp_path / f"{n}.json", [disease(f"d {n}", "cough")]) for n in "abc"]
        base.build([tmp_path])
        before = base.version
        paths[1].write_bytes(content)
        write(paths[2], [disease("d c", "fever")])
        report = base.build([tmp_path])
        assert report.failed == (str(paths[1]),)
        assert [(item.file, bool(item.reason)) for item in report.skipped] == [
            (str(paths[1]), True)
        ]
        assert titles(base) == {"d a", "d b", "d c"}
        assert base.version.revision == before.revision + 1
        write(paths[1], [disease("d b", "cough")])
        base.build([tmp_path])
        assert base.version.hash == hash_of(tmp_path)

    def test_nothing_but_unreadable_sources_is_an_error(
        self, base: KnowledgeBase, three: Path
    ) -> None:
        base.build([three])
        before = base.version
        three.write_bytes(b"\x00\x01")
        with pytest.raises(SourceError):
            base.build([three])
        assert base.version == before

    def test_a_source_that_is_not_there_is_an_error_before_anything_is_done(
        self, base: KnowledgeBase, three: Path
    ) -> None:
        with pytest.raises(SourceError):
            base.build([three, three.with_name("none.json")])
        assert base.version.revision == 0

    def test_a_cut_json_keeps_earlier_documents(self, base: KnowledgeBase, three: Path) -> None:
        base.build([three])
        text = three.read_text("utf-8").replace("cough", "sneezing")
        three.write_text(text[: text.index("fever")], "utf-8")
        report = base.build([three])
        assert (report.documents, report.removed, report.failed) == (1, 0, ())
        assert [item.line for item in report.skipped] == [9]
        assert titles(base) == {"cold", "flu", "measles"}
        assert [s.statement.object for s in by_document(base)["cold"]] == ["mw.condition:sneezing"]
        three.write_text(text, "utf-8")
        assert base.build([three]).unchanged == 3
        assert base.version.hash == hash_of(three)

    def test_a_broken_line_is_reported_and_the_others_are_read(
        self, base: KnowledgeBase, tmp_path: Path
    ) -> None:
        good = [json.dumps(disease(name, "cough")) for name in ("cold", "flu")]
        path = write_lines(tmp_path / "lines.jsonl", good[0], "{oops", "[1]", good[1])
        report = base.build([path])
        assert [item.line for item in report.skipped] == [2, 3]
        assert titles(base) == {"cold", "flu"}

    def test_half_a_character_does_not_stop_the_build(
        self, base: KnowledgeBase, tmp_path: Path
    ) -> None:
        lines = (
            r'{"name": "x \ud800", "concept": "disease"}',
            json.dumps(disease("cold", "cough")),
        )
        report = base.build([write_lines(tmp_path / "lines.jsonl", *lines)])
        assert "cold" in titles(base)
        assert report.failed == ()

    def test_a_statement_outside_domain_and_range_is_refused_with_its_reason(
        self, base: KnowledgeBase, tmp_path: Path
    ) -> None:
        path = write_lines(
            tmp_path / "rows.csv",
            "subject,predicate,object,subject_concept,object_concept",
            "flu,has_symptom,fever,disease,symptom",
            "aspirin,has_symptom,fever,drug,symptom",
            "flu,contraindicated_in,fever,disease,symptom",
            "flu,has_symptom,aspirin,disease,drug",
            "flu,cures,fever,disease,symptom",
        )
        report = base.build([path])
        assert report.base.statements == 2
        reasons = {item.line: item.reason for item in report.skipped}
        assert "'has_symptom' does not take a drug as its subject" in reasons[3]
        assert "it takes disease" in reasons[3]
        assert "'contraindicated_in' does not take a disease as its subject" in reasons[4]
        assert "'has_symptom' does not take a drug as its object" in reasons[5]
        assert "1 rows are kept as 'cures', which is no predicate" in reasons[6]
        assert {item.file for item in report.skipped} == {str(path)}


VOCABULARY = """
predicates:
  worsened_by: {valence: 0, domain: [disease], range: [food], inverse: [worsens], en: worsened by}
"""


class TestVocabulary:
    rows = ("subject,predicate,object", "gout,worsened_by,red meat", "beer,worsens,gout")

    def test_a_new_predicate_is_remembered_by_the_base(self, tmp_path: Path) -> None:
        vocabulary = write_lines(tmp_path / "mine.yaml", VOCABULARY)
        rows = write_lines(tmp_path / "rows.csv", *self.rows)
        with KnowledgeBase.open(str(tmp_path / "kb.db"), vocabulary=vocabulary) as base:
            assert base.build([rows]).skipped == ()
            before = base.version
        vocabulary.unlink()
        with KnowledgeBase.open(str(tmp_path / "kb.db")) as base:
            assert base.build([rows]).unchanged == 1
            assert base.version == before
            more = write_lines(tmp_path / "more.csv", self.rows[0], "gout,worsened_by,liver")
            assert base.build([more]).skipped == ()
            assert base.stats()["predicates"] == {"worsened_by": 3}

    def test_without_it_the_rows_are_kept_as_they_are_and_told(
        self, base: KnowledgeBase, tmp_path: Path
    ) -> None:
        report = base.build([write_lines(tmp_path / "rows.csv", *self.rows)])
        assert report.base.statements == 2
        assert [item.line for item in report.skipped] == [2, 3]
        assert set(base.stats()["predicates"]) == {"worsened_by", "worsens"}

    def test_a_new_vocabulary_reads_unchanged_sources_again(self, tmp_path: Path) -> None:
        rows = write_lines(tmp_path / "rows.csv", *self.rows)
        with KnowledgeBase.open(str(tmp_path / "kb.db")) as base:
            base.build([rows])
        vocabulary = write_lines(tmp_path / "mine.yaml", VOCABULARY)
        with KnowledgeBase.open(str(tmp_path / "kb.db"), vocabulary=vocabulary) as base:
            report = base.build([rows])
            assert (report.unchanged, report.base.statements) == (0, 2)
            assert set(base.stats()["predicates"]) == {"worsened_by"}


BUILD = """
import signal
import sys
import time
from itertools import count
from medweave import KnowledgeBase
from medweave.graph import builder

builder.CHUNK, builder.BATCH = 150, 300
records = count(1)
wait_after = int(sys.argv[1])
signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background ignores it

def progress(done, total, what):
    if next(records) == wait_after:
        print("stop me", flush=True)
        time.sleep(60)  # a signal ends it; a busy machine must not let the build finish first

with KnowledgeBase.open(sys.argv[2]) as base:
    base.build(sys.argv[3:], progress=progress)
"""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Monographs with symptoms they share, and the hash of an uninterrupted build of them."""
    made = (
        disease(f"disease {n}", f"sign {n % 97}", f"sign {n % 89}", id=f"X:{n}")
        for n in range(MANY)
    )
    path = write(tmp_path_factory.mktemp("many") / "many.json", made)
    return path, hash_of(path)


class TestStoppedInTheMiddle:
    @pytest.mark.thorough
    @pytest.mark.parametrize(
        ("stop", "after"),
        [(signal.SIGKILL, 350), (signal.SIGKILL, 900), (signal.SIGINT, 650)],
    )
    def test_building_again_ends_as_if_nothing_had_happened(
        self, many: tuple[Path, str], tmp_path: Path, stop: signal.Signals, after: int
    ) -> None:
        path, expected = many
        kb = str(tmp_path / "kb.db")
        command = [sys.executable, "-c", BUILD, str(after), kb, str(path)]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert child.stdout is not None
        assert child.stdout.readline() == b"stop me\n"
        child.send_signal(stop)
        child.communicate()
        assert child.returncode != 0
        with KnowledgeBase.open(kb) as base:
            store = base.knowledge.store
            kept = store.counts().documents
            assert after - 200 <= kept < MANY
            assert base.version.hash == recomputed_hash(store)
            assert base.build([path]).unchanged == kept
            assert base.version.hash == expected

    @pytest.mark.parametrize("place", ["memory:", "kb.db"])
    def test_an_interrupted_base_can_be_used_at_once(
        self, tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(builder, "CHUNK", 20)
        monkeypatch.setattr(builder, "BATCH", 200)
        made = (disease(f"d {n}", "cough") for n in range(300))
        path = write(tmp_path / "many.json", made)

        records = count(1)

        def stop(done: int, total: int, what: str) -> None:
            if next(records) == 150:
                raise KeyboardInterrupt

        with KnowledgeBase.open(place if ":" in place else str(tmp_path / place)) as base:
            with pytest.raises(KeyboardInterrupt):
                base.build([path], progress=stop)
            assert len(titles(base)) == 100
            report = base.build([path])
            assert (report.unchanged, report.base.documents) == (100, 300)
            assert base.version.hash == hash_of(path)
