"""A database that medweave did not make is asked where it is, and only read."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from medweave.errors import MappingError, StoreError
from medweave.inplace.opening import open_in_place
from medweave.inplace.sql import quoted
from medweave.inplace.sqlite_tables import SqliteTables
from medweave.inplace.store import MappedStore
from medweave.knowledge_base import KnowledgeBase
from medweave.stores.address import StoreAddress
from tests.commands import medweave

MAPPING = """
name: clinic
language: en
parts:
  - kind: triples
    table: triple
    key_field: id
    subject_column: head
    predicate_column: rel
    object_column: tail
    relations:
      shows: {predicate: has_symptom, subject: disease, object: symptom}
      sign of: {predicate: symptom_of, subject: symptom, object: disease}
      not to be given in: {predicate: contraindicated_in, subject: drug, object: disease}
  - kind: monographs
    table: "drug list"
    name_field: drug
    synonym_field: brand
    concept: drug
    fields:
      used for: {predicate: treats, concept: disease}
"""
ROWS = [
    ("river fever", "shows", "fever"),
    ("river fever", "shows", "headache"),
    ("blue toes", "sign of", "marsh cough"),
    ("ibuprofen", "not to be given in", "stomach ulcer"),
    ("river fever", "smells of", "smoke"),
]
HOSTILE = [
    "o'brien \"disease\"", "`; drop table triple; --", "fever%s", "100% cough x", ":id rash",
    "back\\slash pain", "感冒发热病", "naïve café syndrome", "🤒 face pain", "null", "{name} pain",
    "(select 1) ache", "a" * 190, "MiXeD cAsE illness", "tab\tin name", "nul and void",
]  # fmt: skip

_MANY = 400


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("medweave.app.cache_folder", lambda: tmp_path / "cache")


@pytest.fixture
def clinic(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(tmp_path / "clinic.db", isolation_level=None)
    connection.execute(
        "CREATE TABLE triple (id INTEGER PRIMARY KEY, head TEXT, rel TEXT, tail TEXT)"
    )
    connection.execute('CREATE TABLE "drug list" (drug TEXT, brand TEXT, "used for" TEXT)')
    connection.executemany("INSERT INTO triple (head, rel, tail) VALUES (?, ?, ?)", ROWS)
    connection.execute("INSERT INTO 'drug list' VALUES ('ridomol', 'Rido', 'river fever; gout')")
    (tmp_path / "clinic.yaml").write_text(MAPPING, "utf-8")
    yield connection
    connection.close()


@pytest.fixture
def base(clinic: sqlite3.Connection, tmp_path: Path) -> Iterator[KnowledgeBase]:
    with _opened(tmp_path) as opened:
        yield opened


def _opened(folder: Path) -> KnowledgeBase:
    return KnowledgeBase.open(str(folder / "clinic.db"), mapping=folder / "clinic.yaml")


def _evidence(base: KnowledgeBase, question: str) -> list[dict[str, Any]]:
    return list(base.ask(question).to_json()["evidence"].values())


def test_rows_answer_with_their_own_words(base: KnowledgeBase) -> None:
    answer = base.ask("What are the symptoms of river fever?").to_json()
    assert {thing["name"] for thing in answer["result"]["value"]} == {"fever", "headache"}
    assert answer["base"]["revision"] is answer["base"]["hash"] is None
    told = [(e["document"], e["place"]["field"], e["quote"]) for e in answer["evidence"].values()]
    assert sorted(told) == [("triple#1", "tail", "fever"), ("triple#2", "tail", "headache")]


def test_an_inverse_relation_turns_a_row_round(base: KnowledgeBase) -> None:
    assert "blue toes" in base.ask("What are the symptoms of marsh cough?").text


def test_what_speaks_against_a_drug_stops_it(base: KnowledgeBase) -> None:
    answer = base.ask("Can I take ibuprofen with a stomach ulcer?")
    assert [(stop.status, stop.entity.name()) for stop in answer.stops] == [
        ("applies", "ibuprofen")
    ]


def test_a_table_with_odd_names_is_read_as_monographs(base: KnowledgeBase) -> None:
    found = _evidence(base, "How is river fever treated?")
    assert [(e["document"], e["quote"]) for e in found] == [("drug list#1", "river fever")]
    assert "ridomol" in base.ask("What is Rido used for?").text.lower()


def test_the_card_and_the_numbers_are_those_of_the_rows(base: KnowledgeBase) -> None:
    assert base.show("river fever").entity.name() == "river fever"
    counts = base.stats()
    assert counts["documents"] == len(ROWS) + 1
    assert counts["store"]["kind"] == "sqlite"


@pytest.mark.parametrize(
    ("change", "question", "told"),
    [
        ("INSERT INTO triple VALUES (9, 'hill pox', 'shows', 'spots')", "hill pox", "spots"),
        ("UPDATE triple SET tail = 'cramp' WHERE id = 1", "river fever", "cramp"),
        ("UPDATE triple SET head = 'lake fever' WHERE id < 3", "lake fever", "headache"),
        ("DELETE FROM triple WHERE id = 1", "river fever", ": headache"),
    ],
)
def test_every_change_is_seen_at_once(
    base: KnowledgeBase, clinic: sqlite3.Connection, change: str, question: str, told: str
) -> None:
    base.ask("What are the symptoms of river fever?")
    clinic.execute(change)
    assert told in base.ask(f"What are the symptoms of {question}?").text


def test_a_change_under_the_first_reading_of_names_is_seen(
    clinic: sqlite3.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = SqliteTables.stream

    def moving(self: SqliteTables, part: Any) -> Iterator[Any]:
        yield from stream(self, part)
        clinic.execute("INSERT OR IGNORE INTO triple VALUES (9, 'hill pox', 'shows', 'spots')")

    monkeypatch.setattr(SqliteTables, "stream", moving)
    with _opened(tmp_path) as base:
        base.ask("What are the symptoms of river fever?")
        assert "spots" in base.ask("What are the symptoms of hill pox?").text


@pytest.fixture
def rows_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rows that the database gave, by the name of the method that read them."""
    read: list[str] = []

    def counting(name: str) -> None:
        method: Callable[..., Iterator[Any]] = getattr(SqliteTables, name)

        def counted(self: SqliteTables, *args: Any) -> Iterator[Any]:
            for row in method(self, *args):
                read.append(name)
                yield row

        monkeypatch.setattr(SqliteTables, name, counted)

    for name in ("fetch", "stream"):
        counting(name)
    return read


