"""`medweave understand`: one text or many, on a terminal and for another program."""

from __future__ import annotations

import gzip
import io
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from medweave import KnowledgeBase
from medweave.errors import SourceError
from medweave.faces.cli.commands import program
from medweave.faces.terminal.understanding import print_line, print_question

SENTENCE = "Patient: no fever but a cough, if I get a rash I call. My mother had asthma."


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("understand")
    (folder / "flu.jsonl").write_text(
        json.dumps({"name": "flu", "concept": "disease", "symptoms": ["fever", "cough", "rash"]}),
        "utf-8",
    )
    with KnowledgeBase.open(str(folder / "kb.db")) as base:
        base.build([folder / "flu.jsonl"])
    return str(folder / "kb.db")


@pytest.fixture(scope="module")
def base(kb: str) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(kb, create=False, read_only=True) as opened:
        yield opened


def understand(*arguments: str, given: bytes = b"") -> Result:
    """A command without its start, which takes longer than all it does."""
    return CliRunner().invoke(program(), ["understand", *arguments], input=given)


def rows(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.split("\n")[:-1]]


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """What a command prints on a terminal."""
    ours, theirs = pty.openpty()
    ran = subprocess.Popen(
        [sys.executable, "-m", "medweave", "understand", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", **environment},
    )
    os.close(theirs)
    printed = b""
    while True:
        try:
            block = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not block:
            break
        printed += block
    os.close(ours)
    ran.wait()
    return printed.decode().replace("\r\n", "\n")


def shown(base: KnowledgeBase, text: str) -> list[str]:
    console = Console(width=200, record=True, file=io.StringIO())
    print_question(base.understand(text), console)
    return console.export_text().splitlines()


def test_every_mention_says_its_status_in_a_word_and_how_it_was_linked(
    base: KnowledgeBase,
) -> None:
    said = [re.split(r" {2,}", line) for line in shown(base, SENTENCE)]
    assert said[:4] == [
        ["absent", "fever", "→", "fever (symptom)", "exact 1.00"],
        ["present", "cough", "→", "cough (symptom)", "exact 1.00"],
        ["hypothetical", "rash", "→", "rash (symptom)", "exact 1.00"],
        ["present", "asthma", "→", "asthma (disease)", "exact 1.00", "of someone else"],
    ]


def test_values_contradictions_the_person_what_is_asked_and_danger_are_told(
    base: KnowledgeBase,
) -> None:
    text = "My son is 5, no fever, 40 °C. He cannot breathe. What is it?"
    lines = shown(base, text)
    assert lines[0].startswith("DANGER severe trouble breathing")
    assert any(
        re.split(r" {2,}", line)[:4] == ["body temperature", "40 °C", "→", "40 Cel"]
        for line in lines
    )
    assert "Contradictory: fever: absent, but 40 °C (from 38)" in lines
    assert any(line.startswith("Asks for: diagnosis ") for line in lines)
    assert any(line.startswith("The person: age 5 years, male") for line in lines)


def test_what_was_asked_and_what_is_past_and_lay_is_remarked(base: KnowledgeBase) -> None:
    (line,) = [line for line in shown(base, "Doctor: any fever? Patient: Yes.") if "fever" in line][
        :1
    ]
    assert line.endswith("asked about")
    (line,) = [line for line in shown(base, "I had a rash as a child") if "rash" in line][:1]
    assert line.endswith("in the past")
    (line,) = [line for line in shown(base, "I am burning up") if "fever" in line][:1]
    assert "lay wording 0.90" in line


def test_nothing_found_is_said(base: KnowledgeBase) -> None:
    assert shown(base, "xyzzy") == ["Asks for: nothing that is known", "The person: nothing said"]


def test_a_chinese_text_is_told_in_chinese(base: KnowledgeBase) -> None:
    first = re.split(r" {2,}", shown(base, "我没有发烧")[0])
    assert first[:2] == ["没有", "发烧"]


def test_a_line_of_many_stands_above_how_it_is_understood(base: KnowledgeBase) -> None:
    console = Console(width=200, record=True, file=io.StringIO())
    print_line(7, base.understand("no fever"), console)
    text = console.export_text().splitlines()
    assert text[0] == "line 7: no fever"
    assert text[1].startswith("absent")


def test_colour_helps_and_nothing_hangs_on_it(kb: str) -> None:
    coloured = on_a_terminal(SENTENCE, "--kb", kb)
    plain = on_a_terminal(SENTENCE, "--kb", kb, NO_COLOR="1")
    assert "\x1b[31mabsent" in coloured
    assert "\x1b[31m" not in plain
    assert re.search(r"^absent +fever", plain, re.MULTILINE)
    without = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert without == re.sub(r"\x1b\[[0-9;]*m", "", plain)
    assert without == understand(SENTENCE, "--kb", kb).stdout


def test_many_lines_are_shown_on_a_terminal_and_are_json_elsewhere(kb: str, tmp_path: Path) -> None:
    file = tmp_path / "texts.txt"
    file.write_text("no fever\n\na cough\n", "utf-8")
    seen = on_a_terminal("--lines", str(file), "--kb", kb, NO_COLOR="1")
    assert re.search(r"line 1: .*fever", re.sub(r"\x1b\[[0-9;]*m", "", seen))
    assert "line 2 refused: the question is empty" in seen
    assert rows(understand("--lines", str(file), "--kb", kb).stdout)[2]["text"] == "a cough"


def test_a_bad_line_is_told_with_its_number_and_stops_no_other(kb: str) -> None:
    bad = [b"\xef\xbb\xbfno fever", b"", b"caf\xe9 fever", b"x" * 20_001, b" \r", b"a cough"]
    ran = understand("--lines", "-", "--kb", kb, given=b"\n".join(bad))
    found = rows(ran.stdout)
    assert ran.exit_code == 0
    assert [row.get("line") for row in found] == [None, 2, 3, 4, 5, None]
    assert [row["error"]["where"] for row in found if "error" in row] == [
        f"line {number}" for number in (2, 3, 4, 5)
    ]
    assert "not UTF-8 (byte 4)" in found[2]["error"]["message"]
    assert "20001 characters" in found[3]["error"]["message"]
    assert [m["text"] for row in (found[0], found[5]) for m in row["mentions"]] == [
        "fever",
        "cough",
    ]
    assert found[0]["text"] == "no fever"
    assert ran.stderr == "4 of 6 lines were refused: 2, 3, 4, 5\n"


def test_records_have_a_text_or_a_question(kb: str, tmp_path: Path) -> None:
    lines = [
        {"text": "fever"},
        {"question": "cough"},
        {"text": None, "question": "rash"},
        {"message": "rash"},
        ["rash"],
        {"text": "half a character \ud800 and fever"},
    ]
    packed = tmp_path / "texts.jsonl.gz"
    packed.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    ran = understand("--lines", str(packed), "--kb", kb)
    found = rows(ran.stdout)
    assert ran.exit_code == 0
    assert [[m["text"] for m in row.get("mentions", [])] for row in found] == [
        ["fever"], ["cough"], ["rash"], [], [], ["fever"],
    ]  # fmt: skip
    assert [row.get("line") for row in found] == [None, None, None, 4, 5, None]


def test_a_file_that_is_not_there_or_breaks_off_is_a_typed_error(kb: str, tmp_path: Path) -> None:
    missing, torn = tmp_path / "none.txt", tmp_path / "torn.txt.gz"
    torn.write_bytes(gzip.compress(b"fever\ncough\n" + os.urandom(50_000))[:-20_000])
    for file in (missing, torn):
        ran = understand("--lines", str(file), "--kb", kb)
        assert isinstance(ran.exception, SourceError)
        assert str(ran.exception).startswith(f"this file cannot be read, {file}")


def test_what_comes_through_a_pipe_is_one_text(kb: str) -> None:
    ran = understand("--kb", kb, "--json", given="no fever\na cough\xe9".encode("latin-1"))
    assert ran.exit_code == 0
    assert [m["status"] for m in json.loads(ran.stdout)["mentions"]] == ["absent", "present"]
