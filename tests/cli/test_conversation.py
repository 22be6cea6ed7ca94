"""A conversation has one patient until another is named: at the prompt, and from a file."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from medweave import KnowledgeBase
from medweave.errors import SourceError
from medweave.faces.cli.ask import read_history
from medweave.faces.cli.prompt import Conversation


def talk(base: KnowledgeBase, *lines: str) -> str:
    """What the last of some lines prints."""
    out = io.StringIO()
    conversation = Conversation(base, Console(file=out, width=200), candidates=5)
    for line in lines:
        out.seek(0)
        out.truncate()
        conversation.say(line)
    return out.getvalue()


def test_a_drug_said_before_counts_and_is_told(base: KnowledgeBase) -> None:
    said = talk(base, "I am on warfarin.", "Can I take ibuprofen?")
    first = said.splitlines()[0]
    assert "ibuprofen" in first
    assert "warfarin" in first
    assert "from before: takes warfarin" in said
    assert "takes warfarin" in talk(base, "I am on warfarin.", "Can I take ibuprofen?", "who")


def test_what_was_forgotten_no_longer_counts(base: KnowledgeBase) -> None:
    said = talk(base, "I am on warfarin.", "forget", "Can I take ibuprofen?")
    assert "from before" not in said
    assert "warfarin" not in said


def test_asking_again_keeps_what_was_said_before(base: KnowledgeBase) -> None:
    said = talk(
        base, "I am allergic to penicillin.", "I have a sore throat. What helps?", "also a fever"
    )
    assert "allergic to penicillin" in said


def test_a_history_is_what_the_user_said(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    turns = [
        ("user", "I am on warfarin."),
        ("assistant", "Aspirin?"),
        ("user", " "),
        ("user", "Hm."),
    ]
    lines = [json.dumps({"role": role, "text": text}) for role, text in turns]
    file.write_text("\n".join(lines) + "\n\n", "utf-8")
    assert read_history(str(file)) == ("I am on warfarin.", "Hm.")
    assert read_history("") == ()


@pytest.mark.parametrize("line", ["{", "[]", '{"role": "doctor", "text": "x"}', '{"role": "user"}'])
def test_a_broken_history_is_an_error_with_its_line(tmp_path: Path, line: str) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text('{"role": "user", "text": "Hello."}\n' + line + "\n", "utf-8")
    with pytest.raises(SourceError, match="line 2") as caught:
        read_history(str(file))
    assert caught.value.remedy


def test_a_history_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        read_history(str(tmp_path / "nothing.jsonl"))