def test_a_question_reads_few_rows(
    clinic: sqlite3.Connection, tmp_path: Path, rows_read: list[str]
) -> None:
    many = [(f"illness {n % 80}", "shows", f"sign {n % 37}") for n in range(_MANY)]
    clinic.executemany("INSERT INTO triple (head, rel, tail) VALUES (?, ?, ?)", many)
    with _opened(tmp_path) as base:
        base.ask("What is fever?")  # the names are read
        for question in (
            "What are the symptoms of river fever?",
            "Does river fever cause headache?",
            "I have a fever and a headache. What could it be?",
            "Which diseases have blue toes?",
            "What are the symptms of rivr fever?",
        ):
            rows_read.clear()
            base.ask(question)
            assert len(rows_read) <= 0.05 * _MANY, question
        rows_read.clear()
        clinic.execute("INSERT INTO triple VALUES (9999, 'hill pox', 'shows', 'spots')")
        assert "spots" in base.ask("What are the symptoms of hill pox?").text
        assert len(rows_read) <= 0.05 * _MANY


def test_a_question_reads_few_rows_where_all_is_joined_to_all(
    clinic: sqlite3.Connection, tmp_path: Path, rows_read: list[str]
) -> None:
    """What is nothing of what is asked is not read to find that out."""
    many = [
        (f"illness {n}", "shows", f"sign {(n * 7 + k * 11) % 100}")
        for n in range(100)
        for k in range(30)
    ]
    clinic.executemany("INSERT INTO triple (head, rel, tail) VALUES (?, ?, ?)", many)
    with _opened(tmp_path) as base:
        base.ask("What is fever?")  # the names are read
        for question in (
            "What are the symptoms of illness 3?",
            "Does illness 3 cause sign 21?",
        ):
            rows_read.clear()
            assert base.ask(question).statements, question
            assert len(rows_read) <= 0.05 * len(many), question


def test_the_first_of_many_are_told_with_all_their_evidence(
    base: KnowledgeBase, clinic: sqlite3.Connection, rows_read: list[str]
) -> None:
    many = [(f"illness {n % 80}", "shows", f"sign {n % 37}") for n in range(_MANY)]
    clinic.executemany("INSERT INTO triple (head, rel, tail) VALUES (?, ?, ?)", [*ROWS, *many])
    store = base.knowledge.store
    for predicate in (None, "has_symptom", "treats", "described_as"):
        everything = store.match(None, predicate)
        twice = any(len(each.evidence) > 1 for each in everything)
        assert twice == (predicate in (None, "has_symptom"))
        for limit in (0, 1, 3, 500):
            rows_read.clear()
            assert store.match(None, predicate, limit=limit) == everything[:limit]
            assert len(rows_read) <= 0.1 * _MANY or limit > 3


def test_another_process_uses_the_names_that_were_read(
    clinic: sqlite3.Connection, tmp_path: Path, rows_read: list[str]
) -> None:
    for _ in range(2):
        rows_read.clear()
        with _opened(tmp_path) as base:
            assert "headache" in base.ask("What are the symptoms of river fever?").text
    assert "stream" not in rows_read


