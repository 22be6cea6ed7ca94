"""What people decide about statements: it holds in every answer, and wherever the base goes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medweave import KnowledgeBase
from medweave.errors import NotFoundError, StatementError
from medweave.exchange.formats import LOSSLESS
from medweave.graph.review import doubt_of
from medweave.model.belief import belief
from medweave.model.statement import SupportedStatement

FLU = {
    "name": "flu",
    "concept": "disease",
    "symptoms": ["fever", "cough"],
    "drugs": ["oseltamivir", "penicillin"],
}
QUESTION = "Which drugs are recorded for flu?"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "flu.jsonl"
    path.write_text(json.dumps(FLU) + "\n", "utf-8")
    return path


@pytest.fixture
def base(tmp_path: Path, source: Path) -> KnowledgeBase:
    opened = KnowledgeBase.open(str(tmp_path / "kb.db"), create=True)
    opened.build([source])
    return opened


def use_of(base: KnowledgeBase, drug: str) -> SupportedStatement:
    statements = [s for s in base.knowledge.store.match() if s.statement.predicate == "used_for"]
    return next(s for s in statements if s.statement.subject.endswith(drug))


def uses(base: KnowledgeBase) -> set[str]:
    found = base.knowledge.store.match(predicate="used_for")
    return {each.statement.subject.split(":")[1] for each in found}


def test_what_was_rejected_is_in_no_answer_and_comes_back_when_accepted(
    base: KnowledgeBase,
) -> None:
    wrong = use_of(base, "penicillins").statement.id
    before = base.ask(QUESTION).to_json()
    assert "penicillin" in json.dumps(before["sentences"])
    made = base.review(wrong, "rejected", by="Ana")
    assert made.to_json()["decision"] == "rejected"
    assert "penicillin" not in json.dumps(base.ask(QUESTION).to_json()["sentences"])
    assert "penicillin" not in json.dumps(base.show("flu").to_json()["statements"])
    base.review(wrong, "accepted", by="Ana")
    assert "penicillin" in json.dumps(base.ask(QUESTION).to_json()["sentences"])
    quotes = {item.quote for item in use_of(base, "penicillins").evidence}
    assert "penicillin" in quotes


def test_a_decision_survives_that_its_source_is_read_anew(
    base: KnowledgeBase, source: Path
) -> None:
    wrong = use_of(base, "penicillins").statement.id
    base.review(wrong, "rejected")
    source.write_text(json.dumps(FLU | {"description": "Flu is a virus."}) + "\n", "utf-8")
    base.build([source])
    assert uses(base) == {"oseltamivir"}
    base.remove(str(source))
    base.build([source])
    assert uses(base) == {"oseltamivir"}
    base.review(wrong, "accepted")
    assert uses(base) == {"oseltamivir", "penicillins"}


def test_what_was_accepted_is_believed_more(base: KnowledgeBase) -> None:
    before = use_of(base, "oseltamivir")
    base.review(before.statement.id, "accepted", by="Ana")
    after = use_of(base, "oseltamivir")
    assert belief(after.evidence) > belief(before.evidence)
    assert base.decisions()[0].by == "Ana"


def test_a_correction_takes_the_place_of_what_was_said(base: KnowledgeBase) -> None:
    wrong = use_of(base, "penicillins").statement.id
    made = base.review(wrong, "corrected", by="Ana", correction={"subject": "paracetamol"})
    assert uses(base) == {"oseltamivir", "paracetamol"}
    assert made.to_json()["replaced_by"] == use_of(base, "paracetamol").statement.id
    assert "paracetamol" in json.dumps(base.ask(QUESTION).to_json()["sentences"])
    base.review(wrong, "accepted")
    assert uses(base) == {"oseltamivir", "penicillins"}


@pytest.mark.parametrize("name", LOSSLESS)
@pytest.mark.parametrize("verdict", ["rejected", "corrected", "accepted"])
def test_decisions_go_along_with_export_and_import(
    base: KnowledgeBase, source: Path, tmp_path: Path, name: str, verdict: str
) -> None:
    right = {"subject": "paracetamol"} if verdict == "corrected" else None
    about = use_of(base, "penicillins").statement.id
    base.review(about, verdict, by="Ana", correction=right)  # type: ignore[arg-type]
    ending = LOSSLESS[name].endings[0]
    path = tmp_path / (f"out{ending}" if ending.startswith(".") else "out")
    base.export(path, name)
    with KnowledgeBase.open("memory:") as other:
        other.import_([path])
        assert other.decisions() == base.decisions()
        assert other.knowledge.store.version().hash == base.knowledge.store.version().hash
        other.build([source])
        assert uses(other) == uses(base)
        other.review(about, "accepted")
        assert "penicillins" in uses(other)


def test_decisions_that_are_imported_hold_for_what_the_base_has(
    base: KnowledgeBase, source: Path, tmp_path: Path
) -> None:
    base.review(use_of(base, "penicillins").statement.id, "rejected")
    base.export(tmp_path / "out.trig", "trig")
    copy = tmp_path / "copy.jsonl"
    copy.write_text(source.read_text("utf-8"), "utf-8")
    with KnowledgeBase.open("memory:") as other:
        other.build([copy])
        assert "penicillins" in uses(other)
        other.import_([tmp_path / "out.trig"])
        assert uses(other) == {"oseltamivir"}


@pytest.mark.parametrize(
    ("correction", "what"),
    [
        ({"subject": "no such thing"}, "nothing of this name"),
        ({"predicate": "no such relation"}, "this relation is not known"),
        ({"colour": "red"}, "no part of a correction"),
        ({"subject": "penicillin"}, "says what the statement says"),
        ({"object": "oseltamivir"}, "does not take"),
        ({}, "says what the statement says"),
    ],
)
def test_a_correction_that_cannot_be_is_refused_and_changes_nothing(
    base: KnowledgeBase, correction: dict[str, str], what: str
) -> None:
    before = base.knowledge.store.version().hash
    with pytest.raises(StatementError, match=what):
        base.review(use_of(base, "penicillins").statement.id, "corrected", correction=correction)
    assert base.knowledge.store.version().hash == before


def test_a_statement_that_is_not_there_is_named(base: KnowledgeBase) -> None:
    with pytest.raises(NotFoundError, match="no such statement"):
        base.review("st:none", "rejected")


def test_what_is_doubtful_comes_first_and_what_was_decided_not_at_all(
    base: KnowledgeBase,
) -> None:
    waiting = base.undecided()
    beliefs = [belief(each.evidence) for each in waiting]
    assert beliefs == sorted(beliefs)
    base.review(waiting[0].statement.id, "accepted")
    assert [each.statement for each in base.undecided()] == [s.statement for s in waiting[1:]]


def pages(base: KnowledgeBase, size: int) -> list[str]:
    """What waits, read page by page."""
    found: list[str] = []
    after = None
    while True:
        part = base.undecided_page(size, after)
        found += [each.statement.id for each in part.items]
        assert len(part.items) <= size
        if not part.more:
            assert part.total == len(found)
            return found
        after = doubt_of(part.items[-1])


def test_pages_of_what_waits_follow_whatever_changes(base: KnowledgeBase, tmp_path: Path) -> None:
    def whole() -> list[str]:
        return [each.statement.id for each in base.undecided()]

    first, second, *_, last = whole()
    assert pages(base, 2) == whole()
    base.review(first, "accepted")
    base.review(last, "rejected")
    assert pages(base, 3) == whole() and first not in whole()
    more = {"name": "flu", "concept": "disease", "symptoms": ["hiccups"]}
    (tmp_path / "more.jsonl").write_text(json.dumps(more) + "\n", "utf-8")
    base.build([tmp_path / "more.jsonl"])
    assert pages(base, 2) == whole()
    base.review(last, "accepted")
    base.remove(str(tmp_path / "more.jsonl"))
    assert pages(base, 500) == whole() and second in whole()
