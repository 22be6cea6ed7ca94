"""`medweave review` as another program, or a person, meets it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_commands import as_json
from tests.commands import medweave

FLU = {"name": "flu", "concept": "disease", "symptoms": ["fever"], "drugs": ["penicillin"]}


@pytest.fixture
def kb(tmp_path: Path) -> str:
    source = tmp_path / "flu.jsonl"
    source.write_text(json.dumps(FLU) + "\n", "utf-8")
    name = str(tmp_path / "kb.db")
    as_json("build", "--kb", name, str(source))
    return name


def a_statement(kb: str) -> str:
    statements = as_json("show", "penicillin", "--kb", kb)["statements"]
    return str(next(each["id"] for each in statements))


def test_a_decision_is_printed_and_listed(kb: str) -> None:
    about = a_statement(kb)
    opened = as_json("review", "--kb", kb, "--list")["open"]
    made = as_json("review", about, "--kb", kb, "--reject", "--by", "Ana")
    assert (made["statement"], made["decision"], made["by"]) == (about, "rejected", "Ana")
    listed = as_json("review", "--kb", kb, "--list")
    assert listed == {"open": opened - 1, "decisions": [made]}
    code, out, _ = medweave("review", "--kb", kb, "--list")
    assert code == 0
    assert "by Ana" in out
    fresh = as_json(
        "review", about, "--kb", kb, "--correct", json.dumps({"subject": "paracetamol"})
    )
    assert (fresh["decision"], bool(fresh["replaced_by"])) == ("corrected", True)


def test_a_new_thing_is_named_where_that_is_said(kb: str) -> None:
    about = a_statement(kb)

    def corrected(name: str, *new: str) -> tuple[int, str, str]:
        right = json.dumps({"subject": name})
        return medweave("review", about, "--kb", kb, "--correct", right, *new)

    for slip, nearest in (
        ("paracetamoll", "paracetamol"),
        ("oral penicillin G", "benzylpenicillin"),
    ):
        code, _, err = corrected(slip)
        assert code != 0
        assert f"nearest are {nearest}" in " ".join(err.split())
        assert "`new`: drug" in " ".join(err.split())
    for name, new, what in (
        ("zorblaxine", "wonder", "unknown concept 'wonder'"),
        ("zorblaxine", "symptom", "does not take a symptom"),
        ("paracetamol", "drug", "nothing of it is new"),
    ):
        code, _, err = corrected(name, "--new", new)
        assert code != 0
        assert what in " ".join(err.split())
    assert corrected("zorblaxine", "--new", "drug")[0] == 0
    answered = as_json("ask", "What is zorblaxine used for?", "--kb", kb)
    assert "influenza" in json.dumps(answered)


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["st:none", "--reject"], "no such statement"),
        (["st:none"], "one decision is needed"),
        (["st:none", "--accept", "--reject"], "one decision is needed"),
        (["--reject"], "a decision needs the id"),
        (["st:none", "--list"], "a decision needs the id"),
        (["st:none", "--accept", "--new", "drug"], "only a correction"),
        (["st:none", "--correct", "[1]"], "no correction"),
        (["st:none", "--correct", "{"], "no correction"),
        ([], "needs a terminal"),
    ],
)
def test_what_cannot_be_done_is_said(kb: str, words: list[str], what: str) -> None:
    code, out, err = medweave("review", *words, "--kb", kb)
    assert code != 0
    assert what in err
    assert not out
    assert as_json("review", "--kb", kb, "--list")["decisions"] == []


def test_a_person_goes_through_them_one_by_one(kb: str) -> None:
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "medweave", "review", "--kb", kb, "--by", "Ana"]
    asked = subprocess.Popen(command, stdin=follower, stdout=subprocess.PIPE)
    os.write(leader, b'x\ns\nc\n{"subject": "nothing at all"}\nr\nq\n')
    out, _ = asked.communicate(timeout=60)
    os.close(leader)
    os.close(follower)
    assert asked.returncode == 0
    assert "nothing of this name is known" in out.decode()
    [made] = as_json("review", "--kb", kb, "--list")["decisions"]
    assert (made["decision"], made["by"]) == ("rejected", "Ana")