def test_nothing_is_written(
    base: KnowledgeBase, clinic: sqlite3.Connection, tmp_path: Path
) -> None:
    base.ask("What are the symptoms of river fever?")
    before = (tmp_path / "clinic.db").read_bytes()
    source = tmp_path / "more.jsonl"
    source.write_text('{"name": "gout", "concept": "disease", "symptoms": ["pain"]}\n', "utf-8")
    with pytest.raises(StoreError, match="never written"):
        base.build([source])
    with pytest.raises(StoreError, match="never written"):
        base.remove("triple#1")
    assert (tmp_path / "clinic.db").read_bytes() == before


def test_it_is_waited_for_as_long_as_is_said(
    clinic: sqlite3.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    def opened(address: StoreAddress, *rest: Any) -> MappedStore:
        waits.append(address.timeout)
        return open_in_place(address, *rest)

    monkeypatch.setattr("medweave.inplace.opening.open_in_place", opened)
    base = KnowledgeBase.open(
        str(tmp_path / "clinic.db"), mapping=tmp_path / "clinic.yaml", timeout=7
    )
    base.close()
    assert waits == [7]


def test_the_index_of_names_holds_no_statement(base: KnowledgeBase, tmp_path: Path) -> None:
    base.ask("What are the symptoms of river fever?")
    for file in (tmp_path / "cache" / "names").glob("*.db"):
        held = sqlite3.connect(file)
        assert held.execute("SELECT COUNT(*) FROM statement").fetchone() == (0,)
        assert held.execute("SELECT COUNT(*) FROM evidence").fetchone() == (0,)
        assert file.stat().st_mode & 0o077 == 0


def test_the_index_of_names_and_its_logs_are_private(base: KnowledgeBase, tmp_path: Path) -> None:
    base.ask("What are the symptoms of river fever?")
    files = list((tmp_path / "cache" / "names").iterdir())
    assert {file.suffix for file in files} >= {".db", ".db-wal", ".rows", ".rows-wal"}
    assert all(file.stat().st_mode & 0o077 == 0 for file in files)


def test_hostile_names_are_data(clinic: sqlite3.Connection, tmp_path: Path) -> None:
    clinic.executemany(
        "INSERT INTO triple (head, rel, tail) VALUES (?, 'shows', 'purple ears')",
        [(name,) for name in HOSTILE],
    )
    with _opened(tmp_path) as base:
        card = base.show("purple ears")
        shown = {entity.name() for entity in card.entities.values()}
        for name in HOSTILE:
            assert base.show(name).entity.name().split() == name.split(), name
        assert len(shown) >= len(HOSTILE)
    assert clinic.execute("SELECT COUNT(*) FROM triple").fetchone()[0] == len(ROWS) + len(HOSTILE)


@pytest.mark.parametrize("mark", ['"', "`"])
@pytest.mark.parametrize("name", ['a"b', "a`b", "``", '"; --', "x y", "感冒", "\\", ":a", "%s"])
def test_a_quoted_name_is_one_name(name: str, mark: str) -> None:
    found = sqlite3.connect(":memory:").execute(f"SELECT 1 AS {quoted(name, mark)}")
    assert found.description[0][0] == name


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("table: triple", "table: nothing", "no table 'nothing'"),
        ("subject_column: head", "subject_column: neck", "no column neck"),
        ("key_field: id", "key_field: code", "no column code"),
        ("kind: monographs", "kind: nodes", "must name what it reads"),
        ("kind: triples", "kind: dialogues", "cannot be read in a database"),
        ("key_field: id", "files: [a]", "only files"),
    ],
)
def test_a_wrong_mapping_is_said(
    clinic: sqlite3.Connection, tmp_path: Path, before: str, after: str, told: str
) -> None:
    (tmp_path / "clinic.yaml").write_text(MAPPING.replace(before, after), "utf-8")
    with pytest.raises(MappingError, match=told):
        _opened(tmp_path)


def test_the_commands_take_a_mapping(clinic: sqlite3.Connection, tmp_path: Path) -> None:
    where = ["--kb", str(tmp_path / "clinic.db"), "--mapping", str(tmp_path / "clinic.yaml")]
    asked = medweave("ask", "What are the symptoms of river fever?", *where, "--json")
    assert json.loads(asked.out)["status"] == "answered"
    assert "river fever" in medweave("show", "river fever", *where).out
    read = json.loads(medweave("understand", "river fever", *where, "--json").out)
    assert read["mentions"][0]["id"] == "mw.condition:river_fever"
    assert json.loads(medweave("stats", *where, "--json").out)["statements"] > 0
