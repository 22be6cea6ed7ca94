"""A base that an earlier version made is brought up to date, all of it or nothing."""

import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from medweave.errors import StoreVersionError
from medweave.language.segmentation import index_terms
from medweave.model.base_hash import add_terms, as_text, evidence_term
from medweave.model.document import Extraction
from medweave.model.entity import NameMention
from medweave.model.identifiers import canonical_json
from medweave.model.statement import Evidence, Literal, Statement
from medweave.stores.contribution import supported_statements
from medweave.stores.sqlite.schema import MIGRATIONS, SCHEMA_VERSION, migrate
from medweave.stores.sqlite.store import SqliteStore
from medweave.testing.worlds import (
    CAUSE,
    COLD,
    COUGH,
    FEVER,
    FLU,
    SYMPTOM,
    cold_and_flu,
    contents,
    denies,
    document,
    inferring_documents,
    names,
    recomputed_hash,
    says,
)

# Version 1, as it was written


def write_version_1(path: Path, extractions: Iterable[Extraction]) -> Path:
    """A base of version 1 into which documents were put, all in one transaction."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        migrate(connection, str(path), MIGRATIONS[:1])
        connection.execute("BEGIN")
        total = sum(_put(connection, extraction) for extraction in extractions)
        meta = {"id": "v1", "revision": "1", "total": as_text(add_terms(0, total))}
        connection.executemany("INSERT INTO meta VALUES (?,?)", meta.items())
        connection.execute("INSERT INTO note VALUES ('vocabulary', 'predicates: {} # 感冒')")
        connection.execute("COMMIT")
    return path


def _put(connection: sqlite3.Connection, extraction: Extraction) -> int:
    """Write one document; what its evidence adds to the hash."""
    document, run = extraction.document, extraction.activity
    fields = canonical_json([list(pair) for pair in document.fields])
    number = connection.execute(
        "INSERT INTO document (id, source, name, title, fields, language, url, class, sample,"
        " line, content_key, build_key) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
        (document.id, document.source, document.name, document.title, fields, document.language,
         document.url, document.evidence_class, int(document.sample), document.line,
         document.content_key(), extraction.build_key),
    ).lastrowid  # fmt: skip
    text = " ".join(index_terms("\n".join(text for _, text in document.fields)))
    connection.execute("INSERT INTO passage (rowid, text) VALUES (?,?)", (number, text))
    connection.executemany(
        "INSERT INTO mention VALUES (?,?,?,?,?,?,?)",
        [
            (m.entity, m.name, m.language, m.concept, int(m.preferred), m.xref, document.id)
            for m in set(extraction.mentions)
        ],
    )
    if any(item.activity == run.id for item in extraction.evidence):
        connection.execute(
            "INSERT OR IGNORE INTO activity VALUES (?,?,?,?,?,?)",
            (run.id, run.method, run.version, run.vocabulary, run.model, run.time),
        )
    connection.executemany(
        "INSERT OR IGNORE INTO statement (id, subject, predicate, object, literal, qualifiers)"
        " VALUES (?,?,?,?,?,?)",
        map(_statement_row, supported_statements(extraction).values()),
    )
    evidence = {item.id: item for item in extraction.evidence}.values()
    connection.executemany(
        "INSERT INTO evidence (id, statement, document, field, start, stop, quote, class,"
        " polarity, strength, confidence, knowledge_level, agent_type, method, cites, premises,"
        f" activity) VALUES ({','.join('?' * 17)})",
        map(_evidence_row, evidence),
    )
    connection.executemany(
        "INSERT OR IGNORE INTO premise VALUES (?,?)",
        [(premise, item.id) for item in evidence for premise in item.premises],
    )
    return sum(evidence_term(item, document.name) for item in evidence)


def _statement_row(statement: Statement) -> tuple[object, ...]:
    value = statement.object
    text = canonical_json(value.key()) if isinstance(value, Literal) else value
    qualifiers = canonical_json([list(pair) for pair in statement.qualifiers])
    literal = int(isinstance(value, Literal))
    return (statement.id, statement.subject, statement.predicate, text, literal, qualifiers)


def _evidence_row(item: Evidence) -> tuple[object, ...]:
    place = item.place
    return (
        item.id, item.statement, item.document, place.field, place.start, place.end, item.quote,
        item.evidence_class, item.polarity, item.strength, item.confidence, item.knowledge_level,
        item.agent_type, item.method, canonical_json(list(item.cites)),
        canonical_json(list(item.premises)), item.activity,
    )  # fmt: skip


# What it held


def odd_documents() -> list[Extraction]:
    """What version 1 could hold: every kind of value, and the odd ones of each."""
    numbers = [
        says(COLD, CAUSE, f"mw.x:{value!r}", strength=value)
        for value in (1, 1.0, 0, 0.0, -0.0, 0.3)
    ]
    literals = [Literal(1), Literal(1.0), Literal(True), Literal("感冒", "zh"), Literal(-0.0)]
    literals += [Literal(5, unit="mg"), Literal(""), Literal('["a","",""]'), Literal(COUGH)]
    qualified = [
        says(COLD, SYMPTOM, COUGH, qualifiers={"sex": sex, "age_min_days": age, "pregnancy": True})
        for sex, age in (("female", 1), ("female", 1.0), ("女", 30))
    ]
    first = says(COLD, SYMPTOM, COUGH, quote="a cough 咳嗽", strength=0.25)
    cold = document("cold", first, *numbers, *qualified, text="a cold\x00 brings 咳嗽 😷")
    links = document(
        "links",
        says(FLU, SYMPTOM, COUGH, premises=(cold.document.id, first.statement.id, "do:gone")),
        denies(COLD, SYMPTOM, COUGH),
        *(says(FLU, "advice", literal) for literal in literals),
        source="/二.json",
        text="我得了感冒怎么办",
    )
    cites = tuple(replace(item, cites=("PMID:1", "感冒"), method="m") for item in links.evidence)
    mentions = [
        *names(COLD, "Common–Colds", "感冒"),
        *names(FEVER, "fever", concept="symptom"),
        NameMention(COLD, "cold", "en", "disease", preferred=True, xref="MONDO:1"),
        NameMention(COLD, "cold", "en", "symptom", preferred=False, xref="ICD:2"),
        NameMention("mw.condition:only_named", "流感", "zh", "disease"),
    ]
    other_run = tuple(replace(item, activity="ac:another") for item in cold.evidence)
    return [
        replace(cold, mentions=tuple(mentions), evidence=other_run[:2] + cold.evidence[2:]),
        replace(links, evidence=cites, mentions=(mentions[0], *mentions[3:])),
        document("nothing", build_key="k"),
        replace(
            document("sample", says(FLU, SYMPTOM, FEVER)),
            document=replace(document("sample").document, sample=True, line=7, url="https://x/"),
        ),
    ]


def whole(path: Path) -> str:
    """A digest of every row of a file of version 1."""
    said = blake2b()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        tables = ("meta", "note", "activity", "document", "statement", "evidence", "premise")
        for table in (*tables, "mention", "passage"):
            for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1"):
                said.update(repr(row).encode())
    return said.hexdigest()


def same_as_new(path: Path, extractions: list[Extraction]) -> None:
    with (
        closing(SqliteStore.open(path, create=False)) as old,
        closing(SqliteStore.open(path.with_name("new.db"), create=True)) as new,
    ):
        new.put(extractions)
        assert contents(old) == contents(new)
        assert (old.version().hash, old.version().revision) == (new.version().hash, 1)
        assert old.version().hash == recomputed_hash(old)
        keys = sorted({count.mention.name for count in new.mentions()})
        assert old.named(keys) == new.named(keys)
        assert old.bearing(["MONDO:1", "ICD:2"]) == new.bearing(["MONDO:1", "ICD:2"])
        for word in ("cough", "感冒", "brings"):
            assert old.search_text(word) == new.search_text(word)


def test_all_that_version_1_held_is_there(tmp_path: Path) -> None:
    same_as_new(write_version_1(tmp_path / "old.db", odd_documents()), odd_documents())
    with closing(SqliteStore.open(tmp_path / "old.db", create=False)) as store:
        assert (store.note("vocabulary"), store.version().id) == ("predicates: {} # 感冒", "v1")
        assert store.changes(1) == frozenset()
        assert store.changes(0) is None


def test_it_goes_on_like_a_new_one(tmp_path: Path) -> None:
    path = write_version_1(tmp_path / "old.db", odd_documents())
    with (
        closing(SqliteStore.open(path, create=False)) as old,
        closing(SqliteStore.open(tmp_path / "new.db", create=True)) as new,
    ):
        new.put(odd_documents())
        for store in (old, new):
            store.put(cold_and_flu())
            store.remove([odd_documents()[0].document.id])
            store.put(odd_documents()[1:])
        assert contents(old) == contents(new)
        assert old.version().revision == new.version().revision
        old.remove([found.id for found in old.documents()])
        assert old.version().hash == "0" * 64
        assert old._all("SELECT COUNT(*) FROM entity") == [(0,)]


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(put=st.lists(inferring_documents(), min_size=1, unique_by=lambda made: made.document.id))
def test_whatever_documents_version_1_held(tmp_path: Path, put: list[Extraction]) -> None:
    for left in tmp_path.glob("*.db*"):
        left.unlink()
    same_as_new(write_version_1(tmp_path / "old.db", put), put)


def test_an_empty_base_of_version_1(tmp_path: Path) -> None:
    path = write_version_1(tmp_path / "old.db", [])
    with closing(SqliteStore.open(path, create=False)) as store:
        store.put(cold_and_flu())
        assert store.version().hash == recomputed_hash(store)


def test_reading_alone_never_changes_an_old_base(tmp_path: Path) -> None:
    path = write_version_1(tmp_path / "old.db", odd_documents())
    before = whole(path)
    with pytest.raises(StoreVersionError) as caught:
        SqliteStore.open(path, create=False, read_only=True)
    assert f"medweave compact --kb {path}" in caught.value.remedy
    assert whole(path) == before


# Killed, or done twice


OPENER = """
import sys
from pathlib import Path
from medweave.stores.sqlite.store import SqliteStore

