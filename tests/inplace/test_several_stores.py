"""Several stores are asked as one: nothing is lost between them, and who is not heard is named."""

import json
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from medweave.errors import ConfigurationError, NotFoundError, StoreError, StoreUnreachableError
from medweave.inplace.members import Member, Round
from medweave.inplace.store_list import stores_in
from medweave.knowledge_base import KnowledgeBase
from medweave.model.generated import ModelUse
from medweave.stores.sqlite.store import SqliteStore
from tests.commands import medweave

RECORDS = [
    {"name": "river fever", "concept": "disease", "symptoms": ["fever", "cough"]},
    {"name": "ibuprofen", "concept": "drug", "indications": ["river fever"]},
]
MAPPING = """
name: clinic
language: en
parts:
  - {kind: monographs, table: illness, identifier_field: code, name_field: name, concept: disease,
     fields: {signs: {predicate: has_symptom, concept: symptom}}}
  - {kind: monographs, table: drug, name_field: name, concept: drug,
     fields: {never_in: {predicate: contraindicated_in, reading: phrases}}}
"""
GONE = '[[store]]\nname = "gone"\nurl = "none.db"\n'
QUESTION = "What are the symptoms of river fever?"


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two bases that medweave built of one file, and a database that it did not."""
    folder = tmp_path_factory.mktemp("stores")
    (folder / "a.jsonl").write_text("\n".join(map(json.dumps, RECORDS)) + "\n", "utf-8")
    for name in ("one.db", "two.db"):
        with KnowledgeBase.open(str(folder / name)) as base:
            base.build([folder / "a.jsonl"])
    with sqlite3.connect(folder / "clinic.db") as connection:
        connection.executescript(
            """
            CREATE TABLE illness (id INTEGER PRIMARY KEY, code TEXT, name TEXT, signs TEXT);
            INSERT INTO illness VALUES (1, 'DOID:77', 'river fever', 'fever; spots');
            CREATE TABLE drug (id INTEGER PRIMARY KEY, name TEXT, never_in TEXT);
            INSERT INTO drug VALUES (1, 'ibuprofen', 'stomach ulcer');
            """
        )
    connection.close()
    (folder / "clinic.yaml").write_text(MAPPING, "utf-8")
    entries = [f'[[store]]\nname = "{name}"\nurl = "{name}.db"\n' for name in ("one", "two")]
    entries.append('[[store]]\nname = "clinic"\nurl = "clinic.db"\nmapping = "clinic.yaml"\n')
    (folder / "all.toml").write_text("".join(entries), "utf-8")
    (folder / "some.toml").write_text("".join([*entries, GONE]), "utf-8")
    return folder


@pytest.fixture(autouse=True)
def _own_cache(stores: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("medweave.app.cache_folder", lambda: stores / "cache")


@pytest.fixture
def base(stores: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(str(stores / "all.toml")) as opened:
        yield opened


def _said(answer: dict[str, Any]) -> dict[tuple[str, str], set[str]]:
    """The stores that say each statement, by predicate and object."""
    return {
        (each["predicate"], each["object"]["name"]): {
            answer["evidence"][key]["store"] for key in each["evidence"]
        }
        for each in answer["statements"].values()
    }


def test_a_thing_that_several_know_is_one(base: KnowledgeBase) -> None:
    answer = base.ask(QUESTION).to_json()
    assert answer["status"] == "answered"
    assert _said(answer) == {
        ("has_symptom", "fever"): {"one", "two", "clinic"},
        ("has_symptom", "cough"): {"one", "two"},
        ("has_symptom", "spots"): {"clinic"},
    }
    assert {each["subject"]["id"] for each in answer["statements"].values()} == {"DOID:77"}
    assert [(each["name"], each["status"]) for each in answer["stores"]] == [
        ("one", "answered"),
        ("two", "answered"),
        ("clinic", "answered"),
    ]
    known = [each["base"]["revision"] for each in answer["stores"]]
    assert known == [1, 1, None]
    assert answer["base"]["revision"] is answer["base"]["hash"] is None


def test_what_is_told_of_much_is_told_with_all_evidence_for_it(
    tmp_path: Path,
) -> None:
    """Also where it is among the first of a list that was cut in one store, and not in another."""
    for name, others in (("one", "abc"), ("two", "vwxyz")):
        symptoms = ["fever", *(f"{other} rash" for other in others)]
        row = {"name": "river fever", "concept": "disease", "symptoms": symptoms}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
        with KnowledgeBase.open(str(tmp_path / f"{name}.db")) as base:
            base.build([tmp_path / f"{name}.jsonl"])
    entries = [f'[[store]]\nname = "{name}"\nurl = "{name}.db"\n' for name in ("one", "two")]
    (tmp_path / "all.toml").write_text("".join(entries), "utf-8")
    with KnowledgeBase.open(str(tmp_path / "all.toml")) as base:
        store = base.knowledge.store
        [disease] = {each.statement.subject for each in store.match(None, "has_symptom")}
        whole = {each.statement.id: each.evidence for each in store.match(disease)}
        assert sorted(len(evidence) for evidence in whole.values())[-1] == 2
        for cap in range(1, 7):
            for each in store.neighbours([disease], ["has_symptom"], cap=cap):
                assert each.evidence == whole[each.statement.id], cap
            for each in store.match(None, "has_symptom", limit=cap):
                assert each.evidence == whole[each.statement.id], cap


def test_what_speaks_against_a_drug_in_one_stops_it_in_all(base: KnowledgeBase) -> None:
    answer = base.ask("I have a stomach ulcer and river fever. Can I take ibuprofen?")
    assert [(stop.status, stop.entity.name()) for stop in answer.stops] == [
        ("applies", "ibuprofen")
    ]


def test_a_finding_is_weighed_over_all(base: KnowledgeBase) -> None:
    answer = base.ask("I have a cough and spots. What could it be?").to_json()
    assert "river fever" in json.dumps(answer["candidates"]) + json.dumps(answer["sentences"])


def test_a_store_that_fails_is_named_and_the_rest_answers(stores: Path) -> None:
    with KnowledgeBase.open(str(stores / "some.toml")) as base:
        for _ in range(2):
            answer = base.ask(QUESTION).to_json()
            assert answer["status"] == "partial"
            assert "'gone'" in answer["missing"][0]
            assert [each["status"] for each in answer["stores"]][-1] == "failed"
            assert len(_said(answer)) == 3
        chinese = base.ask("river fever有什么症状？")
        assert "gone" in chinese.missing[0] and chinese.status != "answered"
        other = base.ask(QUESTION, use=ModelUse(strategy="rok"))
        assert "'gone'" in other.missing[0] and other.statements  # whatever finds the rest
    ran = medweave("ask", QUESTION, "--kb", stores / "some.toml", "--json")
    assert ran.status == 0


def test_a_store_that_is_lost_in_the_midst_of_a_question_says_nothing_in_its_answer(
    base: KnowledgeBase, stores: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After whichever of its reads it goes: half of what it knows is not told."""
    right = base.ask(QUESTION)
    begin, left = Member.begin, [0]

    def failing(self: Member, call: Any) -> Any:
        if self.name == "two":
            left[0] -= 1
            if left[0] < 0:

                def lost(*_: object) -> Any:
                    raise StoreUnreachableError("it is gone", where="two", remedy="")

                return begin(self, lost)
        return begin(self, call)

    monkeypatch.setattr(Member, "begin", failing)
    reads = 0
    while True:
        with KnowledgeBase.open(str(stores / "all.toml")) as several:
            left[0] = reads
            answer = several.ask(QUESTION)
        if answer.status == "answered":
            break
        told = answer.to_json()
        assert {name for some in _said(told).values() for name in some} == {"one", "clinic"}
        assert [each["status"] for each in told["stores"]] == ["answered", "failed", "answered"]
        assert any("'two'" in each for each in told["missing"])
        reads += 1
    assert reads > 10
    assert _said(answer.to_json()) == _said(right.to_json())


