"""A table in MySQL or MariaDB, made elsewhere, asked by an account that may only read."""

import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL, create_engine

from medweave.errors import MappingError, StoreAccessError
from medweave.inplace.mysql_tables import MysqlTables
from medweave.knowledge_base import KnowledgeBase
from tests.services.connected import connected, named, stopped
from tests.services.in_place import HOSTILE, MANY, QUESTIONS, FewOfMany, Foreign, many_rows
from tests.services.service_stores import service

ADDRESS = service("mysql")
MAPPING = """
name: clinic
language: en
parts:
  - {kind: triples, table: "tri`ple: a", key_field: id, subject_column: head,
     predicate_column: "rel ation", object_column: tail,
     relations: {shows: {predicate: has_symptom, subject: disease, object: symptom}}}
"""
_TABLE = "`tri``ple: a`"


@pytest.fixture(scope="module")
def cursor() -> Iterator[Any]:
    login = URL.create(
        "mysql+pymysql",
        username=ADDRESS.user,
        password=ADDRESS.password,
        host=ADDRESS.host,
        port=ADDRESS.port,
        query={"charset": "utf8mb4"},
    )
    engine = create_engine(login)
    connection: Any = engine.raw_connection()
    connection.driver_connection.autocommit(True)
    yield connection.cursor()
    connection.close()
    engine.dispose()


