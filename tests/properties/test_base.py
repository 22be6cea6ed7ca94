"""What holds for every base, however it came to be."""

import csv
import json
import shutil
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from medweave import KnowledgeBase
from medweave.testing.worlds import recomputed_hash

BY_CHANCE = settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

COLD = {"name": "common cold", "concept": "disease", "symptoms": ["cough", "sneezing"]}
FLU = {"name": "influenza", "concept": "disease", "symptoms": ["fever", "cough"]}
ASPIRIN = {"name": "aspirin", "concept": "drug", "indications": ["fever"]}

MONOGRAPHS: list[dict[str, Any]] = [
    COLD,
    {**COLD, "symptoms": ["cough"]},
    {**COLD, "synonyms": ["head cold"], "treatment": "Rest. Drink enough."},
    FLU,
    {**FLU, "description": "Common symptoms of influenza are chills and headache."},
    {"name": "感冒", "concept": "disease", "symptoms": ["咳嗽", "发热"], "language": "zh"},
    ASPIRIN,
    {**ASPIRIN, "contraindications": ["children under 16 years", "asthma"]},
    {"name": "fever", "concept": "symptom", "drugs": ["aspirin", "paracetamol"]},
]
HEADER = ("subject", "predicate", "object", "polarity", "document")
ROWS = [
    ("common cold", "has_symptom", "cough", "-1", ""),
    ("common cold", "has_symptom", "sneezing", "1", ""),
    ("common cold", "has_symptom", "fever", "", "page"),
    ("influenza", "has_symptom", "cough", "-1", "page"),
    ("cough", "symptom_of", "influenza", "", ""),
    ("aspirin", "used_for", "fever", "", "other"),
    ("aspirin", "no such relation", "fever", "", ""),
]
TALKS: list[dict[str, Any]] = [
    {"id": "1", "turns": "Patient: I have a cough. Doctor: Rest, as in ticket 2."},
    {"id": "1", "turns": "Patient: I have a fever. Doctor: Drink enough."},
    {"id": "1", "turns": "Patient: I have a cough. Doctor: Rest, as in ticket 2.", "tags": ["x"]},
    {"id": "2", "turns": "患者：我叫王丽华，咳嗽。医生：多喝水。", "sections": {"history": "哮喘"}},
    {"id": "3", "turns": [], "sections": {"symptom": "fever"}, "references": ["caused_by: 1"]},
]
FILES = (
    "one.json",
    "two.json",
    "sub/one.json",
    "rows.csv",
    "more.csv",
    "talks.json",
    "more/talks.json",
)