def test_what_is_shown_and_counted_names_a_store_that_is_lost(stores: Path) -> None:
    lost = {"one": "answered", "two": "answered", "clinic": "answered", "gone": "failed"}
    asked = ("query", '["river fever", "has_symptom", "?"]')
    claimed = ("verify", "River fever can cause spots.")
    whole = (("stats",), ("duplicates",), ("query", "--schema"))
    for words in (("show", "ibuprofen"), asked, claimed, *whole):
        told = json.loads(medweave(*words, "--kb", stores / "some.toml", "--json").out)
        assert {each["name"]: each["status"] for each in told["stores"]} == lost
        assert ["'gone'" in each for each in told["missing"]] == [True]
        assert "'gone' failed" in medweave(*words, "--kb", stores / "some.toml").out
        told = json.loads(medweave(*words, "--kb", stores / "all.toml", "--json").out)
        assert told["missing"] == []
    unknown = medweave("show", "unheard of", "--kb", stores / "some.toml")
    assert unknown.status == 1
    assert "'gone' failed" in unknown.err


def test_what_is_nothing_without_all_of_them_is_refused_where_one_is_lost(
    stores: Path, tmp_path: Path
) -> None:
    out = tmp_path / "all.trig"
    written = ("export", "--format", "trig", "--out", out)
    for words in (("sparql", "ASK { ?s ?p ?o }"), written):
        refused = medweave(*words, "--kb", stores / "some.toml")
        assert (refused.status, out.exists()) == (1, False)
        assert "'gone' failed" in refused.err
        assert medweave(*words, "--kb", stores / "all.toml").status == 0