@pytest.fixture
def foreign(cursor: Any) -> Iterator[Foreign]:
    name = f"t{uuid.uuid4().hex[:16]}"
    cursor.execute(f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
    cursor.execute(f"USE {name}")
    cursor.execute(
        f"CREATE TABLE {_TABLE} (id INT AUTO_INCREMENT PRIMARY KEY, head VARCHAR(200),"
        " `rel ation` VARCHAR(50), tail VARCHAR(200))"
    )
    rows = [("river fever", "fever"), ("river fever", "headache")]
    rows += [(hostile, "purple ears") for hostile in HOSTILE]
    sql = f"INSERT INTO {_TABLE} (head, `rel ation`, tail) VALUES (%s, 'shows', %s)"
    cursor.executemany(sql, rows)
    cursor.execute(f"CREATE USER {name} IDENTIFIED BY 'r/p'")
    cursor.execute(f"GRANT SELECT ON {name}.* TO {name}")
    yield Foreign(replace(ADDRESS, path=name, user=name, password="r/p"), MAPPING)
    cursor.execute(f"DROP DATABASE {name}")
    cursor.execute(f"DROP USER {name}")


class TestMysqlInPlace(FewOfMany):
    quote = ("tri`ple: a#1", "tail")
    kind = MysqlTables

    @pytest.fixture(autouse=True)
    def _cursor(self, cursor: Any) -> None:
        self._run, self._run_many = cursor.execute, cursor.executemany

    def change(self, foreign: Foreign, disease: str, symptom: str) -> None:
        sql = f"INSERT INTO {_TABLE} (head, `rel ation`, tail) VALUES (%s, 'shows', %s)"
        self._run(sql, (disease, symptom))

    def fill(self, foreign: Foreign, rows: list[tuple[str, str]]) -> None:
        sql = f"INSERT INTO {_TABLE} (head, `rel ation`, tail) VALUES (%s, 'shows', %s)"
        self._run_many(sql, rows)

    def rename(self, foreign: Foreign, before: str, after: str) -> None:
        self._run(f"UPDATE {_TABLE} SET tail = %s WHERE tail = %s", (after, before))

    def test_a_question_reads_few_rows(self, foreign: Foreign, tmp_path: Path, cursor: Any) -> None:
        """By the server's own count; the columns have no index but the key."""
        self.fill(foreign, many_rows())
        with foreign.base(tmp_path) as base:
            base.ask("What are the symptoms of river fever?")
            time.sleep(3)  # until the server's clock says so
            base.ask("What are the symptoms of river fever?")
            for question in QUESTIONS:
                before = _read(cursor)
                base.ask(question)
                assert _read(cursor) - before <= 0.05 * MANY, question

    def test_it_is_asked_beside_others_of_which_one_is_stopped(
        self, foreign: Foreign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("medweave.app.cache_folder", lambda: tmp_path / "cache")
        monkeypatch.setenv("CLINIC_PASSWORD", "r/p")
        source = tmp_path / "a.jsonl"
        source.write_text(
            '{"name": "river fever", "concept": "disease", "symptoms": ["fever", "thirst"]}\n',
            "utf-8",
        )
        with KnowledgeBase.open(str(tmp_path / "own.db")) as own:
            own.build([source])
        (tmp_path / "clinic.yaml").write_text(foreign.mapping, "utf-8")
        (tmp_path / "all.toml").write_text(
            f"""
[[store]]
name = "clinic"
url = "mysql://{foreign.address.hosts}/{foreign.address.path}"
mapping = "clinic.yaml"
user = "{foreign.address.user}"
password_env = "CLINIC_PASSWORD"
timeout = 60
[[store]]
name = "own"
url = "own.db"
[[store]]
name = "stopped"
url = "mysql://127.0.0.1:9/clinic"
""",
            "utf-8",
        )
        with KnowledgeBase.open(str(tmp_path / "all.toml")) as base:
            answer = base.ask("What are the symptoms of river fever?").to_json()
        assert {each["name"] for each in answer["result"]["value"]} == {
            *("fever", "headache", "thirst")
        }
        assert answer["status"] == "partial"
        assert "'stopped'" in answer["missing"][0]
        fever = next(s for s in answer["statements"].values() if s["object"]["name"] == "fever")
        assert {answer["evidence"][key]["store"] for key in fever["evidence"]} == {"clinic", "own"}
        assert "r/p" not in str(answer)

    def test_a_right_that_is_missing_is_said(
        self, foreign: Foreign, tmp_path: Path, cursor: Any
    ) -> None:
        name = foreign.address.user
        cursor.execute(f"REVOKE SELECT ON {foreign.address.path}.* FROM {name}")
        refused = pytest.raises((MappingError, StoreAccessError))
        with refused as caught, foreign.base(tmp_path):
            pass
        assert "r/p" not in str(caught.value)


def _read(cursor: Any) -> int:
    cursor.execute("SHOW GLOBAL STATUS LIKE 'Handler_read%'")
    counts = {name: int(value) for name, value in cursor.fetchall()}
    return sum(value for name, value in counts.items() if name != "Handler_read_rnd_deleted")


def test_a_table_of_triples_is_asked_with_no_mapping_written(
    foreign: Foreign, tmp_path: Path, cursor: Any
) -> None:
    """By an account that may only read; words for relations as others write them."""
    cursor.execute(f"DROP TABLE {_TABLE}")
    cursor.execute("CREATE TABLE facts (no INT PRIMARY KEY, head TEXT, rel TEXT, tail TEXT)")
    cursor.execute("CREATE TABLE visits (id INT PRIMARY KEY, day DATE)")
    cursor.executemany(
        "INSERT INTO facts VALUES (%s, %s, %s, %s)",
        [
            (1, "fever", "symptom_of", "river fever"),
            (2, "river fever", "HAS_SYMPTOM", "headache"),
            (3, "ibuprofen", "contraindicated_in", "stomach ulcer"),
            (4, "river fever", "smells of", "smoke"),
        ],
    )
    clinic = connected(foreign.address, tmp_path)
    assert clinic.left() == {"visits", "facts.rel = smells of"}
    assert named(clinic.ask("What are the symptoms of river fever?")) == {"fever", "headache"}
    assert stopped(clinic.ask("Can I take ibuprofen with a stomach ulcer?")) == {"ibuprofen"}
    assert clinic.found()["predicates"]["has_symptom"] == 2