print("opening", flush=True)
SqliteStore.open(Path(sys.argv[1]), create=False).close()
"""


def opener(path: Path) -> subprocess.Popen[bytes]:
    """Another process that is about to open a base for writing."""
    process = subprocess.Popen(
        [sys.executable, "-c", OPENER, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"opening\n"
    return process


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """A base of version 1, and how many seconds it takes to bring it up to date."""
    path = tmp_path_factory.mktemp("large") / "old.db"
    many = [
        document(
            f"d{n}",
            *(
                says(f"mw.x:{n % 97}", SYMPTOM, f"mw.y:{n * 7 + k}", quote="q" * 40)
                for k in range(10)
            ),
            text="a cough " * 20,
            mentions=names(f"mw.x:{n % 97}", f"name {n % 97}"),
        )
        for n in range(700)
    ]
    write_version_1(path, many)
    trial = path.with_name("trial.db")
    shutil.copy(path, trial)
    begun = time.monotonic()
    SqliteStore.open(trial, create=False).close()
    return path, time.monotonic() - begun


@pytest.mark.parametrize("moment", [0.05, 0.3, 0.55, 0.8, 0.95])
def test_killed_on_the_way_it_is_still_whole_and_tries_again(
    large: tuple[Path, float], tmp_path: Path, moment: float
) -> None:
    source, seconds = large
    path = tmp_path / "old.db"
    shutil.copy(source, path)
    process = opener(path)
    time.sleep(seconds * (moment + random.uniform(-0.05, 0.05)))
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with closing(sqlite3.connect(path)) as connection:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    assert version in range(1, SCHEMA_VERSION + 1)
    assert version > 1 or whole(path) == whole(source)
    with (
        closing(SqliteStore.open(path, create=False)) as store,
        closing(SqliteStore.open(source.with_name("trial.db"), create=False)) as trial,
    ):
        assert (store.version(), store.counts()) == (trial.version(), trial.counts())
        assert store.tally() == trial.tally()
        assert list(store.all_edges([SYMPTOM])) == list(trial.all_edges([SYMPTOM]))
        assert store._all("PRAGMA integrity_check") == [("ok",)]


def test_two_that_open_it_at_once_bring_it_up_to_date_once(
    large: tuple[Path, float], tmp_path: Path
) -> None:
    path = tmp_path / "old.db"
    shutil.copy(large[0], path)
    ends = [(p.communicate()[1], p.returncode) for p in [opener(path) for _ in range(2)]]
    assert any(code == 0 for _, code in ends)
    assert all(code == 0 or b"StoreBusyError" in told for told, code in ends)
    with closing(SqliteStore.open(path, create=False)) as store:
        assert store.counts().evidence == 700 * 10
        assert store.version().hash == recomputed_hash(store)