def test_where_all_fail_it_is_an_error(stores: Path, tmp_path: Path) -> None:
    (tmp_path / "none.toml").write_text(GONE, "utf-8")
    with pytest.raises(StoreUnreachableError, match="none of the stores answers"):
        KnowledgeBase.open(str(tmp_path / "none.toml")).ask(QUESTION)
    assert medweave("ask", QUESTION, "--kb", tmp_path / "none.toml").status == 1


def test_a_store_that_comes_back_is_heard_again(stores: Path, tmp_path: Path) -> None:
    entry = f'[[store]]\nname = "one"\nurl = "{stores / "one.db"}"\n'
    (tmp_path / "list.toml").write_text(entry + GONE, "utf-8")
    with KnowledgeBase.open(str(tmp_path / "list.toml")) as base:
        assert base.ask(QUESTION).status == "partial"
        (tmp_path / "b.jsonl").write_text(
            '{"name": "river fever", "concept": "disease", "symptoms": ["thirst"]}\n', "utf-8"
        )
        with KnowledgeBase.open(str(tmp_path / "none.db")) as late:
            late.build([tmp_path / "b.jsonl"])
        answer = base.ask(QUESTION)
        assert answer.status == "answered"
        assert "thirst" in answer.text


def test_a_store_of_a_list_keeps_its_names_on_this_machine(
    stores: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Path] = []
    monkeypatch.setattr(SqliteStore, "cache_names", lambda _, at: kept.append(at), raising=False)
    with KnowledgeBase.open(str(stores / "all.toml")) as base:
        base.ask(QUESTION)
    assert kept == [stores / "cache" / "names"] * 2


def test_a_question_sees_one_revision_of_each(stores: Path, tmp_path: Path) -> None:
    """Whatever another process writes meanwhile; also where the question fails."""
    entries = []
    for name in ("one", "two"):
        shutil.copy(stores / f"{name}.db", tmp_path / f"{name}.db")
        entries.append(f'[[store]]\nname = "{name}"\nurl = "{name}.db"\n')
    (tmp_path / "both.toml").write_text("".join(entries), "utf-8")
    (tmp_path / "b.jsonl").write_text(json.dumps(RECORDS[0] | {"symptoms": ["thirst"]}), "utf-8")
    with KnowledgeBase.open(str(tmp_path / "both.toml")) as base:
        store = base.knowledge.store
        before = store.match(None, "has_symptom")
        with pytest.raises(ZeroDivisionError), store.snapshot():
            with KnowledgeBase.open(str(tmp_path / "two.db")) as other:
                other.build([tmp_path / "b.jsonl"])
            assert store.match(None, "has_symptom") == before
            raise ZeroDivisionError
        assert len(store.match(None, "has_symptom")) == len(before) + 1