def write(path: Path, content: list[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([HEADER, *content])
    else:
        path.write_text(json.dumps(content, ensure_ascii=False), "utf-8")
    return path


def told(base: KnowledgeBase) -> dict[str, Any]:
    """Everything `stats` says, but which base it is, where, and how often it changed."""
    stats = base.stats()
    return {**stats, "base": stats["base"]["hash"], "store": {}}


Step = tuple[str, list[Any] | None]


@st.composite
def steps(draw: st.DrawFn) -> Step:
    """A file and its new content, or None to remove it."""
    name = draw(st.sampled_from(FILES))
    if draw(st.integers(0, 3)) == 0:
        return name, None
    pool: list[Any] = TALKS if "talks" in name else ROWS if name.endswith(".csv") else MONOGRAPHS
    return name, draw(st.lists(st.sampled_from(pool), min_size=1, max_size=4))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "sources"


def take(base: KnowledgeBase, path: Path, content: list[Any] | None) -> None:
    if content is not None:
        base.build([write(path, content)])
    elif path.exists():
        path.unlink()
        base.remove(str(path))


@BY_CHANCE
@given(history=st.lists(steps(), min_size=1, max_size=8))
def test_any_order_that_ends_with_the_same_documents_gives_the_same_base(
    folder: Path, tmp_path: Path, history: list[Step]
) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for leftover in tmp_path.glob("kb.db*"):
        leftover.unlink()
    with KnowledgeBase.open(str(tmp_path / "kb.db")) as base:
        for name, content in history:
            take(base, folder / name, content)
        left = [path for path in reversed(FILES) if (folder / path).exists()]
        with KnowledgeBase.open("memory:") as fresh:
            for name in left:
                fresh.build([folder / name])
            assert told(base) == told(fresh)
        assert base.version.hash == recomputed_hash(base.knowledge.store)


@BY_CHANCE
@given(first=steps(), second=steps())
def test_removing_a_source_restores_the_hash_from_before_it(
    folder: Path, first: Step, second: Step
) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    with KnowledgeBase.open("memory:") as base:
        take(base, folder / first[0], first[1])
        before = base.version.hash
        path = write(folder / "added" / second[0], second[1] or [])
        base.build([path])
        if second[1]:
            base.remove(str(path))
        assert base.version.hash == before


@pytest.mark.parametrize(
    ("column", "before", "after"),
    [
        ("polarity", "1", "-1"),
        ("strength", "0.2", "0.9"),
        ("subject_concept", "disease", "symptom"),
        ("object_concept", "symptom", "disease"),
    ],
)
def test_a_change_of_any_column_of_triples_is_noticed(
    tmp_path: Path, column: str, before: str, after: str
) -> None:
    path = tmp_path / "rows.csv"
    with KnowledgeBase.open("memory:") as base, KnowledgeBase.open("memory:") as fresh:
        for value in (before, after):
            row = f"common cold,caused_by,chill,{value}"
            path.write_text(f"subject,predicate,object,{column}\n{row}\n", "utf-8")
            base.build([path])
        fresh.build([path])
        assert told(base) == told(fresh)


def test_the_same_content_in_two_folders_gives_equal_hashes(tmp_path: Path) -> None:
    hashes = []
    for place, kb in (("here", "memory:"), ("far/away", str(tmp_path / "kb.db"))):
        write(tmp_path / place / "one.json", MONOGRAPHS)
        write(tmp_path / place / "rows.csv", ROWS)
        with KnowledgeBase.open(kb) as base:
            base.build([tmp_path / place])
            hashes.append(base.version.hash)
    assert hashes[0] == hashes[1] != "0" * 64


def test_the_same_record_in_two_files_is_two_pieces_of_evidence(tmp_path: Path) -> None:
    with KnowledgeBase.open("memory:") as base:
        base.build([write(tmp_path / "a" / "x.json", [COLD])])
        once = base.version.hash
        base.build([write(tmp_path / "b" / "x.json", [COLD])])
        found = base.show("common cold").statements
        assert {len({e.document for e in item.evidence}) for item in found} == {2}
        assert (base.stats()["statements"], base.stats()["evidence"]) == (2, 4)
        assert base.version.hash != once
        base.remove(str(tmp_path / "a"))
        assert base.version.hash == once


def test_what_two_sources_disagree_on_is_a_conflict_everywhere(tmp_path: Path) -> None:
    with KnowledgeBase.open("memory:") as base:
        base.build([write(tmp_path / "one.json", [COLD])])
        assert base.stats()["conflicts"] == 0
        denial = write(tmp_path / "rows.csv", ROWS[:1])
        base.build([denial])
        assert base.stats()["conflicts"] == 1
        answer = base.ask("What are the symptoms of the common cold?").to_json()
        [conflict] = answer["conflicts"]
        [key] = set(chain.from_iterable(conflict["sides"]))
        polarities = {
            answer["evidence"][item]["polarity"] for item in answer["statements"][key]["evidence"]
        }
        assert polarities == {1, -1}
        base.remove(str(denial))
        assert base.stats()["conflicts"] == 0
        assert base.ask("What are the symptoms of the common cold?").conflicts == ()


def test_dialogues_of_one_id_in_two_sources_are_both_kept_and_told(tmp_path: Path) -> None:
    one, other = TALKS[0], TALKS[1]
    with KnowledgeBase.open("memory:") as base:
        base.build([write(tmp_path / "a" / "talks.json", [one])])
        before = base.version.hash
        again = base.build([write(tmp_path / "b" / "talks.json", [one])])
        assert again.skipped == ()  # the same dialogue twice is no clash
        clash = base.build([write(tmp_path / "c" / "talks.json", [other])])
        assert [s.reason.split(", of ")[0] for s in clash.skipped] == [
            "1 dialogues have ids of other dialogues"
        ] * 2
        assert base.stats()["documents"] == 3
        base.remove(str(tmp_path / "c"))
        base.remove(str(tmp_path / "b"))
        assert base.version.hash == before


def test_masked_data_is_counted_and_comes_back_only_from_the_source(tmp_path: Path) -> None:
    path = write(tmp_path / "talks.json", [TALKS[3]])
    with KnowledgeBase.open("memory:") as base:
        assert base.build([path]).to_json()["masked"] == {"name": 1}
        masked = base.version.hash
        assert "王丽华" not in repr(base.knowledge.store.documents())
        kept = base.build([path], keep_personal_data=True)
        assert (kept.masked, kept.unchanged) == ({}, 0)
        assert "王丽华" in repr(base.knowledge.store.documents())
        base.build([path])
        assert base.version.hash == masked
