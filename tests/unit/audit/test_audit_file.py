"""The audit file: a chain that shows what was altered, moved or cut, and can be replayed."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest

from medweave.audit.file import AuditFile, purge, verify
from medweave.audit.record import FIRST, canonical, hash_of
from medweave.audit.replay import replay
from medweave.errors import ConfigurationError, SourceError
from medweave.knowledge_base import KnowledgeBase

QUESTION = "Can I take ibuprofen with warfarin?"
CHILD = {"age_days": 400, "weight_kg": 9, "findings": {"cough": True, "convulsions": True}}


@pytest.fixture(scope="module")
def base() -> Any:
    with KnowledgeBase.sample() as opened:
        yield opened


@pytest.fixture(scope="module")
def answer(base: KnowledgeBase) -> dict[str, Any]:
    return base.ask(QUESTION).to_json()


def filled(path: Path, base: KnowledgeBase, answer: dict[str, Any], **how: Any) -> AuditFile:
    audit = AuditFile(path, **how)
    audit.answer(answer, answer_id="a1")
    audit.assessment(CHILD, base.classify(CHILD).to_json(), assessment_id="c1")
    audit.decision("a1", {"sentence": 0, "decision": "disagree", "reason": "Mrs Jones is well"})
    return audit


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_record_has_the_form_of_the_contract(
    tmp_path: Path, base: KnowledgeBase, answer: dict[str, Any]
) -> None:
    path = tmp_path / "audit.jsonl"
    filled(path, base, answer)
    first, second, third = lines(path)
    assert [each["n"] for each in (first, second, third)] == [1, 2, 3]
    assert [each["kind"] for each in (first, second, third)] == ["answer", "assessment", "decision"]
    assert first["prev"] == FIRST and second["prev"] == first["hash"]
    assert first["base"] == answer["base"]
    assert set(first["statements"]) == {each["id"] for each in answer["statements"].values()}
    assert second["guideline"] == "sample-child-health@1.0"
    assert second["facts"]["findings"] == CHILD["findings"]
    without = {key: value for key, value in first.items() if key != "hash"}
    told = json.dumps(without, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert canonical(without) == told.encode()
    assert verify(path).to_json() == {
        "ok": True, "records": 3, "purged": 0, "head": third["hash"], "broken": [],
    }  # fmt: skip
    for file in (path, tmp_path / "audit.jsonl.key"):
        assert file.stat().st_mode & 0o777 == 0o600


def test_no_free_text_is_kept_unless_it_is_asked_for(
    tmp_path: Path, base: KnowledgeBase, answer: dict[str, Any]
) -> None:
    quiet, telling = tmp_path / "quiet", tmp_path / "telling"
    filled(quiet, base, answer)
    filled(telling, base, answer, keep_text=True)
    assert "Can I take" not in quiet.read_text() and "Jones" not in quiet.read_text()
    assert lines(telling)[0]["text"] == QUESTION
    assert lines(telling)[2]["decision"]["reason"] == "Mrs Jones is well"


def test_the_same_question_has_another_hash_in_another_file(
    tmp_path: Path, base: KnowledgeBase, answer: dict[str, Any]
) -> None:
    filled(tmp_path / "a", base, answer)
    filled(tmp_path / "b", base, answer)
    assert lines(tmp_path / "a")[0]["input"] != lines(tmp_path / "b")[0]["input"]


@pytest.mark.parametrize("what", ["altered", "altered and hashed anew", "removed", "swapped"])
def test_whatever_is_done_to_a_record_is_seen(
    tmp_path: Path, base: KnowledgeBase, answer: dict[str, Any], what: str
) -> None:
    path = tmp_path / "audit.jsonl"
    filled(path, base, answer)
    held = lines(path)
    if what.startswith("altered"):
        held[1]["facts"]["weight_kg"] = 12
        if what.endswith("anew"):
            held[1]["hash"] = hash_of(held[1])
    elif what == "removed":
        del held[1]
    else:
        held[0], held[1] = held[1], held[0]
    path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in held))
    assert not verify(path).ok


def test_a_cut_tail_is_seen_by_the_head_that_was_noted(
    tmp_path: Path, base: KnowledgeBase, answer: dict[str, Any]
) -> None:
    path = tmp_path / "audit.jsonl"
    audit = filled(path, base, answer)
    head = verify(path).head
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    assert verify(path).ok
    assert not verify(path, head=head).ok
    audit.decision("c1", {"decision": "agree"})
    assert not verify(path, head=head).ok


def test_a_line_cut_short_by_a_power_cut_costs_nothing_else(
    tmp_path: Path, base: KnowledgeBase, answer: dict[str, Any]
) -> None:
    path = tmp_path / "audit.jsonl"
    audit = filled(path, base, answer)
    with path.open("a") as stream:
        stream.write('{"n": 4, "ti')
    assert [each.n for each in verify(path).broken] == [4]
    audit.decision("c1", {"decision": "agree"})
    assert verify(path).ok and verify(path).records == 4


def test_purged_records_leave_their_place_in_the_chain(
    tmp_path: Path, base: KnowledgeBase, answer: dict[str, Any]
) -> None:
    path = tmp_path / "audit.jsonl"
    audit = filled(path, base, answer)
    head = verify(path).head
    assert purge(path, "2001-01-01") == 0
    assert purge(path, "2999-01-01") == 3
    found = verify(path, head=head)
    assert found.ok and (found.records, found.purged) == (3, 3)
    assert set(lines(path)[0]) == {"n", "time", "kind", "prev", "hash", "purged"}
    audit.decision("c1", {"decision": "agree"})
    assert verify(path, head=head).ok
    with pytest.raises(ConfigurationError, match="no day or time"):
        purge(path, "yesterday")


def test_what_was_altered_is_not_covered_up_by_purging(
    tmp_path: Path, base: KnowledgeBase, answer: dict[str, Any]
) -> None:
    path = tmp_path / "audit.jsonl"
    filled(path, base, answer)
    path.write_text(path.read_text().replace("disagree", "agree"))
    with pytest.raises(SourceError, match="not as it was written"):
        purge(path, "2999-01-01")


def test_a_file_without_its_key_is_not_gone_on_with(
    tmp_path: Path, base: KnowledgeBase, answer: dict[str, Any]
) -> None:
    path = tmp_path / "audit.jsonl"
    filled(path, base, answer)
    (tmp_path / "audit.jsonl.key").unlink()
    with pytest.raises(ConfigurationError, match="key of this audit file"):
        AuditFile(path)


def test_several_writers_make_one_chain(
    tmp_path: Path, base: KnowledgeBase, answer: dict[str, Any]
) -> None:
    path = tmp_path / "audit.jsonl"

    def write() -> None:
        audit = AuditFile(path)
        for _ in range(10):
            audit.decision("a1", {"decision": "agree"})

    writers = [threading.Thread(target=write) for _ in range(4)]
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    found = verify(path)
    assert found.ok and found.records == 40


def test_replay_gives_the_same_with_the_text_and_without_it(
    tmp_path: Path, base: KnowledgeBase, answer: dict[str, Any]
) -> None:
    telling, quiet = tmp_path / "telling", tmp_path / "quiet"
    filled(telling, base, answer, keep_text=True)
    filled(quiet, base, answer)
    assert replay(telling, base).to_json() == {
        "replayed": 2, "same": 2, "different": [], "not_replayable": [],
    }  # fmt: skip
    assert replay(quiet, base).to_json() == replay(telling, base).to_json()


def test_replay_sees_what_comes_out_otherwise(
    tmp_path: Path, base: KnowledgeBase, answer: dict[str, Any]
) -> None:
    path = tmp_path / "audit.jsonl"
    audit = AuditFile(path, keep_text=True)
    audit.answer({**answer, "status": "abstained"}, answer_id="a1")
    found = replay(path, base)
    assert [each.n for each in found.different] == [1]


def test_replay_sees_that_what_an_answer_rested_on_is_gone(
    tmp_path: Path, base: KnowledgeBase, answer: dict[str, Any]
) -> None:
    path = tmp_path / "audit.jsonl"
    filled(path, base, answer)
    with KnowledgeBase.open("memory:") as other:
        told = replay(path, other).different[0]
    assert told.n == 1
    assert re.fullmatch("it rested on st:.* not there now, from another base", told.what)