def _member(name: str, work: Callable[[], str], timeout: float) -> Member:
    view: Any = work
    return Member(name, lambda: view, timeout)


def test_stores_are_waited_for_together_and_no_longer_than_said() -> None:
    hanging = threading.Event()

    def slow() -> str:
        time.sleep(0.2)
        return "here"

    members = [_member(name, slow, 30) for name in "abc"]
    members.append(_member("hangs", lambda: str(hanging.wait(60)), 0.3))
    asked, start = Round(members), time.monotonic()
    call: Any = lambda view, _: view()  # noqa: E731
    assert asked.ask(call) == [(name, "here") for name in "abc"]
    assert time.monotonic() - start < 1.5  # one after the other, all would take longer than 0.9
    assert [each.status for each in asked.outcomes()] == ["answered"] * 3 + ["late"]
    start = time.monotonic()
    assert len(asked.ask(call)) == 3  # it is not waited for again
    hanging.set()


def test_one_of_a_list_is_a_base_like_others(stores: Path) -> None:
    with KnowledgeBase.open(f"{stores / 'all.toml'}#clinic") as base:
        answer = base.ask(QUESTION).to_json()
    assert {each["name"] for each in answer["result"]["value"]} == {"fever", "spots"}
    assert "stores" not in answer
    with KnowledgeBase.open(f"{stores / 'all.toml'}#one", create=False) as base:
        assert base.ask(QUESTION).base.revision == 1
    with pytest.raises(NotFoundError, match="no store 'three'"):
        KnowledgeBase.open(f"{stores / 'all.toml'}#three")


def test_a_list_is_not_written_to(base: KnowledgeBase, stores: Path) -> None:
    with pytest.raises(StoreError, match="only asked"):
        base.build([stores / "a.jsonl"])
    ran = medweave("build", "--kb", stores / "all.toml", stores / "a.jsonl")
    assert ran.status == 1
    assert "only asked" in ran.err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "[[store]]"),
        ("[[store]]\nname = 'a'\n", "needs a 'url'"),
        ("[[store]]\nname = 'a'\nurl = 'b'\ntimeout = 0\n", "above 0"),
        ("[[store]]\nname = 'a'\nurl = 'b'\npassword = 'c'\n", "no entry 'password'"),
        ("[[store]]\nname = 'a'\nurl = 'b'\n" * 2, "one name"),
        ("[[store]]\nname = 'a@b'\nurl = 'b'\n", "letters and digits"),
        ("name = [", "cannot be read"),
    ],
)
def test_a_wrong_list_is_said(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "list.toml").write_text(text, "utf-8")
    with pytest.raises(ConfigurationError, match=told.replace("[", r"\[")):
        stores_in(str(tmp_path / "list.toml"))


def test_a_variable_that_is_not_set_is_said(
    stores: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_SUCH_PASSWORD", raising=False)
    entry = '[[store]]\nname = "a"\nurl = "a.db"\npassword_env = "NO_SUCH_PASSWORD"\n'
    (tmp_path / "list.toml").write_text(entry, "utf-8")
    with pytest.raises(ConfigurationError, match="NO_SUCH_PASSWORD"):
        KnowledgeBase.open(str(tmp_path / "list.toml"))


def test_who_asks_by_any_name_of_a_thing_hears_of_it_by_that(
    base: KnowledgeBase, stores: Path
) -> None:
    """What is one thing changes with a store that does not answer; names told before stay good."""

    def called(by: KnowledgeBase) -> str:
        (found,) = {count.mention.entity for count in by.knowledge.store.named(["river fever"])}
        return found

    view, first = base.knowledge.store, called(base)
    with KnowledgeBase.open(str(stores / "one.db")) as alone:
        other = called(alone)
    assert first != other
    for asked in ([other], [first], [first, other]):
        told = {count.mention.entity for count in view.mentions(asked)}
        assert told == {first if first in asked else other}
